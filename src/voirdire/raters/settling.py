"""What items are taken to be once people have rated them: agreed, by majority or by an adjudicator."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any

from voirdire.raters.records import GoldRating, Rating, Settings
from voirdire.raters.tasks.base import Task


def gold_of(task: Task, settings: Settings, ratings: Iterable[Rating]) -> dict[str, GoldRating]:
    """The gold rating of every live item that is settled.

    An item needs `raters_per_item` ratings. Where none of them differ it is agreed. Otherwise a third person's
    rating is needed: with `gold` "majority" it counts as one more (and there may be no majority), with "adjudicated"
    it decides.

    Args:
        task: of the project.
        settings: of the project.
        ratings: complete ones.
    """
    by_item: dict[str, list[Rating]] = {}
    for rating in ratings:
        if rating.pool == "live":
            by_item.setdefault(rating.item, []).append(rating)
    settled = ((item, _settled(task, settings, each)) for item, each in by_item.items())
    return {item: GoldRating(item, *found) for item, found in settled if found is not None}


def _settled(task: Task, settings: Settings, ratings: Sequence[Rating]) -> tuple[Mapping[str, Any], str] | None:
    first = [rating.value for rating in ratings if rating.role == "rater"]
    third = [rating.value for rating in ratings if rating.role == "adjudicator"]
    if len(first) < settings.raters_per_item:
        return None
    if not any(task.differ(one, other) for one, other in combinations(first, 2)):
        return task.settle(first) or first[0], "agreed"
    if not third:
        return _named(task.settle(first), "majority") if len(first) > 2 else None
    if settings.gold == "adjudicated":
        return third[-1], "adjudicated"
    return _named(task.settle([*first, *third]), "majority")


def _named(value: Mapping[str, Any] | None, how: str) -> tuple[Mapping[str, Any], str] | None:
    return None if value is None else (value, how)
