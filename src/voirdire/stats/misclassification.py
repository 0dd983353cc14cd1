"""Shares corrected for the errors of whoever counted: sensitivity and specificity are themselves estimated.

The Rogan-Gladen estimate with the adjusted interval of Lang and Reiczigel (doi:10.1016/j.prevetmed.2013.09.015), which
allows for the sampling error of all three shares. Theirs are independent binomial samples; here units of a group may
depend on one another and ratings may be weighted, so that each sample counts as the number of independent units that it
is worth; and the rated units are among those that the machine counted, so that errors of the three shares partly cancel
out: the more are rated, the more. The variance is never less than people's own would be if they had rated all units;
where they have, share and interval are theirs. For more than two classes the whole confusion matrix is inverted, with a
jackknife over groups.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from voirdire.stats import special
from voirdire.stats.intervals import Interval, least_repetition, share_interval
from voirdire.stats.prediction_powered import anchored_mean

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

Uncorrected = Literal["no_positives", "no_negatives", "no_better", "out_of_range"]
"""Why a share is not corrected: people found no positive or no negative unit among those that the machine judged;
sensitivity and specificity add up to 1 or less; the estimate lies outside [0, 1]."""
UncorrectedClasses = Literal["unmet_classes", "unsaid_classes", "confused_classes", "classes_out_of_range"]
"""Why the shares of classes are not corrected: people found no unit of a class; the confusion can't be undone; an
estimate lies outside [0, 1]."""
_MIN_GROUPS = 3
_ROUNDING = 1e-9
_PLUS = 2.0  # Lang and Reiczigel: a success and a failure more in the samples of sensitivity and specificity
_WORST_CONDITION = 25.0
"""A confusion matrix whose condition is worse multiplies the error of the counts beyond use."""


class Rate(NamedTuple):
    """A share of the units that people rated."""

    value: float
    interval: Interval | None
    """Jeffreys', of the units that they are worth, fewer by what Student's t of their groups takes off; `None` with
    fewer than three groups."""
    n: int


class Corrected(NamedTuple):
    """A share that a machine has counted, corrected for its errors."""

    value: float | None
    """Within [0, 1]; `None` where `why` says why."""
    interval: Interval | None
    sensitivity: Rate | None
    """`None` where people found no such unit."""
    specificity: Rate | None
    why: Uncorrected | None = None
    outside: float | None = None
    """The estimate that is outside [0, 1]."""


class CorrectedShares(NamedTuple):
    """The shares of several classes, corrected by the confusion of the machine's with people's."""

    values: dict[str, float] | None
    """By class, adding up to 1; `None` where `why` says why."""
    intervals: dict[str, Interval]
    """Empty with fewer than three rated groups, and of three or more classes where nothing varies between groups."""
    confusion: dict[str, dict[str, float]]
    """By people's class: the shares that the machine gives to each."""
    why: UncorrectedClasses | None = None
    about: tuple[str, ...] = ()
    """The classes that `why` is about: not found by people, or by the machine, or with an estimate outside [0, 1]."""


def corrected_share(
    people: ArrayLike, machine: ArrayLike, groups: ArrayLike, *, weights: ArrayLike | None = None, level: float = 0.95
) -> Corrected:
    """The share of positives that people would have counted: (p + sp - 1)/(se + sp - 1).

    Args:
        people: shape (units,), 1 or 0; NaN where nobody has rated.
        machine: shape (units,), 1 or 0; units where it is NaN are left out.
        groups: shape (units,), what units that depend on one another share.
        weights: shape (units,), how many units each rated one stands for.
        level: confidence level.

    Raises:
        ValueError: the machine has no value at all.
    """
    truth, predicted, labels, weight = _as_arrays(people, machine, groups, weights)
    rated = np.isfinite(truth)
    apparent = _Share.of(predicted == 1, np.ones_like(predicted), labels, int(labels.max()) + 1)
    sensitivity = _rate_among(predicted == 1, rated & (truth == 1), weight, labels)
    specificity = _rate_among(predicted == 0, rated & (truth == 0), weight, labels)
    of_positives, of_negatives = (None if each is None else each.rate(level) for each in (sensitivity, specificity))
    if sensitivity is None or specificity is None:
        why: Uncorrected = "no_positives" if sensitivity is None else "no_negatives"
        return Corrected(None, None, of_positives, of_negatives, why)
    youden = sensitivity.share + specificity.share - 1
    if youden <= _ROUNDING:
        return Corrected(None, None, of_positives, of_negatives, "no_better")
    estimate = (apparent.share + specificity.share - 1) / youden
    if _is_outside(estimate):
        return Corrected(None, None, of_positives, of_negatives, "out_of_range", estimate)
    alone = anchored_mean(truth, predicted, labels, weights=weight, lam=0.0, level=level)
    if rated.all():
        return Corrected(alone.value, alone.interval, of_positives, of_negatives)
    least = alone.variance * alone.n / alone.units
    interval = _lang_reiczigel(apparent, sensitivity, specificity, least, alone.groups_rated, level)
    return Corrected(min(max(estimate, 0.0), 1.0), interval, of_positives, of_negatives)


