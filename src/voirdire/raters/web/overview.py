"""What a rater is told of their own work."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from typing import NamedTuple

from voirdire.raters.flow import Deck, Held, held
from voirdire.raters.records import Rater
from voirdire.raters.service import RatingService
from voirdire.raters.undo import ASSIGN, RELEASE
from voirdire.raters.web.addresses import Addresses
from voirdire.raters.web.descriptions import duration, shortened


class Overview(NamedTuple):
    """Where a rater stands with live items."""

    rated: int
    items: int
    """Live items of the project, whoever rates them."""
    may_come: int | None
    """At most so many more; `None` for adjudicators: nobody knows on how many items raters will differ."""
    waiting: int | None
    """Items on which raters differ and that nobody decides yet; `None` for raters."""
    in_hand: int
    """Handed out to them and not rated yet; more may follow."""
    time: str
    """So far, idle time left out; practice included."""


class Done(NamedTuple):
    """A finished item in a list."""

    path: str
    what: str
    how: str
    practice: bool


def overview(desk: RatingService, rater: Rater) -> Overview:
    """Where a rater stands."""
    reader, deck = desk.store.read, desk.viewer.deck
    hands = held(reader.rows(kinds=[ASSIGN, RELEASE]))
    items = items_in(deck, hands.get(rater.id, ()))
    wanted = desk.settings.raters_per_item
    free = None if rater.role == "adjudicator" else free_for(deck, hands, wanted, reader.ever_held(rater.id))
    return Overview(
        rated=reader.rated(rater.id),
        items=sum(len(deck.items[document]) for document in deck.live),
        may_come=None if free is None else sum(len(deck.items[document]) for document in free),
        waiting=len(reader.free_disputes(rater.id)) if rater.role == "adjudicator" else None,
        in_hand=len(items) - len(reader.values_of(rater.id, items)),
        time=duration(sum(row.seconds for row in reader.rows(rater=rater.id))),
    )


def free_for(deck: Deck, hands: Held, wanted: int, known: Collection[str]) -> list[str]:
    """The documents that a rater may still be handed: those for calibration, and those that want another rater.

    Args:
        deck: the project's.
        hands: who holds what.
        wanted: how many raters a document wants.
        known: the documents that this rater holds or held.
    """
    holders = Counter(document for each in hands.values() for document, part in each if not part)
    return [
        document
        for document in deck.live
        if document not in known and (document in deck.calibration or holders[document] < wanted)
    ]


def items_in(deck: Deck, hands: Iterable[tuple[str, str]]) -> list[str]:
    """The items that somebody holds: those of whole documents, or single ones."""
    return [item.id for document, part in hands for item in deck.items[document] if part in ("", item.id)]


def done(desk: RatingService, rater: Rater, addresses: Addresses) -> list[Done]:
    """What a rater has rated, the last first: where it is, what it was, and how it was rated."""
    reader = desk.store.read
    items = reader.complete(rater.id)
    values = reader.values_of(rater.id, items)
    return [
        Done(
            addresses.item(item),
            in_words(desk, item),
            desk.task.rating_in_words(values[item]),
            desk.viewer.item(item).pool == "practice",
        )
        for item in items
    ]


def in_words(desk: RatingService, item_id: str) -> str:
    """An item in a line."""
    item = desk.viewer.item(item_id)
    return shortened(desk.task.item_in_words(desk.store.read.document(item.document), item))
