"""What a judge, a run's jury or other people say of a guided project's items: read, compared, and anchored."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from voirdire.data.manifests import check_unchanged
from voirdire.evaluation.records import Evaluation
from voirdire.jury.worth.tables import Columns, Verdicts
from voirdire.raters.anchoring.records import Classes, Counted, Estimand
from voirdire.raters.comparison.comparison import ComparisonParts, text_differs_error
from voirdire.raters.comparison.rated_items import Bench, Placed
from voirdire.raters.machine_ratings import Machine, Unit, live_items, match_units
from voirdire.raters.project_loader import read_project
from voirdire.raters.records import Document, Project, RatersError
from voirdire.raters.results import PAIR, evaluations_in, verdicts_in_evaluation, verdicts_in_table
from voirdire.raters.tasks import MODULES, open_task, task_of
from voirdire.raters.tasks.base import DrawOptions, Judgements, ScoreScale, Task, Value
from voirdire.raters.tasks.guided.people import verdicts_of_detector
from voirdire.text.counting import counted

if TYPE_CHECKING:
    from voirdire.raters.tasks.guided.task import GuidedTask

_PROJECT = ".voirdire"
_NO_VALUES = "The labels of this project have no values: write value: beside each in the guide, then make it anew."
NUMBER = "number"
"""What a judge says, on people's scale; other people's ratings have the form of the task."""


class _Said(NamedTuple):
    """What results say of outputs or pairs of them."""

    by_epoch: Mapping[int | None, Verdicts]
    bounds: tuple[float, float] | None
    """Of the scores; `None` where they are not known."""
    faults: bool
    """Whether high scores stand for faults."""


def judgements_of(task: GuidedTask) -> Judgements:
    """What can be held against people's answers to a task's question."""
    return Judgements(
        read_run=partial(_read_run, task),
        read_file=partial(_read_file, task),
        folders=True,
        juries=True,
        instruments=task.runs,
        check_texts=_check_texts,
        compare=partial(_compare, task),
        unsettled="the mean of their numbers, and the answer that more than half of their raters give, stand",
        leading=(("label", "preference", "verdict (anything marked)", "score", "value"),),
        estimands=partial(_estimands, task),
        distributions=partial(_distributions, task),
        not_anchored={},
    )


def _number(task: GuidedTask, value: Value) -> float | None:
    """What a judge or a person says, as a number on people's scale."""
    number: float | None = value[NUMBER] if NUMBER in value else task.number(value)
    return number


# --- results, and other people ---


def _read_file(task: GuidedTask, project: Project, path: Path) -> Machine:
    """What results say of the outputs that the project is of, or what other people have settled on.

    Raises:
        RatersError: there are several evaluations or none, their scores fit no scale of people's, or the other project
            asked for something else.
    """
    if path.suffix == _PROJECT:
        return _read_other_people(task, project, path)
    if not task.has_numbers:
        raise RatersError(_NO_VALUES)
    said = _read_results(task, project, path)
    judges = tuple(next(iter(said.by_epoch.values())).scores)
    units = [
        unit
        for epoch, verdicts in said.by_epoch.items()
        for unit in _units(verdicts, epoch, partial(_on_scale, task, said, path))
    ]
    first = next(iter(said.by_epoch.values()))
    items = _items(project, models=first.models is not None, epochs=None not in said.by_epoch)
    by_id, unmatched = match_units(project, units, items)
    low, high = task.bottom, task.top
    return Machine(
        task=task.name,
        run=path,
        by=", ".join(judges),
        judges=judges,
        units=by_id,
        unmatched=unmatched,
        notes=(
            f"Scores from {said.bounds[0]:g} to {said.bounds[1]:g} are brought to people's scale, {low:g} to {high:g}.",
        )
        if said.bounds not in (None, (low, high)) and said.bounds is not None
        else (),
    )


