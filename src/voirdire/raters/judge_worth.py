"""What judges are worth, and what to rate next: from tables, evaluations, or a run and a raters' project.

from voirdire.raters.judge_worth import WorthRequest, judges_worth
judges_worth(WorthRequest(results=Path("verdicts.csv"), human=Path("ratings.csv")))
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from numpy.typing import NDArray

from voirdire.errors import shown
from voirdire.jury.worth import Settings, Worth, judge_worth
from voirdire.jury.worth.planning import STRICT, Batch, WorthPlan, first_batch, next_batch
from voirdire.jury.worth.records import Ones
from voirdire.jury.worth.tables import Columns, Key, Rated, Ratings, Verdicts, match, read_ratings
from voirdire.raters.anchoring.anchored_run import RatedUnit, rated_units
from voirdire.raters.anchoring.records import Estimand
from voirdire.raters.machine_ratings import Machine, Unit, machine_ratings
from voirdire.raters.progress import progress_of
from voirdire.raters.project_loader import read_project
from voirdire.raters.records import Project, RatersError, Rating
from voirdire.raters.results import PAIR, evaluations_in, verdicts_in_evaluation, verdicts_in_table
from voirdire.raters.tasks import task_of
from voirdire.raters.tasks.base import PeopleSay, SaidOfItem, Task
from voirdire.raters.tasks.guided.people import verdicts_of_detector, verdicts_on_sentences
from voirdire.reasons import Reason, reason
from voirdire.text.cells import csv_text

Floats = NDArray[np.float64]
CONSENSUS = "the jury"
_PROJECT = ".voirdire"
_RUN = "run.json"
_SUPPORTED = "a sentence that is supported"
"""What a 1 is wherever sentences are held against a detector's scores."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorthRequest:
    """Whose verdicts are held against which ratings."""

    results: Path
    """A table of verdicts, what `voirdire audit` reads, or a run."""
    human: Path | None = None
    """A table of ratings, or a project; `None` before anything is rated."""
    judges: tuple[str, ...] = ()
    """Only these; all without any."""
    columns: Columns = field(default_factory=Columns)
    metric: str | None = None
    """Of a run."""
    jury: str | None = None
    reverse: bool = False
    """High verdicts are bad ones. Of what `voirdire detect -o` has written, that is known without it."""
    settings: Settings = field(default_factory=Settings)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sides:
    """Verdicts, and what people say of the same outputs."""

    verdicts: Verdicts
    people: Floats
    weights: Floats
    reasons: tuple[str, ...]
    settings: Settings
    seconds: float | None
    """The median time for a rating, where it is known."""
    cautions: tuple[Reason, ...] = ()
    """What must be said of all judges."""
    people_one: str = ""
    """What a value at the top of people's scale says."""


def judges_worth(request: WorthRequest) -> tuple[Worth, ...]:
    """What each judge is worth.

    Raises:
        WorthError: a table lacks something, a judge is unknown, or nothing can be compared.
        FileError: a file can't be read.
        RatersError: as for `tables_of_run`.
    """
    sides = _sides(request)
    return tuple(_worth(sides, judge, sides.settings) for judge in _judges(request, sides.verdicts))


def plan_worth(request: WorthRequest, plan: Batch) -> tuple[WorthPlan, str, Verdicts]:
    """What to rate next, for the judge that takes most; that judge, and what the places of the plan stand for.

    Raises:
        WorthError, FileError, RatersError: as for `judges_worth`.
    """
    sides = _sides(request)
    plans = [
        (_plan(sides, judge, plan, rated=request.human is not None), judge)
        for judge in _judges(request, sides.verdicts)
    ]
    best, judge = max(plans, key=lambda each: each[0].more)
    return best, judge, sides.verdicts


def plan_csv(plan: WorthPlan, verdicts: Verdicts) -> str:
    """The items to be rated, without what the judge says, and a column for the labels."""
    with_models = verdicts.models is not None
    texts = any(verdicts.texts)
    rows = [["item", *(["model"] if with_models else []), *(["output"] if texts else []), "label", "reason"]]
    for drawn in plan.drawn:
        key = verdicts.keys[drawn.place]
        text = [verdicts.texts[drawn.place]] if texts else []
        rows.append([key.item, *([key.model] if with_models else []), *text, "", ""])
    return csv_text(rows)


def plan_items(plan: WorthPlan, verdicts: Verdicts) -> list[dict[str, Any]]:
    """The same, with each item's chance of being rated by the end of the batch."""
    return [{**verdicts.keys[drawn.place]._asdict(), "probability": drawn.probability} for drawn in plan.drawn]


