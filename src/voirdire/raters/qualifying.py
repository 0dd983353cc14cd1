"""Whether a rater has passed the practice items: the first rating of each counts, until the rater begins anew."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from voirdire.raters.records import Item, Row, Settings
from voirdire.raters.undo import RETAKE


class Qualified(NamedTuple):
    """How a rater stands with the practice items."""

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


def qualified(
    settings: Settings,
    practice: Sequence[Item],
    values: Mapping[str, Mapping[str, Any]],
    differ: Callable[[Mapping[str, Any], Mapping[str, Any]], bool],
    tries: int = 1,
) -> Qualified:
    """How a rater stands.

    Args:
        settings: of the project.
        practice: the practice items, each with a key.
        values: the rater's complete ratings, by item.
        differ: whether a rating and a key count as different.
        tries: how often the rater has begun.
    """
    keyed = [item for item in practice if item.key is not None]
    done = [item for item in keyed if item.id in values]
    right = sum(not differ(values[item.id], item.key) for item in done if item.key is not None)
    needed = -(-len(keyed) * round(settings.pass_share * 1000) // 1000)  # rounded up, without float's leftovers
    return Qualified(right, len(done), len(keyed), needed, tries)


def retakes_of(rows: Iterable[Row]) -> dict[str, list[int]]:
    """By rater: `seq` of each row with which they began the practice items anew."""
    found: dict[str, list[int]] = {}
    for row in rows:
        if row.kind == RETAKE:
            found.setdefault(row.rater, []).append(row.seq)
    return found


def since_retake(rows: Iterable[Row], retakes: Iterable[int]) -> list[Row]:
    """Rows on practice items that were written after the last retake.

    Args:
        rows: a rater's, on one item.
        retakes: `seq` of each row with which the rater began anew.
    """
    begun = max(retakes, default=0)
    return [row for row in rows if row.seq > begun]
