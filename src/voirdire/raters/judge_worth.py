"""What judges are worth, and what to rate next: from tables, evaluations, or a run and a raters' project.

from voirdire.raters.judge_worth import WorthRequest, judges_worth
judges_worth(WorthRequest(results=Path("verdicts.csv"), human=Path("ratings.csv")))
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import median
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from voirdire.data.cells import csv_text
from voirdire.evaluation.checks.judges import judge_copies
from voirdire.evaluation.judges import RepeatingJudge, repeating_judges
from voirdire.evaluation.records import Evaluation
from voirdire.evaluation.table import Rows
from voirdire.jury.worth import Worth, WorthSettings, judge_worth
from voirdire.jury.worth.assessment import of_flagged_only, share_of, unless_disputed
from voirdire.jury.worth.direction import Direction
from voirdire.jury.worth.planning import STRICT, Batch, WorthPlan, first_batch, next_batch
from voirdire.jury.worth.records import Ones, WorthEstimate
from voirdire.jury.worth.tables import (
    EXPORT_ADVICE,
    GROUP,
    Columns,
    Key,
    Rated,
    Ratings,
    RatingTable,
    Verdicts,
    column_of_clusters,
    finder,
    match,
    opaque,
    read_ratings,
)
from voirdire.raters.anchoring.anchored_run import RatedUnit, rated_units
from voirdire.raters.anchoring.records import Estimand
from voirdire.raters.exchange.csv_tables import RATINGS
from voirdire.raters.good_ratings import with_good_ratings
from voirdire.raters.machine_ratings import Machine, Unit, VerdictSelection, machine_ratings
from voirdire.raters.progress import left_out, open_items, undecided, unlabelled
from voirdire.raters.project_loader import read_project
from voirdire.raters.records import Document, Project, RatersError, Rating
from voirdire.raters.results_reader import in_groups, in_groups_of, key_of, names_no_models, read_results, texts_by_item
from voirdire.raters.tasks import task_of
from voirdire.raters.tasks.base import SettledItem, SettledRatings, Task
from voirdire.raters.tasks.guided.detector import is_detected, unknown_origin
from voirdire.raters.tasks.guided.judgements import NO_VALUES
from voirdire.raters.tasks.guided.preference import NUMBERS
from voirdire.raters.tasks.guided.task import ANSWERED
from voirdire.raters.timing import hasty, hasty_times
from voirdire.reason_codes import Reason, reason

Floats = NDArray[np.float64]
_PROJECT = ".voirdire"
_RUN = "run.json"
_SUPPORTED = "a sentence that is supported"
_CHANCE = 0.001
"""That a random draw holds flagged sentences alone."""
"""What a 1 is wherever sentences are held against a detector's scores."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorthRequest:
    """Whose verdicts are held against which ratings."""

    results: Path
    """A table of verdicts, what `voirdire audit` reads, or a run."""
    human: Path | None = None
    """A table of ratings, an export's folder that has one, or a project; `None` before anything is rated."""
    judges: tuple[str, ...] = ()
    """Only these; all without any."""
    columns: Columns = field(default_factory=Columns)
    metric: str | None = None
    """Of a run."""
    jury: str | None = None
    settings: WorthSettings = field(default_factory=WorthSettings)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sides:
    """Verdicts, and what people say of the same outputs."""

    verdicts: Verdicts
    people: Floats
    weights: Floats
    reasons: tuple[str, ...]
    settings: WorthSettings
    scales: Mapping[str, tuple[float, float]]
    """By judge, the ends of its own."""
    turn: tuple[str, ...]
    """What would have ratings read the other way round; empty where it is known which way they run."""
    seconds: float | None
    """The median time for a rating, where it is known."""
    cautions: tuple[Reason, ...] = ()
    """What must be said of all judges."""
    undecided: frozenset[Key] = frozenset()
    """Outputs that people have rated without coming to a label."""
    people_one: str = ""
    """What a value at the top of people's scale says."""
    first: str = ""
    """Of pairs: whose output is the first."""
    beside: Mapping[Key, Mapping[str, str]] = field(default_factory=dict)
    """What people read beside each output, where that is known."""
    labels: Mapping[Key, str] = field(default_factory=dict)
    """What people chose, where they chose among labels."""
    preferred: Mapping[Key, Mapping[float, str]] = field(default_factory=dict)
    """Of pairs, which output a score prefers, in words."""
    marked_flags: WorthEstimate | None = None
    """Of flagged sentences in answers in which people marked words, the share that hold a mark."""
    read: Mapping[Key, str] = field(default_factory=dict)
    """The output, or both of a pair, as people read it, where that is known."""
    only_flagged: bool = False
    """Whether people were given nothing but sentences that a detector flagged."""

    @property
    def are_of_flags_alone(self) -> bool:
        """Whether people rated only what a detector flagged: they were given no more, or chance hardly does that."""
        return self.only_flagged or (
            self.verdicts.one_detector and any(map(self._are_of_zeros_alone, self.verdicts.scores.values()))
        )

    def _are_of_zeros_alone(self, scores: Floats) -> bool:
        """Whether of verdicts, 1 or 0, people rated only zeros, though there are ones (hypergeometric)."""
        known = np.isfinite(scores)
        rated, zeros = known & np.isfinite(self.people), known & (scores == 0)
        if not np.isin(scores[known], (0, 1)).all() or (rated & ~zeros).any():
            return False
        n = int(rated.sum())
        return math.comb(int(zeros.sum()), n) < _CHANCE * math.comb(int(known.sum()), n)

    @property
    def disputed(self) -> int:
        """Rated items that nobody has settled."""
        counts = (each["items"] for each in self.cautions if each.code == "worth_unsettled")
        return cast("int", next(counts, 0))