def _sides(request: WorthRequest) -> _Sides:
    settings, cautions = request.settings, list[Reason]()
    is_run, detected = (request.results / _RUN).exists(), verdicts_of_detector(request.results)
    people_one = ""
    if request.human is not None and request.human.suffix == _PROJECT:
        project = read_project(request.human)
        if unsettled := progress_of(project).disputes_open:
            cautions.append(reason("worth_unsettled", items=unsettled))
        people = task_of(project.settings).people_say(project)
        if people is not None and not is_run:
            verdicts, ratings = _tables_of_people(request, people, detected)
            verdicts = _in_groups(verdicts, people)
            people_one = people.bottom_says if detected is not None and people.high_is_bad else people.top_says
        else:
            verdicts, ratings, top = tables_of_run(project, request.results, jury=request.jury, metric=request.metric)
            settings = replace(settings, low=0.0, high=top)
            people_one = next(iter(verdicts.ones.values())) if detected is None else _SUPPORTED
            if detected is not None:
                verdicts = replace(verdicts, ones=dict.fromkeys(verdicts.scores, _SUPPORTED))
        if people is not None:
            settings = replace(settings, low=people.low, high=people.high)
        if detected is not None and (people is None or people.high_is_bad):  # 1 is supported, whatever the task
            ends = settings.low + settings.high
            ratings = {key: rated._replace(value=ends - rated.value) for key, rated in ratings.items()}
        if people is not None:
            cautions += [reason("worth_other_question")] if is_run else []
    elif is_run:
        raise RatersError(
            f"{request.results} is a run: name the project in which people rated it with --human; voirdire rate new "
            "makes one."
        )
    else:
        ratings = {} if request.human is None else read_ratings(request.human, request.columns)
        verdicts = _verdicts(request) if detected is None else _rated_verdicts(request.results, detected, ratings)
        people_one = _one_of_table(request, ratings)
    _check_positive(request, verdicts, ratings)
    if request.reverse and detected is not None:
        cautions.append(reason("worth_turned"))
    if request.reverse or detected is not None:
        ends = settings.low + settings.high
        verdicts = replace(verdicts, scores={name: ends - values for name, values in verdicts.scores.items()})
    if unknown := sorted({key.item for key in ratings} - {key.item for key in verdicts.keys}):
        cautions.append(reason("worth_unknown", items=len(unknown), ids=tuple(unknown)))
    empty = np.full(len(verdicts.keys), np.nan)
    said, weights, reasons = match(verdicts, ratings) if ratings else (empty, np.ones_like(empty), ("",) * empty.size)
    spent = [second for rated in ratings.values() for second in rated.seconds]
    return _Sides(
        verdicts=_with_ones(request, verdicts, settings),
        people=said,
        weights=weights,
        reasons=reasons,
        settings=replace(settings, known_direction=detected is not None),
        seconds=median(spent) if spent else None,
        cautions=tuple(cautions),
        people_one=people_one,
    )


def _rated_verdicts(path: Path, answers: Verdicts, ratings: Ratings) -> Verdicts:
    """A detector's verdicts on answers; or on sentences, where more ratings name these, as a project's exports do."""
    rated = {key.item for key in ratings}
    sentences = verdicts_on_sentences(path)
    of_answers, of_sentences = (len(rated & {key.item for key in each.keys}) for each in (answers, sentences))
    return sentences if of_sentences > of_answers else answers


def _check_positive(request: WorthRequest, verdicts: Verdicts, ratings: Ratings) -> None:
    """See that the label that counts as 1 is one of either side; where both have labels, both have looked for it."""
    label = request.columns.positive
    if label is not None and not verdicts.labelled and not any(each.labelled for each in ratings.values()):
        raise RatersError(
            f"--positive {shown(label)} changes nothing: verdicts and ratings are numbers here, not labels. Leave it "
            "out."
        )


def _one_of_table(request: WorthRequest, ratings: Ratings) -> str:
    """What people's 1 is, as far as a table says so."""
    if request.human is None or not ratings:
        return ""
    if any(each.labelled for each in ratings.values()):
        return f"the label {shown(request.columns.positive or '')}"
    return f"a rating of {request.settings.high:g} in {request.human.name}"


