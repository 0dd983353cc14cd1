"""Long texts are stored once and referred to by number: most are shown to many, or sent with every call."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from hashlib import sha256

MESSAGE_BREAK = "\n\n"
WIRE_BREAK = r"\n\n"
"""The same within JSON: most paragraphs of a request's body are those of its messages, letter by letter."""

_SHORT = 64
"""Characters: a shorter paragraph stands where it is."""
_MOST_REMEMBERED = 20_000


class TextStore:
    """Gives out numbers for texts. Those of an earlier session are not known again, and stored once more."""

    def __init__(self, next_id: int) -> None:
        self.next_id = next_id
        self.new: list[tuple[int, str]] = []
        """(number, text) of what is still to be written."""
        self._known: dict[bytes, int] = {}

    def refer(self, paragraphs: Sequence[str]) -> list[str | int]:
        """Short paragraphs as they are, numbers in place of the others."""
        return [text if len(text) < _SHORT else self.number(text) for text in paragraphs]

    def number(self, text: str) -> int:
        """The number of a text."""
        digest = sha256(text.encode()).digest()
        known = self._known.get(digest)
        if known is not None:
            return known
        if len(self._known) >= _MOST_REMEMBERED:
            self._known.clear()
        number = self._known[digest] = self.next_id
        self.next_id += 1
        self.new.append((number, text))
        return number


def read_pieces(pieces: Sequence[str | int], texts: Mapping[int, str], separator: str) -> str:
    """The text that was cut at the separator and referred to."""
    return separator.join(piece if isinstance(piece, str) else texts[piece] for piece in pieces)


def read_messages(column: str, texts: Mapping[int, str]) -> list[dict[str, str]]:
    """Messages as sent, from their column in the journal."""
    return [{"role": role, "content": read_pieces(pieces, texts, MESSAGE_BREAK)} for role, pieces in json.loads(column)]


def text_numbers(column: str) -> set[int]:
    """The numbers of the texts that messages refer to, from their column in the journal."""
    return {piece for _, pieces in json.loads(column) for piece in pieces if isinstance(piece, int)}


def read_body(column: str | None, texts: Mapping[int, str]) -> str | None:
    """A request's body as it was on the wire, from its column in the journal."""
    return None if column is None else read_pieces(json.loads(column), texts, WIRE_BREAK)