def judges_worth(request: WorthRequest) -> tuple[Worth, ...]:
    """What each judge is worth.

    Raises:
        WorthError: a table lacks something, a judge is unknown, or nothing can be compared.
        FileError: a file can't be read.
        RatersError: as for `tables_of_run`.
    """
    sides = _sides(request)
    judges = _judges(request, sides.verdicts)
    repeating = _repeating(sides.verdicts, judges)
    return tuple(
        _repeated(_concluded(sides, _worth(sides, judge, sides.settings)), repeating.get(judge)) for judge in judges
    )


def _repeating(verdicts: Verdicts, judges: Sequence[str]) -> dict[str, RepeatingJudge]:
    """By judge, which other one it repeats; readings of one detector may well be alike."""
    if verdicts.one_detector or len(judges) < 2:
        return {}
    judges = sorted(judges)  # nothing tells who repeats whom: by name, as `jury reliability` does
    table = Rows()
    for judge in judges:
        for key, score in zip(verdicts.keys, verdicts.scores[judge].tolist(), strict=True):
            table.add({"item": key.item, "model": key.model, "epoch": key.epoch, "judge": judge, "score": score})
    copies = judge_copies([Evaluation(name="", format="", metric="", rows=table.frame(), bounds=None)])
    scored = np.array([np.isfinite(verdicts.scores[judge]).sum() for judge in judges])
    return {each.judge: each for each in repeating_judges(copies, judges, scored)}


def _repeated(worth: Worth, repeating: RepeatingJudge | None) -> Worth:
    """The same, saying whom the judge repeats."""
    if repeating is None:
        return worth
    judge, other, why = repeating
    return replace(
        worth,
        repeats=other,
        cautions=(reason("worth_repeats", judge=judge, other=other, why=why), *worth.cautions),
    )


def _concluded(sides: _Sides, worth: Worth) -> Worth:
    """Nothing, where the ratings are no random part of the verdicts."""
    return of_flagged_only(worth) if sides.are_of_flags_alone else unless_disputed(worth, sides.disputed)


