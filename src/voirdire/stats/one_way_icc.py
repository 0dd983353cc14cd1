"""ICC(1,1) and ICC(1,k), and bootstrap draws of the other ICCs; the ICCs themselves are in `agreement`."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from voirdire.stats.intervals import Floats
from voirdire.stats.rating_estimates import as_ratings

_FLAT = 1e-12
"""Sums of squares below this share of the scores' own are rounding: the draw holds no variation."""


class OneWayIcc(NamedTuple):
    """Intraclass correlations that don't know which judge gave which score; NaN where undefined."""

    icc_1_1: float
    """Of one judge."""
    icc_1_k: float
    """Of the mean of k judges."""


class IccDraws(NamedTuple):
    """Bootstrap draws; NaN where a draw has no variation."""

    icc_2_1: Floats
    icc_3_1: Floats


def one_way_icc(ratings: ArrayLike) -> OneWayIcc:
    """ICC(1,1) and ICC(1,k): each item judged by judges of its own, so that leniency is error.

    (MSB - MSW)/(MSB + (m - 1) MSW) from the one-way analysis of variance, m being the scores per item, or where some
    are missing (N - Σ m_i²/N)/(r - 1) (McGraw and Wong, doi:10.1037/1082-989X.1.1.30; Donner, doi:10.2307/1403259).

    Args:
        ratings: shape (items, judges), NaN where missing.

    Raises:
        ValueError: not two-dimensional.
    """
    scores = as_ratings(ratings)
    known = ~np.isnan(scores)
    per_item, n, items = known.sum(axis=1), int(known.sum()), len(scores)
    if items < 2 or n == items:
        return OneWayIcc(math.nan, math.nan)
    means = np.nanmean(scores, axis=1)
    between = float(np.sum(per_item * (means - np.nanmean(scores)) ** 2)) / (items - 1)
    within = float(np.nansum((scores - means[:, np.newaxis]) ** 2)) / (n - items)
    m = (n - float(np.sum(per_item**2)) / n) / (items - 1)
    if between + (m - 1) * within <= 0:
        return OneWayIcc(math.nan, math.nan)
    single, k = (between - within) / (between + (m - 1) * within), scores.shape[1]
    stepped = 1 + (k - 1) * single
    return OneWayIcc(single, k * single / stepped if stepped > 0 else math.nan)  # no variance between items: undefined


def icc_draws(ratings: ArrayLike, weights: ArrayLike) -> IccDraws:
    """ICC(2,1) and ICC(3,1) of samples of items, from sums over items: what `intraclass` gives for each of them.

    Args:
        ratings: shape (items, judges), complete.
        weights: shape (draws, items), how often each item stands in the draw.

    Raises:
        ValueError: a score is missing, or shapes do not fit.
    """
    scores, copies = np.asarray(ratings, dtype=np.float64), np.asarray(weights, dtype=np.float64)
    if scores.ndim != 2 or copies.ndim != 2 or copies.shape[1] != len(scores) or np.isnan(scores).any():
        raise ValueError(
            f"Complete scores and a weight per item and draw are needed; shapes {scores.shape}, {copies.shape} given."
        )
    x, k = scores - scores.mean(), scores.shape[1]
    n = copies.sum(axis=1)
    judges, squares = copies @ x, copies @ (x**2).sum(axis=1)
    correction = judges.sum(axis=1) ** 2 / (n * k)
    ss_items = copies @ x.sum(axis=1) ** 2 / k - correction
    ss_judges = (judges**2).sum(axis=1) / n - correction
    ss_error = squares - correction - ss_items - ss_judges
    ms_items, ms_judges = ss_items / (n - 1), ss_judges / (k - 1)
    ms_error = ss_error / ((n - 1) * (k - 1))
    flat = squares - correction <= _FLAT * n * k * max(1.0, float(np.abs(scores).max()) ** 2)
    above, below = ms_items - ms_error, ms_items + (k - 1) * ms_error
    below_2 = below + k * (ms_judges - ms_error) / n
    with np.errstate(invalid="ignore"):  # what is 0 / 0 for all that has no value, as it must
        shares = [np.divide(above, each, out=np.full(len(n), np.nan), where=~flat) for each in (below_2, below)]
    return IccDraws(*shares)
