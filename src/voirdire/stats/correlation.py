"""Correlations with intervals: Spearman's of ranks, Pearson's of clustered and weighted values."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from voirdire.stats import special
from voirdire.stats.intervals import Floats, bootstrap_weights, percentile

_MIN_CLUSTERS = 3
_LEAST_PAIRS = 3
_ROUNDING = 1e-18
_DRAWS_AT_ONCE = 250
"""Bounds memory: a block of draws holds this many rows of all observations."""


class Correlation(NamedTuple):
    """A rank correlation. Fields are NaN where they are undefined (see `spearman`)."""

    rho: float
    low: float
    high: float
    p: float
    """Two-sided, of no association, from t with n - 2 degrees of freedom; takes observations as independent."""
    n: int
    """Pairs in which both values are known."""


def spearman(
    x: ArrayLike,
    y: ArrayLike,
    *,
    groups: ArrayLike | None = None,
    level: float = 0.95,
    draws: int = 2000,
    seed: int = 0,
) -> Correlation:
    """Spearman's rho of two score lists; ties share their mean rank.

    Without `groups` the interval is Fisher's z with variance (1 + rho²/2)/(n - 3) (Bonett and Wright,
    doi:10.1007/BF02294183). With `groups`, which names the cluster of each pair, it is the percentile interval of a
    bootstrap that draws whole clusters.

    Args:
        x: shape (n,); NaN where unknown: the pair is left out.
        y: shape (n,), likewise.
        groups: shape (n,), the cluster of each pair; `None` when pairs are independent.
        level: confidence level.
        draws: bootstrap draws, used with `groups` only.
        seed: of the bootstrap.

    Returns:
        `rho` and `p` are NaN when one side is constant or fewer than three pairs are known; the interval is NaN
        then, and without groups also below four pairs, and with one group only.

    Raises:
        ValueError: lengths differ.
    """
    a, b = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    if a.shape != b.shape or a.ndim != 1:
        raise ValueError(f"Two lists of equal length are needed; shapes {a.shape} and {b.shape} given.")
    known = ~(np.isnan(a) | np.isnan(b))
    a, b, n = a[known], b[known], int(known.sum())
    if n < 3 or np.ptp(a) == 0 or np.ptp(b) == 0:
        return Correlation(math.nan, math.nan, math.nan, math.nan, n)
    one_group = np.zeros(n, dtype=np.intp)
    rho = float(np.clip(_weighted_spearman(a, b, one_group, np.ones((1, 1)))[0], -1.0, 1.0))
    if groups is None:
        low, high = _fisher(rho, n, level)
    else:
        labels = np.unique(np.asarray(groups)[known], return_inverse=True)[1]
        low, high = _cluster_bootstrap(a, b, labels, level, draws, np.random.default_rng(seed))
    return Correlation(rho, low, high, correlation_p(rho, n), n)


def clustered_pearson(
    x: ArrayLike,
    y: ArrayLike,
    groups: ArrayLike,
    weights: ArrayLike | None = None,
    *,
    level: float = 0.95,
    times: float = 1.0,
) -> tuple[float, float, float]:
    """Pearson's r of pairs that may depend on one another within groups, and the ends of its interval.

    On Fisher's scale, with Student's t and the jackknife's variance over groups, or that of independent pairs,
    1/(n - 3), where it is larger. For that, r lies at least 1/n from -1 and 1: a few pairs can't show more.

    Args:
        x: shape (n,), all known.
        y: shape (n,).
        groups: shape (n,), the cluster of each pair.
        weights: shape (n,), how many pairs each stands for.
        level: confidence level.
        times: as if there were so many times these groups, each like one of them.

    Returns:
        r, and NaN for the ends with fewer than four pairs or three groups; all NaN where one side is constant.
    """
    a, b = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    weight = np.ones_like(a) if weights is None else np.asarray(weights, dtype=np.float64)
    labels = np.unique(np.asarray(groups), return_inverse=True)[1]
    values = np.stack([np.ones_like(a), a - a.mean(), b - b.mean()])
    moments = np.zeros((int(labels.max()) + 1, 3, 3))
    np.add.at(moments, labels, np.einsum("in,jn,n->nij", values, values, weight))
    whole = moments.sum(axis=0)
    r = float(_pearson(whole))
    k, n = times * len(moments), times * float(weight.sum() ** 2 / (weight @ weight))
    if math.isnan(r) or k < _MIN_CLUSTERS or n <= _LEAST_PAIRS:
        return r, math.nan, math.nan
    most = 1 - 1 / n
    z = math.atanh(min(max(r, -most), most))
    without = np.arctanh(np.clip(_pearson(times * whole - moments), -most, most))
    without = without[np.isfinite(without)]
    variance = times * (k - 1) / k * float(np.sum((without - without.mean()) ** 2))
    half = float(special.stdtrit(k - 1, 0.5 + level / 2)) * math.sqrt(max(variance, 1 / (n - 3)))
    return r, min(r, math.tanh(z - half)), max(r, math.tanh(z + half))  # r itself is possible, -1 and 1 too


def _pearson(moments: Floats) -> Floats:
    """Pearson's r from weighted sums of products of (1, x, y), shape (…, 3, 3); NaN where one side is constant."""
    means = moments / moments[..., :1, :1]
    covariances = means[..., 1:, 1:] - means[..., 1:, :1] * means[..., :1, 1:]
    spread = covariances[..., 0, 0] * covariances[..., 1, 1]
    constant = spread <= _ROUNDING * means[..., 1, 1] * means[..., 2, 2]
    with np.errstate(divide="ignore", invalid="ignore"):
        r: Floats = np.where(constant, np.nan, covariances[..., 0, 1] / np.sqrt(spread))
    return r