def _with_ones(request: WorthRequest, verdicts: Verdicts, settings: Settings) -> Verdicts:
    """With what a judge's 1 is, where the table does not say more."""
    ends = settings.low, settings.high
    value = f"a score of {ends[not request.reverse]:g}"
    turned = " (turned around by --reverse)" if request.reverse else ""
    ones = {
        name: (f"the label {shown(request.columns.positive or '')}" if name in verdicts.labelled else value) + turned
        for name in verdicts.scores
    }
    return replace(verdicts, ones={**ones, **verdicts.ones})


def _in_groups(verdicts: Verdicts, people: PeopleSay) -> Verdicts:
    """The verdicts in the project's groups: by them everything else that is said of its people is clustered."""
    group_of = {said.document.source["item"]: said.document.group for said in people.items}
    groups = tuple(
        group_of.get(key.item, cluster) for key, cluster in zip(verdicts.keys, verdicts.clusters, strict=True)
    )
    return replace(verdicts, clusters=groups, clustered_by="the project's groups")


def _tables_of_people(request: WorthRequest, people: PeopleSay, detected: Verdicts | None) -> tuple[Verdicts, Ratings]:
    """The verdicts of results, on the outputs or pairs that a project is of, and what people say of these."""
    verdicts = detected or _verdicts(request, pairs=people.pairs)
    found: dict[Key, list[tuple[float, SaidOfItem]]] = {}
    for said in people.items:
        source = said.document.source
        model = PAIR.join(source["models"]) if people.pairs else source.get("model")
        if said.number is not None:
            key = Key(source["item"], (model or "") if verdicts.models is not None else "")
            found.setdefault(key, []).append((said.number, said))
    if not found:
        raise RatersError(f"The labels of {request.human} have no values: write value: beside each in the guide.")
    return verdicts, {
        key: Rated(
            float(np.mean([number for number, _ in each])),
            each[0][1].document.weight,
            " | ".join(said.reason for _, said in each if said.reason),
            tuple(second for _, said in each for second in said.seconds),
        )
        for key, each in found.items()
    }


def _verdicts(request: WorthRequest, *, pairs: bool = False) -> Verdicts:
    """Of a plain table, or of whatever the readers of evaluations know.

    Args:
        request: for what.
        pairs: whether they are wanted of pairs of outputs.
    """
    results = request.results
    found = evaluations_in(results)
    if found is None:
        return verdicts_in_table(results, request.columns, pairs=pairs)
    chosen = [each for each in found if request.metric is None or request.metric in (each.name, each.metric)]
    if len(chosen) != 1:
        names = ", ".join(sorted({each.name for each in found}))
        raise RatersError(f"{results} holds {len(found)} evaluations: {names}. Choose one with --metric.")
    return verdicts_in_evaluation(chosen[0], pairs=pairs)


def _judges(request: WorthRequest, verdicts: Verdicts) -> tuple[str, ...]:
    strange = [name for name in request.judges if name not in verdicts.scores]
    if strange:
        raise RatersError(f"{request.results} has no judge {strange[0]!r}; its judges: {', '.join(verdicts.scores)}.")
    return request.judges or tuple(verdicts.scores)


def _worth(sides: _Sides, judge: str, settings: Settings) -> Worth:
    verdicts = sides.verdicts
    worth = judge_worth(
        judge,
        verdicts.scores[judge],
        sides.people,
        clusters=verdicts.clusters,
        models=verdicts.models,
        weights=sides.weights,
        items=[key.item for key in verdicts.keys],
        texts=list(zip(verdicts.texts, verdicts.reasons[judge], sides.reasons, strict=True)),
        settings=settings,
    )
    return replace(
        worth,
        cautions=(*worth.cautions, *sides.cautions),
        ones=Ones(sides.people_one, verdicts.ones.get(judge, "")),
        clustered_by=verdicts.clustered_by,
    )


def _plan(sides: _Sides, judge: str, batch: Batch, *, rated: bool) -> WorthPlan:
    verdicts = sides.verdicts
    scores = verdicts.scores[judge]
    if batch.seconds is None:
        batch = replace(batch, seconds=sides.seconds)
    if not rated:
        return first_batch(scores, verdicts.models, batch)
    worth = _worth(sides, judge, sides.settings)
    strict = _worth(sides, judge, replace(sides.settings, level=STRICT))
    return next_batch(worth, strict, scores, np.isfinite(sides.people), verdicts.models, batch)


