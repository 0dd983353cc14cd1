"""What items are taken to be once people have rated them: agreed, by majority or by an adjudicator."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any

from voirdire.raters.records import GoldRating, Rating, Settings
from voirdire.raters.tasks.base import Task

Value = Mapping[str, Any]


def gold_of(task: Task, settings: Settings, ratings: Iterable[Rating]) -> dict[str, GoldRating]:
    """The gold rating of every live item that is settled; see `settled`.

    Args:
        task: of the project.
        settings: of the project.
        ratings: complete ones.
    """
    by_item: dict[str, list[Rating]] = {}
    for rating in ratings:
        if rating.pool == "live":
            by_item.setdefault(rating.item, []).append(rating)
    found = {}
    for item, each in by_item.items():
        first = [rating.value for rating in each if rating.role == "rater"]
        third = [rating.value for rating in each if rating.role == "adjudicator"]
        gold = settled(task, settings, first, third)
        if gold is not None:
            found[item] = GoldRating(item, *gold)
    return found


def settled(
    task: Task, settings: Settings, first: Sequence[Value], third: Sequence[Value] = ()
) -> tuple[Value, str] | None:
    """What the ratings of an item come to, and how; `None` while it is open.

    It needs `raters_per_item` ratings of raters. Where none of them differ it is "agreed". With `gold` "majority" an
    adjudicator's blind rating counts as one more; three and more raters can have a majority by themselves. Where there
    is none, and with "adjudicated" always, the adjudicator's word settles it.

    Args:
        task: of the project.
        settings: of the project.
        first: of raters.
        third: of adjudicators.
    """
    if not first or len(first) < settings.raters_per_item:
        return None
    if not any(task.differ(one, other) for one, other in combinations(first, 2)):
        return task.settle(first) or first[0], "agreed"
    everybody = [*first, *third]
    value = task.settle(everybody) if settings.gold == "majority" and len(everybody) > 2 else None
    if value is not None:
        return value, "majority"
    return (third[-1], "adjudicated") if third else None


def is_disputed(task: Task, settings: Settings, first: Sequence[Value]) -> bool:
    """Whether an item has all its ratings and needs a third person."""
    return len(first) >= max(settings.raters_per_item, 1) and settled(task, settings, first) is None
