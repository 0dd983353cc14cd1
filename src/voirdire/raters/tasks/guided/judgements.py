"""What a judge, a run's jury or other people say of a guided project's items: read, compared, and anchored."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from voirdire.cognibench.detection_reader import is_detected
from voirdire.data.manifests import check_unchanged
from voirdire.errors import shown
from voirdire.evaluation.formats.long_table import names_of
from voirdire.jury.worth.direction import UNIT
from voirdire.jury.worth.tables import Key, Verdicts, check_same, finder
from voirdire.raters.anchoring.records import Classes, Counted, Estimand
from voirdire.raters.comparison.comparison import ComparisonParts, text_differs_error
from voirdire.raters.comparison.rated_items import ComparisonData, Placed
from voirdire.raters.machine_ratings import Machine, Unit, VerdictSelection, live_items, match_units
from voirdire.raters.project_loader import read_project
from voirdire.raters.records import Document, Project, RatersError
from voirdire.raters.results_reader import Results, in_groups, key_of, names_no_models, read_results, texts_by_item
from voirdire.raters.tasks import task_of, task_of_run
from voirdire.raters.tasks.base import DrawOptions, Judgements, Scale, ScoreScale, Value
from voirdire.raters.tasks.guided.guide import FIRST, SECOND, TIE
from voirdire.reason_codes import Reason, reason
from voirdire.text.counting import counted

if TYPE_CHECKING:
    from voirdire.raters.tasks.guided.task import GuidedTask

_PROJECT = ".voirdire"
NO_VALUES = (
    "The labels of this project have no values, and their words do not tell which are good. Name the good one, as in "
    "--good-rating LABEL, or a bad one, as in --good-rating 'not LABEL'."
)
NUMBER = "number"
"""What a judge says, on people's scale; other people's ratings have the form of the task."""


def judgements_of(task: GuidedTask) -> Judgements:
    """What can be held against people's answers to a task's question."""
    return Judgements(
        read_run=partial(_read_run, task),
        read_results=partial(_read_path, task),
        juries=True,
        every_run=True,
        check_texts=_check_texts,
        compare=partial(_compare, task),
        unsettled="the mean of their numbers, and the answer that more than half of their raters give, stand",
        leading=(("label", "preference", "verdict (anything marked)", "score", "value"), (TIES_LEFT_OUT.name,)),
        estimands=partial(_estimands, task),
        distributions=partial(_distributions, task),
        not_anchored={},
    )


TIES_LEFT_OUT = Scale(
    "preference, ties left out",
    (FIRST, SECOND),
    lambda value: value["answer"] if value["answer"] in (FIRST, SECOND) else None,
)
_HARDLY = 0.1
"""Where a machine calls ties less than a tenth as often as a person does, people's ties say nothing of how well it
tells the better answer from the worse."""


def _number(task: GuidedTask, value: Value) -> float | None:
    """What a judge or a person says, as a number on people's scale."""
    number: float | None = value[NUMBER] if NUMBER in value else task.number(value)
    return number


# --- results, and other people ---


def _read_path(task: GuidedTask, project: Project, path: Path, selection: VerdictSelection) -> Machine:
    """What results say of the outputs that the project is of, or what other people have settled on.

    Raises:
        RatersError: there are several evaluations or none, their scores fit no scale of people's, or the other project
            asked for something else.
    """
    if path.suffix == _PROJECT:
        if selection.columns.good_verdict or selection.chooses:
            raise RatersError(
                f"{path} holds people's answers to the same guide: leave out --good-verdict, --map, --metric and the "
                "names of columns."
            )
        return _read_other_people(task, project, path)
    if not task.has_numbers:
        raise RatersError(NO_VALUES)
    results = _results(task, project, path, selection)
    verdicts = in_groups(results.verdicts, project)
    judges = tuple(verdicts.scores)
    scores = {judge: _on_scale(task, results, judge, path) for judge in judges}
    units = _units(verdicts, scores)
    by_id, unmatched = match_units(project, units, _items(project, verdicts.keys))
    return Machine(
        task=task.name,
        run=path,
        by=", ".join(judges),
        judges=judges,
        apart=len(judges) > 1,
        units=by_id,
        unmatched=unmatched,
        notes=tuple(_notes(task, results, scores)),
        turn=tuple(filter(None, (*task.turn, *_turns(verdicts)))),
        unit="" if verdicts.unit == "item" else verdicts.unit,
        ungrouped=results.detected and verdicts.shown == {} and len(units) > len(project.documents),
    )