def tables_of_run(
    project: Project, run: Path, *, jury: str | None = None, metric: str | None = None
) -> tuple[Verdicts, Ratings, float]:
    """What the jury and each judge (or the only one) say of units, what people settled on, and the top of the scale.

    Args:
        project: in which people have rated a part of the run.
        run: its folder, or a file of the task's judgements.
        jury: as for `machine_ratings`.
        metric: a figure of the run, such as FAR; `None` for the first that there is.

    Raises:
        RatersError: the run has no such figure, it counts units unequally or without an upper end, or nothing of the
            run is settled; or as `machine_ratings`.
    """
    machine = machine_ratings(project, run, jury)
    estimand = _estimand(project, machine, metric)
    units = [each for each in rated_units(project, machine) if estimand.applies(each.unit)]
    task, said = task_of(project.settings), _live_ratings(project)
    ratings: dict[Key, Rated] = {}
    for each in units:
        value = math.nan if each.gold is None else _value(estimand, each.gold, each.unit)
        if not math.isnan(value):
            spoken = said.get(each.unit.item or "", [])
            reason = "\n".join(line for rating in spoken for line in task.details_in_words(rating.value))
            seconds = tuple(rating.seconds for rating in spoken if rating.seconds > 0)
            ratings[_key(each.unit)] = Rated(value, each.weight, reason, seconds)
    if not ratings:
        raise RatersError(f"Nothing of {run} is settled that counts for {estimand.name}: finish the ratings first.")
    whole = CONSENSUS if len(machine.judges) > 1 else next(iter(machine.judges), machine.by)
    scores = {whole: _scores(units, estimand, lambda unit: unit.consensus)}
    if len(machine.judges) > 1:
        scores |= {name: _scores(units, estimand, _says(name)) for name in machine.judges}
    verdicts = Verdicts(
        keys=tuple(_key(each.unit) for each in units),
        clusters=tuple(each.unit.group for each in units),
        scores={name: values for name, values in scores.items() if np.isfinite(values).any()},
        texts=tuple(_text(task, project, each.unit) for each in units),
        reasons={
            name: tuple(
                _reasons(task, each.unit) if name == whole else _reason(task, each.unit, name) for each in units
            )
            for name in scores
        },
        ones={name: f"{estimand.name} of {1.0 if estimand.top is None else estimand.top:g}" for name in scores},
        clustered_by="the project's groups",
    )
    return verdicts, ratings, 1.0 if estimand.top is None else estimand.top


def _live_ratings(project: Project) -> dict[str, list[Rating]]:
    """By item, everybody's."""
    by_item: dict[str, list[Rating]] = {}
    for rating in project.ratings:
        if rating.pool == "live":
            by_item.setdefault(rating.item, []).append(rating)
    return by_item


def _reason(task: Task, unit: Unit, judge: str) -> str:
    verdict = unit.judges.get(judge)
    return "" if verdict is None else "\n".join(task.details_in_words(verdict))


def _reasons(task: Task, unit: Unit) -> str:
    """Of all judges, each after its name."""
    found = {judge: _reason(task, unit, judge) for judge in unit.judges}
    return "\n".join(f"{judge}: {said}" for judge, said in found.items() if said)


def _text(task: Task, project: Project, unit: Unit) -> str:
    """What was judged: as the run has it, or as people had it before them."""
    if unit.text is not None or unit.item is None:
        return unit.text or ""
    item = project.items[unit.item]
    return task.rated_text(project.documents[item.document], item)


def _estimand(project: Project, machine: Machine, metric: str | None) -> Estimand:
    known = task_of(project.settings).judgements().estimands(machine)
    fitting = {each.name: each for each in known if each.top is not None}
    if metric is None:
        return next(iter(fitting.values()))
    if metric not in fitting:
        raise RatersError(f"A run of {machine.task} has no metric {metric!r}; give one of {', '.join(fitting)}.")
    return fitting[metric]


def _says(judge: str) -> Callable[[Unit], Mapping[str, Any] | None]:
    return lambda unit: unit.judges.get(judge)


def _scores(
    units: Sequence[RatedUnit], estimand: Estimand, value_of: Callable[[Unit], Mapping[str, Any] | None]
) -> Floats:
    values = []
    for each in units:
        said = value_of(each.unit)
        values.append(math.nan if said is None else _value(estimand, said, each.unit))
    return np.array(values, dtype=np.float64)


def _value(estimand: Estimand, said: Mapping[str, Any], unit: Unit) -> float:
    """What a rating says of one unit; NaN where it does not speak of the metric."""
    counted = estimand.of(said, unit)
    if counted is None:
        return math.nan
    if counted[1] != 1:
        raise RatersError(f"{estimand.name} weighs units by what is said of them: choose another --metric.")
    return counted[0]


def _key(unit: Unit) -> Key:
    return Key(unit.id, unit.model or "")