def correlation_p(rho: float, n: int) -> float:
    """The two-sided p of a correlation of n pairs, from Student's distribution with n - 2 degrees of freedom."""
    if abs(rho) >= 1:
        return 0.0
    t = abs(rho) * math.sqrt((n - 2) / (1 - rho * rho))
    return float(2 * special.stdtr(n - 2, -t))


def _fisher(rho: float, n: int, level: float) -> tuple[float, float]:
    if n < 4:
        return math.nan, math.nan
    if abs(rho) >= 1:
        return rho, rho
    half = float(special.ndtri(0.5 + level / 2)) * math.sqrt((1 + rho * rho / 2) / (n - 3))
    return math.tanh(math.atanh(rho) - half), math.tanh(math.atanh(rho) + half)


def _cluster_bootstrap(
    a: Floats, b: Floats, labels: NDArray[np.intp], level: float, draws: int, rng: np.random.Generator
) -> tuple[float, float]:
    n_clusters = int(labels.max()) + 1
    if n_clusters < 2:
        return math.nan, math.nan
    weights = bootstrap_weights(n_clusters, draws, rng)
    blocks = [weights[start : start + _DRAWS_AT_ONCE] for start in range(0, draws, _DRAWS_AT_ONCE)]
    rhos = np.concatenate([_weighted_spearman(a, b, labels, block) for block in blocks])
    return percentile(rhos, level=level)[:2]


def _weighted_spearman(a: Floats, b: Floats, labels: NDArray[np.intp], weights: Floats) -> Floats:
    """Spearman's rho with cluster g standing weights[d, g] times in draw d; shape (draws,), NaN if a side is flat."""
    rank_a, rank_b = _weighted_ranks(a, labels, weights), _weighted_ranks(b, labels, weights)
    w = weights[:, labels]
    total = w.sum(axis=1, keepdims=True)
    rank_a -= (w * rank_a).sum(axis=1, keepdims=True) / total
    rank_b -= (w * rank_b).sum(axis=1, keepdims=True) / total
    spread = (w * rank_a**2).sum(axis=1) * (w * rank_b**2).sum(axis=1)
    covariance = (w * rank_a * rank_b).sum(axis=1)
    rho: Floats = np.divide(covariance, np.sqrt(spread), out=np.full(len(w), np.nan), where=spread > 0)
    return rho


def _weighted_ranks(values: Floats, labels: NDArray[np.intp], weights: Floats) -> Floats:
    """Mean rank of each value among the copies that a draw holds; shape (draws, n)."""
    distinct, place = np.unique(values, return_inverse=True)
    copies = np.zeros((weights.shape[1], distinct.size))
    np.add.at(copies, (labels, place), 1.0)
    tied = weights @ copies
    mean_rank = np.cumsum(tied, axis=1) - (tied - 1) / 2
    return np.asarray(mean_rank[:, place], dtype=np.float64)
