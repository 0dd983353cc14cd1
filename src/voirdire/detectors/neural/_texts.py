"""From answers to the texts that an encoder sees: pairs, chunks of whole sentences, and spans back to sentences."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from voirdire.detectors.records import Exchange, Passage, Texts, as_passage
from voirdire.text.sentences import split_sentences


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


_WORD = re.compile(r"\S+")
_Span = tuple[int, int]


def chunks(text: str, size: int, length: Callable[[str], int]) -> list[str]:
    """Cut a text into chunks as large as `size` allows; a sentence is only cut where it is too long by itself.

    Args:
        text: the document; an empty one is one empty chunk.
        size: of a chunk, in whatever `length` counts.
        length: of a piece of text, in words or in tokens.

    Returns:
        Stretches of the text, in order, without the white space between them.
    """
    spans = [
        span
        for sentence in split_sentences(text)
        for span in _fitting(text, (sentence.start, sentence.end), size, length)
    ]
    return [text[start:end] for start, end in _pack(text, spans, size, length)] or [""]


def _fitting(text: str, span: _Span, size: int, length: Callable[[str], int]) -> Iterator[_Span]:
    start, end = span
    if length(text[start:end]) <= size:
        yield span
        return
    words = [(word.start(), word.end()) for word in _WORD.finditer(text, start, end)]
    yield from _pack(text, words, size, length)


def _pack(text: str, spans: Sequence[_Span], size: int, length: Callable[[str], int]) -> Iterator[_Span]:
    """Join neighbouring spans while they fit; the sum of their lengths stands for the length of the whole."""
    chunk: list[_Span] = []
    filled = 0
    for span in spans:
        more = length(text[span[0] : span[1]])
        if chunk and filled + more > size:
            yield chunk[0][0], chunk[-1][1]
            chunk, filled = [], 0
        chunk.append(span)
        filled += more
    if chunk:
        yield chunk[0][0], chunk[-1][1]


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
