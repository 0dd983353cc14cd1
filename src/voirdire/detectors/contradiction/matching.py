"""Which sentences of the context speak of what a sentence speaks of."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import fsum  # of a set: the same in whatever order it comes

from voirdire.detectors.contradiction.agreement import same_value
from voirdire.detectors.contradiction.figures import Figure, figures_of
from voirdire.detectors.contradiction.index import ContextIndex
from voirdire.detectors.contradiction.reading import Reading, read


@dataclass(frozen=True, eq=False)
class Match:
    """A sentence against an indexed context."""

    mine: Reading
    index: ContextIndex
    carried: dict[int, float]
    """Of every context sentence that shares a word, the weight of what it shares."""
    total: float
    """Weight of all content words of the sentence."""

    @cached_property
    def figures(self) -> tuple[tuple[Figure, tuple[tuple[int, Figure], ...]], ...]:
        """The figures of the sentence, each with those of the context that can mean the same, by their sentence."""
        return tuple((figure, self._same(figure)) for figure in figures_of(self.mine))

    def _same(self, figure: Figure) -> tuple[tuple[int, Figure], ...]:
        return tuple(
            (place, other)
            for place, theirs in enumerate(self.index.figures)
            for other in theirs
            if same_value(figure, other)
        )

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


@lru_cache(maxsize=64)
def match_of(sentence: str, index: ContextIndex) -> Match:
    """Match a sentence; remembered, since it is asked for by all stages in turn."""
    mine = read(sentence)
    return Match(mine, index, index.carried(mine.stems), fsum(map(index.weight, mine.stems)))