def _notes(task: GuidedTask, results: Results, scores: Mapping[str, Sequence[float]]) -> Iterator[str]:
    """What was done to scores, and how both sides were read where that had to be found out."""
    low, high = task.bottom, task.top
    own_scales = {judge: results.verdicts.scale(judge, (low, high)) for judge in results.verdicts.scores}
    for least, most in sorted({*own_scales.values()} - {(low, high)}):
        yield f"Scores from {least:g} to {most:g} are brought to people's scale, {low:g} to {high:g}."
    for judge, own in own_scales.items():
        direction = results.verdicts.direction(judge)
        if direction.by in ("user", "words", "file"):
            yield f"What counts as good of {judge}: {direction.says(own)}."
        if task.halfway and {low, high}.issuperset(score for score in scores[judge] if math.isfinite(score)):
            yield (
                f"{judge} says only good or bad, never {' or '.join(map(shown, task.halfway))}: where people say that, "
                "both can't agree."
            )
    if task.read_as:
        yield f"Of people's answers: {task.read_as}."


def _turns(verdicts: Verdicts) -> tuple[str, ...]:
    return tuple(dict.fromkeys(verdicts.direction(judge).other_way("--good-verdict") for judge in verdicts.scores))


def _results(task: GuidedTask, project: Project, path: Path, selection: VerdictSelection) -> Results:
    pairs = task.kind == "preference"
    documents = [project.documents[item.document] for item in live_items(project).values()]
    selection = replace(
        selection,
        pairs=pairs,
        unnamed=pairs and names_no_models(documents),
        epochs=True,
        ends=(task.bottom, task.top),
        rated={key_of(document).item for document in documents},
        numbered=texts_by_item(documents),
    )
    if task.kind == "spans" and _lists_spans(path):
        raise RatersError(
            f"{path} has a row for each span, and what people marked is compared with verdicts on whole answers: name "
            "a table with a row for each answer (item and verdict), what voirdire detect -o has written, or another "
            "project of spans."
        )
    results = read_results(path, selection)
    if results.detected and not pairs:
        check_unchanged(path)
        find = finder(results.verdicts.keys)
        rated = {find(key_of(document)): document.body["output"] for document in documents}
        for key, text in zip(results.verdicts.keys, results.verdicts.texts, strict=True):
            check_same(key, text, rated.get(key, ""))
        flagged = {"flagged": results.verdicts.scores["flagged"]}
        blank = ("",) * len(results.verdicts.keys)  # sentences may not be the whole answer: there is nothing to compare
        return results._replace(verdicts=replace(results.verdicts, scores=flagged, texts=blank))
    if results.detected:
        raise RatersError(
            f"{path} does not fit a project of {task.kind}: name scores of both answers, or preferences, or another "
            "such project."
        )
    return results


def _lists_spans(path: Path) -> bool:
    """Whether it is a table of stretches of answers, other than the sentences that `detect` writes."""
    return path.is_file() and not is_detected(path) and {"start", "end"} <= {*names_of(path)}


