"""Spearman's rank correlation with an interval."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from voirdire.stats import special
from voirdire.stats.intervals import Floats, bootstrap_weights, percentile

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
