"""Ratings put into a project's file without a desk, for tests of what reads them."""

from typing import Any, NamedTuple

from voirdire.raters.rows import IMPORTED
from voirdire.raters.tasks.base import NewRow


class Imported(NamedTuple):
    """A complete rating."""

    rater: str
    item: str
    body: dict[str, Any]
    seconds: float = 0.0


async def take_in(store, ratings):
    """Add rows that hold these ratings."""

    def work(transaction):
        for each in ratings:
            row = transaction.add(
                each.rater, each.item, NewRow(IMPORTED, {"at": None, **each.body}), seconds=each.seconds
            )
            transaction.settle(each.rater, each.item, each.body["value"], row.seq)

    await store.write(work)
