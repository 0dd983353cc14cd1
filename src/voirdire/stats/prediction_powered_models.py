"""Prediction-powered means of several models that one machine has judged: one weight, and differences.

Each model has a rectifier of its own, what people say of its units beyond lam times what the machine says, so that a
machine which favours a model does no harm. Only lam is shared, from within the models: any lam that does not depend on
the ratings leaves the means unbiased, and a few ratings a model are too few to tune one for each.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from voirdire.stats.intervals import Interval
from voirdire.stats.prediction_powered import Anchored, anchored_mean
from voirdire.stats.prediction_powered_parts import best_lam, best_slope, cross_fitted, jackknifed, make_parts

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


class Weight(NamedTuple):
    """How far a machine's values are used."""

    lam: float
    """The tuned weight, from 0 upward."""
    slope: float
    """Of people's values on the machine's, from 0 upward: the weight, but for machines (nearly) without an error."""
    without: float
    """Mean squared error in foretelling people's ratings by those of other groups; NaN with fewer than three groups."""
    with_machine: float
    """The same with the machine's values as well."""

    @property
    def explained(self) -> float:
        """Share of people's variance that the machine foretells, cross-fitted; at most 1, below 0 where it misleads."""
        return 1 - self.with_machine / self.without if self.without > 0 else math.nan

    @property
    def helps(self) -> bool:
        """Whether ratings that took no part in tuning are foretold better with the machine than without it."""
        return self.with_machine < self.without


class Difference(NamedTuple):
    """How much higher one mean is than another."""

    value: float
    interval: Interval | None
    """`None` where one of the two means has none."""


def tuned_weight(
    people: ArrayLike,
    machine: ArrayLike,
    groups: ArrayLike,
    *,
    within: ArrayLike | None = None,
    weights: ArrayLike | None = None,
) -> Weight:
    """The weight of least variance, and what it is good for where it was not tuned.

    Args:
        people: shape (units,), NaN where nobody has rated.
        machine: shape (units,).
        groups: shape (units,), what units that depend on one another share.
        within: shape (units,), the models; the slope is then that within them.
        weights: shape (units,), how many units each rated one stands for.
    """
    truth, predicted = np.asarray(people, dtype=np.float64), np.asarray(machine, dtype=np.float64)
    predicted = np.where(np.isfinite(predicted), predicted, np.nanmean(predicted))
    if within is not None:
        rated = np.isfinite(truth)
        weight = np.where(rated, 1.0 if weights is None else np.asarray(weights, dtype=np.float64), 0.0)
        codes = np.unique(np.asarray(within), return_inverse=True)[1]
        truth = truth - _means(np.where(rated, truth, 0.0), weight, codes)
        predicted = predicted - _means(predicted, weight, codes)
    parts = make_parts(truth, predicted, groups, None, weights, None)
    return Weight(best_lam(parts), best_slope(parts), *cross_fitted(parts))


def powered_difference(
    people: ArrayLike,
    machine: ArrayLike,
    groups: ArrayLike,
    first: ArrayLike,
    second: ArrayLike,
    *,
    lam: float = 0.0,
    weights: ArrayLike | None = None,
    top: float = 1.0,
    level: float = 0.95,
) -> Difference:
    """The mean of the first units less that of the second, with one lam.

    The interval is made of those of the two means (MOVER: Zou and Donner, doi:10.1002/sim.3095), and of how they vary
    together when a group is left out.

    Args:
        people: shape (units,), NaN where nobody has rated.
        machine: shape (units,).
        groups: shape (units,); groups may have units on both sides.
        first: shape (units,), whether a unit is one of the first.
        second: shape (units,), whether it is one of the second.
        lam: of both means.
        weights: shape (units,), how many units each rated one stands for.
        top: the highest value of a unit, the lowest being 0.
        level: confidence level.

    Raises:
        ValueError: nobody has rated a unit of one of the two.
    """
    truth, predicted = np.asarray(people, dtype=np.float64), np.asarray(machine, dtype=np.float64)
    weight = np.ones_like(truth) if weights is None else np.asarray(weights, dtype=np.float64)
    labels = np.unique(np.asarray(groups), return_inverse=True)[1]
    sides = [np.asarray(each, dtype=np.bool_) for each in (first, second)]
    means = [
        anchored_mean(truth[side], predicted[side], labels[side], weights=weight[side], top=top, lam=lam, level=level)
        for side in sides
    ]
    one, other = means
    value = one.value - other.value
    if one.interval is None or other.interval is None:
        return Difference(value, None)
    left_out = [_left_out(truth, predicted, labels, weight, side, lam) for side in sides]
    return Difference(value, _mover(one, one.interval, other, other.interval, _together(*left_out), top))


def _means(values: Floats, weights: Floats, codes: NDArray[np.intp]) -> Floats:
    """Of each unit's model, over the rated units; 0 where none is rated."""
    sums, sizes = np.bincount(codes, weights * values), np.bincount(codes, weights)
    means: Floats = np.divide(sums, sizes, out=np.zeros_like(sums), where=sizes > 0)
    return means[codes]


def _left_out(
    people: Floats, machine: Floats, labels: NDArray[np.intp], weights: Floats, side: Bools, lam: float
) -> Floats:
    """The mean of one side without each group, of whichever side; shape (groups,)."""
    parts = make_parts(people[side], machine[side], labels[side], None, weights[side], None)
    own = np.unique(labels[side])
    figures = jackknifed(parts, lam, retune=False)
    whole = np.full(int(labels.max()) + 1, np.nanmean(figures))
    whole[own] = np.where(np.isfinite(figures), figures, np.nanmean(figures))
    return whole


def _together(one: Floats, other: Floats) -> float:
    """How far two means rise and fall together as groups are left out: a correlation; 0 where one does not vary."""
    a, b = one - one.mean(), other - other.mean()
    spread = math.sqrt(float(a @ a) * float(b @ b))
    return float(a @ b) / spread if spread > 0 else 0.0


def _mover(
    one: Anchored, of_one: Interval, other: Anchored, of_other: Interval, together: float, top: float
) -> Interval:
    value = one.value - other.value

    def reach(a: float, b: float) -> float:
        return math.sqrt(max(0.0, a * a + b * b - 2 * together * a * b))

    below = reach(one.value - of_one.low, of_other.high - other.value)
    above = reach(of_one.high - one.value, other.value - of_other.low)
    return Interval(max(value - below, -top), min(value + above, top), of_one.level, "MOVER, jackknife-t")
