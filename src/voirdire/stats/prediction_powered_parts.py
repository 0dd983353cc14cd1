"""What prediction-powered figures are made of: numerators and denominators by unit, and the tuning of lam."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

_NOTHING = 1e-9
_LEFT = 0.02
"""Share of the variance of people's ratings that stays in the estimate, at least: where a machine made no error among
those few, only that shows how wide its interval must be (`benchmarks.statistics.judge_worth --errors`)."""

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Places = NDArray[np.intp]

PSEUDO = 1 / 3
"""Weight of an imagined rating: (x + 1/3)/(n + 2/3) is a share's median-unbiased estimate (as in `clustered_share`)."""


class Parts(NamedTuple):
    """A set of units, some of them rated by people."""

    people: Floats
    """Numerators and denominators, shape (2, units); 0 where nobody has rated."""
    machine: Floats
    """Shape (2, units)."""
    rated: Bools
    weights: Floats
    """How many units a rated one stands for; 0 for the others."""
    groups: Places
    documents: Places

    @property
    def shares(self) -> Floats:
        """The weights, adding up to 1."""
        shares: Floats = self.weights / self.weights.sum()
        return shares

    @property
    def effective_n(self) -> float:
        """How many ratings of equal weight those are worth (Kish)."""
        return 1 / float(self.shares @ self.shares)

    @property
    def plain(self) -> bool:
        """Whether every unit counts as one: a mean, no ratio."""
        return bool((self.people[1][self.rated] == 1).all() and (self.machine[1] == 1).all())

    @staticmethod
    def gaps(values: Floats, ratio: float) -> Floats:
        """How far each unit's numerator lies above what a ratio makes of its denominator."""
        result: Floats = values[0] - ratio * values[1]
        return result


def make_parts(
    people: ArrayLike,
    machine: ArrayLike,
    groups: ArrayLike,
    sizes: tuple[ArrayLike, ArrayLike] | None,
    weights: ArrayLike | None,
    documents: ArrayLike | None,
) -> Parts:
    """Bring the arguments of `anchored_mean` into their form.

    Raises:
        ValueError: the shapes differ, or a weight of a rated unit is not positive.
    """
    truth, predicted = _floats(people), _floats(machine)
    ones = np.ones_like(truth)
    of_people, of_machine = (ones, ones) if sizes is None else (_floats(sizes[0]), _floats(sizes[1]))
    stands_for = ones if weights is None else _floats(weights)
    labels = np.asarray(groups)
    sampled = np.arange(truth.size) if documents is None else np.asarray(documents)
    if {each.shape for each in (predicted, of_people, of_machine, stands_for, labels, sampled)} != {truth.shape}:
        raise ValueError("people, machine, groups, sizes, weights and documents must be of one length.")
    rated = np.isfinite(truth) & np.isfinite(of_people)
    if not (stands_for[rated] > 0).all():
        raise ValueError("The weight of a rated unit must be positive: one over its chance of being rated.")
    return Parts(
        people=np.where(rated, np.stack([truth, of_people]), 0.0),
        machine=_fill_missing(np.stack([predicted, of_machine])),
        rated=rated,
        weights=np.where(rated, stands_for, 0.0),
        groups=np.unique(labels, return_inverse=True)[1],
        documents=np.unique(sampled, return_inverse=True)[1],
    )


def totals(parts: Parts, lam: float) -> Floats:
    """The prediction-powered means of numerator and denominator; shape (2,)."""
    means: Floats = (parts.people - lam * parts.machine) @ parts.shares + lam * parts.machine.mean(axis=1)
    return means


def best_lam(parts: Parts) -> float:
    """The lam of least variance, were units independent, if that leaves 2 % of the variance of people's ratings.

    It is the slope of people's values on the machine's among the rated units, at least 0, and for a machine that made
    (nearly) no error there as much less as it takes to leave that much: 0.86 of it for one without any.
    """
    moments = _Moments.of(parts)
    return float(_lam(*_fit(moments.rated.sum(axis=0), moments.unrated.sum())))


def best_slope(parts: Parts) -> float:
    """The slope of people's values on the machine's among the rated units (least squares), at least 0."""
    moments = _Moments.of(parts)
    return float(_fit(moments.rated.sum(axis=0), moments.unrated.sum()).slope)


def jackknifed(parts: Parts, lam: float, *, retune: bool) -> Floats:
    """The figure without each group in turn; shape (groups,), NaN where it is undefined.

    Args:
        parts: of the figure.
        lam: of all units.
        retune: tune lam anew where a rated unit is left out, so that the uncertainty of tuning it counts too.
    """
    if not retune:
        return _figures_without_each(parts, lam)
    moments = _Moments.of(parts)
    lams = _lam(*_fit(moments.rated.sum(axis=0) - moments.rated, moments.unrated.sum() - moments.unrated))
    has_rated = moments.rated[:, 0, 0] > 0
    return _figures_without_each(parts, np.where(has_rated, lams, lam))


