"""All pairs of many: means of paired differences, with errors clustered by what was sampled."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from voirdire.stats import special
from voirdire.stats.comparison import holm

Floats = NDArray[np.float64]

MIN_CLUSTERS = 3
_NO_SPREAD = 1e-12


class Pairs(NamedTuple):
    """Differences of all pairs, each of shape (rows, rows); NaN on the diagonal."""

    difference: Floats
    """Mean over shared columns of row i - row j."""
    se: Floats
    """Of that mean, clustered; 0 where nothing varies."""
    low: Floats
    """End of the interval of level 1 - alpha: t with clusters - 1 degrees of freedom, wider where `p_alone` is above
    alpha and that leaves 0 out."""
    high: Floats
    p: Floats
    """`p_alone`, corrected by Holm's method over all pairs."""
    p_alone: Floats
    """Two-sided, of no difference: McNemar's exact test where all clusters that differ do so by one amount (right or
    wrong, an item each), else the t test."""
    shared: NDArray[np.intp]
    """Columns that both rows have."""
    clusters: NDArray[np.intp]
    """Clusters among them."""


def all_pairs(values: ArrayLike, clusters: ArrayLike, *, alpha: float = 0.05) -> Pairs:
    """Compare every row with every other on the columns that both have.

    The variance of a mean of n differences d in k clusters is k/(k - 1) · Σ (sum of d - mean within a cluster)² / n²
    (CR1 without regressors; Miller, arXiv:2411.00640, for evaluations). Where all clusters that differ do so by one
    amount, t is too sure of few of them: the test is then McNemar's exact one. Where it finds no difference and the t
    interval leaves 0 out, the interval spans Clopper and Pearson's of how often the first is higher, too.

    Args:
        values: shape (rows, columns), NaN where missing.
        clusters: shape (columns,), the number of each column's cluster, from 0.
        alpha: of the intervals.

    Returns:
        NaN for pairs that share fewer than three clusters.
    """
    scores, groups = np.asarray(values, dtype=np.float64), np.asarray(clusters, dtype=np.intp)
    order = np.argsort(groups, kind="stable")
    scores, groups = scores[:, order], groups[order]
    starts = np.flatnonzero(np.r_[True, groups[1:] != groups[:-1]])
    known = ~np.isnan(scores)
    filled = np.where(known, scores, 0.0)
    size = (len(scores), len(scores))
    difference, se = np.full(size, np.nan), np.full(size, np.nan)
    ups, downs, total, most = (np.zeros(size) for _ in range(4))
    shared, number = np.zeros(size, dtype=np.intp), np.zeros(size, dtype=np.intp)
    for row in range(len(scores)):
        both = known[row] & known  # (rows, columns)
        n = both.sum(axis=1)
        k = (np.add.reduceat(both, starts, axis=1) > 0).sum(axis=1)
        gap = np.where(both, filled[row] - filled, 0.0)
        with np.errstate(divide="ignore", invalid="ignore"):
            mean = gap.sum(axis=1) / n
            within = np.add.reduceat(np.where(both, gap - mean[:, np.newaxis], 0.0), starts, axis=1)
            error = np.sqrt(k / (k - 1) * (within**2).sum(axis=1)) / n
        enough = k >= MIN_CLUSTERS
        difference[row], se[row] = np.where(enough, mean, np.nan), np.where(enough, error, np.nan)
        shared[row], number[row] = n, k
        sums = np.add.reduceat(gap, starts, axis=1)
        ups[row], downs[row] = (sums > _NO_SPREAD).sum(axis=1), (sums < -_NO_SPREAD).sum(axis=1)
        total[row], most[row] = np.abs(sums).sum(axis=1), np.abs(sums).max(axis=1)
    np.fill_diagonal(difference, np.nan)
    np.fill_diagonal(se, np.nan)
    df = np.maximum(number - 1, 1).astype(np.float64)
    half = special.stdtrit(df, 1 - alpha / 2) * se
    low, high, p = difference - half, difference + half, _t_test(difference, se, df)
    exact = (total > 0) & np.isclose(total, most * (ups + downs), rtol=_NO_SPREAD, atol=0) & ~np.isnan(difference)
    p[exact] = np.minimum(1.0, 2 * special.bdtr(np.minimum(ups, downs)[exact], (ups + downs)[exact], 0.5))
    wide = exact & (p > alpha) & (low * high > 0)
    least, greatest = _clopper_pearson(ups[wide], downs[wide], alpha)
    scale = total[wide] / shared[wide]
    low[wide], high[wide] = np.minimum(low[wide], scale * least), np.maximum(high[wide], scale * greatest)
    return Pairs(difference, se, low, high, _corrected(p), p, shared, number)


def _t_test(difference: Floats, se: Floats, df: Floats) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.where(se > _NO_SPREAD, np.abs(difference) / se, np.where(np.abs(difference) > _NO_SPREAD, np.inf, 0.0))
    return np.where(np.isnan(difference), np.nan, 2 * special.stdtr(df, -t))


def _clopper_pearson(ups: Floats, downs: Floats, alpha: float) -> tuple[Floats, Floats]:
    """The ends of the exact interval of the share of ups less that of downs, in -1 to 1."""
    low = np.where(ups > 0, special.betaincinv(np.maximum(ups, 1), downs + 1, alpha / 2), 0.0)
    high = np.where(downs > 0, special.betaincinv(ups + 1, np.maximum(downs, 1), 1 - alpha / 2), 1.0)
    return 2 * low - 1, 2 * high - 1


def _corrected(p: Floats) -> Floats:
    above = np.triu_indices(len(p), 1)
    corrected = np.full(p.shape, np.nan)
    corrected[above] = holm(p[above])
    corrected.T[above] = corrected[above]
    return corrected


def rank_sets(pairs: Pairs, *, alpha: float = 0.05) -> NDArray[np.intp]:
    """The places that each row can have: 1 + how many are surely higher, to how many are not surely lower.

    Mogstad, Romano, Shaikh and Wilhelm, doi:10.1093/restud/rdad006, with Holm's correction over all pairs.

    Returns:
        Shape (rows, 2): the best and the worst place, from 1.
    """
    sure = pairs.p <= alpha
    with np.errstate(invalid="ignore"):
        beaten, beats = (sure & (pairs.difference < 0)).sum(axis=1), (sure & (pairs.difference > 0)).sum(axis=1)
    return np.column_stack([1 + beaten, len(sure) - beats]).astype(np.intp)
