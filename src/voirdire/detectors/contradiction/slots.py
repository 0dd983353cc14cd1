"""Names in the place of others: the same words around them, another name between."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from voirdire.detectors.contradiction.nametable import Mention, NameTable
from voirdire.detectors.contradiction.words import Reading, Token

_REACH = 4  # words to each side that are compared
_SAME = 3  # words around that must be the same, on both sides together; one of them a content word
_JOINS = frozenset({"and", "or"})  # beside one of these a name is one of several


class Slot(NamedTuple):
    """A name and the words around it, nearest first."""

    mention: Mention
    sentence: int
    """Of the context; 0 for a slot of the sentence that is compared with it."""
    before: tuple[Token, ...]
    after: tuple[Token, ...]


SlotTable = Mapping[tuple[str, str], Sequence[Slot]]
"""Slots by their side ("before" or "after") and the nearest word there."""


def slots_of(reading: Reading, names: NameTable, sentence: int = 0) -> Iterator[Slot]:
    """The names of a sentence with what stands around them; marks are passed over."""
    tokens = [token for token in reading.tokens if token.word[0].isalnum()]
    for mention in names.mentions(reading):
        before = [token for token in tokens if token.end <= mention.start]
        after = [token for token in tokens if token.start >= mention.end]
        yield Slot(mention, sentence, tuple(before[: -_REACH - 1 : -1]), tuple(after[:_REACH]))


def slot_table(readings: Sequence[Reading], names: NameTable) -> SlotTable:
    """All slots of a context."""
    table: dict[tuple[str, str], list[Slot]] = {}
    for place, reading in enumerate(readings):
        for slot in slots_of(reading, names, place):
            for side, around in (("before", slot.before), ("after", slot.after)):
                if around and around[0].word not in _JOINS:
                    table.setdefault((side, _key(around[0])), []).append(slot)
    return table


def rivals(slot: Slot, table: SlotTable) -> list[Slot]:
    """Slots of the context with another name between the same words; none where its own name has such a slot, too."""
    near = {
        id(each): each
        for side, around in (("before", slot.before), ("after", slot.after))
        if around
        for each in table.get((side, _key(around[0])), ())
    }
    alike = [(_same(slot, each), each) for each in near.values()]
    own = max((same for same, each in alike if each.mention.words & slot.mention.words), default=0)
    return [each for same, each in alike if same >= max(_SAME, own + 2) and not each.mention.words & slot.mention.words]


def _same(one: Slot, other: Slot) -> int:
    """How many words in a row are the same on both sides; 0 without a content word among them."""
    before, after = _run(one.before, other.before), _run(one.after, other.after)
    return len(before) + len(after) if any(token.stem for token in (*before, *after)) else 0


def _run(mine: Sequence[Token], theirs: Sequence[Token]) -> Sequence[Token]:
    if mine and mine[0].word in _JOINS:
        return ()
    length = 0
    for one, other in zip(mine, theirs, strict=False):
        if _key(one) != _key(other):
            break
        length += 1
    return mine[:length]


def _key(token: Token) -> str:
    return token.stem or token.word
