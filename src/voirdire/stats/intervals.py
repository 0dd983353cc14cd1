"""Intervals for metrics of clustered data: jackknife-t, clustered shares, percentile bootstrap.

Answers about one concept resemble one another, so the concept, not the answer, is what was sampled: a *cluster*. With
eight clusters a percentile bootstrap is too narrow; a jackknife over clusters with a t quantile is not
(`benchmarks/statistics/interval_coverage.py` prints how often each contains the truth).
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from voirdire.errors import InputError
from voirdire.stats import special

Floats = NDArray[np.float64]
Scale = Literal["identity", "logit", "log"]
ShareMethod = Literal["jeffreys", "wilson", "exact"]

_ALIKE = 0.1
"""How alike units of a group are taken to be at the least (an intra-group correlation): a few groups seldom show it."""
_MIN_CLUSTERS = 3
_NO_SPREAD = 1e-12
"""A standard error below this is rounding, not variation."""

_BINOMIAL_DF = 2.0
"""How many degrees of freedom the binomial variance is worth beside that between clusters. Without it, clusters that
agree by chance give intervals far too short; with more, shares that truly differ between clusters are missed."""

_MEDIAN_UNBIASED = 1 / 3
"""(x + 1/3)/(n + 2/3) lies about as often above the true share as below it."""


Lacking = Literal["undefined_without_one", "no_variance", "unbounded"]


class NoIntervalError(InputError):
    """A value that can have no interval; `code` says why."""

    def __init__(self, code: Lacking, message: str) -> None:
        """Keep both."""
        super().__init__(message)
        self.code = code


class Interval(NamedTuple):
    """A confidence interval."""

    low: float
    high: float
    level: float
    """Confidence level: 0.95 …"""
    method: str
    """"jackknife-t", "binomial-t" (the same of clusters that do not vary), "exact", "percentile" …"""

    def within(self, low: float, high: float) -> Interval:
        """The part of it that lies between the smallest and the largest value possible."""
        return self._replace(low=max(self.low, low), high=min(self.high, high))


def jackknife_t(
    estimate: float,
    leave_one_out: ArrayLike,
    *,
    level: float = 0.95,
    scale: Scale = "identity",
    trials: float | None = None,
    reach: tuple[float, float] = (0.0, 0.0),
) -> Interval:
    """Interval of a statistic from its values with one cluster left out: estimate ± t(k - 1) · SE.

    SE² = (k - 1)/k · Σ (leave_one_out - their mean)², carried to `scale` by its derivative (so that a value of
    0 or 1 with one cluster left out does no harm), and back at the ends of the interval.

    Args:
        estimate: the statistic of all clusters; in [0, 1] for "logit", positive for "log".
        leave_one_out: shape (k,), the statistic without cluster i; k >= 3.
        level: confidence level.
        scale: where the interval is symmetric: "logit" for shares, "log" for positive ratios.
        trials: for a mean of scores in [0, 1], how many scores it rests on. When leaving out any cluster changes
            nothing (every score is 1, say), the jackknife sees no variance; the exact binomial interval of that
            many trials, which no mean of such scores can exceed in variance, then stands in.
        reach: how far below and above the estimate a part that the clusters show no variation of may move it; added
            as root of the sum of squares to each side (MOVER: Zou and Donner, doi:10.1002/sim.3095).

    Raises:
        NoIntervalError: a value is not finite, nothing varies between clusters and there are no `trials`, or the
            interval has no end.
        ValueError: fewer than three clusters, or a value outside the scale.
    """
    values = np.asarray(leave_one_out, dtype=np.float64)
    k = values.size
    if k < _MIN_CLUSTERS:
        raise ValueError(f"A jackknife interval needs at least {_MIN_CLUSTERS} clusters; {k} given.")
    if not (np.isfinite(values).all() and math.isfinite(estimate)):
        raise NoIntervalError(
            "undefined_without_one", "The statistic is undefined, or becomes so when one of the clusters is left out."
        )
    se = math.sqrt((k - 1) / k * float(np.sum((values - values.mean()) ** 2)))
    if se < _NO_SPREAD and not any(reach):
        if trials is None:
            raise NoIntervalError(
                "no_variance", "Leaving out any one cluster changes nothing: there is no variance to build on."
            )
        return share_interval(min(estimate, 1.0) * trials, trials, level=level, method="exact")
    half = float(special.stdtrit(k - 1, 0.5 + level / 2)) * se
    try:
        low, high = _around(estimate, half, half, scale)
    except OverflowError:
        raise NoIntervalError("unbounded", "The clusters differ so much that the interval has no end.") from None
    if any(reach):
        low, high = estimate - math.hypot(estimate - low, reach[0]), estimate + math.hypot(high - estimate, reach[1])
        low, high = (max(low, 0.0), min(high, 1.0)) if scale == "logit" else (low, high)
    return Interval(low, high, level, "jackknife-t")


def clustered_share(successes: ArrayLike, trials: ArrayLike, *, level: float = 0.95) -> Interval:
    """Interval of the population's share, from successes and trials per cluster.

    A t interval on the logit scale around (x + 1/3)/(n + 2/3). Its variance is the jackknife's over k clusters, weight
    k - 1, averaged with the binomial one, weight 2; by Satterthwaite's rule that has (k + 1)²/(k - 1) degrees of
    freedom: method "jackknife-t", or "binomial-t" where clusters do not vary. When all trials succeed, or none,
    clusters tell nothing of their variation: the exact binomial interval.

    Args:
        successes: shape (k,); halves are allowed (a trap that was questioned counts half).
        trials: shape (k,); clusters without a trial are left out.
        level: confidence level.

    Raises:
        ValueError: fewer than three clusters have a trial.
    """
    x, n = np.asarray(successes, dtype=np.float64), np.asarray(trials, dtype=np.float64)
    x, n = x[n > 0], n[n > 0]
    k = n.size
    if k < _MIN_CLUSTERS:
        raise ValueError(f"A clustered share needs at least {_MIN_CLUSTERS} clusters with a trial; {k} given.")
    total, successful = float(n.sum()), float(x.sum())
    if successful <= 0.0 or successful >= total:
        return share_interval(successful, total, level=level, method="exact")
    left_out = (successful - x) / (total - n)
    between = (k - 1) / k * float(np.sum((left_out - left_out.mean()) ** 2))
    centre = (successful + _MEDIAN_UNBIASED) / (total + 2 * _MEDIAN_UNBIASED)
    binomial = centre * (1 - centre) / total
    weight = k - 1 + _BINOMIAL_DF
    variance = ((k - 1) * between + _BINOMIAL_DF * binomial) / weight
    half = float(special.stdtrit(weight**2 / (k - 1), 0.5 + level / 2)) * math.sqrt(variance)
    method = "jackknife-t" if np.ptp(left_out) > _NO_SPREAD else "binomial-t"
    return Interval(*_around(centre, half, half, "logit"), level, method)


def share_interval(
    successes: float, trials: float, *, level: float = 0.95, method: ShareMethod = "jeffreys"
) -> Interval:
    """Interval of a binomial share from independent trials.

    Args:
        successes: how many trials succeeded; need not be whole.
        trials: how many there were; positive.
        level: confidence level.
        method: "jeffreys" (Beta quantiles, closed at 0 and 1 as in Brown, Cai and DasGupta, doi:10.1214/ss/1009213286),
            "wilson" (score interval) or "exact" (Clopper-Pearson, never below the level).

    Raises:
        ValueError: no trials, or successes outside [0, trials].
    """
    if not trials > 0 or not 0 <= successes <= trials:
        raise ValueError(f"A share needs 0 <= successes <= trials and trials > 0; {successes:g} of {trials:g} given.")
    tail, failures = (1 - level) / 2, trials - successes
    if method == "wilson":
        low, high = _wilson(successes / trials, trials, float(special.ndtri(1 - tail)))
    else:
        inner, outer = (0.5, 0.5) if method == "jeffreys" else (0.0, 1.0)
        low = float(special.betaincinv(successes + inner, failures + outer, tail)) if successes > 0 else 0.0
        high = float(special.betaincinv(successes + outer, failures + inner, 1 - tail)) if failures > 0 else 1.0
    return Interval(low, high, level, method)


def least_repetition(weights: ArrayLike, groups: ArrayLike) -> float:
    """How many units tell as much as an independent one, if those of a group are only as alike as `_ALIKE` says.

    Args:
        weights: shape (units,), not negative; not all 0.
        groups: shape (units,), numbered from 0.
    """
    weight = np.asarray(weights, dtype=np.float64)
    of_groups = np.bincount(np.asarray(groups, dtype=np.intp), weight)
    return 1 + _ALIKE * (float(of_groups @ of_groups) / float(weight @ weight) - 1)


def percentile(draws: ArrayLike, *, level: float = 0.95) -> Interval:
    """Percentile interval of bootstrap draws; undefined draws (NaN) are left out, and are the caller's to count.

    Raises:
        ValueError: no draw is defined.
    """
    values = np.asarray(draws, dtype=np.float64)
    values = values[~np.isnan(values)]
    if values.size == 0:
        raise ValueError("No bootstrap draw is defined, so there are no percentiles.")
    low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2])
    return Interval(float(low), float(high), level, "percentile")


def bootstrap_weights(n_clusters: int, draws: int, rng: np.random.Generator) -> Floats:
    """How often each cluster is drawn, with replacement, into a sample of as many; shape (draws, n_clusters)."""
    return rng.multinomial(n_clusters, np.full(n_clusters, 1 / n_clusters), size=draws).astype(np.float64)


@lru_cache(maxsize=1)
def seeded_weights(n_clusters: int, draws: int, seed: int) -> Floats:
    """`bootstrap_weights` of a seed, read-only: whatever has the same clusters and seed shares its draws."""
    weights = bootstrap_weights(n_clusters, draws, np.random.default_rng(seed))
    weights.setflags(write=False)
    return weights


def _around(centre: float, below: float, above: float, scale: Scale) -> tuple[float, float]:
    """Ends of an interval; distances are measured on the natural scale and laid off on `scale` by its derivative."""
    if scale == "identity":
        return centre - below, centre + above
    if scale == "log":
        if not centre > 0:
            raise ValueError(f"The log scale is for positive values; {centre:g} given.")
        return centre * math.exp(-below / centre), centre * math.exp(above / centre)
    if not 0 < centre < 1:
        raise ValueError(f"The logit scale is for values between 0 and 1; {centre:g} given.")
    middle, slope = float(special.logit(centre)), centre * (1 - centre)
    return float(special.expit(middle - below / slope)), float(special.expit(middle + above / slope))


def _wilson(share: float, trials: float, z: float) -> tuple[float, float]:
    shrink = 1 + z * z / trials
    centre = (share + z * z / (2 * trials)) / shrink
    half = z / shrink * math.sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials))
    return max(0.0, centre - half), min(1.0, centre + half)
