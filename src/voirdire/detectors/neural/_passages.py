"""From answers to (evidence, sentence) pairs, and back."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from voirdire.detectors.records import Exchange, Passage, Texts, as_passage

Pair = tuple[str, str]
"""Evidence, and the sentence that is to be judged by it."""


class PairDetector(ABC):
    """A detector that judges each sentence alone: all pairs of all answers make up its batches."""

    name: str
    threshold: float

    @abstractmethod
    def score_pairs(self, pairs: Sequence[Pair]) -> list[float]:
        """One score in [0, 1] a pair, higher for less supported sentences."""

    def flag(self, context: Texts, sentences: Texts, dialogue: Sequence[Exchange] = ()) -> list[float]:
        """See `Detector.flag`."""
        return self.flag_many([as_passage(context, sentences, dialogue)])[0]

    def flag_many(self, passages: Sequence[Passage]) -> list[list[float]]:
        """See `Detector.flag_many`."""
        pairs = [(passage.context, sentence) for passage in passages for sentence in passage.sentences]
        scores = iter(self.score_pairs(pairs))
        return [[next(scores) for _ in passage.sentences] for passage in passages]
