"""People's ratings as an evaluation whose judge is "people": what `audit` reads, and Every Eval Ever."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from voirdire.raters.exchange.records import ExchangeError, ExportPlan
from voirdire.raters.records import Project
from voirdire.raters.tasks.base import SettledItem
from voirdire.raters.tasks.guided.people import guided_task, settled_items

if TYPE_CHECKING:
    from voirdire.evaluation.records import Evaluation

JUDGE = "people"


def write(project: Project, plan: ExportPlan, folder: Path) -> list[str]:
    """Write an aggregate and instance lines for each model; what they can't hold, in sentences.

    Raises:
        ExchangeError: nothing is settled, or labels have no values.
    """
    from voirdire.evaluation.every_eval_ever import write_evaluations

    return write_evaluations([evaluation_of(project, plan)], folder)


def evaluation_of(project: Project, plan: ExportPlan | None = None) -> Evaluation:
    """What people say, as scores: of a pair, of the first against the second.

    Raises:
        ExchangeError: nothing is settled, or labels have no values.
    """
    from voirdire.evaluation.records import Evaluation
    from voirdire.evaluation.table import Rows

    task, rows = guided_task(project), Rows()
    for settled in settled_items(project, plan):
        if settled.number is not None:
            rows.add(dict(_cells(settled, task.rating_in_words(settled.value))))
    if not len(rows):
        raise ExchangeError(
            "The guide gives its labels no values: write value: beside each, then make the project anew."
        )
    return Evaluation(
        name=project.settings.title,
        format="voirdire",
        metric=f"people_{task.kind}",
        rows=rows.frame(),
        bounds=(task.bottom, task.top),
        higher_is_better=not task.high_is_bad,
    )


def _cells(settled: SettledItem, words: str) -> Iterator[tuple[str, Any]]:
    source, body = settled.document.source, settled.document.body
    models, outputs = source.get("models"), body["outputs"]
    yield from (
        ("item", source["item"]),
        ("score", settled.number),
        ("judge", JUDGE),
        ("cluster", settled.document.group),
    )
    yield "model", (models[0] if models else source.get("model")) or "unknown"
    yield "output", outputs[0] if models else body["output"]
    if models:
        yield from (("baseline", models[1]), ("baseline_output", outputs[1]))
    if source.get("epoch") is not None:
        yield "epoch", float(source["epoch"])
    yield from (("prompt", body["prompt"] or None), ("reference", body["reference"] or None))
    yield "verdict", f"{words}: {settled.reason}" if settled.reason else words