def _read_results(task: GuidedTask, project: Project, path: Path) -> _Said:
    pairs = task.kind == "preference"
    detected = verdicts_of_detector(path) if path.is_file() else None
    if detected is not None and not pairs:
        check_unchanged(path)
        flagged = {"flagged": detected.scores["flagged"]}
        texts = ("",) * len(detected.keys)  # its sentences are not the whole answer: there is nothing to compare
        return _Said({None: replace(detected, scores=flagged, texts=texts)}, (0.0, 1.0), faults=True)
    if detected is not None or task.kind == "spans":
        wanted = "scores of both answers, or preferences" if pairs else "what voirdire detect -o has written"
        raise RatersError(f"{path} does not fit a project of {task.kind}: name {wanted}, or another such project.")
    found = evaluations_in(path)
    if found is None:
        return _Said({None: verdicts_in_table(path, Columns(), pairs=pairs)}, None, faults=False)
    rated = {str(project.documents[item.document].source["item"]) for item in live_items(project).values()}
    own = [each for each in found if not rated.isdisjoint(each.items)]
    if len(own) != 1:
        names = ": " + ", ".join(sorted({each.name for each in own})) if own else ""
        raise RatersError(
            f"{path} holds {counted(len(own), 'evaluation')} of the rated items{names}; name the file of one."
        )
    bounds = (0.0, 1.0) if pairs and not own[0].has("baseline") else own[0].bounds
    return _Said(_by_epoch(own[0], pairs=pairs), bounds, faults=not own[0].higher_is_better)


def _by_epoch(evaluation: Evaluation, *, pairs: bool) -> dict[int | None, Verdicts]:
    """The verdicts of each repetition by themselves: each has outputs of its own."""
    if not evaluation.has("epoch"):
        return {None: verdicts_in_evaluation(evaluation, pairs=pairs)}
    rows = evaluation.rows
    return {
        int(epoch): verdicts_in_evaluation(replace(evaluation, rows=rows[rows["epoch"] == epoch]), pairs=pairs)
        for epoch in sorted(rows["epoch"].dropna().unique())
    }


def _units(verdicts: Verdicts, epoch: int | None, on_scale: Callable[[float], float]) -> list[Unit]:
    found = []
    for place, key in enumerate(verdicts.keys):
        judges = {
            judge: {NUMBER: on_scale(float(scores[place])), "reason": verdicts.reasons[judge][place]}
            for judge, scores in verdicts.scores.items()
            if np.isfinite(scores[place])
        }
        name = _name(key.item, key.model, epoch)
        found.append(
            Unit(
                id=name,
                document=name,
                group=verdicts.clusters[place],
                dialogue=name,
                model=key.model or None,
                text=verdicts.texts[place] or None,
                consensus=_mean(judges),
                judges=judges,
            )
        )
    return found


def _mean(judges: Mapping[str, Value]) -> dict[str, Any] | None:
    """All judges together: the mean of those who gave a score."""
    return {NUMBER: math.fsum(each[NUMBER] for each in judges.values()) / len(judges)} if judges else None


def _on_scale(task: GuidedTask, said: _Said, path: Path, score: float) -> float:
    """A score on people's scale, where high is what high is to them."""
    low, high = task.bottom, task.top
    if said.bounds is not None:
        least, most = said.bounds
        score = low + (score - least) * (high - low) / (most - least)
    if said.faults != task.high_is_bad:
        score = low + high - score
    if not low - 1e-9 <= score <= high + 1e-9:
        raise RatersError(
            f"{path} holds the score {score:g}, and people's scale goes from {low:g} to {high:g}: bring the scores to "
            "it, or use voirdire jury worth, which needs no common scale."
        )
    return score


def _name(item: str, model: str, epoch: int | None) -> str:
    return " / ".join(str(each) for each in (item, model, epoch) if each not in ("", None))


