"""How far a project has come: counts and times, per rater and in all. Whether people agree is not told here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from voirdire.data.json_values import as_object, as_plain
from voirdire.raters.flow import PracticeResult, Queue, assignments_of, practice_result, queue_of
from voirdire.raters.project_loader import is_disputed
from voirdire.raters.records import Project, Rater, Rating
from voirdire.raters.rows import ASSIGN, RETAKE
from voirdire.raters.tasks import task_of
from voirdire.raters.tasks.base import Task
from voirdire.raters.timing import RaterWarning, clustering
from voirdire.reason_codes import Reason, declare, reason

declare(
    {
        "rate_flagged": "this project holds only sentences that a detector flagged: its ratings tell how many flags "
        "are right, but nothing of what the detector missed",
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RaterProgress:
    """How far a rater has come; live items, unless it says otherwise."""

    rater: Rater
    handed: int
    """Items assigned to them, rated or not."""
    rated: int
    """Among all that they rated, also what was taken back from them since."""
    open: int
    """Assigned to them and not rated."""
    may_come: int
    """Not assigned to them yet, and still wanting somebody: at most so many more."""
    practice: PracticeResult | None
    """`None` for adjudicators, and where there is none."""
    questions: int
    open_questions: int
    """Without a reply."""
    median_seconds: float | None
    """Per rated item, of those whose time was measured; `None` before the first."""
    seconds: float
    """At work, practice included."""
    last_at: str | None
    """Of their last row; UTC, ISO 8601."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far a project has come; live items, unless it says otherwise."""

    documents: int
    groups: int
    """That these are of; intervals are clustered by them."""
    items: int
    practice_items: int
    raters_per_item: int
    by_ratings: Mapping[int, int]
    """How many items have so many ratings of raters, from 0."""
    rated: int
    """Items that have all their ratings."""
    gold: Mapping[str, int]
    """Items that are settled with a label, by how: "agreed", "majority", "adjudicated"."""
    unlabelled: int
    """Items that the adjudicator was unsure of, or left out: they are decided, and no label comes of them."""
    disputes_open: int
    """Items on which raters differ or are unsure, and that want an adjudicator's decision."""
    disputes_decided: int
    """Items on which raters differ, settled with an adjudicator's rating."""
    questions: int
    questions_afterwards: int
    open_questions: int
    median_seconds: float | None
    """Per rating by a rater."""
    seconds: float
    """At work, all together."""
    last_at: str | None
    raters: tuple[RaterProgress, ...]
    warnings: tuple[RaterWarning, ...]
    """What to ask raters about: ratings that cluster, or took less time than reading does."""
    selection: Reason | None
    """What figures can't tell, where the items are no random part of all."""

    @property
    def settled(self) -> int:
        """Items with a label that stands."""
        return sum(self.gold.values())

    @property
    def nobody_settles(self) -> bool:
        """Whether disagreements wait for an adjudicator, and there is none."""
        return self.disputes_open > 0 and all(each.rater.role != "adjudicator" for each in self.raters)

    def as_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            **as_object(self),
            "by_ratings": {str(count): items for count, items in self.by_ratings.items()},
            "settled": self.settled,
            "raters": [_rater_as_dict(each) for each in self.raters],
            "warnings": as_plain(self.warnings),
            "selection": as_plain(self.selection),
        }


def progress_of(project: Project) -> Progress:
    """How far a project has come."""
    task = task_of(project.settings)
    queue = queue_of(project.items.values(), project.settings)
    items = sum(map(len, queue.items.values()))
    first = _values(project)
    counts = Counter(len(values) for values in first.values())
    disputed = {item for item, values in first.items() if is_disputed(task, project.settings, values)}
    return Progress(
        documents=len(queue.live),
        groups=len({project.documents[name].group for name in queue.live}),
        items=items,
        practice_items=len(queue.practice),
        raters_per_item=project.settings.raters_per_item,
        by_ratings=dict(sorted({**counts, 0: items - len(first)}.items())),
        rated=sum(count for ratings, count in counts.items() if ratings >= project.settings.raters_per_item),
        gold=dict(sorted(Counter(gold.how for gold in project.labelled.values()).items())),
        unlabelled=len(unlabelled(project)),
        disputes_open=len(open_items(project)),
        disputes_decided=sum(item in project.gold for item in disputed),
        questions=len(project.questions),
        questions_afterwards=sum(question.afterwards for question in project.questions),
        open_questions=sum(question.reply is None for question in project.questions),
        median_seconds=_median_seconds(rating for rating in project.ratings if rating.role == "rater"),
        seconds=sum(row.seconds for row in project.rows),
        last_at=max((row.at for row in project.rows if row.rater in project.raters), default=None),
        raters=tuple(
            _rater(project, task, queue, rater, _may_come(project, queue, rater, disputed))
            for rater in project.raters.values()
        ),
        warnings=tuple(clustering(project)),
        selection=reason("rate_flagged") if project.settings.only_flagged else None,
    )