def plan_worth(request: WorthRequest, plan: Batch) -> tuple[WorthPlan, str, Verdicts]:
    """What to rate next, for the judge that takes most; that judge, and what the places of the plan stand for.

    Of several judges it says whose decision is open.

    Raises:
        WorthError, FileError, RatersError: as for `judges_worth`.
    """
    sides = _sides(request)
    plans = [
        (_plan(sides, judge, plan, rated=request.human is not None), judge)
        for judge in _judges(request, sides.verdicts)
    ]
    best, judge = max(plans, key=lambda each: each[0].more)
    open_judges = tuple(name for each, name in plans if not each.is_decided) if request.human and len(plans) > 1 else ()
    cautions = (*sides.cautions, *_unreadable(request.results))
    return replace(best, open_judges=open_judges, cautions=cautions), judge, sides.verdicts


def _unreadable(results: Path) -> tuple[Reason, ...]:
    """Why people can't read beside flagged sentences what these were held against, where they can't."""
    why = unknown_origin(results) if is_detected(results) else None
    return () if why is None else (why,)


def plan_csv(plan: WorthPlan, verdicts: Verdicts) -> str:
    """The items to be rated, with what people must read, and a column for the labels.

    Without what the judge says. Models, where an item has several, and clusters, where these are not the items, are
    codes: people rate blind, and `jury worth` finds the models again.
    """
    items = [key.item for key in verdicts.keys]
    columns: dict[str, Sequence[str]] = {"item": items}
    if verdicts.models is not None and len(set(items)) < len(items):
        columns["model"] = [opaque(model) for model in verdicts.models]
    if not len(set(items)) == len(set(verdicts.clusters)) == len(set(zip(items, verdicts.clusters, strict=True))):
        columns["cluster"] = [opaque(cluster) for cluster in verdicts.clusters]
    columns |= verdicts.shown
    if any(verdicts.texts):
        columns["output"] = verdicts.texts
    rows = [[values[drawn.place] for values in columns.values()] for drawn in plan.drawn]
    return csv_text([[*columns, "label", "reason"], *([*row, "", ""] for row in rows)])


def plan_items(plan: WorthPlan, verdicts: Verdicts) -> list[dict[str, Any]]:
    """The same, with each item's chance of being rated by the end of the batch."""
    keys = [(verdicts.keys[drawn.place], drawn.probability) for drawn in plan.drawn]
    return [{"item": key.item, "model": key.model, "probability": chance} for key, chance in keys]


def _sides(request: WorthRequest) -> _Sides:
    """Both sides of a request, high where good."""
    is_run = (request.results / _RUN).exists()
    if request.human is not None and request.human.suffix == _PROJECT:
        project = with_good_ratings(read_project(request.human), request.columns.good_rating)
        people = task_of(project.settings).settled_ratings(project)
        if is_run or people is None:
            return _sides_of_run(request, project, people)
        return _sides_of_project(request, project, people)
    if is_run:
        raise RatersError(
            f"{request.results} is a run: name the project in which people rated it with --human; voirdire rate new "
            "makes one."
        )
    settings = request.settings
    ends = settings.low, settings.high
    people_one, turn, ratings, exported = "", tuple[str, ...](), cast("Ratings", {}), False
    cautions: tuple[Reason, ...] = ()
    groups: Mapping[Key, str] = {}
    without_label: list[Key] = []
    if request.human is not None:
        table = read_ratings(_ratings_file(request.human), request.columns, ends)
        groups = table.groups
        without_label = [key for why in ("open", "no label") for key in table.open.get(why, ())]
        ratings, direction, exported, cautions = table.ratings, table.direction, table.exported, _cautions_of(table)
        people_one, turn = direction.says(ends, "rating"), (direction.other_way("--good-rating"),)
    results = read_results(request.results, _selection(request, ends, rated={key.item for key in ratings}))
    if exported and {key.item for key in ratings}.isdisjoint(key.item for key in results.verdicts.keys):
        raise RatersError(f"{request.human} {EXPORT_ADVICE}")
    verdicts = results.verdicts
    if groups and not _named_clusters(request, verdicts):
        verdicts = in_groups_of(verdicts, groups, column_of_clusters(GROUP), "the ratings")
    sides = _paired_sides(verdicts, ratings, settings, people_one=people_one, turn=turn, cautions=cautions)
    return replace(sides, undecided=frozenset(map(finder(verdicts.keys), without_label)))


