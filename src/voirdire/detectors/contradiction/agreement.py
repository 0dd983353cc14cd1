"""Whether two figures can mean the same."""

from __future__ import annotations

import math
from dataclasses import replace

from voirdire.detectors.contradiction.figures import Figure
from voirdire.text import Number, agree
from voirdire.text.units import MONEY, comparable, converted, family

_ROUNDING = 0.06  # relative difference that "about" forgives
_EXACT = 0.002  # relative difference of what was converted: a year is 365 days
_COARSE = 0.05  # the same, at most, where a value was rounded after it was converted
_COARSEST = 0.02  # the same, to one place


def same_value(mine: Figure, other: Figure) -> bool:
    """Whether two figures can mean the same, rounding forgiven: of what is given to fewer places, or as rough."""
    for one, two in ((mine, other), (other, mine)):
        if one.number.high < 0 <= two.number.low and two.falls and _may_fall(two):
            return same_value(replace(one, number=_turned(one.number)), two)
    if not (mine.units and other.units):
        return _same_number(mine, other)
    if family(mine.units) & family(other.units):
        return _same_quantity(mine, other)
    return comparable(mine.units, other.units) and _same_number(mine, other)


def _may_fall(figure: Figure) -> bool:
    """Whether it is a share or a sum of money: "fell by 5 %" is "-5 %", but "-5 °C" is not "5 °C"."""
    money = any((MONEY, 1) in each for each in family(figure.units))
    return figure.number.kind == "percent" or money


def _turned(number: Number) -> Number:
    """The same above zero."""
    return replace(number, low=-number.high, high=-number.low)


def _same_quantity(mine: Figure, other: Figure) -> bool:
    """Whether two figures with units of the same family can mean the same."""
    if set(mine.units) & set(other.units):
        return _same_number(mine, other)
    rough = _ROUNDING if mine.about or other.about else 0.0
    return any(
        _converts(given, value, rough)
        for one, two in ((mine, other), (other, mine))
        for given in _values(one.number)
        for from_value in _values(two.number)
        for value in converted(from_value, two.units, one.units)
    )


def _values(number: Number) -> list[float]:
    """The values that a number may have."""
    return [number.value, *(each.value for each in number.others)]


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
    if abs(one.value - two.value) > _ROUNDING * abs(two.value):  # more than any rounding to two places does
        return False
    places = _places(one.value)
    if places >= _places(two.value):
        return False
    return mine.about or other.about or (_rounded(two.value, places) == one.value and places > 1)


def _places(value: float) -> int:
    """How many significant digits a value has: 2 of 1,200."""
    return len(f"{value:.12g}".partition("e")[0].replace(".", "").strip("0-"))


def _rounded(value: float, places: int) -> float:
    return round(value, places - 1 - math.floor(math.log10(abs(value))))
