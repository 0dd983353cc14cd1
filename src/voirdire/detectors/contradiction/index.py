"""A context, read once for all sentences that are compared with it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from voirdire.detectors.contradiction.codetable import Codes, codes_of
from voirdire.detectors.contradiction.figures import Figure, figures_of, singles_of
from voirdire.detectors.contradiction.nametable import NameTable
from voirdire.detectors.contradiction.slots import SlotTable, slot_table
from voirdire.detectors.contradiction.words import Reading, read
from voirdire.detectors.evidence import evidence_pieces
from voirdire.detectors.records import Texts, texts_of


@dataclass(frozen=True, eq=False)
class ContextIndex:
    """Sentences of a context, with their words, numbers and names. Build it once an answer with `ContextIndex.of`.

    Each is equal to itself alone, which makes it cheap to look up.
    """

    readings: tuple[Reading, ...]
    names: NameTable
    codes: Codes
    postings: Mapping[str, tuple[int, ...]]
    """Which sentences have a stem."""
    idf: Mapping[str, float]
    unknown: float
    """Weight of a stem that no sentence has."""

    @classmethod
    def of(cls, context: Texts) -> ContextIndex:
        """Read a context: a text, or several.

        Raises:
            DetectorError: it is neither.
        """
        whole = "\n\n".join(texts_of("context", context))
        readings = tuple(read(piece) for piece in evidence_pieces(whole))
        postings: dict[str, list[int]] = {}
        for place, reading in enumerate(readings):
            for stem in reading.stems:
                postings.setdefault(stem, []).append(place)
        total = len(readings)
        return cls(
            readings,
            NameTable.of(readings),
            codes_of(readings),
            {stem: tuple(places) for stem, places in postings.items()},
            {stem: math.log(1 + total / len(places)) for stem, places in postings.items()},
            math.log(1 + total),
        )

    @cached_property
    def figures(self) -> tuple[tuple[Figure, ...], ...]:
        """Of each sentence."""
        return tuple(tuple(figures_of(reading)) for reading in self.readings)

    @cached_property
    def singles(self) -> tuple[Figure, ...]:
        """Units of which there is just one."""
        return tuple(figure for reading in self.readings for figure in singles_of(reading))

    @cached_property
    def slots(self) -> SlotTable:
        """Names with the words around them."""
        return slot_table(self.readings, self.names)

    def weight(self, stem: str) -> float:
        """How much a stem counts."""
        return self.idf.get(stem, self.unknown)

    def carried(self, stems: Iterable[str]) -> dict[int, float]:
        """Of every sentence that has one of `stems`, the weight of those it has."""
        found: dict[int, float] = {}
        for stem in sorted(stems):  # sums in an order of their own: a set's differs from process to process
            weight = self.idf.get(stem, 0.0)
            for place in self.postings.get(stem, ()):
                found[place] = found.get(place, 0.0) + weight
        return found
