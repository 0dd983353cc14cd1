"""People's ratings as scores of Inspect: files for its scorer `precomputed_scores`, and its logs with them in."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from voirdire.errors import not_installed
from voirdire.raters.exchange.records import ExportPlan
from voirdire.raters.machine_ratings import live_items
from voirdire.raters.records import Project
from voirdire.raters.results_reader import PEOPLE, names_no_models
from voirdire.raters.tasks.base import SettledItem
from voirdire.raters.tasks.guided.people import guided_task, settled_items
from voirdire.raters.tasks.guided.task import GuidedTask
from voirdire.raters.tasks.guided.values import OUTPUT

_FILE = "scores"
Record = dict[str, Any]


def write(project: Project, plan: ExportPlan, folder: Path) -> list[str]:
    """Write `scores-MODEL.json` for each model, and each log of the source that is still there with its scores.

    Raises:
        ExchangeError: nothing is settled.
    """
    by_model: dict[str, list[Record]] = {}
    task = guided_task(project)
    for settled in settled_items(project, plan):
        for model, record in _records(settled, task):
            by_model.setdefault(model, []).append(record)
    files = {}
    for model, records in sorted(by_model.items()):
        path = folder / (f"{_FILE}-{_part(model)}.json" if len(by_model) > 1 else f"{_FILE}.json")
        path.write_text(json.dumps(_once(records), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
        files[model] = path
    labels = () if task.has_numbers else task.guide.names
    return [*_write_logs(Path(project.settings.source), files, folder, labels), *_notes(project)]


def _notes(project: Project) -> Iterator[str]:
    yield (
        "To put a file of scores into any log yourself, or to score a log with them again, name scorer and file: "
        "inspect score LOG --scorer precomputed_scores "
        "-S scores=FILE --action append --model mockllm/model"
    )
    task = guided_task(project)
    if task.kind == "preference":
        unnamed = names_no_models(project.documents[item.document] for item in live_items(project).values())
        whose = "the first of a pair" if unnamed else "this model"
        yield f"In a file of scores, 1 means that {whose} is preferred, 0 that the other one is, 0.5 a tie."
    if task.high_is_bad:
        yield (
            f"Inspect takes higher scores for better, so these are turned: {task.top:g} is the best that people say, "
            f"{task.bottom:g} the worst."
        )
    if not task.has_numbers:
        yield (
            "The guide gives its labels no values, so that scores are the labels' names, and no mean can be taken: "
            "with inspect score, add --metric frequency for the share of each."
        )


def _records(settled: SettledItem, task: GuidedTask) -> Iterator[tuple[str, Record]]:
    """(model, record) of each model that an item speaks of; the second of a pair has what the first has not.

    Of a pair whose models are not two different names, only the first is scored.
    """
    source = settled.document.source
    models = dict.fromkeys(source.get("models") or [source.get("model")])
    answer = settled.value["answer"]
    for place, model in enumerate(models):
        number = settled.number
        if number is not None and (place or task.high_is_bad):
            number = task.bottom + task.top - number
        record: Record = {
            "id": source["item"],
            "value": answer if number is None else number,
            "answer": str(answer),
            "metadata": {"how": settled.how, **_marks(settled)},
        }
        if source.get("epoch") is not None:
            record["epoch"] = source["epoch"]
        if settled.reason:
            record["explanation"] = settled.reason
        yield model or "", record


def _marks(settled: SettledItem) -> dict[str, Any]:
    spans = settled.value.get("spans")
    text = settled.document.body[OUTPUT]
    return {} if spans is None else {"spans": [{**each, "text": text[each["start"] : each["end"]]} for each in spans]}


def _once(records: Sequence[Record]) -> list[Record]:
    """One record of each sample: of several pairs, the mean."""
    grouped: dict[tuple[str, Any], list[Record]] = {}
    for record in records:
        grouped.setdefault((record["id"], record.get("epoch")), []).append(record)
    return [
        each[0] if len(each) == 1 else {**each[0], "value": sum(record["value"] for record in each) / len(each)}
        for each in grouped.values()
    ]


def _write_logs(source: Path, files: Mapping[str, Path], folder: Path, labels: Sequence[str]) -> Iterator[str]:
    """Write each log of the source with its scores; what was written, and why something was not."""
    from voirdire.evaluation.formats import FormatError, inspect_log, walk

    try:
        logs = [path for path in walk(source) if inspect_log.sniff(path)]
    except FormatError as error:
        yield f"Only files of scores were written: {error}"
        return
    if not logs:
        yield f"{source} holds no log of Inspect, so that only files of scores were written."
        return
    try:
        import inspect_ai  # noqa: F401 - whether it is there
    except ModuleNotFoundError:
        yield f"No log is written: {not_installed('a log', 'inspect-ai', 'inspect')} Then export again."
        return
    for path in logs:
        try:
            name = _write_log(path, files, folder, labels)
        except Exception as error:  # Inspect raises what it likes over a log that it can't read or score
            yield f"Inspect can't score {path}: {' '.join(str(error).split())[:200]}."
            continue
        if name is not None:
            yield f"The log {name} has people's ratings as the score {PEOPLE!r}."


def _write_log(path: Path, files: Mapping[str, Path], folder: Path, labels: Sequence[str]) -> str | None:
    """A copy of a log with people's scores; `None` where it is another model's.

    Of labels without values it gives the share of each, of all others the mean.
    """
    from inspect_ai import score
    from inspect_ai.log import read_eval_log, write_eval_log
    from inspect_ai.scorer import categorical, mean, precomputed_scores, scorer, stderr

    log = read_eval_log(str(path))
    scores = files.get(log.eval.model)
    if scores is None or not log.samples:
        return None

    # The ignore is for where Inspect is not installed.
    @scorer(metrics=categorical(labels) if labels else [mean(), stderr()], name=PEOPLE)  # type: ignore[untyped-decorator, unused-ignore]
    def people() -> Any:
        return precomputed_scores(str(scores))

    # Nothing is asked of a model; the log's own would need its provider's package and a key.
    scored = score(log, people(), action="append", model="mockllm/model", display="none")
    name = f"{path.stem}-{PEOPLE}{path.suffix}"
    write_eval_log(scored, str(folder / name))
    return name


def _part(model: str) -> str:
    """A model's name as a part of a file's."""
    return "".join(sign if sign.isalnum() or sign in "-_." else "_" for sign in model).strip(".")[:80] or "unnamed"