def _items(project: Project, *, models: bool, epochs: bool) -> dict[str, str]:
    """Ids of the project's items by the ids of the outputs, or pairs of them, that they are."""
    found = {}
    for name, item in live_items(project).items():
        source = project.documents[item.document].source
        model = PAIR.join(source["models"]) if "models" in source else source.get("model")
        found[_name(str(source["item"]), (model or "") if models else "", source.get("epoch") if epochs else None)] = (
            name
        )
    return found


def _read_other_people(task: GuidedTask, project: Project, path: Path) -> Machine:
    """What other people say of the same outputs: what they settled on, and each of them."""
    other = read_project(path)
    theirs = task_of(other.settings)
    if other.settings.task != task.name or not task.asks_the_same(theirs):  # type: ignore[arg-type]
        raise RatersError(
            f"{path} asks for other answers than this project: name one of {task.name} with the same guide."
        )
    said: dict[str, dict[str, Value]] = {}
    for rating in other.ratings:
        if rating.pool == "live" and rating.role == "rater":
            said.setdefault(rating.item, {})[other.raters[rating.rater].name] = rating.value
    outputs = _items(other, models=True, epochs=True)
    units = []
    for name, item in outputs.items():
        document, gold = other.documents[other.items[item].document], other.gold.get(item)
        units.append(
            Unit(
                id=name,
                document=name,
                group=document.group,
                dialogue=name,
                model=document.source.get("model"),
                text=_text(document),
                consensus=None if gold is None else gold.value,
                judges=said.get(item, {}),
            )
        )
    by_id, unmatched = match_units(project, units, _items(project, models=True, epochs=True))
    names = tuple(each.name for each in other.raters.values() if each.role == "rater")
    return Machine(
        task=task.name,
        run=path,
        by=f"the raters of {path.name}",
        judges=names,
        units=by_id,
        unmatched=unmatched,
    )


# --- a run of ours ---


def _read_run(task: GuidedTask, project: Project, run: Path, jury: str | None) -> Machine:
    """What the jury of a run says of what the project was made of, by the run's first figure.

    A document counts as the mean of its parts; where people mark words, as 1 where any part is at fault.

    Raises:
        RatersError: as the run's own task does.
    """
    if not task.has_numbers:
        raise RatersError(_NO_VALUES)
    native = _task_of_run(run)
    judgements = native.judgements()
    if jury is not None and not judgements.juries:
        raise RatersError(f"A run of {native.name} has no juries to choose from: leave out the jury {jury!r}.")
    made = native.make(run, DrawOptions(jury=jury))
    whole = replace(
        project, documents={each.id: each for each in made.documents}, items={each.id: each for each in made.items}
    )
    machine = judgements.read_run(whole, run, jury)
    estimand = next(each for each in judgements.estimands(machine) if each.top is not None)
    parts: dict[str, list[Unit]] = {}
    for unit in machine.units.values():
        parts.setdefault(unit.document if unit.item is None else whole.items[unit.item].document, []).append(unit)
    judges = machine.judges if judgements.each_judge else ()
    units = [_whole_unit(task, name, own, judges, estimand, faults=judgements.faults) for name, own in parts.items()]
    by_id, unmatched = match_units(project, units, _items(project, models=False, epochs=False))
    return Machine(
        task=task.name,
        run=run,
        by=machine.by,
        judges=judges,
        units=by_id,
        unmatched=unmatched,
        notes=(
            f"The jury was asked for {estimand.says}, people: {task.guide.question}",
            *machine.notes,
        ),
        anchoring_notes=machine.anchoring_notes,
    )


def _task_of_run(run: Path) -> Task:
    from voirdire.runs import RunFolder

    with RunFolder.open(run, read_only=True) as folder:
        instrument = folder.manifest.get("instrument")
    return next(open_task(name) for name in MODULES if instrument in open_task(name).runs)


