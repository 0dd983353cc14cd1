"""What the organiser sees of a project: pure over its data. Pictures are geometry; the template draws them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

from voirdire.raters.agreement import Agreement, agree
from voirdire.raters.flow import assignments_of, queue_of
from voirdire.raters.progress import Progress, progress_of
from voirdire.raters.project_loader import is_disputed
from voirdire.raters.records import Project, Rating
from voirdire.raters.tasks import task_of
from voirdire.raters.tasks.base import Task, Value
from voirdire.raters.timing import Trial, duration, paces, trends, trials
from voirdire.raters.web.votes import Vote, outcome_of, votes_of

WIDTH, HEIGHT = 480, 150
_LEFT, _RIGHT, _TOP, _BOTTOM = 44, 10, 10, 24
_SECONDS = {"seconds": 1.0, "minutes": 60.0}
_MOST = 400
"""Dots drawn; of more items, the last."""


class Dot(NamedTuple):
    """An item."""

    x: float
    y: float
    title: str


class Expected(NamedTuple):
    """What the guide expects of a stretch of items, as a rectangle."""

    x: float
    y: float
    width: float
    height: float


class Tick(NamedTuple):
    """A label on an axis, and where it stands."""

    at: float
    text: str


class TimeChart(NamedTuple):
    """One rater's items: number across, time up."""

    name: str
    summary: str
    """In a sentence, for whoever does not see it."""
    dots: tuple[Dot, ...]
    expected: tuple[Expected, ...]
    across: tuple[Tick, ...]
    up: tuple[Tick, ...]
    unit: str
    """"minutes", or "seconds" where no item took many."""
    width: int = WIDTH
    height: int = HEIGHT
    left: int = _LEFT
    floor: int = HEIGHT - _BOTTOM
    right: int = WIDTH - _RIGHT


def time_charts(project: Project) -> tuple[TimeChart, ...]:
    """One chart for each rater who has finished two live items or more; all to one scale."""
    by_rater = {rater: finished[-_MOST:] for rater, finished in trials(project).items() if len(finished) > 1}
    seconds = [each.seconds for finished in by_rater.values() for each in finished]
    hopes = [each.expected[1] for finished in by_rater.values() for each in finished if each.expected]
    longest = max(seconds + hopes, default=60.0)
    unit = "seconds" if longest < 100 else "minutes"
    top = _round_up(longest / _SECONDS[unit]) * _SECONDS[unit]
    return tuple(_chart(project.raters[rater].name, finished, top, unit) for rater, finished in by_rater.items())


