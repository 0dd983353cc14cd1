"""Numbers, dates and units that differ from those of the context."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterator, Sequence

from voirdire.detectors.contradiction.figures import Figure, figures_of
from voirdire.detectors.contradiction.matching import Match
from voirdire.detectors.contradiction.records import Contradiction, ContradictionKind, confidence
from voirdire.text import Number, agree
from voirdire.text.units import converted, family

_ABOUT = 0.2  # share of the sentence's other words that a context sentence with another number must carry
_COUNTED_ABOUT = 0.3
_ADDS = 0.05  # what a sentence that has the number may carry of the words that the best one lacks
_WORDS = 5  # content words of a sentence that can be placed at all
_COMMON = 100  # whole numbers up to here stand in a text of this and that; greater ones are not met by chance
_FEW = 20  # a count up to here may be the reader's own: of the things that the context lists
_SWAPPED_ABOUT = 0.35
_MARGIN = 0.25  # how much more it must carry than any sentence that has the number, and its neighbours
_ROUNDING = 0.06  # relative difference that "about" forgives
_EXACT = 0.002  # relative difference of what was converted: a year is 365 days
_COARSE = 0.05  # the same, at most, where a value was rounded after it was converted
_COARSEST = 0.02  # the same, to one place
_LIST_MARK = re.compile(r"(?:^|\n|[:;.]\s)\s*$")
# A context sentence that gives its time by that of another says nothing against a year.
_RELATIVE = re.compile(
    r"(?i)\b(?:that|same|following|next|previous|preceding|prior) (?:year|month|season|summer|winter|spring|day)\b"
    r"|\b(?:year|month|decade|day|week)s? (?:later|earlier|before|after)\b"
)
_CANDIDATES = 3


def figure_contradictions(match: Match) -> Iterator[Contradiction]:
    """Numbers that the context does not have while it has others there, or has of something else; other units."""
    figures = [each for each in figures_of(match.mine) if not _counts_nothing(match.mine.text, each)]
    if not figures:
        return
    shares = match.shares(_figure_stems(match))
    ranked = sorted(shares, key=lambda place: (-shares[place], place))
    for figure in figures:
        known = {
            place
            for place, theirs in enumerate(match.index.figures)
            if any(same_value(figure, other) for other in theirs)
        }
        if not known:
            found = _other_unit(match, figure) or _changed(match, figure, figures, shares, ranked)
        else:
            found = (
                _other_unit(match, figure)
                or _half_a_date(match, figure, shares, ranked)
                or _counted_otherwise(match, figure, figures, shares, ranked)
                or _misplaced(match, figure, shares, ranked, known)
            )
        if found is not None:
            yield found


def _figure_stems(match: Match) -> list[str]:
    """The stems of a sentence that are digits."""
    return [token.stem for token in match.mine.tokens if token.stem and token.word[0].isdigit()]


def same_value(mine: Figure, other: Figure) -> bool:
    """Whether two figures can mean the same, rounding forgiven: of what is given to fewer places, or as rough."""
    if mine.units and other.units and family(mine.units) & family(other.units):
        return _same_quantity(mine, other)
    return _same_number(mine, other)


def _same_quantity(mine: Figure, other: Figure) -> bool:
    """Whether two figures with units of the same family can mean the same."""
    if set(mine.units) & set(other.units):
        return _same_number(mine, other)
    rough = _ROUNDING if mine.about or other.about else 0.0
    return any(
        _converts(mine.number.value, value, rough) for value in converted(other.number.value, other.units, mine.units)
    ) or any(
        _converts(other.number.value, value, rough) for value in converted(mine.number.value, mine.units, other.units)
    )


def _converts(given: float, value: float, rough: float) -> bool:
    """Whether a value that was converted is the one given, to as many places as are given: 62 mph for 100 km/h."""
    difference = abs(given - value)
    if difference <= max(rough, _EXACT) * abs(value):
        return True
    places = _places(given)
    near = difference <= (_COARSE if places > 1 else _COARSEST) * abs(value)
    return near and math.isclose(_rounded(value, places), given)


def _same_number(mine: Figure, other: Figure) -> bool:
    one, two = mine.number, other.number
    if agree(one, two):
        return True
    if one.kind != two.kind or one.kind not in ("number", "percent") or not two.value:
        return False
    places = _places(one.value)
    if places >= _places(two.value):
        return False
    rough = abs(one.value - two.value) <= _ROUNDING * abs(two.value)
    return rough if mine.about or other.about else _rounded(two.value, places) == one.value and places > 1


def _changed(
    match: Match, figure: Figure, mine: Sequence[Figure], shares: dict[int, float], ranked: Sequence[int]
) -> Contradiction | None:
    """A number that stands nowhere in the context, while a sentence on the same matter has another of its sort.

    Of small counts the context may be silent though it lists what is counted; other figures it must have.
    """
    if not ranked or shares[ranked[0]] < _ABOUT:
        return None
    for place in ranked[:_CANDIDATES]:
        rivals = _rivals(match, figure, mine, place) if shares[place] >= _ABOUT else []
        if rivals:
            return _contradiction(match, figure, rivals[0].text, place, shares[place])
    number = figure.number
    if (number.kind == "number" and number.value <= _FEW) or (number.kind == "percent" and number.text[-1].isalpha()):
        return None
    return _contradiction(match, figure, "", ranked[0], shares[ranked[0]])


def _half_a_date(match: Match, figure: Figure, shares: dict[int, float], ranked: Sequence[int]) -> Contradiction | None:
    """A date of which the context has only a part ("2008"), and beside it one that differs in another part."""
    one = figure.number
    if one.month is None:
        return None
    dates = [(place, each) for place, theirs in enumerate(match.index.figures) for each in theirs if each.number.month]
    if any(agree(one, each.number) for _, each in dates):
        return None
    for place in ranked[:_CANDIDATES]:
        for where, each in dates:
            if where == place and _parts(one) & _parts(each.number):
                return _contradiction(match, figure, each.text, place, shares[place])
    return None


def _parts(date: Number) -> set[tuple[str, float]]:
    """What a date names of year, month and day."""
    named = {("month", date.month), ("day", date.day), ("year", date.low if date.low > 0 else None)}
    return {(part, value) for part, value in named if value is not None}


def _counted_otherwise(
    match: Match, figure: Figure, mine: Sequence[Figure], shares: dict[int, float], ranked: Sequence[int]
) -> Contradiction | None:
    """A count of what the context counts differently: "three touchdowns" against "16 touchdowns"."""
    number = figure.number
    if not figure.noun or number.kind != "number" or number.value > _COMMON or number.value % 1:
        return None
    counts = [
        (place, each)
        for place, theirs in enumerate(match.index.figures)
        for each in theirs
        if each.noun == figure.noun and each.number.kind == number.kind
    ]
    counted = [own for own in mine if not own.units]  # "10 MB" are no ten files
    if any(same_value(figure, each) for _, each in counts):
        return None
    for place in ranked[:_CANDIDATES]:
        if shares[place] < _COUNTED_ABOUT:
            return None
        for where, each in counts:
            if where == place and not any(same_value(own, each) for own in (mine if each.units else counted)):
                return _contradiction(match, figure, each.text, place, shares[place])
    return None


def _misplaced(
    match: Match, figure: Figure, shares: dict[int, float], ranked: Sequence[int], known: Collection[int]
) -> Contradiction | None:
    """A number that the context has of something else: every sentence that has it, and its neighbours, carries less."""
    if not ranked or shares[ranked[0]] < _SWAPPED_ABOUT or len(match.mine.stems) < _WORDS:
        return None
    best = ranked[0]
    linked = max(shares.get(place + step, 0.0) for place in known for step in (-1, 0, 1))
    if shares[best] - linked < _MARGIN or match.adds(best, known, _figure_stems(match)) > _ADDS:
        return None
    if _sort(figure) == "time" and _RELATIVE.search(match.index.readings[best].text):
        return None
    rivals = _rivals(match, figure, (), best)
    if not rivals and figure.number.value <= _FEW:
        return None
    return _contradiction(match, figure, rivals[0].text if rivals else "", best, shares[best])


def _other_unit(match: Match, figure: Figure) -> Contradiction | None:
    """A number that the context has in other units of the same quantity only."""
    if not figure.units:
        return None
    measured = family(figure.units)
    alike = [
        (place, other)
        for place, theirs in enumerate(match.index.figures)
        for other in theirs
        if other.units and measured & family(other.units)
    ]
    if any(same_value(figure, other) for _, other in alike):
        return None
    for place, other in alike:
        if agree(figure.number, other.number):
            return Contradiction("unit", figure.text, other.text, match.index.readings[place].text, 0.8)
    return None


def _rivals(match: Match, figure: Figure, mine: Sequence[Figure], place: int) -> list[Figure]:
    """Figures of a context sentence of the same sort, that the sentence itself does not have; those like it first."""
    found = [
        other
        for other in match.index.figures[place]
        if _sort(other) == _sort(figure) and not any(same_value(each, other) for each in mine)
    ]
    return sorted(found, key=lambda other: not family(figure.units) & family(other.units))


def _contradiction(match: Match, figure: Figure, theirs: str, place: int, share: float) -> Contradiction:
    kind: ContradictionKind = "date" if figure.number.kind in ("year", "date") else "number"
    return Contradiction(kind, figure.text, theirs, match.index.readings[place].text, confidence(share))


def _counts_nothing(text: str, figure: Figure) -> bool:
    """Whether it only numbers an item of a list, or stands for things named before: "between the two"."""
    number = figure.number
    if number.text.isalpha() and number.kind == "number" and not figure.noun:
        return True
    return text[number.end : number.end + 1] in (".", ")") and bool(_LIST_MARK.search(text[: number.start]))


def _sort(figure: Figure) -> str:
    kind = figure.number.kind
    return "time" if kind in ("year", "date") else kind


def _places(value: float) -> int:
    """How many significant digits a value has: 2 of 1,200."""
    return len(f"{value:.12g}".partition("e")[0].replace(".", "").strip("0-"))


def _rounded(value: float, places: int) -> float:
    return round(value, places - 1 - math.floor(math.log10(abs(value))))