def _named_clusters(request: WorthRequest, verdicts: Verdicts) -> bool:
    """Whether the user names a column of clusters, which then has it alone."""
    named = request.columns.cluster
    return named is not None and verdicts.clustered_by == column_of_clusters(named)


def _ratings_file(path: Path) -> Path:
    """The table of ratings: the file itself, or that of an export's folder.

    Raises:
        RatersError: a folder holds none.
    """
    if path.is_dir() and not (path / RATINGS).is_file():
        raise RatersError(f"{path} is a folder without {RATINGS}: name a table of ratings or a .voirdire project.")
    return path / RATINGS if path.is_dir() else path


def _selection(
    request: WorthRequest,
    ends: tuple[float, float],
    rated: Collection[str],
    *,
    pairs: bool = False,
    unnamed: bool = False,
    epochs: bool = False,
) -> VerdictSelection:
    """What of the results is wanted: of several evaluations the one that is named, else the one of the rated items."""
    return VerdictSelection(
        columns=request.columns,
        metric=request.metric,
        ends=ends,
        rated=rated,
        pairs=pairs,
        unnamed=unnamed,
        epochs=epochs,
    )


def _sides_of_run(request: WorthRequest, project: Project, people: SettledRatings | None) -> _Sides:
    """A run's jury, or a file of the task's own judgements: which way these run is known.

    Args:
        request: for what.
        project: of the run.
        people: what they say, where they were asked another question than the run's own task has.
    """
    if request.columns.good_verdict:
        raise RatersError(f"Which verdicts of {request.results} are good is known: leave out --good-verdict.")
    if request.columns.of_verdicts:
        raise RatersError(f"{request.results} has no columns to choose: leave out --map and the names of columns.")
    verdicts, ratings, top = tables_of_run(project, request.results, jury=request.jury, metric=request.metric)
    settings = replace(request.settings, low=0.0, high=top)
    detected = not (request.results / _RUN).exists() and is_detected(request.results)
    one = next(iter(verdicts.ones.values()))
    if people is not None:
        settings = replace(settings, low=people.low, high=people.high)
    verdicts = replace(verdicts, directions=dict.fromkeys(verdicts.scores, Direction(turned=detected, by="known")))
    if detected:  # 1 is hallucinated to both
        one = _SUPPORTED
        verdicts = replace(verdicts, ones=dict.fromkeys(verdicts.scores, one))
        ratings = _turned(ratings, (0.0, top))
    left = undecided(project)
    sides = _paired_sides(
        verdicts,
        ratings,
        settings,
        people_one=one,
        turn=() if people is None else people.turn,
        cautions=(*_cautions(project), *(() if people is None else (reason("worth_other_question"),))),
    )
    return replace(sides, undecided=frozenset(key for key in verdicts.keys if key.item in left))


def _sides_of_project(request: WorthRequest, project: Project, people: SettledRatings) -> _Sides:
    """What results say of the outputs, or pairs of them, that people of a guided project have rated."""
    ends, task = (people.low, people.high), task_of(project.settings)
    rated = {key_of(settled.document).item for settled in people.items}
    unnamed = people.pairs and names_no_models(settled.document for settled in people.items)
    selection = replace(
        _selection(request, ends, rated, pairs=people.pairs, unnamed=unnamed, epochs=True),
        numbered=texts_by_item(settled.document for settled in people.items),
    )
    results = read_results(request.results, selection)
    verdicts = results.verdicts
    if not _named_clusters(request, verdicts):
        verdicts = in_groups(verdicts, project)
    find = finder(verdicts.keys)
    settled_by_key: dict[Key, list[SettledItem]] = {}
    for settled in people.items:
        if settled.number is not None:
            settled_by_key.setdefault(find(key_of(settled.document)), []).append(settled)
    if not settled_by_key:
        raise RatersError(NO_VALUES)
    ratings = {
        key: Rated(
            float(np.mean([settled.number for settled in each])),
            each[0].document.weight,
            " | ".join(settled.reason for settled in each if settled.reason),
            tuple(second for settled in each for second in settled.seconds),
            task.read_beside(each[0].document),
            label=" | ".join(dict.fromkeys(task.vote_in_words(settled.document, settled.value) for settled in each)),
            output="" if people.pairs else each[0].document.body["output"],
        )
        for key, each in settled_by_key.items()
    }
    one = people.bottom_says if people.high_is_bad else people.top_says
    sides = _paired_sides(
        verdicts,
        _turned(ratings, ends) if people.high_is_bad else ratings,
        replace(request.settings, low=people.low, high=people.high),
        people_one=f"{one} ({people.read})" if people.read else one,
        turn=people.turn,
        cautions=_cautions(project),
    )
    read = {
        key: _pair(each[0].document) if people.pairs else task.rated_text(each[0].document, project.items[each[0].item])
        for key, each in settled_by_key.items()
    }
    documents = (project.documents[project.items[item].document] for item in undecided(project))
    sides = replace(
        sides,
        undecided=frozenset(find(key_of(each)) for each in documents),
        only_flagged=project.settings.only_flagged,
        seconds=None if hasty(project) else sides.seconds,
    )
    if not people.pairs:
        return replace(sides, read=read, marked_flags=_marked_flags(verdicts, settled_by_key))
    preferred = {key: _preferred(task, each[0].document) for key, each in settled_by_key.items()}
    return replace(sides, first=people.first, read=read, preferred=preferred)


