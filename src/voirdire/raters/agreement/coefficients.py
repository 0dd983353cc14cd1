"""Coefficients of a table as plain numbers, NaN where undefined: what jackknives and differences are made of."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from voirdire.stats import Estimate, cohen_kappa, gwet_ac, krippendorff_alpha
from voirdire.stats.agreement import Measurement, Weighting
from voirdire.stats.jackknife import Shape, jackknife_estimate
from voirdire.stats.nominal import item_agreement
from voirdire.stats.one_way_icc import icc_draws

Floats = NDArray[np.float64]
Coefficient = Callable[[Floats], float]
"""From ratings of shape (items, raters) to a number."""


def cuts_between(categories: int) -> tuple[float, ...]:
    """Cuts that keep the categories 0, 1, 2 … apart."""
    return tuple(number + 0.5 for number in range(categories - 1))


def percent(values: Floats) -> float:
    """Mean over items of the share of pairs of raters who agree."""
    shares = item_agreement(values)
    return float(np.nanmean(shares)) if not np.isnan(shares).all() else math.nan


def kappa(categories: int, weights: Weighting = None) -> Coefficient:
    """Cohen's kappa of two raters."""
    cuts = cuts_between(categories)
    return lambda values: cohen_kappa(values[:, 0], values[:, 1], cuts=cuts, weights=weights)


def alpha(measurement: Measurement) -> Coefficient:
    """Krippendorff's alpha."""
    return lambda values: krippendorff_alpha(values, measurement, _whole(values)).value


def ac(cuts: Sequence[float], weights: Weighting = None) -> Coefficient:
    """Gwet's AC1, or AC2 with weights."""
    return lambda values: gwet_ac(values, cuts=cuts, weights=weights, clusters=_whole(values)).value


def icc_2_1(values: Floats) -> float:
    """ICC(2,1): absolute agreement of one rater; of complete scores."""
    return _icc(values, 0)


def icc_3_1(values: Floats) -> float:
    """ICC(3,1): consistency of one rater; of complete scores."""
    return _icc(values, 1)


def shape_of(name: str) -> Shape:
    """How the interval of a coefficient of two raters is made: shares can't leave [0, 1], others [-1, 1]."""
    return "share" if name in ("percent", "positive agreement") else "correlation"


def widest_difference(name: str) -> float:
    """How far two values of a coefficient can lie apart."""
    return 1.0 if shape_of(name) == "share" else 2.0


def estimated(name: str, coefficient: Coefficient, values: Floats, clusters: NDArray[np.object_]) -> Estimate:
    """A coefficient of two raters with its interval.

    Args:
        name: of the coefficient.
        coefficient: of any ratings.
        values: shape (items, 2).
        clusters: shape (items,).
    """
    return jackknife_estimate(lambda kept: coefficient(values[kept]), clusters, shape=shape_of(name))


def mean_over_pairs(coefficient: Coefficient, pairs: Sequence[Floats]) -> float:
    """The mean of a coefficient of two raters over pairs of them, by the items that they share.

    Args:
        coefficient: of two raters.
        pairs: of shape (items, 2) each, NaN where a rating is missing.

    Returns:
        Over the pairs for whom it is defined; NaN where there are none.
    """
    shared = [pair[~np.isnan(pair).any(axis=1)] for pair in pairs]
    found = [(coefficient(pair), len(pair)) for pair in shared if len(pair)]
    defined = [(value, items) for value, items in found if not math.isnan(value)]
    return sum(value * items for value, items in defined) / sum(items for _, items in defined) if defined else math.nan


def _icc(values: Floats, which: int) -> float:
    """An intraclass correlation of one rater without the interval that `intraclass` makes."""
    if len(values) < 2:
        return math.nan
    with np.errstate(divide="ignore"):  # no variance at all left under the ratio: undefined
        found = float(icc_draws(values, np.ones((1, len(values))))[which][0])
    return found if math.isfinite(found) else math.nan


def _whole(values: Floats) -> NDArray[np.intp]:
    """One cluster of all items: the value is wanted, and no interval."""
    return np.zeros(len(values), dtype=np.intp)
