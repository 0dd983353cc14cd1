"""What a rater is told of their own work."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from voirdire.raters.desk import Desk
from voirdire.raters.flow import Deck, held
from voirdire.raters.records import Rater
from voirdire.raters.standing import ASSIGN, RELEASE
from voirdire.raters.web.addresses import Addresses
from voirdire.raters.web.describing import duration, item_in_words, rating_in_words


class Overview(NamedTuple):
    """Where a rater stands with live items."""

    rated: int
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


def overview(desk: Desk, rater: Rater) -> Overview:
    """Where a rater stands."""
    reader, deck = desk.store.read, desk.viewer.deck
    hands = held(reader.rows(kinds=[ASSIGN, RELEASE])).get(rater.id, ())
    items = items_in(deck, hands)
    return Overview(
        rated=reader.rated(rater.id),
        in_hand=len(items) - len(reader.values_of(rater.id, items)),
        time=duration(sum(row.seconds for row in reader.rows(rater=rater.id))),
    )


def items_in(deck: Deck, hands: Iterable[tuple[str, str]]) -> list[str]:
    """The items that somebody holds: those of whole documents, or single ones."""
    return [item.id for document, part in hands for item in deck.items[document] if part in ("", item.id)]


def done(desk: Desk, rater: Rater, addresses: Addresses) -> list[Done]:
    """What a rater has rated, the last first: where it is, what it was, and how it was rated."""
    reader = desk.store.read
    items = reader.complete(rater.id)
    values = reader.values_of(rater.id, items)
    return [
        Done(
            addresses.item(item),
            in_words(desk, item),
            rating_in_words(desk.settings.task, values[item]),
            desk.viewer.item(item).pool == "practice",
        )
        for item in items
    ]


def in_words(desk: Desk, item_id: str) -> str:
    """An item in a line."""
    item = desk.viewer.item(item_id)
    return item_in_words(desk.settings.task, desk.store.read.document(item.document), item)