def _marked_flags(verdicts: Verdicts, settled_by_key: Mapping[Key, Sequence[SettledItem]]) -> WorthEstimate | None:
    """The share of flagged sentences that hold words that people marked; `None` where texts or marks are not known."""
    hits, clusters, weights = [], [], []
    for key, cluster, flags in zip(verdicts.keys, verdicts.clusters, verdicts.flags, strict=False):
        for settled in settled_by_key.get(key, ()):
            document = settled.document
            if "spans" not in settled.value or any(document.body["output"][f.start : f.end] != f.text for f in flags):
                return None
            for flag in flags:
                hits.append(
                    any(span["start"] < flag.end and flag.start < span["end"] for span in settled.value["spans"])
                )
                clusters.append(cluster)
                weights.append(document.weight)
    return share_of(hits, clusters, weights) if hits else None


def _preferred(task: Task, document: Document) -> dict[float, str]:
    """What each score of a pair says."""
    return {
        score: task.vote_in_words(document, {"status": ANSWERED, "answer": answer}) for answer, score in NUMBERS.items()
    }


def _pair(document: Document) -> str:
    """Both outputs."""
    first, second = document.body["outputs"]
    return f"First: {first}\n\nSecond: {second}"


def _paired_sides(
    verdicts: Verdicts,
    ratings: Ratings,
    settings: WorthSettings,
    *,
    people_one: str,
    turn: tuple[str, ...] = (),
    cautions: tuple[Reason, ...] = (),
) -> _Sides:
    ends = settings.low, settings.high
    scales = {judge: verdicts.scale(judge, ends) for judge in verdicts.scores}
    ones = {judge: verdicts.direction(judge).says(own) for judge, own in scales.items()} | {**verdicts.ones}
    verdicts = replace(verdicts, scores=verdicts.good_high(ends), ones=ones)
    if unknown := sorted({key.item for key in ratings} - {key.item for key in verdicts.keys}):
        cautions = (*cautions, reason("worth_unknown", items=len(unknown), ids=tuple(unknown)))
    empty = np.full(len(verdicts.keys), np.nan)
    people, weights, reasons = match(verdicts, ratings) if ratings else (empty, np.ones_like(empty), ("",) * empty.size)
    find = finder(verdicts.keys)
    spent = [second for rated in ratings.values() for second in rated.seconds]
    return _Sides(
        verdicts=verdicts,
        people=people,
        weights=weights,
        reasons=reasons,
        settings=settings,
        turn=turn,
        seconds=median(spent) if spent and not hasty_times({"": spent}) else None,
        cautions=cautions,
        people_one=people_one,
        scales=scales,
        beside={find(key): rated.beside for key, rated in ratings.items() if rated.beside},
        labels={find(key): rated.label for key, rated in ratings.items() if rated.label},
    )


