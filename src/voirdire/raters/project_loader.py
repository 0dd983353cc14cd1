"""A project as it stands, made of its rows alone, and what its items are taken to be."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

from voirdire.raters.flow import queue_of, retakes_of, since_retake
from voirdire.raters.records import Document, GoldRating, Item, Project, Rater, RatersError, Rating, Row, Settings
from voirdire.raters.rows import (
    DECISION,
    IMPORTED,
    SIGHT,
    awaits_decision,
    current_rows,
    decision_of,
    has_sight,
    questions_of,
)
from voirdire.raters.store.reader import Reader
from voirdire.raters.store.schema import PROJECT, connect
from voirdire.raters.tasks import task_of
from voirdire.raters.tasks.base import Task, Work

Value = Mapping[str, Any]


def gold_of(task: Task, settings: Settings, ratings: Iterable[Rating]) -> dict[str, GoldRating]:
    """The gold rating of every live item that complete ratings settle; see `settled`."""
    by_item: dict[str, list[Rating]] = {}
    for rating in ratings:
        if rating.pool == "live":
            by_item.setdefault(rating.item, []).append(rating)
    result = {}
    for item, each in by_item.items():
        first = [rating.value for rating in each if rating.role == "rater"]
        third = [rating for rating in each if rating.role == "adjudicator"]
        decided = any(rating.decision or not rating.blind for rating in third[-1:])
        gold = settle_ratings(task, settings, first, [rating.value for rating in third], decided=decided)
        if gold is not None:
            result[item] = GoldRating(item, *gold)
    return result


def settle_ratings(
    task: Task, settings: Settings, first: Sequence[Value], third: Sequence[Value] = (), *, decided: bool = False
) -> tuple[Value, str] | None:
    """What the ratings of an item come to, and how; `None` while it is open.

    It needs `raters_per_item` ratings of raters. Where none of them differ it is "agreed". With `gold` "majority" an
    adjudicator's blind rating counts as one more; three and more raters can have a majority by themselves. Where there
    is none, and with "adjudicated" always, the adjudicator decides in sight of the others' ratings. To be unsure, or to
    leave an item out, is no label: only an adjudicator's decision settles an item without one.

    Args:
        task: of the project.
        settings: of the project.
        first: of raters.
        third: of adjudicators.
        decided: whether the last of these is a decision in sight of the others'.
    """
    if not first or len(first) < settings.raters_per_item:
        return None
    if not any(task.differ(one, other) for one, other in combinations(first, 2)):
        agreed = task.settle(first) or first[0]
        if not task.no_answer(agreed):
            return agreed, "agreed"
    if third and (decided or settings.gold == "adjudicated"):
        return third[-1], "adjudicated"
    everybody = [*first, *third]
    value = task.settle(everybody) if settings.gold == "majority" and len(everybody) > 2 else None
    return None if value is None or task.no_answer(value) else (value, "majority")


def is_disputed(task: Task, settings: Settings, first: Sequence[Value]) -> bool:
    """Whether an item has all its ratings and needs a third person."""
    return len(first) >= max(settings.raters_per_item, 1) and settle_ratings(task, settings, first) is None


def read_project(path: Path) -> Project:
    """Read a project; a server may be at work on it.

    Raises:
        RatersError: it is not there, no project, or damaged.
    """
    connection = connect(path, read_only=True)
    try:
        connection.execute("BEGIN")  # all of it as it stood at one moment
        reader = Reader(connection)
        parts = reader.settings(), list(reader.documents()), reader.items(), reader.raters(), reader.rows()
        return project_of(*parts)
    except sqlite3.Error as error:
        raise PROJECT.explain(path, error) from error
    except RatersError:
        raise
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        # A project that somebody else made, or changed, can hold any value in any place.
        what = " ".join(f"{type(error).__name__}: {error}".split())[:200]
        raise RatersError(
            f"The project {path} holds something else than voirdire writes ({what}): put back a copy of it."
        ) from error
    finally:
        connection.close()


def project_of(
    settings: Settings,
    documents: Iterable[Document],
    items: Iterable[Item],
    raters: Iterable[Rater],
    rows: Iterable[Row],
) -> Project:
    """A project from its parts: what stands is folded out of the rows.

    Args:
        settings: of the project.
        documents: all of them.
        items: all of them, in their order.
        raters: all of them.
        rows: all of them, oldest first.
    """
    task = task_of(settings)
    by_document = {each.id: each for each in documents}
    by_id = {item.id: item for item in items}
    people = {rater.id: rater for rater in raters}
    rows = tuple(rows)
    ratings = sorted(ratings_of(task, settings, by_document, by_id, people, rows), key=lambda rating: rating.seq)
    gold = gold_of(task, settings, ratings)
    return Project(
        settings=settings,
        documents=by_document,
        items=by_id,
        raters=people,
        ratings=tuple(ratings),
        gold=gold,
        unlabelled=frozenset(item for item, each in gold.items() if task.no_answer(each.value)),
        questions=questions_of(rows),
        rows=rows,
    )


def value_of(task: Task, work: Work) -> Mapping[str, Any] | None:
    """A rater's rating of an item: the task's, or one that was imported, whichever came last."""
    imported = [row for row in work.rows if row.kind == IMPORTED]
    if imported and work.rows[-1].kind == IMPORTED:
        value: Mapping[str, Any] = imported[-1].body["value"]
        return value
    return task.value(work)


def blind_value(task: Task, work: Work, rows: Iterable[Row]) -> Mapping[str, Any] | None:
    """What an adjudicator had said of an item before they saw the others' ratings; `None` where they haven't seen them.

    Args:
        task: of the project.
        work: the item, assigned to them.
        rows: theirs on it.
    """
    rows = list(rows)
    sight = min((row.seq for row in rows if row.kind == SIGHT), default=None)
    if sight is None:
        return None
    return value_of(task, replace(work, rows=current_rows(row for row in rows if row.seq < sight)))


def work_of(
    settings: Settings,
    document: Document,
    item: Item,
    rows: Iterable[Row],
    phase: str,
    rater: str,
    others: Iterable[Value] = (),
) -> Work:
    """One item, assigned to one rater.

    Args:
        settings: of the project.
        document: of the item.
        item: to be rated.
        rows: the rater's on it, undone ones among them.
        phase: see `flow.phase_of`.
        rater: id of the rater.
        others: what others say of it, where this person may see that.
    """
    return Work(
        settings=settings,
        document=document,
        item=item,
        rows=current_rows(rows),
        phase=phase,
        rater=rater,
        others=tuple(others),
    )


def ratings_of(
    task: Task,
    settings: Settings,
    documents: Mapping[str, Document],
    items: Mapping[str, Item],
    raters: Mapping[str, Rater],
    rows: Iterable[Row],
) -> Iterator[Rating]:
    """The complete ratings that rows come to.

    Args:
        task: of the project.
        settings: of the project.
        documents: those of the rated items.
        items: all of them, in their order.
        raters: all of them.
        rows: in their order; all of them, or all on some live items.
    """
    rows = list(rows)
    queue = queue_of(items.values(), settings)
    retakes = retakes_of(rows)
    concerned: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        if row.item and row.rater in raters:
            concerned.setdefault((row.rater, row.item), []).append(row)
    for (rater, item), theirs in concerned.items():
        phase = queue.phase_of(items[item])
        if phase == "practice":
            theirs = since_retake(theirs, retakes.get(rater, ()))
        work = work_of(settings, documents[items[item].document], items[item], theirs, phase, rater)
        value = None if awaits_decision(theirs) else value_of(task, work)
        if value is not None:
            yield _rating(work, value, raters[rater], theirs)


def _rating(work: Work, value: Mapping[str, Any], rater: Rater, rows: Sequence[Row]) -> Rating:
    last, decision = work.rows[-1], decision_of(rows)
    before = blind_value(task_of(work.settings), work, rows)
    blind = rater.role == "rater" or (work.settings.gold == "majority" and not has_sight(rows, before=last.seq))
    return Rating(
        item=work.item.id,
        rater=rater.id,
        value=value,
        at=_made_at(last if decision is None else decision),
        seconds=sum(row.seconds for row in rows),
        role=rater.role,
        blind=blind,
        decision=None if decision is None else decision.body["how"],
        blind_value=None if before == value else before,
        pool=work.item.pool,
        phase=work.phase,
        seq=last.seq if decision is None else decision.seq,
    )


def _made_at(row: Row) -> str:
    """When a rating was made, not when it came."""
    return (row.kind in (IMPORTED, DECISION) and row.body.get("at")) or row.at