def _chart(name: str, finished: Sequence[Trial], top: float, unit: str) -> TimeChart:
    first, last = finished[0].number, finished[-1].number
    step = (WIDTH - _LEFT - _RIGHT) / (last - first + 1)

    def across(number: float) -> float:
        return round(_LEFT + (number - first + 0.5) * step, 1)

    def up(seconds: float) -> float:
        return round(_TOP + (1 - seconds / top) * (HEIGHT - _TOP - _BOTTOM), 1)

    dots = (
        Dot(across(each.number), up(each.seconds), f"Item {each.number}: {duration(each.seconds)}") for each in finished
    )
    expected = (
        Expected(
            round(across(each.number) - step / 2, 1),
            up(each.expected[1]),
            round(step + 0.1, 1),
            round(up(each.expected[0]) - up(each.expected[1]), 1),
        )
        for each in finished
        if each.expected
    )
    took = duration(finished[0].seconds), duration(finished[-1].seconds)
    return TimeChart(
        name=name,
        summary=f"{len(finished)} items; the first took {took[0]}, the last {took[1]}.",
        dots=tuple(dots),
        expected=tuple(expected),
        across=tuple(Tick(across(number), str(number)) for number in sorted({first, (first + last) // 2, last})),
        up=tuple(Tick(up(share * top), f"{share * top / _SECONDS[unit]:g}") for share in (0, 0.5, 1)),
        unit=unit,
    )


def _round_up(time: float) -> float:
    """To 1, 2 or 5 times a power of ten, so that the axis has round labels."""
    power = 10.0 ** math.floor(math.log10(max(time, 0.1)))
    return next(each * power for each in (1, 2, 5, 10) if each * power >= time)


MOST = 200
"""Disagreements listed; the counts are of all."""


class Dispute(NamedTuple):
    """An item on which raters differ, or that they leave to somebody else: all are unsure."""

    number: int
    """Of the item's page."""
    what: str
    """The item in words."""
    votes: tuple[Vote, ...]
    """Raters' first, then the adjudicator's."""
    outcome: str
    """The gold rating in words; "" while there is none."""


class Assignment(NamedTuple):
    """What somebody holds and has not rated to its end."""

    rater: str
    """Id."""
    name: str
    document: str
    item: str
    """An adjudicator's; "" where the whole document is held."""
    what: str
    """Its first item that is not rated, in words."""
    left: int
    """Items that are not rated."""


class Remark(NamedTuple):
    """Something said of a rater."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Dashboard:
    """A project as its organiser sees it."""

    progress: Progress
    assignments: tuple[Assignment, ...]
    agreement: Agreement
    charts: tuple[TimeChart, ...]
    pace: tuple[Remark, ...]
    """Time per item: its trend, and beside the guide's expectations."""
    warnings: tuple[Remark, ...]
    disputes: tuple[Dispute, ...]
    """Open ones first, then decided ones, the most different ratings of each first; at most 200."""
    differing: int
    """How many there are."""

    @property
    def no_times(self) -> str:
        """Why no time per item is known, where none is."""
        if self.progress.by_ratings[0] < self.progress.items:
            return "No rating has a time: times are taken where the page's scripts run."
        return "Nothing is rated yet."


def dashboard(project: Project) -> Dashboard:
    """All of it, as the project stands."""
    task = task_of(project.settings)
    progress = progress_of(project)
    names = {rater.id: rater.name for rater in project.raters.values()}
    differing = _differing(project, task)
    return Dashboard(
        progress=progress,
        assignments=tuple(_assignments(project, task)),
        agreement=agree(project),
        charts=time_charts(project),
        pace=(
            *(Remark(names[each.rater], each.interpretation) for each in trends(project)),
            *(Remark(names[each.rater], each.interpretation) for each in paces(project)),
        ),
        warnings=tuple(Remark(names[each.rater], each.text) for each in progress.warnings),
        disputes=_disputes(project, task, names, differing[:MOST]),
        differing=len(differing),
    )


def _assignments(project: Project, task: Task) -> Iterator[Assignment]:
    queue = queue_of(project.items.values(), project.settings)
    rated = {(rating.rater, rating.item) for rating in project.ratings}
    for rater, assignments in assignments_of(project.rows).items():
        for document, part in assignments:
            items = [item for item in queue.items[document] if part in ("", item.id) and (rater, item.id) not in rated]
            if items:
                what = task.item_in_line(project.documents[document], items[0])
                yield Assignment(rater, project.raters[rater].name, document, part, what, len(items))


def _differing(project: Project, task: Task) -> list[str]:
    """The items on which raters differ or that all leave open, in the order of `Dashboard.disputes`."""
    by_item: dict[str, list[Value]] = {}
    for rating in project.ratings:
        if rating.pool == "live" and rating.role == "rater":
            by_item.setdefault(rating.item, []).append(rating.value)
    gaps: dict[str, float] = {}
    for item, values in by_item.items():
        pairs = list(combinations(values, 2))
        apart = [task.gap(*pair) for pair in pairs if task.differ(*pair)]
        if apart or is_disputed(task, project.settings, values):
            gaps[item] = sum(apart) / max(len(pairs), 1)
    return sorted(gaps, key=lambda item: (item in project.gold, -gaps[item]))


def _disputes(project: Project, task: Task, names: Mapping[str, str], items: Sequence[str]) -> tuple[Dispute, ...]:
    by_item: dict[str, list[Rating]] = {item: [] for item in items}
    for rating in project.ratings:
        if rating.pool == "live" and rating.item in by_item:
            by_item[rating.item].append(rating)
    numbers = queue_of(project.items.values(), project.settings).numbers
    documents = {item: project.documents[project.items[item].document] for item in items}
    return tuple(
        Dispute(
            number=numbers[item],
            what=task.item_in_line(document, project.items[item]),
            votes=votes_of(task, document, by_item[item], names),
            outcome=outcome_of(task, document, project.gold.get(item)),
        )
        for item, document in documents.items()
    )
