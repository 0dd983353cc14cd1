"""Addresses of items: by number, since an id may tell what raters must not know (a model's name, a trap)."""

from __future__ import annotations

from voirdire.raters.flow import Deck
from voirdire.raters.views import NotYours

_MAX_DIGITS = 9


class Addresses:
    """The addresses of one rater's pages."""

    def __init__(self, base: str, deck: Deck) -> None:
        """Addresses under `base`, "/w/SECRET", for the items of `deck`."""
        self.base = base
        self._deck = deck

    def number(self, item: str) -> int:
        """The number of an item, from 1."""
        return self._deck.numbers[item]

    def item(self, item: str, after: str | None = None) -> str:
        """The page of an item.

        Args:
            item: its id.
            after: the item that was left for it.
        """
        query = "" if after is None else f"?after={self.number(after)}"
        return f"{self.base}/item/{self.number(item)}{query}"

    def next(self, after: str) -> str:
        """The page that leads on, from the item `after`."""
        return f"{self.base}/next?after={self.number(after)}"

    def item_named(self, number: str) -> str | None:
        """The id of the item of this number; `None` where there is none."""
        if not (number.isascii() and number.isdecimal() and len(number) <= _MAX_DIGITS):
            return None
        place = int(number) - 1
        return self._deck.order[place] if 0 <= place < len(self._deck.order) else None

    def item_at(self, number: str) -> str:
        """The id of the item of this number.

        Raises:
            NotYours: there is none.
        """
        found = self.item_named(number)
        if found is None:
            raise NotYours("There is no such item in your hands.")
        return found
