"""Power of a paired comparison: how many clusters are needed to tell two things apart.

What is compared is a mean of per-cluster differences, normal with some variance; the interval is t with k - 1 degrees
of freedom, so that its power follows the non-central t distribution exactly. `simulated_power` draws such studies one
by one, and also puts them to the test that swaps the two labels within clusters.
"""

from __future__ import annotations

import math
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from voirdire.stats import special
from voirdire.stats.roots import root

Floats = NDArray[np.float64]

MIN_CLUSTERS = 3
"""Fewer give no jackknife interval."""

_REACH = 9.0
"""Standard deviations of an estimated error beyond which next to none lies."""


def paired_power(difference: ArrayLike, variance: ArrayLike, clusters: ArrayLike, *, alpha: float = 0.05) -> Floats:
    """Chance that the t interval of a mean of k per-cluster differences excludes 0.

    P(|T| > t) with T non-central t, k - 1 degrees of freedom, non-centrality difference · sqrt(k / variance).

    Args:
        difference: the true one.
        variance: of one cluster's difference; 0 means that every cluster shows the same.
        clusters: k >= 3.
        alpha: 1 - the interval's level.

    Returns:
        The arguments' common shape.
    """
    size, spread = np.abs(np.asarray(difference, dtype=np.float64)), np.asarray(variance, dtype=np.float64)
    k = np.asarray(clusters, dtype=np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        shift = np.where(size > 0, size * np.sqrt(k / spread), 0.0)[..., np.newaxis]
    edge = special.stdtrit(k - 1, 1 - alpha / 2)[..., np.newaxis]
    errors, weights = _estimated_errors((k - 1)[..., np.newaxis])
    included = special.ndtr(edge * errors - shift) - special.ndtr(-edge * errors - shift)
    return np.asarray(1 - (included * weights).sum(axis=-1), dtype=np.float64)


def _estimated_errors(df: Floats) -> tuple[Floats, Floats]:
    """Values of an estimated standard error over the true one, sqrt(chi2 / df), and how likely they are, adding to 1.

    Args:
        df: degrees of freedom, 2 or more; shape (..., 1).
    """
    nodes, weights = _quadrature()
    reach = _REACH / np.sqrt(2 * df)
    low = np.maximum(1 - reach, 0.0)
    errors = low + nodes * (1 + reach - low)
    log_density = (df - 1) * np.log(errors) - df * errors**2 / 2
    likely = weights * np.exp(log_density - log_density.max(axis=-1, keepdims=True))
    return errors, likely / likely.sum(axis=-1, keepdims=True)


@cache
def _quadrature() -> tuple[Floats, Floats]:
    """Nodes between 0 and 1 of an integral, and their weights."""
    nodes, weights = np.polynomial.legendre.leggauss(200)
    return 0.5 * nodes + 0.5, 0.5 * weights


def clusters_needed(
    difference: float, variance: float, *, power: float = 0.8, alpha: float = 0.05, most: int = 10_000
) -> int | None:
    """The smallest number of clusters whose interval excludes 0 with this power; `None` when `most` are too few."""

    def enough(k: int) -> bool:
        return bool(paired_power(difference, variance, k, alpha=alpha) >= power)

    low, high = MIN_CLUSTERS - 1, MIN_CLUSTERS
    while not enough(high):
        if high >= most:
            return None
        low, high = high, min(2 * high, most)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def smallest_difference(variance: float, clusters: int, *, power: float = 0.8, alpha: float = 0.05) -> float:
    """The difference that `clusters` clusters tell from 0 with this power.

    Args:
        variance: of one cluster's difference.
        clusters: at least 3.
        power: between alpha and 1.
        alpha: 1 - the interval's level.
    """

    def short_of_it(shift: float) -> float:
        return float(paired_power(shift, 1.0, clusters, alpha=alpha)) - power

    enough = 1.0
    while short_of_it(enough) < 0:
        enough *= 2
    return math.sqrt(variance) * root(short_of_it, enough)


def clusters_for_swaps(alpha: float) -> int:
    """Fewer clusters than this can't reach p <= alpha in the swap test: its smallest p is 2 / 2^k."""
    return max(MIN_CLUSTERS, math.ceil(math.log2(2 / alpha)))


_AT_ONCE = 500
"""Studies whose swaps are held in memory together."""

_ROUNDING = 1e-9


class SimulatedPower(NamedTuple):
    """Of simulated studies, the share that told the difference from 0."""

    interval: float
    """By the t interval."""
    swap_test: float
    """By swapping the two labels within clusters."""
    studies: int


def simulated_power(
    difference: float,
    variances: ArrayLike,
    shape: tuple[int, ...],
    *,
    alpha: float = 0.05,
    studies: int = 4000,
    swaps: int = 4095,
    seed: int = 0,
) -> SimulatedPower:
    """Draw studies with nested normal effects and analyse each.

    Args:
        difference: the true one.
        variances: of the effect at each depth of `shape`, the first that of clusters.
        shape: clusters, then how many units each unit of the depth before holds.
        alpha: 1 - the interval's level.
        studies: how many to draw.
        swaps: random swaps of the test, used when all 2^k are more than this.
        seed: of effects and swaps.
    """
    rng = np.random.default_rng(seed)
    effects = difference + _nested(np.asarray(variances, dtype=np.float64), shape, studies, rng)
    k = shape[0]
    means, errors = effects.mean(axis=1), effects.std(axis=1, ddof=1) / math.sqrt(k)
    excluded = np.abs(means) > float(special.stdtrit(k - 1, 1 - alpha / 2)) * errors
    signs = _signs(k, swaps, rng)
    parts = np.array_split(effects, math.ceil(studies / _AT_ONCE))
    reached = np.concatenate([_as_extreme(part, signs) for part in parts])
    p = reached / len(signs) if len(signs) == 2**k else (reached + 1) / (len(signs) + 1)
    return SimulatedPower(float(excluded.mean()), float((p <= alpha).mean()), studies)


def _nested(variances: Floats, shape: tuple[int, ...], studies: int, rng: np.random.Generator) -> Floats:
    """Means per cluster of nested effects; shape (studies, clusters)."""
    total = np.zeros((studies, shape[0]))
    units = 1
    for variance, fold in zip(variances, (1, *shape[1:]), strict=True):
        units *= fold
        # The mean of `units` independent normal effects is one normal effect.
        total += rng.normal(0.0, math.sqrt(variance / units), size=total.shape)
    return total


def _as_extreme(effects: Floats, signs: Floats) -> NDArray[np.intp]:
    """Of each study, how many swaps move its mean at least as far from 0 as it lies; shape (studies,)."""
    observed = np.abs(effects.sum(axis=1, keepdims=True))
    return np.asarray((np.abs(effects @ signs.T) >= observed - _ROUNDING).sum(axis=1), dtype=np.intp)


def _signs(clusters: int, swaps: int, rng: np.random.Generator) -> Floats:
    if 2**clusters <= swaps + 1:
        bits = np.arange(2**clusters)[:, np.newaxis] >> np.arange(clusters) & 1
    else:
        bits = rng.integers(0, 2, size=(swaps, clusters))
    return np.asarray(2.0 * bits - 1.0, dtype=np.float64)
