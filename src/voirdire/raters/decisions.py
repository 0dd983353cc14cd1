"""Where no label has a majority: when an adjudicator sees the others' ratings, and what they then decide."""

from __future__ import annotations

from collections.abc import Sequence

from voirdire.raters.project_loader import blind_value, is_disputed, settle_ratings, value_of
from voirdire.raters.records import How, Row, Settings
from voirdire.raters.rows import DECISION, SIGHT, has_sight
from voirdire.raters.store import Transaction
from voirdire.raters.tasks.base import NewRow, Task, Work

DECIDE = "decide"
"""What a page sends to settle an item with the rating that stands."""


def decision(how: How, at: str | None = None) -> NewRow:
    """The row of a decision.

    Args:
        how: what became of the blind rating.
        at: when it was made, where it comes from elsewhere.
    """
    return NewRow(DECISION, {"how": how, "at": at})


def how_decided(task: Task, work: Work, rows: Sequence[Row]) -> How:
    """Whether the rating that stands says what the adjudicator had said before they saw the others'."""
    blind = blind_value(task, work, rows)
    value = value_of(task, work)
    return "kept" if blind is not None and value is not None and not task.differ(blind, value) else "changed"


def show_ties(transaction: Transaction, task: Task, settings: Settings, item: str) -> None:
    """Show the last adjudicator the others' ratings where theirs, given blind, leaves an item without a majority.

    Until they have decided, theirs is not complete.
    """
    first, third = transaction.values(item), transaction.third_values(item)
    if settings.gold != "majority" or not third or not is_disputed(task, settings, first):
        return
    rater = next(reversed(third))
    tied = settle_ratings(task, settings, first, list(third.values())) is None
    if tied and not has_sight(rows := transaction.rows(rater=rater, item=item)):
        transaction.add(rater, item, NewRow(SIGHT, {}))
        transaction.settle(rater, item, None, rows[-1].seq)