def _units(verdicts: Verdicts, scores: Mapping[str, Sequence[float]]) -> list[Unit]:
    units = []
    for place, key in enumerate(verdicts.keys):
        judges = {
            judge: {NUMBER: own[place], "reason": verdicts.reasons[judge][place]}
            for judge, own in scores.items()
            if np.isfinite(own[place])
        }
        name = _name(key)
        units.append(
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
    return units


def _mean(judges: Mapping[str, Value]) -> dict[str, Any] | None:
    """All judges together: the mean of those who gave a score."""
    return {NUMBER: math.fsum(each[NUMBER] for each in judges.values()) / len(judges)} if judges else None


def _on_scale(task: GuidedTask, results: Results, judge: str, path: Path) -> list[float]:
    """A judge's scores on people's scale, where high is what high is to them."""
    low, high = task.bottom, task.top
    verdicts = results.verdicts
    least, most = scale = verdicts.scale(judge, (low, high))
    if scale not in (verdicts.bounds, UNIT, (low, high)):
        raise RatersError(
            f"{path} holds scores of {judge} from {least:g} to {most:g}, and people's scale goes from {low:g} to "
            f"{high:g}: bring the scores to it, name others with --score-column, or use voirdire jury worth, which "
            "needs no common scale."
        )
    scores = low + (verdicts.good_high((low, high))[judge] - least) * (high - low) / (most - least)
    if task.high_is_bad:
        scores = low + high - scores
    on_scale: list[float] = scores.tolist()
    return on_scale


def _name(key: Key) -> str:
    return " / ".join(str(each) for each in key if each not in ("", None))


def _items(project: Project, keys: Sequence[Key]) -> dict[str, str]:
    """Ids of the project's items by the ids of the outputs, or pairs of them, that they are."""
    find = finder(keys)
    return {_name(find(key_of(project.documents[item.document]))): name for name, item in live_items(project).items()}


def _read_other_people(task: GuidedTask, project: Project, path: Path) -> Machine:
    """What other people say of the same outputs: what they settled on, and each of them."""
    other = read_project(path)
    theirs = task_of(other.settings)
    if other.settings.task != task.name or not task.asks_the_same(theirs):  # type: ignore[arg-type]
        raise RatersError(
            f"{path} asks for other answers than this project: name one of {task.name} with the same guide."
        )
    values_by_item: dict[str, dict[str, Value]] = {}
    for rating in other.ratings:
        if rating.pool == "live" and rating.role == "rater":
            values_by_item.setdefault(rating.item, {})[other.raters[rating.rater].name] = rating.value
    keys = [key_of(each) for each in project.documents.values()]
    units = []
    for name, item in _items(other, keys).items():
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
                judges=values_by_item.get(item, {}),
            )
        )
    by_id, unmatched = match_units(project, units, _items(project, keys))
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
        raise RatersError(NO_VALUES)
    native = task_of_run(run)
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
    by_id, unmatched = match_units(project, units, _items(project, ()))
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
        turn=task.turn,
    )


