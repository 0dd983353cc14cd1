"""Two bootstrap intervals that mend the percentile interval: BCa and the studentised one (bootstrap-t).

Both take draws that the caller has made by drawing whole clusters; undefined draws (NaN) are left out.
`benchmarks/statistics/interval_coverage.py` prints how often each contains the truth beside jackknife-t, the default.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from voirdire.stats import special
from voirdire.stats.intervals import Floats, Interval, Scale

_MIN_CLUSTERS = 3
_MIN_DRAWS = 20
"""With fewer draws the tails of an interval are made up."""

_NO_SPREAD = 1e-12


def bca(estimate: float, draws: ArrayLike, leave_one_out: ArrayLike, *, level: float = 0.95) -> Interval:
    """Bias-corrected and accelerated percentile interval (Efron, doi:10.1080/01621459.1987.10478410).

    The share of draws below the estimate (ties count half) gives the bias, the skewness of the jackknife values the
    acceleration; both shift the percentiles at which the interval ends.

    Args:
        estimate: the statistic of all clusters.
        draws: shape (draws,), the statistic of each bootstrap draw.
        leave_one_out: shape (k,), the statistic without cluster i; k >= 3.
        level: confidence level.

    Raises:
        ValueError: too few clusters or defined draws, a jackknife value is undefined or all are equal, or the
            estimate lies outside all draws.
    """
    left_out = _clusters(estimate, leave_one_out)
    known = _defined(np.asarray(draws, dtype=np.float64))
    below = (np.sum(known < estimate) + np.sum(known <= estimate)) / (2 * known.size)
    if not 0 < below < 1:
        raise ValueError("All bootstrap draws lie on one side of the estimate: their bias can't be corrected.")
    influence = left_out.mean() - left_out
    spread = float(np.sum(influence**2))
    if spread < _NO_SPREAD**2:
        raise ValueError("Leaving out any one cluster changes nothing: there is no acceleration to compute.")
    acceleration = float(np.sum(influence**3)) / (6 * spread**1.5)
    bias = float(special.ndtri(below))
    shifted = bias + special.ndtri([(1 - level) / 2, (1 + level) / 2])
    ends = special.ndtr(bias + shifted / (1 - acceleration * shifted))
    low, high = np.quantile(known, ends)
    return Interval(float(low), float(high), level, "bca")


def studentised(
    estimate: float,
    leave_one_out: ArrayLike,
    draws: ArrayLike,
    draws_left_out: ArrayLike,
    weights: ArrayLike,
    *,
    level: float = 0.95,
    scale: Scale = "identity",
) -> Interval:
    """Bootstrap-t interval: quantiles of (draw - estimate) / (standard error of the draw) stand in for those of t.

    Standard errors, the estimate's and each draw's own, come from a jackknife over clusters, and are carried to
    `scale` by its derivative (Efron and Tibshirani, doi:10.1201/9780429246593, 12.5).

    Args:
        estimate: the statistic of all clusters.
        leave_one_out: shape (k,), the statistic without cluster i; k >= 3.
        draws: shape (draws,), the statistic of each bootstrap draw.
        draws_left_out: shape (draws, k), the statistic of the draw with one copy of cluster i less; not looked at
            where the draw does not hold the cluster.
        weights: shape (draws, k), how often each cluster stands in the draw.
        level: confidence level.
        scale: "identity", "logit" for values in (0, 1), "log" for positive ones.

    Raises:
        ValueError: too few clusters, the estimate or a jackknife value is undefined, outside the scale or without
            variation, or hardly any draw has a standard error.
    """
    left_out = _clusters(estimate, leave_one_out)
    centre, slope = _on_scale(np.array([estimate]), scale)
    se = float(_standard_errors(left_out[np.newaxis], np.ones((1, left_out.size)))[0] * slope[0])
    if not (math.isfinite(se) and math.isfinite(centre[0])):
        raise ValueError(f"The estimate, {estimate:g}, lies outside the {scale} scale.")
    if se < _NO_SPREAD:
        raise ValueError("Leaving out any one cluster changes nothing: there is no variance to build on.")
    values, slopes = _on_scale(np.asarray(draws, dtype=np.float64), scale)
    errors = _standard_errors(np.asarray(draws_left_out, dtype=np.float64), np.asarray(weights, dtype=np.float64))
    errors = errors * slopes
    usable = np.isfinite(values) & (errors > _NO_SPREAD)
    ratios = _defined((values[usable] - centre[0]) / errors[usable])
    low, high = centre[0] - se * np.quantile(ratios, [(1 + level) / 2, (1 - level) / 2])
    return Interval(_from_scale(float(low), scale), _from_scale(float(high), scale), level, "studentised")


def _clusters(estimate: float, leave_one_out: ArrayLike) -> Floats:
    values = np.asarray(leave_one_out, dtype=np.float64)
    if values.size < _MIN_CLUSTERS:
        raise ValueError(f"A bootstrap interval needs at least {_MIN_CLUSTERS} clusters; {values.size} given.")
    if not (np.isfinite(values).all() and math.isfinite(estimate)):
        raise ValueError("The statistic is undefined, or becomes so when one of the clusters is left out.")
    return values


def _defined(draws: Floats) -> Floats:
    known: Floats = draws[np.isfinite(draws)]
    if known.size < _MIN_DRAWS:
        raise ValueError(f"Only {known.size} bootstrap draws are usable; an interval needs {_MIN_DRAWS}.")
    return known


def _standard_errors(left_out: Floats, weights: Floats) -> Floats:
    """Jackknife standard error per row; a cluster that stands there w times is left out, one copy, w times."""
    values = np.where(weights > 0, left_out, 0.0)
    k = weights.sum(axis=1)
    mean = (weights * values).sum(axis=1) / k
    squares = (weights * (values - mean[:, np.newaxis]) ** 2).sum(axis=1)
    return np.asarray(np.sqrt((k - 1) / k * squares), dtype=np.float64)


def _on_scale(values: Floats, scale: Scale) -> tuple[Floats, Floats]:
    """Values on the scale and its slope there; NaN for values that it does not hold."""
    if scale == "identity":
        return values, np.ones_like(values)
    inside = (values > 0) & (values < 1) if scale == "logit" else values > 0
    valid = np.where(inside, values, np.nan)
    if scale == "logit":
        return np.asarray(special.logit(valid), dtype=np.float64), 1 / (valid * (1 - valid))
    return np.log(valid), 1 / valid


def _from_scale(value: float, scale: Scale) -> float:
    return value if scale == "identity" else float(special.expit(value)) if scale == "logit" else math.exp(value)
