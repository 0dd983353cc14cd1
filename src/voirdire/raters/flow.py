"""Who gets what next: pure functions over what has been handed out and what is complete."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from voirdire.raters.records import Item, Rater, Row, Settings
from voirdire.raters.standing import ASSIGN, RELEASE

Phase = Literal["practice", "calibration", "live"]
Held = Mapping[str, tuple[str, ...]]
"""By rater: the documents (of an adjudicator: the items) that they hold, in the order of handing out."""


class Deck(NamedTuple):
    """The order in which a project's documents are handed out."""

    practice: tuple[Item, ...]
    live: tuple[str, ...]
    """Ids of documents."""
    items: Mapping[str, tuple[Item, ...]]
    """Of each live document, in their order."""


def deck_of(items: Iterable[Item]) -> Deck:
    """A project's items as they are handed out: practice first, then live documents in their order."""
    practice: list[Item] = []
    live: dict[str, list[Item]] = {}
    for item in items:
        if item.pool == "practice":
            practice.append(item)
        else:
            live.setdefault(item.document, []).append(item)
    return Deck(tuple(practice), tuple(live), {document: tuple(each) for document, each in live.items()})


def held(rows: Iterable[Row]) -> Held:
    """Who holds what, from the rows that hand documents out and take them back."""
    found: dict[str, dict[str, None]] = {}
    for row in rows:
        if row.kind == ASSIGN:
            found.setdefault(row.rater, {})[row.item or row.body["document"]] = None
        elif row.kind == RELEASE:
            found.get(row.body["rater"], {}).pop(row.body["document"], None)
    return {rater: tuple(documents) for rater, documents in found.items()}


def phase_of(item: Item, deck: Deck, settings: Settings) -> Phase:
    """Which phase an item belongs to; calibration is of the first live documents, where a project has such a phase."""
    if item.pool == "practice":
        return "practice"
    return "calibration" if item.document in deck.live[: settings.calibration] else "live"


def next_document(deck: Deck, settings: Settings, holding: Held, raters: Sequence[Rater], rater: str) -> str | None:
    """The document that a rater is handed next; `None` where nothing is left for them.

    Documents for calibration go to everybody, first of all. Then come those that somebody has already and that want
    another rater, so that pairs are complete early; then new ones in their order.
    """
    own = holding.get(rater, ())
    everybodys = deck.live[: settings.calibration]
    for document in everybodys:
        if document not in own:
            return document
    working = {each.id for each in raters if each.role == "rater"}
    counts = Counter(document for each in working for document in holding.get(each, ()))
    open_ones = [
        document
        for document in deck.live[settings.calibration :]
        if document not in own and counts[document] < settings.raters_per_item
    ]
    return max(open_ones, key=lambda document: counts[document], default=None)


def next_item(documents: Sequence[str], deck: Deck, complete: Collection[str]) -> Item | None:
    """The first item of these documents that is not complete."""
    for document in documents:
        for item in deck.items[document]:
            if item.id not in complete:
                return item
    return None


def disputed(
    deck: Deck,
    settings: Settings,
    blind: Mapping[str, Mapping[str, Any]],
    differ: Callable[[Mapping[str, Any], Mapping[str, Any]], bool],
) -> list[Item]:
    """Items that have all their ratings and on which two of them differ; in their order.

    Args:
        deck: of the project.
        settings: of the project.
        blind: by item: the complete ratings of raters (not of adjudicators), by rater.
        differ: whether two ratings need a third person.
    """
    found = []
    for document in deck.live:
        for item in deck.items[document]:
            values = list(blind.get(item.id, {}).values())
            if len(values) >= settings.raters_per_item and any(
                differ(one, other) for place, one in enumerate(values) for other in values[place + 1 :]
            ):
                found.append(item)
    return found
