"""The figures of a context, to be found by their value: a look at all of them for each sentence takes too long."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from voirdire.evidence.figures import ROUNDING, Figure, same_value
from voirdire.text.numbers import Number
from voirdire.text.units import Units, comparable, family

_SLACK = 1e-6
Placed = tuple[int, Figure]
"""A figure, and which sentence of the context has it."""


@dataclass(frozen=True, slots=True)
class _Group:
    """Figures in the same units, by how far they are from zero."""

    units: Units
    figures: Sequence[tuple[int, Placed]]
    """Each with its place in the order of the context."""
    lows: Sequence[float]
    """The nearer end of each."""
    width: float
    """Of the widest of them."""

    def around(self, figure: Figure) -> Sequence[tuple[int, Placed]]:
        """Those that can be the same number: others are further away than any rounding forgives."""
        low, high = _distance(figure.number)
        first = bisect_left(self.lows, low * (1 - ROUNDING) - self.width - _SLACK)
        last = bisect_right(self.lows, high / (1 - ROUNDING) + self.width + _SLACK)
        return self.figures[first:last]


@dataclass(frozen=True, slots=True)
class FigureTable:
    """Figures of a context by their units and values."""

    groups: Sequence[_Group]
    ambiguous: Sequence[tuple[int, Placed]]
    """Those that may mean several values, or are not on one side of zero."""

    @classmethod
    def of(cls, figures: Iterable[Placed]) -> FigureTable:
        """Sort figures, which come in the order of the context."""
        groups: dict[Units, list[tuple[int, Placed]]] = {}
        ambiguous = []
        for order, (place, figure) in enumerate(figures):
            if _is_plain(figure.number):
                groups.setdefault(figure.units, []).append((order, (place, figure)))
            else:
                ambiguous.append((order, (place, figure)))
        return cls([_group(units, some) for units, some in groups.items()], ambiguous)

    def same(self, figure: Figure) -> tuple[Placed, ...]:
        """All figures that can mean the same as one, in the order of the context."""
        candidates = [*self.ambiguous]
        for group in self.groups:
            if not _is_plain(figure.number) or _is_converted(figure.units, group.units):
                candidates += group.figures
            elif not (figure.units and group.units) or comparable(figure.units, group.units):
                candidates += group.around(figure)
        return tuple(placed for _, placed in sorted(candidates, key=_order) if same_value(figure, placed[1]))

    def around(self, figure: Figure) -> list[Placed]:
        """The figures that may have the same number, whatever their units, in the order of the context."""
        candidates = [*self.ambiguous]
        for group in self.groups:
            candidates += group.around(figure) if _is_plain(figure.number) else group.figures
        return [placed for _, placed in sorted(candidates, key=_order)]


def _group(units: Units, figures: list[tuple[int, Placed]]) -> _Group:
    figures.sort(key=lambda each: _distance(each[1][1].number)[0])
    spans = [_distance(figure.number) for _, (_, figure) in figures]
    return _Group(units, figures, [low for low, _ in spans], max(high - low for low, high in spans))


def _is_plain(number: Number) -> bool:
    """Whether it has one meaning, on one side of zero."""
    return (
        not number.others and math.isfinite(number.low) and math.isfinite(number.high) and number.low * number.high >= 0
    )


def _distance(number: Number) -> tuple[float, float]:
    """The nearer and the farther end, from zero."""
    ends = sorted((abs(number.low), abs(number.high)))
    return ends[0], ends[1]


def _is_converted(one: Units, other: Units) -> bool:
    """Whether values are converted before they are compared, so that equal numbers are not the same."""
    return bool(one and other) and set(one).isdisjoint(other) and bool(family(one) & family(other))


def _order(each: tuple[int, Placed]) -> int:
    return each[0]