def _turned(ratings: Ratings, ends: tuple[float, float]) -> Ratings:
    """Ratings of which low ones are good, the other way round."""
    return {key: rated._replace(value=sum(ends) - rated.value) for key, rated in ratings.items()}


def _cautions(project: Project) -> tuple[Reason, ...]:
    """What must be said of a project's ratings."""
    return (
        *left_out(open_items(project), unlabelled(project)),
        *hasty(project),
    )


def _cautions_of(table: RatingTable) -> tuple[Reason, ...]:
    """The same of a table of ratings."""
    left = {why: tuple(key.item for key in keys) for why, keys in table.open.items()}
    few = left.get("few", ())
    return (
        *([reason("worth_not_all_rated", items=len(few))] if few else []),
        *left_out(left.get("open", ()), left.get("no label", ())),
        *([reason("worth_averaged", items=table.averaged)] if table.averaged else []),
        *hasty_times(table.seconds),
    )


def _judges(request: WorthRequest, verdicts: Verdicts) -> tuple[str, ...]:
    strange = [name for name in request.judges if name not in verdicts.scores]
    if strange:
        raise RatersError(f"{request.results} has no judge {strange[0]!r}; its judges: {', '.join(verdicts.scores)}.")
    return request.judges or tuple(verdicts.scores)


def _worth(sides: _Sides, judge: str, settings: WorthSettings) -> Worth:
    verdicts = sides.verdicts
    texts = [sides.read.get(key, text) for key, text in zip(verdicts.keys, verdicts.texts, strict=True)]
    turn = (*sides.turn, verdicts.direction(judge).other_way("--good-verdict"))
    worth = judge_worth(
        judge,
        verdicts.scores[judge],
        sides.people,
        clusters=verdicts.clusters,
        models=verdicts.models,
        same_scale=sides.scales[judge] == (settings.low, settings.high),
        weights=sides.weights,
        items=[key.item for key in verdicts.keys],
        texts=list(zip(texts, verdicts.reasons[judge], sides.reasons, strict=True)),
        beside=[{**verdicts.beside(place), **sides.beside.get(key, {})} for place, key in enumerate(verdicts.keys)],
        labels=list(_in_words(sides, judge)),
        pairs=bool(sides.first),
        settings=replace(settings, turn=tuple(filter(None, turn))),
    )
    return replace(
        worth,
        why=tuple(_of_pairs(each, sides.first) if sides.first else each for each in worth.why),
        cautions=(
            *([verdicts.outliers[judge]] if judge in verdicts.outliers else []),
            *worth.cautions,
            *sides.cautions,
        ),
        ones=Ones(sides.people_one, verdicts.ones[judge]),
        clustered_by=verdicts.clustered_by,
        one_detector=verdicts.one_detector,
        columns=verdicts.columns,
        first=sides.first,
        unit=verdicts.unit,
        marked_flags=sides.marked_flags,
    )


def _in_words(sides: _Sides, judge: str) -> Iterator[tuple[str, str]]:
    """Of each output, what the judge and what people say in words; "" where only the number is known."""
    verdicts = sides.verdicts
    words = verdicts.words.get(judge, ("",) * len(verdicts.keys))
    for key, score, word in zip(verdicts.keys, map(float, verdicts.scores[judge]), words, strict=True):
        yield sides.preferred.get(key, {}).get(score, "") or word, sides.labels.get(key, "")


def _of_pairs(why: Reason, first: str) -> Reason:
    """A bias in scores of pairs is one towards the first of them, or against it."""
    if why.code != "worth_biased":
        return why
    often = "often" if why["side"] == "high" else "rarely"
    return reason("worth_prefers", first=first, often=often, size=why["size"], low=why["low"], high=why["high"])


