"""Association in small samples: correlations and one-way ANOVA with p-values by permutation.

With nine models a t distribution is a guess; all 362,880 orders of nine values are not. The p-values that papers print
stand beside, so that the two can be compared.
"""

from __future__ import annotations

import math
from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from voirdire.stats import special
from voirdire.stats.correlation import correlation_p
from voirdire.stats.intervals import Floats
from voirdire.stats.one_way_anova import Anova, one_way_anova
from voirdire.stats.permutations import CLOSE, MOST_FOR_ALL, orders, permutation_p
from voirdire.stats.ranks import average_ranks, kendall_p
from voirdire.stats.roots import root

__all__ = [
    "Anova",
    "CorrelationKind",
    "ExactCorrelation",
    "detectable_correlation",
    "exact_correlation",
    "one_way_anova",
]

CorrelationKind = Literal["pearson", "spearman", "kendall"]


class ExactCorrelation(NamedTuple):
    """A correlation with its permutation test. Fields are NaN where undefined (see `exact_correlation`)."""

    value: float
    low: float
    high: float
    p: float
    """Two-sided, by permutation: the share of orders of `y` whose correlation is as far from 0, or farther."""
    p_asymptotic: float
    """Two-sided, from t with n - 2 degrees of freedom (Kendall: the normal distribution): what papers print."""
    n: int
    """Pairs in which both values are known."""
    exact: bool
    """Whether all n! orders were gone through."""
    smallest_p: float
    """The smallest p these values could give in any order: above 0.05, nothing can come out significant."""


def exact_correlation(
    x: ArrayLike,
    y: ArrayLike,
    *,
    kind: CorrelationKind,
    level: float = 0.95,
    seed: int = 0,
    draws: int = 99_999,
) -> ExactCorrelation:
    """A correlation, its interval, and its two-sided permutation test.

    All n! orders for up to nine pairs; beyond, `draws` random ones and p = (b + 1)/(draws + 1). The test compares
    distances from 0, so that with a skewed distribution it is not twice a one-sided p. Ties share their mean rank
    (Spearman) or are tau-b's (Kendall).

    The interval is Fisher's z, with variance 1/(n - 3) for Pearson, (1 + r²/2)/(n - 3) for Spearman (Bonett and
    Wright, doi:10.1007/BF02294183), 0.437/(n - 4) for Kendall (Fieller, Hartley and Pearson,
    doi:10.1093/biomet/44.3-4.470).

    Args:
        x: shape (n,); NaN where unknown: the pair is left out.
        y: shape (n,), likewise.
        kind: which correlation.
        level: confidence level of the interval.
        seed: of the random orders.
        draws: how many of them.

    Returns:
        Everything is NaN with fewer than three pairs or one side constant; the interval also below four pairs
        (Kendall: five) and for ±1, where Fisher's z is infinite.

    Raises:
        ValueError: lengths differ, or no such kind.
    """
    if kind not in get_args(CorrelationKind):
        raise ValueError(f"kind is one of {', '.join(get_args(CorrelationKind))}; {kind!r} given.")
    a, b = _known_pairs(x, y)
    n, undefined = a.size, math.nan
    if n < 3 or np.ptp(a) == 0 or np.ptp(b) == 0:
        return ExactCorrelation(undefined, undefined, undefined, undefined, undefined, n, n <= MOST_FOR_ALL, undefined)
    left, right = _vectors(a, kind), _vectors(b, kind)
    scale = math.sqrt(float(np.sum(left**2)) * float(np.sum(right**2)))
    value = float(np.clip(np.sum(left * right) / scale, -1.0, 1.0))
    cells = n if left.ndim == 1 else n * (n - 1) // 2
    blocks = orders(n, draws, np.random.default_rng(seed), cells=cells)
    permuted = np.concatenate([_products(left, right, block) for block in blocks]) / scale
    exact = n <= MOST_FOR_ALL
    return ExactCorrelation(
        value,
        *_fisher_interval(value, n, kind, level),
        permutation_p(permuted, value, exact),
        _asymptotic_p(a, b, kind),
        n,
        exact,
        permutation_p(permuted, float(np.abs(permuted).max()), exact) if exact else 1 / (draws + 1),
    )


def detectable_correlation(n: int, *, power: float = 0.8, alpha: float = 0.05) -> float:
    """The smallest |r| that a two-sided t test of n pairs finds with this power; NaN below four pairs.

    Fisher's z with its bias r/(2(n - 1)), against the critical r of the t test (Cohen, Statistical Power Analysis,
    12.3). For rank correlations it is somewhat more.
    """
    if n < 4:
        return math.nan
    t = float(special.stdtrit(n - 2, 1 - alpha / 2))
    needed = math.atanh(t / math.sqrt(t * t + n - 2)) + float(special.ndtri(power)) / math.sqrt(n - 3)

    def missing(z: float) -> float:
        return z + math.tanh(z) / (2 * (n - 1)) - needed

    return math.tanh(root(missing, needed))


def _known_pairs(x: ArrayLike, y: ArrayLike) -> tuple[Floats, Floats]:
    a, b = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    if a.shape != b.shape or a.ndim != 1:
        raise ValueError(f"Two lists of equal length are needed; shapes {a.shape} and {b.shape} given.")
    known = ~(np.isnan(a) | np.isnan(b))
    return a[known], b[known]


def _vectors(values: Floats, kind: CorrelationKind) -> Floats:
    """What the correlation is the cosine of: centred values or ranks, or the signs of all differences (n, n)."""
    if kind == "kendall":
        return np.asarray(np.sign(values[:, np.newaxis] - values), dtype=np.float64)
    if kind == "spearman":
        values = average_ranks(values)
    return np.asarray(values - values.mean(), dtype=np.float64)


def _products(left: Floats, right: Floats, order: NDArray[np.intp]) -> Floats:
    """The unscaled correlation of `left` with `right` in each order; shape (orders,)."""
    if left.ndim == 1:
        products: Floats = right[order] @ left
        return products
    above, below = np.triu_indices(len(left), k=1)
    signs: Floats = right[order[:, above], order[:, below]] @ left[above, below]
    return 2 * signs


def _asymptotic_p(a: Floats, b: Floats, kind: CorrelationKind) -> float:
    if kind == "kendall":
        return kendall_p(a, b)
    x, y = _vectors(a, kind), _vectors(b, kind)
    return correlation_p(float(x @ y / math.sqrt((x @ x) * (y @ y))), a.size)


def _fisher_interval(value: float, n: int, kind: CorrelationKind, level: float) -> tuple[float, float]:
    used, spread = {"pearson": (3, 1.0), "spearman": (3, 1 + value**2 / 2), "kendall": (4, 0.437)}[kind]
    if n <= used or abs(value) >= 1 - CLOSE:
        return math.nan, math.nan
    half = float(special.ndtri(0.5 + level / 2)) * math.sqrt(spread / (n - used))
    return math.tanh(math.atanh(value) - half), math.tanh(math.atanh(value) + half)
