"""The order of a project, its phases, and who holds what: pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal, NamedTuple

from voirdire.raters.records import Item, Row, Settings
from voirdire.raters.undo import ASSIGN, RELEASE

Phase = Literal["practice", "calibration", "live"]
Held = Mapping[str, tuple[tuple[str, str], ...]]
"""By rater: (document, item) in the order of handing out; the item is "" where the document is held as a whole."""


class Deck(NamedTuple):
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


def deck_of(items: Iterable[Item], settings: Settings) -> Deck:
    """A project's items as they are handed out: practice first, then live documents in their order."""
    by_id = {item.id: item for item in items}
    live: dict[str, list[Item]] = {}
    for item in by_id.values():
        if item.pool == "live":
            live.setdefault(item.document, []).append(item)
    return Deck(
        practice=tuple(item for item in by_id.values() if item.pool == "practice"),
        live=tuple(live),
        items={document: tuple(sorted(each, key=lambda item: item.place)) for document, each in live.items()},
        by_id=by_id,
        order=tuple(by_id),
        numbers={item: number for number, item in enumerate(by_id, start=1)},
        calibration=frozenset(tuple(live)[: settings.calibration]),
    )


def held(rows: Iterable[Row]) -> Held:
    """Who holds what, from the rows that hand out and take back."""
    found: dict[str, dict[tuple[str, str], None]] = {}
    for row in rows:
        if row.kind == ASSIGN:
            found.setdefault(row.rater, {})[row.body["document"], row.item] = None
        elif row.kind == RELEASE:
            found.get(row.body["rater"], {}).pop((row.body["document"], row.item), None)
    return {rater: tuple(each) for rater, each in found.items()}
