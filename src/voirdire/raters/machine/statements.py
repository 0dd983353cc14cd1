"""The statements of a labelling run, as its model labelled them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from voirdire.cognibench.labelling import LabelledAnswer, manifest_of, read_labelled
from voirdire.detectors.labelling.records import Judged
from voirdire.detectors.records import hallucinated
from voirdire.raters.machine._matching import live_items, matched
from voirdire.raters.machine.records import Machine, Unit
from voirdire.raters.records import Project, RatersError
from voirdire.text.counting import counted

Span = tuple[str, int, int]


def read_statements(project: Project, run: Path) -> Machine:
    """Every statement of the answers that a run has labelled.

    Answers whose group stands in the prompt's examples are left out, as in every scoring of the labeller.

    Raises:
        RatersError: nothing is labelled yet.
        RunFolderError, CognibenchError: there is no run, or it is no labelling run.
    """
    asked, labelled = manifest_of(run), read_labelled(run)
    if not labelled:
        raise RatersError(f"No answer of {run} has been labelled yet; go on with the run first.")
    require, model = asked["plan"]["require"], asked["model"]
    scored = [each for each in labelled if not each.used_in_prompt]
    units, spans = [], {}
    for unit, span in (pair for each in scored for pair in _units(each, model, require)):
        units.append(unit)
        spans[span] = unit.id
    found, unmatched = matched(project, units, items_at(project, spans))
    left_out = len(labelled) - len(scored)
    return Machine(
        task="cognibench",
        run=run,
        by=model,
        judges=tuple(f"{model}#{sample + 1}" for sample in range(asked["plan"]["samples"])),
        units=found,
        unmatched=unmatched,
        require=require,
        notes=(f"Left out: {counted(left_out, 'answer')} of groups in the prompt's examples.",) if left_out else (),
    )


def items_at(project: Project, units: dict[Span, str]) -> dict[str, str]:
    """Ids of the project's items by the ids of the units that are the same stretch of the same answer.

    Args:
        project: its documents' bodies say where each statement begins and ends.
        units: ids by (answer, start, end).
    """
    found = {}
    for name, item in live_items(project).items():
        document = project.documents[item.document]
        statement = document.body["statements"][item.place]
        answer = str(document.source.get("answer", document.id))
        unit = units.get((answer, statement["start"], statement["end"]))
        if unit is not None:
            found[unit] = name
    return found


def _units(labelled: LabelledAnswer, model: str, require: Any) -> Iterator[tuple[Unit, Span]]:
    answer = labelled.answer
    for place, (statement, judged) in enumerate(zip(answer.statements, labelled.judged, strict=True)):
        label = judged.label
        unit = Unit(
            id=f"{answer.id}#{place}",
            document=answer.id,
            group=answer.group,
            dialogue=answer.dialogue,
            model=answer.model,
            words=statement.words,
            consensus=None if label is None else {"label": label, "hallucinated": hallucinated(label, require)},
            judges=_votes(judged, model),
        )
        yield unit, (answer.id, statement.start, statement.end)


def _votes(judged: Judged, model: str) -> dict[str, dict[str, Any]]:
    return {
        f"{model}#{sample + 1}": {"vote": vote, "hallucinated": vote == "hallu"}
        for sample, vote in enumerate(judged.votes)
        if vote is not None
    }
