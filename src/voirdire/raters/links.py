"""The secret links of a project's people."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import NamedTuple

from voirdire.raters.records import ORGANISER, RatersError
from voirdire.raters.store import Store, Transaction


class Link(NamedTuple):
    """Who gets in where."""

    name: str
    role: str
    address: str


def links_of(store: Store, base: str) -> list[Link]:
    """The links of a project: the organiser's first.

    Args:
        store: of the project.
        base: where it is served, as http://127.0.0.1:8600.
    """
    base = base.rstrip("/")
    own = Link(ORGANISER, ORGANISER, f"{base}/o/{store.read.meta('organiser')}/")
    return [own, *(Link(seat.rater.name, seat.rater.role, f"{base}/w/{seat.secret}/") for seat in store.seats())]


def change_links(
    store: Store, *, raters: Sequence[str] = (), adjudicators: Sequence[str] = (), renew: Sequence[str] = ()
) -> None:
    """Add people and renew links; all of it, or nothing. A server that is at work on the project goes by it at once.

    Args:
        store: of the project.
        raters: names to add.
        adjudicators: names to add.
        renew: names, or "organiser", whose links end and are made anew.

    Raises:
        RatersError: a name can't be taken (see `Transaction.seat`), or nobody has it.
    """

    def work(transaction: Transaction) -> None:
        for name in raters:
            transaction.seat(name, "rater")
        for name in adjudicators:
            transaction.seat(name, "adjudicator")
        ids = {rater.name: rater.id for rater in transaction.raters()} | {ORGANISER: ORGANISER}
        for name in renew:
            if name not in ids:
                raise RatersError(f"There is no rater {name!r}; there are {', '.join(sorted(ids))}.")
            transaction.new_secret(ids[name])

    if raters or adjudicators or renew:
        asyncio.run(store.write(work))