def unlabelled(project: Project) -> tuple[str, ...]:
    """Items that an adjudicator has decided to leave without a label; by what their source says."""
    return _named(project, project.unlabelled)


def open_items(project: Project) -> tuple[str, ...]:
    """Items with all their ratings on which raters differ or are unsure, and nobody has decided; named likewise."""
    return _named(project, _open(project))


def undecided(project: Project) -> frozenset[str]:
    """The ids of rated items without a label: nobody has decided yet, or the adjudicator decided on none."""
    return project.unlabelled | _open(project)


def _open(project: Project) -> frozenset[str]:
    task, settings = task_of(project.settings), project.settings
    return frozenset(
        item
        for item, values in _values(project).items()
        if item not in project.gold and is_disputed(task, settings, values)
    )


def left_out(waiting: Sequence[str], no_label: Sequence[str]) -> Iterator[Reason]:
    """Which rated items have no label, and why: nobody has decided yet, or the adjudicator decided on none."""
    if waiting:
        yield reason("worth_unsettled", items=len(waiting), ids=tuple(sorted(waiting)))
    if no_label:
        yield reason("worth_no_label", items=len(no_label), ids=tuple(sorted(no_label)))


def _named(project: Project, items: Collection[str]) -> tuple[str, ...]:
    documents = (project.documents[each.document] for each in project.items.values() if each.id in items)
    return tuple(str(each.source.get("item", each.id)) for each in documents)


def _live(ratings: Iterable[Rating]) -> list[Rating]:
    return [rating for rating in ratings if rating.pool == "live"]


def _median_seconds(ratings: Iterable[Rating]) -> float | None:
    """Of live ratings whose time was measured: without script, or imported without a time, it was not."""
    measured = [rating.seconds for rating in _live(ratings) if rating.seconds > 0]
    return median(measured) if measured else None


def _values(project: Project) -> dict[str, list[Mapping[str, Any]]]:
    """What raters say of live items, by item."""
    result: dict[str, list[Mapping[str, Any]]] = {}
    for rating in _live(project.ratings):
        if rating.role == "rater":
            result.setdefault(rating.item, []).append(rating.value)
    return result


def _may_come(project: Project, queue: Queue, rater: Rater, disputed: Collection[str]) -> int:
    """How many items may still be handed to somebody: those that want a rater; of an adjudicator, those in dispute."""
    assignments = assignments_of(project.rows)
    if rater.role == "adjudicator":
        taken = {item for parts in assignments.values() for _, item in parts}
        return len(set(disputed) - project.gold.keys() - taken)
    takers = {document: set[str]() for document in queue.live}
    for name, parts in assignments.items():
        for document, item in parts:
            if not item and document in takers:
                takers[document].add(name)
    for rating in _live(project.ratings):
        if rating.role == "rater":
            takers[project.items[rating.item].document].add(rating.rater)
    ever = {row.body["document"] for row in project.rows if row.kind == ASSIGN and row.rater == rater.id}
    wanted = project.settings.raters_per_item
    return sum(
        len(queue.items[document])
        for document, names in takers.items()
        if document not in ever and rater.id not in names and (document in queue.calibration or len(names) < wanted)
    )


def _rater(project: Project, task: Task, queue: Queue, rater: Rater, may_come: int) -> RaterProgress:
    ratings = [rating for rating in project.ratings if rating.rater == rater.id]
    rated = {rating.item for rating in _live(ratings)}
    assignments = assignments_of(project.rows).get(rater.id, ())
    mine = [item.id for document, part in assignments for item in queue.items[document] if part in ("", item.id)]
    rows = [row for row in project.rows if row.rater == rater.id]
    questions = [question for question in project.questions if question.rater == rater.id]
    tries = 1 + sum(row.kind == RETAKE for row in rows)
    practised = {rating.item: rating.value for rating in ratings if rating.pool == "practice"}
    practises = bool(queue.practice) and rater.role == "rater"
    return RaterProgress(
        rater=rater,
        handed=len(mine),
        rated=len(rated),
        open=sum(item not in rated for item in mine),
        may_come=may_come,
        practice=practice_result(project.settings, queue.practice, practised, task.differ, tries)
        if practises
        else None,
        questions=len(questions),
        open_questions=sum(question.reply is None for question in questions),
        median_seconds=_median_seconds(ratings),
        seconds=sum(row.seconds for row in rows),
        last_at=rows[-1].at if rows else None,
    )


def _rater_as_dict(progress: RaterProgress) -> dict[str, Any]:
    practice = progress.practice
    qualification = None if practice is None else {**as_object(practice), "passed": practice.passed}
    return {**as_object(progress.rater), **as_object(progress), "rater": progress.rater.id, "practice": qualification}
