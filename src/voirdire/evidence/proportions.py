"""Figures that grow with another one: "50 g for 20 litres" of "25 g for 10 litres", a price with an extra rate."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from voirdire.evidence.figures import Figure, same_sort
from voirdire.evidence.lexicon import stem_of
from voirdire.evidence.matching import Match
from voirdire.text.units import Units, converted, is_count, is_money, units_of_spelling

Placed = tuple[float, Figure, int]
"""(value in the units that are wanted, a figure, the place of its sentence in the context; -1 of the claim)."""
Candidates = Iterator[tuple[float, Sequence[Placed]]]

_RATE = re.compile(r"(?i)\b(?:per|every|each)\b[^,;:.]{0,20}$")
_LINK = re.compile(
    r"(?i)^(?![^,;:]*\b(?:and|or|first)\b)[^,;:]*"
    r"\b(?:in|into|for|with|per|every|each|covers?|makes?|serves?|needs?|takes?|uses?|requires?|yields?)\b[^,;:]*$"
)
"""Between two figures of which one grows with the other: "25 g in 10 litres", not "2 years or 20,000 km"."""
_BOUNDED = re.compile(
    r"(?i)\b(?:first|up to|within|beyond|extra|additional|further|at most|maximum|minimum|limit\w*)\b"
)
"""In a sentence whose figures do not grow, or not from the beginning."""
_EXTRA = re.compile(r"(?i)\b(?:per|each|every|an?)\s+(?:extra|additional|further|subsequent|started)\s+([a-z]+)")
_PAST = re.compile(
    r"(?i)\b(?:per|each|every) (?P<unit>[a-z]+) (?:past|over|above|beyond|after|in excess of) (?:the first )?"
    r"(?P<limit>\d[\d,]*)\b"
)
"""A rate that counts from a limit: "£0.85 for every mile past 100"."""
_SAYS_EXTRA = frozenset("extra additional further more".split())


def proportions(match: Match, figure: Figure, near: Sequence[tuple[int, Figure]]) -> Candidates:
    """What a figure is where another one of the sentence is so many times one of the context that it belongs to."""
    bases = _own(match, figure)
    if not bases:
        return
    for place, amount in near:
        if amount.number.kind != "number":
            continue
        text = match.index.sentences[place].text
        for base in bases:
            for times in _times_of_rate(amount, base, figure):
                yield times, ((amount.number.value, amount, place), (base.number.value, base, -1))
        if _BOUNDED.search(text):
            continue
        for value in _in_units(amount, figure):
            for other in _linked(match.index.figures[place], amount, text):
                for base in bases:
                    for times in _in_units(base, other):
                        if times != other.number.value:
                            grown = value * times / other.number.value
                            yield grown, ((value, amount, place), (times, base, -1))


def prices_beyond(match: Match, figure: Figure, near: Sequence[tuple[int, Figure]]) -> Candidates:
    """What a figure is by a rate beyond a limit: "95 euros within 40 km, 2 euros for every extra kilometre"."""
    bases = _own(match, figure)
    for place, rate in near if bases else ():
        yield from _past_limit(match, figure, (place, rate), bases)
        for extra in _EXTRA.finditer(match.index.sentences[place].text):
            unit, noun = units_of_spelling(extra[1]), stem_of(extra[1])
            for added in _in_units(rate, figure):
                for base in bases:
                    amounts = _amounts_of(base, unit, noun)
                    if amounts and not _SAYS_EXTRA.isdisjoint(match.claim.words):
                        yield added * amounts[0], ((added, rate, place), (amounts[0], base, -1))
                    for at, first, limit in _limited(match, place, unit, noun):
                        for fixed in _in_units(first, figure) if first != rate else ():
                            (included,) = _amounts_of(limit, unit, noun)[:1]
                            if amounts and amounts[0] > included:
                                value = fixed + added * (amounts[0] - included)
                                yield value, ((fixed, first, at), (added, rate, place), (amounts[0], base, -1))


def _past_limit(match: Match, figure: Figure, near: tuple[int, Figure], bases: Sequence[Figure]) -> Candidates:
    """What a rate from a limit on makes of a figure of the sentence: "£0.85 for every mile past 100" of 140 miles."""
    place, rate = near
    for past in _PAST.finditer(match.index.sentences[place].text, rate.number.end):
        unit, noun = units_of_spelling(past["unit"]), stem_of(past["unit"].lower())
        limit = float(past["limit"].replace(",", ""))
        for value in _amounts_in(rate, figure):
            for base in bases:
                for amount in _amounts_of(base, unit, noun):
                    if amount > limit:
                        yield value * (amount - limit), ((value, rate, place), (amount, base, -1))


def _own(match: Match, figure: Figure) -> list[Figure]:
    """The other figures of the sentence that something may grow with."""
    return [
        each
        for each, _ in match.figures
        if each is not figure and each.number.kind == "number" and each.number.value > 0
    ]


def _in_units(one: Figure, other: Figure) -> list[float]:
    """The value of one in the units of another of its sort; none where they are of different sorts."""
    if not same_sort(one, other) or one.number.kind != "number" or not other.number.value:
        return []
    return converted(one.number.value, one.units, other.units)[:1] if one.units else [one.number.value]


def _amounts_in(rate: Figure, figure: Figure) -> list[float]:
    """The value of a rate in the units of a figure, without what it is given for."""
    amounts = tuple(dict.fromkeys(unit.partition("/")[0] for unit in rate.units))
    return converted(rate.number.value, amounts, figure.units)[:1]


def _times_of_rate(rate: Figure, base: Figure, figure: Figure) -> Iterator[float]:
    """What "14 euros per metre" make of "2.5 metres", in the units of a figure."""
    for unit in rate.units:
        amount, is_rate, per = unit.partition("/")
        if is_rate and not is_count(base.units):
            for value in converted(rate.number.value, (amount,), figure.units)[:1]:
                yield from (value * times for times in converted(base.number.value, base.units, (per,))[:1])


def _linked(figures: Sequence[Figure], amount: Figure, text: str) -> Iterator[Figure]:
    """The figures beside one in its sentence that it is given for, or that are given for it."""
    for one, two in pairwise(figures):
        between = text[one.end : two.start]
        if amount not in (one, two) or not _LINK.search(between):
            continue
        needs_rate = is_money(one.units) or is_money(two.units) or (is_count(two.units) and not _RATE.search(between))
        if not needs_rate or _RATE.search(between):
            yield two if amount is one else one


def _amounts_of(figure: Figure, unit: Units, noun: str) -> list[float]:
    """How many of a unit, or of what is counted, a figure is."""
    if unit and not is_count(figure.units):
        return converted(figure.number.value, figure.units, unit)[:1]
    return [figure.number.value] if is_count(figure.units) and figure.noun == noun else []


def _limited(match: Match, place: int, unit: Units, noun: str) -> Iterator[tuple[int, Figure, Figure]]:
    """(place, what is given up to a limit, the limit) of the sentence of an extra rate and of the one before it."""
    for at in (place, place - 1):
        for one, two in pairwise(match.index.figures[at]) if at >= 0 else ():
            if _amounts_of(two, unit, noun):
                yield at, one, two
            elif _amounts_of(one, unit, noun):
                yield at, two, one
