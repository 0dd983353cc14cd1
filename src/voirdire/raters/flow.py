"""The order of a project, its phases, who holds what, and whether a rater has passed the practice items: pure."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from voirdire.raters.records import Item, Row, Settings
from voirdire.raters.rows import ASSIGN, RELEASE, RETAKE

Phase = Literal["practice", "calibration", "live"]
Assignments = Mapping[str, tuple[tuple[str, str], ...]]
"""By rater: (document, item) in the order of handing out; the item is "" where the document is held as a whole."""


class Queue(NamedTuple):
    """A project's items in the order in which they are handed out."""

    practice: tuple[Item, ...]
    live: tuple[str, ...]
    """Ids of documents."""
    items: Mapping[str, tuple[Item, ...]]
    """Of each live document, in their order."""
    by_id: Mapping[str, Item]
    order: tuple[str, ...]
    """Ids of all items."""
    numbers: Mapping[str, int]
    """Of each item, from 1: what it is called where its id would tell too much."""
    calibration: frozenset[str]
    """Live documents that everybody gets, with feedback: the first ones, where a project has such a phase."""

    def phase_of(self, item: Item) -> Phase:
        """Which phase an item belongs to."""
        if item.pool == "practice":
            return "practice"
        return "calibration" if item.document in self.calibration else "live"


def queue_of(items: Iterable[Item], settings: Settings) -> Queue:
    """A project's items as they are handed out: practice first, then live documents in their order."""
    by_id = {item.id: item for item in items}
    live: dict[str, list[Item]] = {}
    for item in by_id.values():
        if item.pool == "live":
            live.setdefault(item.document, []).append(item)
    return Queue(
        practice=tuple(item for item in by_id.values() if item.pool == "practice"),
        live=tuple(live),
        items={document: tuple(sorted(each, key=lambda item: item.place)) for document, each in live.items()},
        by_id=by_id,
        order=tuple(by_id),
        numbers={item: number for number, item in enumerate(by_id, start=1)},
        calibration=frozenset(tuple(live)[: settings.calibration]),
    )


def own_order(queue: Queue, settings: Settings, rater: str) -> tuple[str, ...]:
    """The live documents in a rater's order: as given, or in a random one of their own, every time the same."""
    if not settings.shuffled:
        return queue.live

    def chance(document: str) -> float:
        return random.Random(f"{settings.seed}/{rater}/{document}").random()  # noqa: S311 (an order to be repeated, not a secret)

    return tuple(sorted(queue.live, key=chance))


def assignments_of(rows: Iterable[Row]) -> Assignments:
    """Who holds what, from the rows that hand out and take back."""
    result: dict[str, dict[tuple[str, str], None]] = {}
    for row in rows:
        if row.kind == ASSIGN:
            result.setdefault(row.rater, {})[row.body["document"], row.item] = None
        elif row.kind == RELEASE:
            result.get(row.body["rater"], {}).pop((row.body["document"], row.item), None)
    return {rater: tuple(each) for rater, each in result.items()}


class PracticeResult(NamedTuple):
    """A rater's result on the practice items."""

    right: int
    done: int
    asked: int
    needed: int
    """So many must be right."""
    tries: int
    """1 for the first; each retake adds one."""

    @property
    def complete(self) -> bool:
        """Whether all of them are rated."""
        return self.done >= self.asked

    @property
    def passed(self) -> bool:
        """Whether live items may be handed out."""
        return self.complete and self.right >= self.needed


def practice_result(
    settings: Settings,
    practice: Sequence[Item],
    values: Mapping[str, Mapping[str, Any]],
    differ: Callable[[Mapping[str, Any], Mapping[str, Any]], bool],
    tries: int = 1,
) -> PracticeResult:
    """How a rater stands.

    Args:
        settings: of the project.
        practice: the practice items, each with a key.
        values: the rater's complete ratings, by item.
        differ: whether a rating and a key count as different.
        tries: how often the rater has begun.
    """
    keyed = [item for item in practice if item.key is not None]
    rated = [item for item in keyed if item.id in values]
    right = sum(not differ(values[item.id], item.key) for item in rated if item.key is not None)
    return PracticeResult(right, len(rated), len(keyed), needed_of(len(keyed), settings), tries)


def needed_of(practice: int, settings: Settings) -> int:
    """How many of so many practice items must be right."""
    return -(-practice * round(settings.pass_share * 1000) // 1000)  # rounded up, without float's leftovers


def retakes_of(rows: Iterable[Row]) -> dict[str, list[int]]:
    """By rater: `seq` of each row with which they began the practice items anew."""
    result: dict[str, list[int]] = {}
    for row in rows:
        if row.kind == RETAKE:
            result.setdefault(row.rater, []).append(row.seq)
    return result


def since_retake(rows: Iterable[Row], retakes: Iterable[int]) -> list[Row]:
    """A rater's rows on a practice item from after the last retake, of which `retakes` are each `seq`."""
    begun = max(retakes, default=0)
    return [row for row in rows if row.seq > begun]