def _whole_unit(
    task: GuidedTask, name: str, parts: Sequence[Unit], judges: Sequence[str], estimand: Estimand, *, faults: bool
) -> Unit:
    def value_of_whole(value_of: Callable[[Unit], Value | None]) -> dict[str, Any] | None:
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

    by_judge = {judge: value_of_whole(lambda each, judge=judge: each.judges.get(judge)) for judge in judges}  # type: ignore[misc]
    first = parts[0]
    return Unit(
        id=name,
        document=name,
        group=first.group,
        dialogue=first.dialogue,
        model=first.model,
        consensus=value_of_whole(lambda each: each.consensus),
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


def _compare(task: GuidedTask, project: Project, machine: Machine, data: ComparisonData) -> ComparisonParts:
    number = partial(_number, task)
    values = [value for by_item in data.by_machine.values() for value in by_item.values()]
    categories: list[Placed] = [(scale, partial(_place, task, scale)) for scale in _scales(task, values)]
    placed = [(scale, of) for scale, of in categories if any(of(value) is not None for value in values)]
    scores = [ScoreScale(task.number_name, number, task.top, task.bottom)] if task.graded and task.has_numbers else []
    ties = [] if task.kind != "preference" else [each for scale, of in placed for each in _ties(data, scale, of)]
    machines = {each["machine"] for each in ties}
    without_ties = replace(
        data, by_machine={who: values for who, values in data.by_machine.items() if who[1] and who[0] in machines}
    )
    return {
        "cautions": (*_merged(task, [scale for scale, _ in placed]), *ties),
        "notes": (
            *(
                note
                for (name, whole), by_item in data.by_machine.items()
                if whole
                for note in _left_out(
                    f"{name}'s" if machine.apart else "the machine's",
                    [by_item[each.item] for each in data.rated if each.item in by_item],
                    placed,
                )
            ),
        ),
        "scores": data.scores(scores),
        "confusions": data.confusions(placed),
        "closeness": (
            *data.category_closeness(placed),
            *without_ties.category_closeness([(TIES_LEFT_OUT, partial(_place, task, TIES_LEFT_OUT))]),
            *data.score_closeness(scores),
        ),
    }


def _scales(task: GuidedTask, values: Sequence[Value]) -> tuple[Scale, ...]:
    """The scale on which people are compared with these values of a machine."""
    return task.judged_scales() if any(NUMBER in value for value in values) else task.scales()[:1]


def _merged(task: GuidedTask, scales: Sequence[Scale]) -> Iterator[Reason]:
    """Which labels a comparison with numbers takes for one, so that people's kappa differs from that on all labels."""
    apart = {name for scale in task.scales() for name in scale.categories}
    for scale in scales:
        if merged := [name for name in scale.categories if name not in apart]:
            yield reason("rate_merged", labels="; ".join(merged))


def _ties(data: ComparisonData, scale: Scale, place: Callable[[Value], float | None]) -> Iterator[Reason]:
    """Which machines (almost) never call a tie where people do; on the items that closeness is measured on."""
    tie, people = float(scale.categories.index(TIE)), data.table(scale.number)
    for who in data.by_machine:
        machine = data.machine(who, place)
        compared = ((~np.isnan(people)).sum(axis=1) >= 2) & ~np.isnan(machine)
        called, given = people[compared] == tie, ~np.isnan(people[compared])
        machine_ties = machine[compared] == tie
        if who[1] and called.any() and machine_ties.mean() < _HARDLY * called.sum() / given.sum():
            yield reason(
                "rate_ties",
                machine=who[0],
                scale=scale.name,
                items=int(compared.sum()),
                people=int(called.any(axis=1).sum()),
                machine_ties=int(machine_ties.sum()),
            )


def _left_out(whose: str, values: Sequence[Value], placed: Sequence[Placed]) -> Iterator[str]:
    """How many of a machine's values are of no category."""
    for scale, of in placed:
        if lacking := sum(NUMBER in value and of(value) is None for value in values):
            yield (
                f"{lacking:,} of {counted(len(values), 'item')} {'is' if lacking == 1 else 'are'} left out of kappa "
                f"and the confusion table ({scale.name}): {whose} score there is that of none of the categories."
            )


def _place(task: GuidedTask, scale: Scale, value: Value) -> float | None:
    """The number of the category that a value is of; a score is of one where it says exactly that."""
    category = task.category_of(value[NUMBER]) if NUMBER in value else scale.of(value)
    return float(scale.categories.index(category)) if category in scale.categories else None


def _estimands(task: GuidedTask, machine: Machine) -> tuple[Estimand, ...]:
    """The mean of what answers count as; a share where nothing but 0 and 1 is said."""

    def of(value: Value, _: Unit) -> Counted | None:
        number = _number(task, value)
        return None if number is None else (number, 1.0)

    if not task.has_numbers:
        raise RatersError(NO_VALUES)
    numbers = [
        number
        for each in machine.units.values()
        if each.consensus and (number := _number(task, each.consensus)) is not None
    ]
    binary = task.yes_or_no and {0.0, 1.0}.issuperset(numbers)
    return (Estimand(task.number_name, task.number_says, of, top=task.top, binary=binary),)


def _distributions(task: GuidedTask, machine: Machine) -> tuple[Classes, ...]:
    """Labels, where what the machine says are labels, and there are more than two."""
    if task.kind != "labels":
        return ()
    values = [each.consensus for each in machine.units.values() if each.consensus is not None]
    (scale,) = _scales(task, values)
    if len(scale.categories) < 3:
        return ()

    def of(value: Value) -> str | None:
        return task.category_of(value[NUMBER]) if NUMBER in value else scale.of(value)

    if any(of(each) is None for each in values):
        return ()
    return (Classes("label", scale.categories, of),)
