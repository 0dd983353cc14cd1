"""Ranks and what rests on them: Kendall's tau, and the slope of Theil and Sen."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from voirdire.stats import special

Floats = NDArray[np.float64]


class Slope(NamedTuple):
    """A slope with its interval."""

    slope: float
    low: float
    high: float


def average_ranks(values: ArrayLike) -> Floats:
    """Ranks from 1, along the last axis; equal values share the mean of theirs. A row with NaN has none: all NaN."""
    rows = np.atleast_2d(np.asarray(values, dtype=np.float64))
    order = np.argsort(rows, axis=-1)
    ascending, places = np.take_along_axis(rows, order, axis=-1), np.arange(rows.shape[-1])
    begins = np.ones(rows.shape, dtype=np.bool_)
    begins[..., 1:] = ascending[..., 1:] != ascending[..., :-1]
    first = np.maximum.accumulate(np.where(begins, places, 0), axis=-1)
    ends = np.roll(begins, -1, axis=-1)
    last = np.minimum.accumulate(np.where(ends, places, places[-1:])[..., ::-1], axis=-1)[..., ::-1]
    ranks = np.empty(rows.shape)
    np.put_along_axis(ranks, order, (first + last) / 2 + 1, axis=-1)
    ranks[np.isnan(rows).any(axis=-1)] = np.nan
    return ranks.reshape(np.shape(values))


def kendall_tau(x: ArrayLike, y: ArrayLike) -> float:
    """Kendall's tau-b; NaN where a side has no variation."""
    surplus, pairs, (x_tied, *_), (y_tied, *_) = _kendall_counts(x, y)
    untied = (pairs - x_tied) * (pairs - y_tied)
    return surplus / math.sqrt(untied) if untied > 0 else math.nan


def kendall_p(x: ArrayLike, y: ArrayLike) -> float:
    """The two-sided p of tau from its normal limit, with the variance for ties (Kendall 1970, ch. 4)."""
    surplus, _, (x_tied, x_three, x_five), (y_tied, y_three, y_five) = _kendall_counts(x, y)
    n = np.size(x)
    twice = n * (n - 1)
    variance = (twice * (2 * n + 5) - x_five - y_five) / 18 + 2 * x_tied * y_tied / twice
    if n > 2:
        variance += x_three * y_three / (9 * twice * (n - 2))
    return float(2 * special.ndtr(-abs(surplus) / math.sqrt(variance))) if variance > 0 else math.nan


def theil_sen(values: ArrayLike, level: float = 0.95) -> Slope:
    """The median slope between any two values over their places, with Sen's interval (JASA 63, 1968).

    Args:
        values: shape (n,), two or more.
        level: of the interval.
    """
    y = np.asarray(values, dtype=np.float64)
    first, second = np.triu_indices(y.size, k=1)
    slopes = np.sort((y[second] - y[first]) / (second - first))
    n, five = y.size, _ties(y)[2]
    sigma = math.sqrt(max((n * (n - 1) * (2 * n + 5) - five) / 18, 0.0))
    reach = float(special.ndtri(0.5 + level / 2)) * sigma
    upper = min(round((slopes.size + reach) / 2), slopes.size - 1)
    lower = max(round((slopes.size - reach) / 2) - 1, 0)
    return Slope(float(np.median(slopes)), float(slopes[lower]), float(slopes[upper]))


def _kendall_counts(x: ArrayLike, y: ArrayLike) -> tuple[float, float, tuple[float, ...], tuple[float, ...]]:
    """Agreeing pairs less disagreeing ones, all pairs, and the ties of each side."""
    a, b = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    above, below = np.triu_indices(a.size, k=1)
    surplus = float((np.sign(a[above] - a[below]) * np.sign(b[above] - b[below])).sum())
    return surplus, a.size * (a.size - 1) / 2, _ties(a), _ties(b)


def _ties(values: Floats) -> tuple[float, float, float]:
    """Over groups of t equal values, the sums of t(t-1)/2, t(t-1)(t-2) and t(t-1)(2t+5)."""
    t = np.unique(values, return_counts=True)[1].astype(np.float64)
    pairs = t * (t - 1)
    return float(pairs.sum() / 2), float((pairs * (t - 2)).sum()), float((pairs * (2 * t + 5)).sum())