def corrected_shares(
    people: Sequence[str | None],
    machine: Sequence[str | None],
    groups: ArrayLike,
    classes: Sequence[str],
    *,
    weights: ArrayLike | None = None,
    level: float = 0.95,
) -> CorrectedShares:
    """The shares of classes that people would have counted: the machine's, through the inverse of its confusion.

    Args:
        people: the class of each unit, `None` where nobody has rated.
        machine: the class of each unit; units without one are left out.
        groups: shape (units,).
        classes: those that there are; one that neither uses is left out.
        weights: shape (units,).
        level: confidence level.
    """
    used = [name for name in classes if name in set(people) | set(machine)]
    codes = {name: place for place, name in enumerate(used)}
    truth = [math.nan if each is None else float(codes[each]) for each in people]
    predicted = [math.nan if each is None else float(codes[each]) for each in machine]
    arrays = _as_arrays(truth, predicted, groups, weights)
    shares = _inverted(*arrays[:2], arrays[3], len(used))
    table = _confusion(*arrays[:2], arrays[3], len(used))
    confusion = {
        name: dict(zip(used, row.tolist(), strict=True)) for name, row in zip(used, table, strict=True) if row.sum() > 0
    }
    if shares is None:
        unmet = tuple(name for name in used if name not in confusion)
        if unmet:
            return CorrectedShares(None, {}, confusion, "unmet_classes", unmet)
        unsaid = tuple(name for name, column in zip(used, table.T, strict=True) if not column.sum() > 0)
        return CorrectedShares(None, {}, confusion, "unsaid_classes" if unsaid else "confused_classes", unsaid)
    outside = tuple(name for name, share in zip(used, shares.tolist(), strict=True) if _is_outside(share))
    if outside:
        return CorrectedShares(None, {}, confusion, "classes_out_of_range", outside)
    shares = np.clip(shares, 0.0, 1.0)
    intervals = (_of_two if len(used) == 2 else _jackknifed)(shares, *arrays, level)
    return CorrectedShares(
        dict(zip(used, shares.tolist(), strict=True)),
        {} if intervals is None else dict(zip(used, intervals, strict=True)),
        confusion,
    )


def _is_outside(share: float) -> bool:
    return not -_ROUNDING <= share <= 1 + _ROUNDING


class _Share(NamedTuple):
    """A share, and the number of independent units that would tell as much."""

    share: float
    effective_n: float
    n: int
    groups: int
    repetition: float
    """How many units tell as much as an independent one, at the least."""
    shifts: Floats
    """By group: how the share changes when it is left out."""

    @classmethod
    def of(cls, hits: Bools, weights: Floats, groups: NDArray[np.intp], count: int) -> _Share:
        """Count hits, with weights, in so many groups; units that agree more in groups than by chance count less."""
        whole = float(weights.sum())
        share = min(float(weights @ hits) / whole, 1.0)
        effective_n = whole**2 / float(weights @ weights)
        parts, sizes = (np.bincount(groups, each, minlength=count) for each in (weights * hits, weights))
        some = sizes > 0
        k = int(some.sum())
        shifts = np.zeros(count)
        if k >= _MIN_GROUPS and 0 < share < 1:
            without = (parts.sum() - parts[some]) / (whole - sizes[some])
            shifts[some] = without - without.mean()
            between = (k - 1) / k * float(shifts @ shifts)
            # k independent units have a jackknife variance of share · (1 - share)/(k - 1).
            effective_n = min(effective_n, share * (1 - share) / between + 1) if between > 0 else effective_n
        return cls(share, effective_n, hits.size, k, least_repetition(weights, groups), shifts)

    def rate(self, level: float) -> Rate:
        """As it is shown."""
        if self.groups < _MIN_GROUPS:
            return Rate(self.share, None, self.n)
        tail = 0.5 + level / 2
        worth = (
            min(self.effective_n, self.n / self.repetition)
            * float(special.ndtri(tail) / special.stdtrit(self.groups - 1, tail)) ** 2
        )
        return Rate(self.share, share_interval(self.share * worth, worth, level=level), self.n)

    def plus(self, more: float) -> tuple[float, float]:
        """The share with so many more units, half of them hits, and its variance."""
        n = self.effective_n + more
        share = (self.share * self.effective_n + more / 2) / n
        return share, share * (1 - share) / n


def _rate_among(hits: Bools, among: Bools, weights: Floats, groups: NDArray[np.intp]) -> _Share | None:
    return _Share.of(hits[among], weights[among], groups[among], int(groups.max()) + 1) if among.any() else None