def cross_fitted(parts: Parts) -> tuple[float, float]:
    """Mean squared error in foretelling people's ratings of a group from the others': without the machine, and with it.

    Without it, each rating is foretold by the others' mean; with it, by their mean and slope. NaN where fewer than
    three groups are rated. For ratios, what is foretold is how far a unit's numerator lies above the ratio's share.
    """
    top, bottom = totals(parts, 0.0)
    ratio = top / bottom if bottom > 0 and not parts.plain else 0.0
    truth, predicted = parts.gaps(parts.people, ratio), parts.gaps(parts.machine, ratio)
    rated, weights = parts.rated, parts.weights
    groups = np.unique(parts.groups[rated], return_inverse=True)[1]
    if groups.size == 0 or groups.max() < 2:
        return float("nan"), float("nan")
    sums = [np.bincount(groups, weights[rated] * each[rated]) for each in (np.ones_like(truth), truth, predicted)]
    whole, of_truth, of_machine = (each.sum() - each for each in sums)
    moments = _Moments.of(parts)
    own = np.unique(parts.groups[rated])
    slopes = _fit(moments.rated.sum(axis=0) - moments.rated, np.ones(len(moments.rated))).slope[own]
    centred = truth[rated] - (of_truth / whole)[groups]
    explained = slopes[groups] * (predicted[rated] - (of_machine / whole)[groups])
    shares = parts.shares[rated]
    return float(shares @ centred**2), float(shares @ (centred - explained) ** 2)


class _Moments(NamedTuple):
    """Weighted sums by group, from which the slope without any one group follows."""

    rated: Floats
    """Shape (groups, 5, 5): sums of products of (1, people's two, the machine's two) over rated units."""
    unrated: Floats
    """Shape (groups,): units that nobody has rated."""

    @classmethod
    def of(cls, parts: Parts) -> _Moments:
        count = int(parts.groups.max()) + 1
        values = np.concatenate([np.ones((1, parts.rated.size)), parts.people, parts.machine])[:, parts.rated]
        products = np.einsum("in,jn,n->nij", values, values, parts.weights[parts.rated])
        rated = np.zeros((count, 5, 5))
        np.add.at(rated, parts.groups[parts.rated], products)
        return cls(rated, np.bincount(parts.groups[~parts.rated], minlength=count).astype(np.float64))


class _Fit(NamedTuple):
    """People's values as a line of the machine's, among rated units; shape (...) each."""

    slope: Floats
    """At least 0; 0 without spread, and with no unit left unrated."""
    explained: Floats
    """Share of the variance of people's values; 0 where the slope is."""


def _fit(moments: Floats, unrated: Floats | np.float64) -> _Fit:
    """The line, from moments of shape (…, 5, 5)."""
    with np.errstate(divide="ignore", invalid="ignore"):
        means = moments / moments[..., :1, :1]
        ratio = means[..., 0, 1] / means[..., 0, 2]
        covariances = means - means[..., :, :1] * means[..., :1, :]
        of_people, of_machine = (np.zeros((*ratio.shape, 5)) for _ in range(2))
        of_people[..., 1], of_people[..., 2] = 1, -ratio
        of_machine[..., 3], of_machine[..., 4] = 1, -ratio
        spread = np.einsum("...i,...ij,...j->...", of_machine, covariances, of_machine)
        together = np.einsum("...i,...ij,...j->...", of_people, covariances, of_machine)
        variance = np.einsum("...i,...ij,...j->...", of_people, covariances, of_people)
        slope, explained = together / spread, together**2 / (spread * variance)
    scale = np.einsum("...i,...ij,...j->...", of_machine, means, of_machine)
    usable = np.isfinite(slope) & (spread > _NOTHING * scale) & (slope > 0) & (np.asarray(unrated) > 0)
    return _Fit(np.where(usable, slope, 0.0), np.where(usable, np.clip(explained, 0.0, 1.0), 0.0))


def _lam(slope: Floats, explained: Floats) -> Floats:
    """The slope, or as much less as leaves `_LEFT` of the variance of people's values."""
    too_much = np.maximum(_LEFT - (1 - explained), 0.0)
    given_up = np.sqrt(np.divide(too_much, explained, out=np.zeros_like(slope), where=explained > 0))
    result: Floats = slope * (1 - given_up)
    return result


def _figures_without_each(parts: Parts, lam: float | Floats) -> Floats:
    """The figure without each group, with one lam or one for each; shape (groups,), NaN where it is undefined."""
    of_people = _means_without_each(parts, parts.people * parts.weights, parts.weights)
    of_rated = _means_without_each(parts, parts.machine * parts.weights, parts.weights)
    of_all = _means_without_each(parts, parts.machine, np.ones_like(parts.weights))
    top, bottom = of_people + lam * (of_all - of_rated)
    figures: Floats = np.divide(top, bottom, out=np.full_like(top, np.nan), where=bottom > 0)
    return figures


def _means_without_each(parts: Parts, numerators: Floats, denominators: Floats) -> Floats:
    """Means without each group, from what every unit adds above and below; shape (2, groups)."""
    sums = np.array([each.sum() - np.bincount(parts.groups, each) for each in numerators])
    count = denominators.sum() - np.bincount(parts.groups, denominators)
    means: Floats = np.divide(sums, count, out=np.full_like(sums, np.nan), where=count > _NOTHING)
    return means


def _fill_missing(machine: Floats) -> Floats:
    """Any function of a unit will do as a prediction: where there is none, the mean of the others."""
    known = np.isfinite(machine).all(axis=0)
    means = machine[:, known].mean(axis=1, keepdims=True) if known.any() else np.zeros((2, 1))
    filled: Floats = np.where(known, machine, means)
    return filled


def _floats(values: ArrayLike) -> Floats:
    return np.asarray(values, dtype=np.float64)