def _plan(sides: _Sides, judge: str, batch: Batch, *, rated: bool) -> WorthPlan:
    verdicts = sides.verdicts
    readable = _readable(verdicts)
    open_ones = np.array([key in sides.undecided for key in verdicts.keys]) & ~np.isfinite(sides.people)
    scores = np.where(readable & ~open_ones, verdicts.scores[judge], math.nan)
    if batch.seconds is None:
        batch = replace(batch, seconds=sides.seconds)
    empty = tuple(key.item for key, is_there in zip(verdicts.keys, readable, strict=True) if not is_there)
    if not rated:
        return _without(empty, first_batch(scores, verdicts.models, batch))
    worth = _worth(sides, judge, sides.settings)
    settled = _concluded(sides, worth)
    if sides.are_of_flags_alone and settled.is_withheld:
        every = np.where(readable, verdicts.scores[judge], math.nan)
        plan = first_batch(every, verdicts.models, batch)
        before = np.isfinite(sides.people) | open_ones
        again = sum(bool(before[drawn.place]) for drawn in plan.drawn)
        why = [reason("plan_flagged", ratings=worth.ratings, items=int(np.isfinite(every).sum()))]
        why += [reason("plan_again", items=again)] if again else []
        return _without(empty, replace(plan, why=tuple(why), flagged_only=worth.ratings))
    strict = _worth(sides, judge, replace(sides.settings, level=STRICT))
    plan = next_batch(worth, strict, scores, np.isfinite(sides.people), verdicts.models, batch)
    if open_ones.any():
        plan = replace(plan, why=(*plan.why, reason("plan_not_decided", items=int(open_ones.sum()))))
    if settled is not worth:
        plan = replace(plan, why=(*plan.why, settled.why[0]), disputed=sides.disputed)
    return _without(empty, plan)


def _without(empty: tuple[str, ...], plan: WorthPlan) -> WorthPlan:
    """The plan, with a word on outputs that hold nothing to read."""
    if not empty:
        return plan
    return replace(plan, why=(*plan.why, reason("plan_empty", outputs=len(empty), ids=empty)))


def _readable(verdicts: Verdicts) -> NDArray[np.bool_]:
    """Which outputs people could read: where the results have any, an empty one is none."""
    texts = np.array([bool(text) for text in verdicts.texts])
    return texts if texts.any() else np.ones_like(texts)


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
    task, live_ratings = task_of(project.settings), _live_ratings(project)
    ratings: dict[Key, Rated] = {}
    for each in units:
        value = math.nan if each.gold is None else _value(estimand, each.gold, each.unit)
        if not math.isnan(value):
            spoken = live_ratings.get(each.unit.item or "", [])
            reason = "\n".join(line for rating in spoken for line in task.details_in_words(rating.value))
            seconds = tuple(rating.seconds for rating in spoken if rating.seconds > 0)
            ratings[_key(each.unit)] = Rated(value, each.weight, reason, seconds, _beside(task, project, each.unit))
    if not ratings:
        raise RatersError(f"Nothing of {run} is settled that counts for {estimand.name}: finish the ratings first.")
    whole = machine.judge
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
        bounds=(0.0, 1.0 if estimand.top is None else estimand.top),
        clustered_by=f"the {task.nouns.group}",
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
    reasons = {judge: _reason(task, unit, judge) for judge in unit.judges}
    return "\n".join(f"{judge}: {text}" for judge, text in reasons.items() if text)


def _text(task: Task, project: Project, unit: Unit) -> str:
    """What was judged: as the run has it, or as people had it before them."""
    if unit.text is not None or unit.item is None:
        return unit.text or ""
    item = project.items[unit.item]
    return task.rated_text(project.documents[item.document], item)


def _beside(task: Task, project: Project, unit: Unit) -> Mapping[str, str]:
    return {} if unit.item is None else task.read_beside(project.documents[project.items[unit.item].document])


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
        value = value_of(each.unit)
        values.append(math.nan if value is None else _value(estimand, value, each.unit))
    return np.array(values, dtype=np.float64)


def _value(estimand: Estimand, rating: Mapping[str, Any], unit: Unit) -> float:
    """What a rating says of one unit; NaN where it does not speak of the metric."""
    counted = estimand.of(rating, unit)
    if counted is None or not counted[1]:
        return math.nan
    if counted[1] != 1:
        raise RatersError(f"{estimand.name} weighs units by what is said of them: choose another --metric.")
    return counted[0]


def _key(unit: Unit) -> Key:
    return Key(unit.id, unit.model or "")
