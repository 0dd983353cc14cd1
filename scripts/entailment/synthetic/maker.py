"""Seeded choices, of which a fifth is kept back for measuring."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TypeVar

from examples import Example
from voirdire.evidence.context import ContextIndex
from voirdire.evidence.selection import select_evidence

T = TypeVar("T")
_HELD, _FEWEST = 5, 5
"""Every fifth entry of a list of five or more is held out."""


class Maker:
    """Chooses templates and words: those of training, or the held-out ones."""

    def __init__(self, seed: int, *, held: bool) -> None:
        self.chance = random.Random(f"{seed} {held}")  # noqa: S311
        self.held = held

    def pick(self, entries: Sequence[T]) -> T:
        """One entry of the side's part of a list."""
        return self.chance.choice(self.part(entries))

    def several(self, entries: Sequence[T], number: int) -> list[T]:
        """Different entries of the side's part, as many as there are at most."""
        part = self.part(entries)
        return self.chance.sample(part, min(number, len(part)))

    def part(self, entries: Sequence[T]) -> list[T]:
        """The side's entries of a list; all of a short list."""
        if len(entries) < _FEWEST:
            return list(entries)
        return [each for place, each in enumerate(entries) if (place % _HELD == _HELD - 1) == self.held]

    def any(self, entries: Sequence[T]) -> T:
        """One entry of a whole list, for what is no template: years, small forms."""
        return self.chance.choice(entries)

    def odds(self, probability: float) -> bool:
        """Whether it happens."""
        return self.chance.random() < probability

    def shuffled(self, entries: Sequence[T]) -> list[T]:
        """All entries in random order."""
        return self.chance.sample(list(entries), len(entries))

    def number(self, low: int, high: int) -> int:
        """A whole number, both ends included."""
        return self.chance.randint(low, high)

    def other(self, entries: Sequence[T], than: T) -> T:
        """An entry of the side's part that differs."""
        return self.chance.choice([each for each in self.part(entries) if each != than])


def selected(context: str, claim: str, label: str, source: str) -> Example:
    """A pair whose evidence is chosen from a context as the detector does it."""
    return Example(select_evidence(claim, ContextIndex.from_context(context)).text, claim, label, source)
