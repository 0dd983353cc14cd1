"""What the organiser sees of a project: pure over its data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any, NamedTuple

from voirdire.raters.agreement import Agreement, agree
from voirdire.raters.flow import deck_of, held
from voirdire.raters.progress import Progress, progress_of
from voirdire.raters.records import Project
from voirdire.raters.tasks import open_task
from voirdire.raters.tasks.base import Task
from voirdire.raters.timing import paces, trends
from voirdire.raters.web.descriptions import shortened
from voirdire.raters.web.timechart import TimeChart, time_charts

MOST = 200
"""Disagreements listed; the counts are of all."""


class Dispute(NamedTuple):
    """An item on which raters differ."""

    what: str
    """The item in words."""
    said: tuple[tuple[str, str], ...]
    """Name, and the rating in words."""
    outcome: str
    """The gold rating in words; "" while there is none."""


class Hand(NamedTuple):
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
    hands: tuple[Hand, ...]
    agreement: Agreement
    charts: tuple[TimeChart, ...]
    pace: tuple[Remark, ...]
    """Time per item: its trend, and beside the guide's expectations."""
    warnings: tuple[Remark, ...]
    disputes: tuple[Dispute, ...]
    """Open ones first; at most 200."""


def dashboard(project: Project, task: Task | None = None) -> Dashboard:
    """All of it, as the project stands.

    Args:
        project: as it stands.
        task: another one than the settings name.
    """
    task = task or open_task(project.settings.task)
    progress = progress_of(project, task)
    names = {rater.id: rater.name for rater in project.raters.values()}
    return Dashboard(
        progress=progress,
        hands=tuple(_hands(project, task)),
        agreement=agree(project),
        charts=time_charts(project),
        pace=(
            *(Remark(names[each.rater], each.reading) for each in trends(project)),
            *(Remark(names[each.rater], each.reading) for each in paces(project)),
        ),
        warnings=tuple(Remark(names[each.rater], each.text) for each in progress.warnings),
        disputes=_disputes(project, task, names),
    )


def _hands(project: Project, task: Task) -> Iterator[Hand]:
    deck = deck_of(project.items.values(), project.settings)
    rated = {(rating.rater, rating.item) for rating in project.ratings}
    for rater, hands in held(project.rows).items():
        for document, part in hands:
            items = [item for item in deck.items[document] if part in ("", item.id) and (rater, item.id) not in rated]
            if items:
                what = shortened(task.item_in_words(project.documents[document], items[0]))
                yield Hand(rater, project.raters[rater].name, document, part, what, len(items))


def _disputes(project: Project, task: Task, names: Mapping[str, str]) -> tuple[Dispute, ...]:
    said: dict[str, dict[str, Mapping[str, Any]]] = {}
    for rating in project.ratings:
        if rating.role == "rater" and rating.pool == "live":
            said.setdefault(rating.item, {})[names[rating.rater]] = rating.value
    differing = [
        item
        for item, values in said.items()
        if any(task.differ(one, other) for one, other in combinations(values.values(), 2))
    ]
    open_first = sorted(differing, key=lambda item: item in project.gold)[:MOST]
    return tuple(_dispute(project, task, item, said[item]) for item in open_first)


def _dispute(project: Project, task: Task, item_id: str, said: Mapping[str, Mapping[str, Any]]) -> Dispute:
    item, gold = project.items[item_id], project.gold.get(item_id)
    return Dispute(
        what=shortened(task.item_in_words(project.documents[item.document], item)),
        said=tuple((name, task.rating_in_words(value)) for name, value in said.items()),
        outcome="" if gold is None else f"{task.rating_in_words(gold.value)} ({gold.how})",
    )
