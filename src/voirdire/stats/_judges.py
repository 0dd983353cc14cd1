"""What distinguishes judges: how lenient each of them is."""

from __future__ import annotations

import math
from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from voirdire.stats._crossed import fit
from voirdire.stats._estimates import Bools, Estimate, jackknifed, ratings_and_clusters
from voirdire.stats.intervals import Floats


def leniency(ratings: ArrayLike, clusters: ArrayLike | None = None, *, level: float = 0.95) -> tuple[Estimate, ...]:
    """How much higher each judge scores than the others, on the same items.

    A judge's effect in the model score = item + judge + error, fitted by least squares, minus the mean effect of the
    others. With complete scores this is the difference of plain means; with missing ones it is not thrown off by who
    happened to score the harder items.

    Args:
        ratings: shape (items, judges), NaN where missing.
        clusters: shape (items,), what the jackknife-t interval leaves out at a time; `None`: single items.
        level: confidence level.

    Returns:
        One per judge; NaN where no chain of shared items links all judges, or there is one judge only.
    """
    scores, groups = ratings_and_clusters(ratings, clusters)
    return tuple(
        jackknifed(partial(_deviation, scores, judge), groups, level=level) for judge in range(scores.shape[1])
    )


def leniency_shift(
    ratings: ArrayLike, judge: int, among: ArrayLike, clusters: ArrayLike | None = None, *, level: float = 0.95
) -> Estimate:
    """How much a judge's leniency among some items exceeds that among the others: a difference in differences.

    Args:
        ratings: shape (items, judges), NaN where missing.
        judge: its column.
        among: shape (items,), true for the items in question.
        clusters: shape (items,), what the jackknife-t interval leaves out at a time; `None`: single items.
        level: confidence level.

    Returns:
        NaN where the judge's leniency is undefined on either side.
    """
    scores = np.asarray(ratings, dtype=np.float64)
    inside = np.asarray(among, dtype=np.bool_)[~np.isnan(scores).all(axis=1)]
    scores, groups = ratings_and_clusters(scores, clusters)

    def shift(kept: Bools) -> float:
        return _deviation(scores, judge, kept & inside) - _deviation(scores, judge, kept & ~inside)

    return jackknifed(shift, groups, level=level)


def _deviation(scores: Floats, judge: int, kept: Bools) -> float:
    found = fit(scores[kept])
    effects = found.judge_effects
    if not found.connected or found.judges < 2 or math.isnan(effects[judge]):
        return math.nan
    return float(effects[judge] - np.nanmean(np.delete(effects, judge)))
