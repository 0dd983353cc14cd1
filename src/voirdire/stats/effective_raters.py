"""How many judges with independent errors a panel is worth."""

from __future__ import annotations

import math
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from voirdire.stats import special
from voirdire.stats.intervals import Floats
from voirdire.stats.rating_estimates import Estimate, jackknifed, ratings_and_clusters

_MIN_CLUSTERS = 3
_GRID = 65
"""Places between the ends of an interval at which a figure is worked out that need not rise all the way."""
_NOTHING = Estimate(math.nan, math.nan, math.nan)


class EffectiveRaters(NamedTuple):
    """How many independent judges a panel is worth; NaN where undefined."""

    raters: Estimate
    error_correlation: float
    """Mean over pairs of judges."""
    basis: Literal["truth", "least alike pair"]
    """With "least alike pair", `raters` is an upper bound, and its interval that of the bound."""
    reason: str | None
    """Why it is undefined."""


class _Shared(NamedTuple):
    """Per pair of judges, over the items both scored; each of shape (pairs,)."""

    covariances: Floats
    first: Floats
    """Variance of the pair's first judge."""
    second: Floats


def effective_raters(
    ratings: ArrayLike, *, truth: ArrayLike | None = None, clusters: ArrayLike | None = None, level: float = 0.95
) -> EffectiveRaters:
    """How many judges with independent errors would give a mean as sure as this panel's.

    n = k / (1 + (k - 1) r), r the mean correlation of two judges' errors: the variance of a mean of k equally precise
    scores with correlated errors, against independent ones (Kish's design effect, Survey Sampling, 1965).

    With `truth`, a judge's error is its score minus the truth, and r is the mean Pearson correlation of errors over
    shared items; a constant error (leniency) is no part of it. The interval is a jackknife-t.

    Without, errors that all judges share can't be told from the truth: scores minus the panel's mean correlate by
    -1/(k - 1) on average, whatever the judges do. What can be seen is whether some judges agree more than others. In
    the model score = item + judge + error, two judges' scores have the covariance var(item) + cov(their errors). The
    two that covary least are taken to share no error: their covariance is var(item), and what other pairs have beyond
    it is shared error. Whatever the least alike pair does share lowers n further, so the result is an upper bound. The
    smallest of several estimates lies too low by chance; it is raised to be median-unbiased, covariances differing from
    their mean by the jackknife's standard errors (after Chernozhukov, Lee and Rosen, doi:10.3982/ECTA8718). The same
    rule gives the ends of an interval of var(item); that of n runs from the least to the most that n is between them.
    It needs three judges, and takes them to use the scale alike: one who uses less of it counts as least alike. No two
    errors correlate by more than 1, so var(item) is at most (ab - c²)/(a + b - 2c) for two judges with the variances
    a and b and the covariance c. Where the estimate itself lies beyond that, n is not measured.

    Args:
        ratings: shape (items, judges), NaN where missing.
        truth: shape (items,), NaN where unknown; `None` where nobody knows.
        clusters: shape (items,), what the jackknife leaves out at a time; `None`: single items.
        level: confidence level.

    Raises:
        ValueError: shapes that do not fit.
    """
    if truth is None:
        return _without_truth(*ratings_and_clusters(ratings, clusters), level)
    scores, outside = np.asarray(ratings, dtype=np.float64), np.asarray(truth, dtype=np.float64)
    if outside.shape != scores.shape[:1]:
        raise ValueError(f"One true score per item is needed; {outside.shape} given for {len(scores)} items.")
    return _with_truth(*ratings_and_clusters(scores - outside[:, np.newaxis], clusters), level)


def _with_truth(errors: Floats, groups: NDArray[np.intp], level: float) -> EffectiveRaters:
    def worth(mask: NDArray[np.bool_]) -> float:
        return _effective_count(errors.shape[1], _mean_correlation(_error_moments(errors[mask]), 0.0))

    raters = jackknifed(worth, groups, level=level, scale="log")
    reason = None
    if math.isnan(raters.value):
        reason = "two judges share too few items of known truth, or a judge's errors do not vary"
    return EffectiveRaters(raters, _mean_correlation(_error_moments(errors), 0.0), "truth", reason)


