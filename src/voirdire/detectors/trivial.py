"""Baselines that look at nothing: whoever reports a detector must report these beside it."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence

from voirdire.detectors.base import DetectorOptions, OneByOne
from voirdire.detectors.records import Exchange, Texts, as_passage

BASELINES = frozenset(("everything", "later-turns", "chance"))
"""Their names."""


class Everything(OneByOne):
    """Flags every sentence."""

    name = "everything"
    threshold = 0.5

    def flag(self, context: Texts, sentences: Texts, dialogue: Sequence[Exchange] = ()) -> list[float]:
        """1 for each sentence."""
        return [1.0] * len(as_passage(context, sentences).sentences)


class LaterTurns(OneByOne):
    """Flags every sentence of every turn but the first."""

    name = "later-turns"
    threshold = 0.5

    def flag(self, context: Texts, sentences: Texts, dialogue: Sequence[Exchange] = ()) -> list[float]:
        """1 for each sentence of an answer that follows another one, else 0."""
        return [float(len(dialogue) > 1)] * len(as_passage(context, sentences).sentences)


class Chance(OneByOne):
    """Flags half of all sentences, by a seeded coin that gives the same sentence the same side."""

    name = "chance"
    threshold = 0.5

    def __init__(self, seed: int = 0) -> None:
        self._seed = seed

    def flag(self, context: Texts, sentences: Texts, dialogue: Sequence[Exchange] = ()) -> list[float]:
        """A number in [0, 1) for each sentence."""
        context, sentences, _ = as_passage(context, sentences)
        return [self._draw(context, place, sentence) for place, sentence in enumerate(sentences)]

    def _draw(self, context: str, place: int, sentence: str) -> float:
        digest = hashlib.sha256(f"{self._seed}\0{context}\0{place}\0{sentence}".encode()).digest()
        return random.Random(digest).random()  # noqa: S311 (a baseline, not a secret)


def open_everything(model: str, options: DetectorOptions) -> Everything:
    """Open `everything`."""
    return Everything()


def open_later_turns(model: str, options: DetectorOptions) -> LaterTurns:
    """Open `later-turns`."""
    return LaterTurns()


def open_chance(model: str, options: DetectorOptions) -> Chance:
    """Open `chance`."""
    return Chance(options.seed)
