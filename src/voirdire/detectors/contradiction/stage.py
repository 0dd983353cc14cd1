"""The stage as a whole: a sentence against an indexed context."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from voirdire.detectors.contradiction.codes import code_contradictions
from voirdire.detectors.contradiction.index import ContextIndex
from voirdire.detectors.contradiction.matching import match_of
from voirdire.detectors.contradiction.names import name_contradictions
from voirdire.detectors.contradiction.numbers import figure_contradictions
from voirdire.detectors.contradiction.polarity import negation_contradictions
from voirdire.detectors.contradiction.records import Contradiction
from voirdire.detectors.contradiction.terms import term_contradictions
from voirdire.detectors.records import DetectorError


def find_contradictions(sentence: str, index: ContextIndex) -> tuple[Contradiction, ...]:
    """What a sentence says against its context, surest first; what the context is silent on is no contradiction.

    Raises:
        DetectorError: the sentence is no text.
    """
    if not isinstance(sentence, str):
        raise DetectorError(f"find_contradictions takes one sentence, not a {type(sentence).__name__}.")
    return _found(sentence, index)


def contradiction_score(sentence: str, index: ContextIndex) -> float:
    """0 where nothing was found, else the confidence of the surest contradiction, in [0.6, 1]."""
    return next((found.confidence for found in _found(sentence, index)), 0.0)


@lru_cache(maxsize=64)
def _found(sentence: str, index: ContextIndex) -> tuple[Contradiction, ...]:
    """Surest first; remembered, since a sentence that is flagged for it is asked for the reasons next."""
    return tuple(sorted(_search(sentence, index), key=lambda found: -found.confidence))


def _search(sentence: str, index: ContextIndex) -> Iterator[Contradiction]:
    match = match_of(sentence, index)
    if not match.carried:
        return
    yield from figure_contradictions(match)
    yield from code_contradictions(match)
    yield from name_contradictions(match)
    yield from negation_contradictions(match)
    yield from term_contradictions(match)
