"""What prediction-powered figures are made of: numerators and denominators by unit, and the tuning of lam."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

_NOTHING = 1e-9

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

    @staticmethod
    def gaps(values: Floats, ratio: float) -> Floats:
        """How far each unit's numerator lies above what a ratio makes of its denominator."""
        result: Floats = values[0] - ratio * values[1]
        return result

    def subset(self, mask: Bools) -> Parts:
        """Only some of the units."""
        return Parts(
            self.people[:, mask],
            self.machine[:, mask],
            self.rated[mask],
            self.weights[mask],
            self.groups[mask],
            self.documents[mask],
        )


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
    """The lam of least variance, were units independent: the slope of people's values on the machine's, in [0, 1]."""
    rated = parts.rated
    top, bottom = totals(parts, 0.0)
    if rated.all() or not bottom > 0:
        return 0.0
    shares = parts.shares[rated]
    of_machine = parts.gaps(parts.machine, top / bottom)
    truth, predicted = parts.gaps(parts.people, top / bottom)[rated], of_machine[rated]
    spread = float(of_machine.var())
    if not spread > 0:
        return 0.0
    together = float(shares @ ((truth - shares @ truth) * (predicted - shares @ predicted)))
    return min(max(together / spread, 0.0), 1.0)


def jackknifed(parts: Parts, lam: float, *, retune: bool) -> Floats:
    """The figure without each group in turn, those aside without which it is undefined.

    Args:
        parts: of the figure.
        lam: of all units.
        retune: tune lam anew where a rated unit is left out, so that the uncertainty of tuning it counts too.
    """
    figures = _figures_without_each(parts, lam)
    if retune:
        for group in np.unique(parts.groups[parts.rated]):
            less = parts.subset(parts.groups != group)
            if less.rated.any():
                top, bottom = totals(less, best_lam(less))
                figures[group] = top / bottom if bottom > 0 else np.nan
    defined: Floats = figures[np.isfinite(figures)]
    return defined


def _figures_without_each(parts: Parts, lam: float) -> Floats:
    """The figure without each group, with the same lam; shape (groups,), NaN where it is undefined."""
    rectified = _means_without_each(parts, (parts.people - lam * parts.machine) * parts.weights, parts.weights)
    top, bottom = rectified + lam * _means_without_each(parts, parts.machine, np.ones_like(parts.weights))
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