def _lang_reiczigel(
    apparent: _Share, sensitivity: _Share, specificity: _Share, least: float, rated_groups: int, level: float
) -> Interval | None:
    """With a variance of at least `least`.

    `None` with too few groups, and where the samples, drawn towards a half, no longer show a judge of any use.
    """
    z = float(special.ndtri(0.5 + level / 2))
    p, of_p = apparent.plus(z * z)
    se, of_se = sensitivity.plus(_PLUS)
    sp, of_sp = specificity.plus(_PLUS)
    youden = se + sp - 1
    if youden <= 0 or rated_groups < _MIN_GROUPS:
        return None
    share = (p + sp - 1) / youden
    left = _left_of_variance(apparent, sensitivity, specificity, min(max(share, 0.0), 1.0))
    variance = left * (of_p + share**2 * of_se + (1 - share) ** 2 * of_sp) / youden**2
    error = math.sqrt(max(variance, least))
    centre = share + left * 2 * z * z * (share * of_se - (1 - share) * of_sp)
    reach = float(special.stdtrit(rated_groups - 1, 0.5 + level / 2)) * error
    low, high = (min(max(end, 0.0), 1.0) for end in (centre - reach, centre + reach))
    return Interval(low, high, level, "Lang-Reiczigel, one sample")


def _left_of_variance(apparent: _Share, sensitivity: _Share, specificity: _Share, share: float) -> float:
    """The part of the variance of independent samples that is left where the same groups are in all three."""
    shifts = np.array([apparent.shifts, -share * sensitivity.shifts, (1 - share) * specificity.shifts])
    apart, together = float((shifts**2).sum()), float((shifts.sum(axis=0) ** 2).sum())
    return min(together / apart, 1.0) if apart > 0 else 1.0


def _confusion(truth: Floats, predicted: Floats, weights: Floats, classes: int) -> Floats:
    """Rows: people's class; columns: the share of each that the machine gives to a class; 0 where people found none."""
    rated = np.isfinite(truth)
    places = (truth[rated] * classes + predicted[rated]).astype(np.intp)
    table = np.bincount(places, weights[rated], minlength=classes**2).reshape(classes, classes)
    sums = table.sum(axis=1, keepdims=True)
    confusion: Floats = np.divide(table, sums, out=np.zeros_like(table), where=sums > 0)
    return confusion


def _inverted(truth: Floats, predicted: Floats, weights: Floats, classes: int) -> Floats | None:
    """The shares, as they come out; `None` where the confusion can't be undone."""
    table = _confusion(truth, predicted, weights, classes)
    if (table.sum(axis=1) == 0).any() or np.linalg.cond(table) > _WORST_CONDITION:
        return None
    apparent = np.bincount(predicted.astype(np.intp), minlength=classes) / predicted.size
    shares: Floats = np.asarray(np.linalg.solve(table.T, apparent), dtype=np.float64)
    return shares


def _of_two(
    _shares: Floats, truth: Floats, predicted: Floats, groups: NDArray[np.intp], weights: Floats, level: float
) -> list[Interval] | None:
    """As of one share and what it leaves; `None` with too few groups."""
    second = corrected_share(truth, predicted, groups, weights=weights, level=level).interval
    return None if second is None else [second._replace(low=1 - second.high, high=1 - second.low), second]


def _jackknifed(
    shares: Floats, truth: Floats, predicted: Floats, groups: NDArray[np.intp], weights: Floats, level: float
) -> list[Interval] | None:
    """By class; `None` with too few groups, without variation, or where it can't be undone without one of them."""
    rated_groups = np.unique(groups[np.isfinite(truth)]).size
    if rated_groups < _MIN_GROUPS:
        return None
    left_out = []
    for group in np.unique(groups):
        mask = groups != group
        left_out.append(_inverted(truth[mask], predicted[mask], weights[mask], shares.size))
    known = [each for each in left_out if each is not None]
    if len(known) < len(left_out):
        return None
    values, k = np.array(known), len(known)
    errors = np.sqrt((k - 1) / k * ((values - values.mean(axis=0)) ** 2).sum(axis=0))
    if not (errors > 0).all():
        return None
    half = float(special.stdtrit(rated_groups - 1, 0.5 + level / 2)) * errors
    return [
        Interval(max(0.0, share - reach), min(1.0, share + reach), level, "jackknife-t")
        for share, reach in zip(shares.tolist(), half.tolist(), strict=True)
    ]


def _as_arrays(
    people: ArrayLike, machine: ArrayLike, groups: ArrayLike, weights: ArrayLike | None
) -> tuple[Floats, Floats, NDArray[np.intp], Floats]:
    """Of the units that the machine has a value of."""
    truth, predicted = np.asarray(people, dtype=np.float64), np.asarray(machine, dtype=np.float64)
    weight = np.ones_like(truth) if weights is None else np.asarray(weights, dtype=np.float64)
    known = np.isfinite(predicted)
    if not known.any():
        raise ValueError("The machine has no value of any unit: there is nothing to correct.")
    labels: NDArray[np.intp] = np.unique(np.asarray(groups)[known], return_inverse=True)[1]
    return truth[known], predicted[known], labels, weight[known]
