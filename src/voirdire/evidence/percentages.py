"""Percents of figures, and the rest: "the city pays 60 %, which is 50,760 euros" of a contract of 84,600 euros."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from math import isclose

from voirdire.evidence.comparisons import FigureComparison, alike, in_units_of, is_whole
from voirdire.evidence.figures import Figure
from voirdire.evidence.matching import Match
from voirdire.evidence.negation import negations

_REST = re.compile(
    r"(?i)\b(?:rest|remaining|remainder|remains?|left|balance|discount|reduc\w+|off|less|cheaper|rebate|other|others|concession\w*)\b"
)
_ADDED = re.compile(
    r"(?i)\b(?:VAT|tax|surcharge|gross|interest|tip|service charge|increase\w*|rose|raised|plus|extra)\b"
)
_MAKES = re.compile(r"(?i)[(=]|\b(?:is|are|or|costs?|(?:comes?|came|amounts?) to|makes?|equals?|takes?|pays?)\b")
_SAYS = frozenset(
    "share comes come cost costs pay pays paid takes take off total amounts amount makes make discount"
    " rest part whole".split()
)
_NEAR = 1  # sentences between a percent and what it is of


def percentage_of(match: Match) -> FigureComparison | None:
    """A figure as the percents of the context, or of the sentence, make it; `None` where it is unclear of what.

    It is wrong only where the sentence says that it is what its percent makes, and the context has one figure of that
    sort there.
    """
    claim = match.claim
    if "?" in claim.text or any(negations(claim)):
        return None
    own = [each for each, _ in match.figures if each.number.kind == "percent" and not each.qualifier]
    numbers = [(each, same) for each, same in match.figures if each.number.kind == "number" and not each.qualifier]
    lacking = [each for each, same in numbers if not same]
    if len(lacking) != 1:
        return None if lacking else _complement(match)
    (figure,) = lacking
    stated = [each for each, _ in numbers if each is not figure and alike(figure, each)]
    pairs = list(_pairs(match, figure, own))
    for share, whole, place in pairs:
        if any(
            isclose(value, figure.number.value, rel_tol=1e-6) for value in _values(match, share, whole, place, figure)
        ):
            return _comparison(match, figure, (share, whole), place, is_right=True)
    sure = [
        pair for pair in pairs if pair[0] in own and (not stated or any(_is_same(pair[1], each) for each in stated))
    ]
    makes = bool(own) and _MAKES.search(claim.text, own[0].end, max(own[0].end, figure.start)) is not None
    if makes and len(own) == 1 and len(sure) == 1 and len(numbers) - len(stated) == 1:
        share, whole, place = sure[0]
        return _comparison(match, figure, (share, whole), place, is_right=False)
    return None


def _complement(match: Match) -> FigureComparison | None:
    """The percents that those of the context leave to the rest, where it speaks of one."""
    for figure, same in match.figures:
        if figure.number.kind == "percent" and not same:
            for place in match.ranked:
                shares = [each for each in match.index.figures[place] if each.number.kind == "percent"]
                if (
                    len(shares) == 1
                    and _is_rest(shares[0], [figure])
                    and _REST.search(match.index.sentences[place].text)
                ):
                    return _comparison(match, figure, (shares[0],), place, is_right=True)
    return None


def _pairs(match: Match, figure: Figure, own: list[Figure]) -> Iterator[tuple[Figure, Figure, int]]:
    """(percent, figure of the context, its sentence): both of neighbouring sentences, the percent as the claim says."""
    figures = match.index.figures
    shares = match.shares([token.stem for token in match.claim.tokens if token.stem and token.word[0].isdigit()])
    places = [place for place in match.closest_places(shares) if not match.index.in_cells(place)]
    reach = sorted(
        {each for place in places for each in range(place - _NEAR, place + _NEAR + 1)} & set(range(len(figures)))
    )
    percents = [(place, each) for place in reach for each in figures[place] if each.number.kind == "percent"]
    wholes = [(place, each) for place in reach for each in figures[place] if alike(figure, each)]
    for (at, share), (place, whole) in product(percents, wholes):
        if abs(at - place) > _NEAR:
            continue
        stated = next((each for each in own if _is_same(each, share)), None)
        if stated is not None or not own or _is_rest(share, own):
            yield stated or share, whole, place


def _is_same(one: Figure, other: Figure) -> bool:
    return isclose(one.number.value, other.number.value)


def _is_rest(share: Figure, own: list[Figure]) -> bool:
    return any(isclose(100 - share.number.value, each.number.value) for each in own)


def _values(match: Match, share: Figure, whole: Figure, place: int, figure: Figure) -> list[float]:
    """What they may make: the part, the rest, and where a tax or a rise is spoken of, both together."""
    value, part = in_units_of(whole, figure), share.number.value / 100
    text = f"{match.claim.text} {' '.join(each.text for each in match.index.sentences[max(0, place - 1) : place + 2])}"
    values = [part * value]
    if _REST.search(text):
        values.append((1 - part) * value)
    if _ADDED.search(text):
        values.append((1 + part) * value)
    return values


def _comparison(
    match: Match, figure: Figure, terms: tuple[Figure, ...], place: int, *, is_right: bool
) -> FigureComparison:
    sentences = match.index.sentences
    near = frozenset().union(*(each.stems for each in sentences[max(0, place - _NEAR) : place + _NEAR + 1]))
    text = match.claim.text if is_right and is_whole(match, figure.start, figure.end, near, _SAYS) else ""
    own = frozenset((figure.start,))
    return FigureComparison(
        figure.start, figure.end, figure.text, terms, "%", own, is_right, sentences[place].text, text
    )
