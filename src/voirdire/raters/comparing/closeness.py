"""Is the machine as good as a person? The same coefficient between people and between people and the machine."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from voirdire.raters.agreement.measures import (
    Coefficient,
    Figure,
    Floats,
    figure_of,
    mean_over_pairs,
    shape_of,
    widest_difference,
    within,
)
from voirdire.stats.jackknife import Bools, jackknife_estimate

_UNDEFINED = "The coefficient is undefined for every pair, as where all ratings are alike."
_NO_PAIRS = "No item that the machine has judged was rated by two people."


class Closeness(NamedTuple):
    """People with each other, and with the machine; on the items that two people or more and the machine have rated."""

    machine: str
    consensus: bool
    scale: str
    coefficient: str
    items: int
    groups: int
    people: Figure
    """Mean over pairs of people, by the items they share."""
    with_machine: Figure
    """Mean over people of their agreement with the machine, likewise."""
    difference: Figure
    """With the machine minus with each other: negative where people agree better among themselves."""


def closeness(
    named: tuple[str, bool, str, str],
    coefficient: Coefficient,
    people: Floats,
    machine: Floats,
    groups: NDArray[np.object_],
) -> Closeness:
    """Compare two agreements on the same items.

    Args:
        named: the machine, whether it is a consensus, the scale, the coefficient.
        coefficient: of two raters.
        people: shape (items, raters), NaN where missing.
        machine: shape (items,), likewise.
        groups: shape (items,).
    """
    kept = ((~np.isnan(people)).sum(axis=1) >= 2) & ~np.isnan(machine)
    x, y, of = people[kept], machine[kept], groups[kept]
    count = len(set(of))
    if not count:
        nothing = Figure(None, reason=_NO_PAIRS)
        return Closeness(*named, 0, 0, nothing, nothing, nothing)
    raters = x.shape[1]
    between = [x[:, [a, b]] for a in range(raters) for b in range(a + 1, raters)]
    beside = [np.column_stack([x[:, a], y]) for a in range(raters)]

    with_each_other = _over(coefficient, between)
    with_machine = _over(coefficient, beside)
    found = [
        jackknife_estimate(with_each_other, of, shape=shape_of(named[-1])),
        jackknife_estimate(with_machine, of, shape=shape_of(named[-1])),
        jackknife_estimate(lambda rows: with_machine(rows) - with_each_other(rows), of),
    ]
    one, other, apart = (figure_of(each, count, _UNDEFINED) for each in found)
    return Closeness(*named, len(x), count, one, other, within(apart, widest_difference(named[-1])))


def _over(coefficient: Coefficient, pairs: Sequence[Floats]) -> Callable[[Bools], float]:
    """The mean over pairs as a function of the items left in; kept, since the difference asks for the same again."""
    known: dict[bytes, float] = {}

    def mean(rows: Bools) -> float:
        key = rows.tobytes()
        if key not in known:
            known[key] = mean_over_pairs(coefficient, [pair[rows] for pair in pairs])
        return known[key]

    return mean