def _without_truth(scores: Floats, groups: NDArray[np.intp], level: float) -> EffectiveRaters:
    k, shared = scores.shape[1], _error_moments(scores)
    left_out = [_error_moments(scores[groups != number]) for number in range(int(groups.max(initial=-1)) + 1)]
    known = [each.covariances for each in left_out if each is not None]
    if k < 3:
        return _unknown("without a known truth it takes three judges")
    if shared is None or len(known) < len(left_out) or len(known) < _MIN_CLUSTERS:
        return _unknown(f"two judges share too few items, or fewer than {_MIN_CLUSTERS} clusters of them")
    if not min(shared.first.min(), shared.second.min()) > 0:
        return _unknown("a judge gives every item the same score")
    steps = _steps(np.array(known), (0.5, (1 - level) / 2, (1 + level) / 2))
    middle, low, high = (_least(shared.covariances, step) for step in steps)
    most = float(_most_signal(shared).min())
    correlation = _mean_correlation(shared, middle)
    if not middle < most or math.isnan(correlation):
        return _unknown(_scale_differs(shared))
    within = np.append(np.linspace(min(low, middle), min(max(high, middle), most), _GRID), middle)
    worth = [_effective_count(k, _mean_correlation(shared, signal)) for signal in within]
    ends = np.nanmin(np.minimum(worth, k)), np.nanmax(np.minimum(worth, k))
    raters = Estimate(min(_effective_count(k, correlation), float(k)), float(ends[0]), float(ends[1]))
    return EffectiveRaters(raters, correlation, "least alike pair", None)


def _unknown(reason: str) -> EffectiveRaters:
    return EffectiveRaters(_NOTHING, math.nan, "least alike pair", reason)


def _steps(left_out: Floats, quantiles: tuple[float, ...]) -> list[Floats]:
    """How far each pair's covariance is raised against the mean of all, so that the smallest holds at a quantile."""
    clusters, pairs = left_out.shape
    apart = left_out - left_out.mean(axis=1, keepdims=True)
    se = np.sqrt((clusters - 1) / clusters * ((apart - apart.mean(axis=0)) ** 2).sum(axis=0))
    return [special.stdtrit(clusters - 1, quantile ** (1 / pairs)) * se for quantile in quantiles]


def _least(covariances: Floats, raised: Floats) -> float:
    """The smallest covariance, raised; at most the mean: on average, errors are not taken to correlate negatively."""
    return float(min(np.min(covariances + raised), covariances.mean()))


def _most_signal(shared: _Shared) -> Floats:
    """By pair, the most that items alone can contribute, so that the two judges' errors correlate by 1 at most."""
    apart = shared.first + shared.second - 2 * shared.covariances
    alike = np.minimum(shared.first, shared.second)
    with np.errstate(divide="ignore", invalid="ignore"):
        bounds = (shared.first * shared.second - shared.covariances**2) / apart
    return np.where(apart > 0, bounds, alike)


def _scale_differs(shared: _Shared) -> str:
    """Why there is no number where two judges covary more than the scores of the narrower one vary."""
    pair = int(np.argmin(_most_signal(shared)))
    narrow, wide = sorted(np.sqrt((shared.first[pair], shared.second[pair])))
    if f"{narrow:.3f}" == f"{wide:.3f}":
        return "two judges give all but the same scores, which leaves no errors to compare"
    correlation = shared.covariances[pair] / (narrow * wide)
    return (
        f"two judges differ in how much of the scale they use (standard deviations {narrow:.3f} and {wide:.3f}, "
        f"correlation {correlation:z.2f}) by more than their errors could explain, and so hide the errors"
    )


def _effective_count(judges: int, correlation: float) -> float:
    inflation = 1 + (judges - 1) * correlation
    return judges / inflation if inflation > 0 else math.nan


def _mean_correlation(shared: _Shared | None, signal: float) -> float:
    """Of errors, where `signal` is what items alone contribute to variances and covariances."""
    if shared is None:
        return math.nan
    first, second = shared.first - signal, shared.second - signal
    if min(first.min(), second.min()) <= 0:
        return math.nan
    return float(np.mean((shared.covariances - signal) / np.sqrt(first * second)))


def _error_moments(scores: Floats) -> _Shared | None:
    """`None` where two judges share fewer than two items, or there is one judge."""
    moments = []
    for one, other in zip(*np.triu_indices(scores.shape[1], k=1), strict=True):
        both = scores[:, [one, other]]
        both = both[~np.isnan(both).any(axis=1)]
        if len(both) < 2:
            return None
        matrix = np.cov(both, rowvar=False)
        moments.append((matrix[0, 1], matrix[0, 0], matrix[1, 1]))
    return _Shared(*np.array(moments).T) if moments else None
