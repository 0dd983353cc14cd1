"""Opposite words, quantifiers and bounds."""

from __future__ import annotations

from collections.abc import Iterator

from voirdire.detectors.contradiction.figures import figures_of
from voirdire.detectors.contradiction.lexicon import lexicon
from voirdire.detectors.contradiction.matching import Match
from voirdire.detectors.contradiction.reading import Reading
from voirdire.detectors.contradiction.records import Contradiction, confidence
from voirdire.text import agree

_ABOUT = 0.4
_NEAR = 4  # tokens to each side that make a word's surroundings


def term_contradictions(match: Match) -> Iterator[Contradiction]:
    """Opposites of words of the best-matching sentence, in the same surroundings; other quantifiers; other bounds."""
    shares = match.shares()
    best = max(shares, key=lambda place: (shares[place], -place), default=None)
    if best is None or shares[best] < _ABOUT:
        return
    theirs = match.index.readings[best]
    sure = confidence(shares[best])
    for mine, other in _opposed(match.mine, theirs):
        yield Contradiction("comparison", mine, other, theirs.text, sure)
    for mine, other in _requantified(match.mine, theirs):
        yield Contradiction("quantifier", mine, other, theirs.text, sure)
    for mine, other in _rebound(match, best):
        yield Contradiction("comparison", mine, other, theirs.text, sure)


def _opposed(mine: Reading, theirs: Reading) -> Iterator[tuple[str, str]]:
    sides = _terms(theirs)
    own = _terms(mine)
    for (pair, side), places in own.items():
        if (pair, side) in sides or (pair, 1 - side) not in sides or (pair, 1 - side) in own:
            continue
        for place in places:
            for other in sides[pair, 1 - side]:
                if _surroundings(mine, place) & _surroundings(theirs, other):
                    yield mine.tokens[place].word, theirs.tokens[other].word
                    return


def _terms(reading: Reading) -> dict[tuple[int, int], list[int]]:
    opposites = lexicon().opposites
    found: dict[tuple[int, int], list[int]] = {}
    for place, token in enumerate(reading.tokens):
        for term in opposites.get(token.stem or token.word, ()):
            found.setdefault(term, []).append(place)
    return found


def _surroundings(reading: Reading, place: int) -> frozenset[str]:
    around = reading.tokens[max(0, place - _NEAR) : place] + reading.tokens[place + 1 : place + 1 + _NEAR]
    return frozenset(token.stem for token in around if token.stem)


def _requantified(mine: Reading, theirs: Reading) -> Iterator[tuple[str, str]]:
    """What is said of all here, and there, in the same surroundings, of some or most."""
    levels = lexicon().quantity
    own = [(place, token) for place, token in enumerate(mine.tokens) if levels.get(token.word) == "all"]
    given = [(place, token) for place, token in enumerate(theirs.tokens) if token.word in levels]
    if any(levels[token.word] in ("all", "only") for _, token in given):
        return
    for place, token in own:
        for other, their_token in given:
            if _surroundings(mine, place) & _surroundings(theirs, other):
                yield token.word, their_token.word
                return


def _rebound(match: Match, best: int) -> Iterator[tuple[str, str]]:
    for figure in figures_of(match.mine):
        if figure.bound:
            for other in match.index.figures[best]:
                if agree(figure.number, other.number) and other.bound == -figure.bound:
                    yield figure.text, other.text