def _whole_unit(
    task: GuidedTask, name: str, parts: Sequence[Unit], judges: Sequence[str], estimand: Estimand, *, faults: bool
) -> Unit:
    def said(value_of: Callable[[Unit], Value | None]) -> dict[str, Any] | None:
        shares = [
            counted_as[0] / (counted_as[1] * (estimand.top or 1.0))
            for each in parts
            for value in [value_of(each)]
            if value is not None and (counted_as := estimand.of(value, each)) is not None and counted_as[1]
        ]
        if not shares:
            return None
        share = max(shares) if faults and task.high_is_bad else math.fsum(shares) / len(shares)
        share = 1 - share if faults != task.high_is_bad else share
        return {NUMBER: task.bottom + share * (task.top - task.bottom)}

    by_judge = {judge: said(lambda each, judge=judge: each.judges.get(judge)) for judge in judges}  # type: ignore[misc]
    first = parts[0]
    return Unit(
        id=name,
        document=name,
        group=first.group,
        dialogue=first.dialogue,
        model=first.model,
        consensus=said(lambda each: each.consensus),
        judges={judge: value for judge, value in by_judge.items() if value is not None},
    )


# --- compared, and anchored ---


def _text(document: Document) -> str:
    return "\n\n".join(document.body["outputs"]) or str(document.body["output"])


def _check_texts(project: Project, machine: Machine, rated: Sequence[str]) -> None:
    units = machine.by_item
    for name in rated:
        text = units[name].text if name in units else None
        if text is not None and _lines(text) != _lines(_text(project.documents[project.items[name].document])):
            raise text_differs_error(f"The answer {units[name].id!r}", machine.run)


def _lines(text: str) -> list[str]:
    return text.splitlines()


def _compare(task: GuidedTask, project: Project, machine: Machine, bench: Bench) -> ComparisonParts:
    number = partial(_number, task)
    categories: list[Placed] = [
        (scale, partial(_place, task, scale.categories, scale.of)) for scale in task.scales()[:1]
    ]
    values = [value for said in bench.by_machine.values() for value in said.values()]
    placed = [(scale, of) for scale, of in categories if any(of(value) is not None for value in values)]
    scores = [ScoreScale(task.number_name, number, task.top)] if task.graded and task.has_numbers else []
    return {
        "scores": bench.scores(scores),
        "confusions": bench.confusions(placed),
        "closeness": (*bench.category_closeness(placed), *bench.score_closeness(scores)),
    }


def _place(
    task: GuidedTask, categories: Sequence[str], of: Callable[[Value], str | None], value: Value
) -> float | None:
    """The number of the category that a value is of; a score is of one where it says exactly that."""
    category = task.category_of(value[NUMBER]) if NUMBER in value else of(value)
    return None if category is None else float(categories.index(category))


def _estimands(task: GuidedTask, machine: Machine) -> tuple[Estimand, ...]:
    """The mean of what answers count as; a share where nothing but 0 and 1 is said."""

    def of(value: Value, _: Unit) -> Counted | None:
        number = _number(task, value)
        return None if number is None else (number, 1.0)

    if not task.has_numbers:
        raise RatersError(_NO_VALUES)
    said = [
        number
        for each in machine.units.values()
        if each.consensus and (number := _number(task, each.consensus)) is not None
    ]
    binary = task.yes_or_no and {0.0, 1.0}.issuperset(said)
    return (Estimand(task.number_name, task.number_says, of, top=task.top, binary=binary),)


def _distributions(task: GuidedTask, machine: Machine) -> tuple[Classes, ...]:
    """Labels, where what the machine says are labels, and there are more than two."""
    if task.kind != "labels" or len(task.guide.names) < 3:
        return ()
    (scale,) = task.scales()

    def of(value: Value) -> str | None:
        return task.category_of(value[NUMBER]) if NUMBER in value else scale.of(value)

    if any(each.consensus is not None and of(each.consensus) is None for each in machine.units.values()):
        return ()
    return (Classes("label", task.guide.names, of),)
