"""The text of an answer, where its sentences stand in it, and what spans of it say about them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from voirdire.detectors.records import Passage


class Place(NamedTuple):
    """A sentence is the text's `[start:end]`."""

    start: int
    end: int


class LocatedAnswer(NamedTuple):
    """An answer as one text."""

    text: str
    places: tuple[Place, ...]
    """Of the sentences, in order."""


class ScoredSpan(NamedTuple):
    """A marked stretch of an answer."""

    start: int
    end: int
    score: float


def locate(passage: Passage) -> LocatedAnswer:
    """The answer that the sentences stand in; they are put together where the dialogue does not hold them."""
    answer = passage.dialogue[-1].assistant if passage.dialogue else ""
    places = _places(answer, passage.sentences)
    if places is None:
        answer = " ".join(passage.sentences)
        places = _places(answer, passage.sentences) or []
    return LocatedAnswer(answer, tuple(places))


def span_scores(spans: Sequence[ScoredSpan], places: Sequence[Place]) -> list[float]:
    """The score of each sentence: that of the highest span that touches it, 0 if none does."""
    return [
        max((span.score for span in spans if span.start < place.end and place.start < span.end), default=0.0)
        for place in places
    ]


def _places(text: str, sentences: Sequence[str]) -> list[Place] | None:
    places: list[Place] = []
    end = 0
    for sentence in sentences:
        start = text.find(sentence, end)
        if start == -1:
            return None
        end = start + len(sentence)
        places.append(Place(start, end))
    return places
