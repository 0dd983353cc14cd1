"""Which sentences of the context speak of what a sentence speaks of."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from math import fsum  # of a set: the same in whatever order it comes

from voirdire.detectors.contradiction.index import ContextIndex
from voirdire.detectors.contradiction.reading import Reading


@dataclass(frozen=True, slots=True)
class Match:
    """A sentence against an indexed context."""

    mine: Reading
    index: ContextIndex
    carried: dict[int, float]
    """Of every context sentence that shares a word, the weight of what it shares."""
    total: float
    """Weight of all content words of the sentence."""

    @classmethod
    def of(cls, mine: Reading, index: ContextIndex) -> Match:
        """Match a sentence."""
        return cls(mine, index, index.carried(mine.stems), fsum(map(index.weight, mine.stems)))

    def shares(self, apart: Collection[str] = ()) -> dict[int, float]:
        """Of every context sentence, the share of the sentence's words it carries, those `apart` left out."""
        apart = self.mine.stems.intersection(apart)
        total = self.total - fsum(map(self.index.weight, apart))
        if total <= 0:
            return {}
        shares = {}
        for place, weight in self.carried.items():
            own = fsum(self.index.idf[stem] for stem in apart & self.index.readings[place].stems) if apart else 0.0
            shares[place] = (weight - own) / total
        return shares

    def adds(self, best: int, others: Iterable[int], apart: Collection[str] = ()) -> float:
        """How much, of the sentence's words without those `apart`, another sentence carries that the best one lacks.

        A sentence that puts together what stands in two places has such another one.
        """
        lacking = self.mine.stems - self.index.readings[best].stems.union(apart)
        shared = (fsum(self.index.idf[stem] for stem in lacking & self.index.readings[place].stems) for place in others)
        return max(shared, default=0.0) / self.total
