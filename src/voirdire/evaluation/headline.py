"""The headline of each model, recomputed of its items: mean, standard error, interval."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from voirdire.evaluation.records import Evaluation, Floats, Places
from voirdire.stats.clustered import mean_score
from voirdire.stats.intervals import Interval, NoIntervalError, jackknife_t, share_interval

ENOUGH_CLUSTERS = 10
"""Fewer groups of items are not taken for a sample: their error can't be estimated from so few. Items are the unit
then, and what is found holds for these groups alone."""


class Headline(NamedTuple):
    """The mean score of one model. Undefined is `None`."""

    value: float | None
    se: float | None
    """Of independent items: sd / sqrt(n)."""
    clustered_se: float | None
    """Of the clusters that the data name; `None` where there are none, or fewer than three."""
    interval: Interval | None
    """95 %, by clusters where there are at least `ENOUGH_CLUSTERS`, else by items; of items that are right or wrong
    the binomial one (Jeffreys)."""
    n: int
    """Items with a score."""
    interval_se: float | None
    """Of these two errors the one that belongs to `interval`: of clusters only where there are enough of them."""


@lru_cache(maxsize=4)
def headlines(evaluation: Evaluation) -> Mapping[str, Headline]:
    """By model."""
    scores = evaluation.item_scores
    return {
        model: _headline(values[known], scores.clusters[known], units(evaluation)[known], evaluation)
        for model, values in zip(scores.models, scores.values, strict=True)
        for known in [~np.isnan(values)]
    }


def units(evaluation: Evaluation) -> Places:
    """Shape (items,): the number of the unit that each item belongs to, which is what was sampled."""
    scores = evaluation.item_scores
    return scores.clusters if _enough_clusters(evaluation) else np.arange(len(scores.items))


def _headline(values: Floats, clusters: Places, sampled: Places, evaluation: Evaluation) -> Headline:
    if not values.size:
        return Headline(None, None, None, None, 0, None)
    se = float(values.std(ddof=1) / np.sqrt(values.size)) if values.size > 1 else None
    by_cluster = clustered_se(values, clusters) if evaluation.item_scores.clustered else None
    interval = _interval(values, sampled, evaluation.bounds)
    of_interval = by_cluster if by_cluster is not None and _enough_clusters(evaluation) else se
    return Headline(float(values.mean()), se, by_cluster, interval, values.size, of_interval)


def _enough_clusters(evaluation: Evaluation) -> bool:
    return len(evaluation.item_scores.cluster_names) >= ENOUGH_CLUSTERS


def clustered_se(values: Floats, clusters: Places) -> float | None:
    """Standard error of a mean whose values are drawn by cluster (CR1); `None` with fewer than three clusters."""
    sums = np.bincount(clusters, values - values.mean())
    k = int((np.bincount(clusters) > 0).sum())
    return float(np.sqrt(k / (k - 1) * (sums**2).sum()) / values.size) if k >= 3 else None


def _interval(values: Floats, sampled: Places, bounds: tuple[float, float] | None) -> Interval | None:
    if bounds is not None and bounds[1] > bounds[0]:
        low, high = bounds
        if np.isin(values, bounds).all() and len(np.unique(sampled)) == values.size > 1:
            share = share_interval(float((values == high).sum()), values.size)
            return share._replace(low=low + share.low * (high - low), high=low + share.high * (high - low))
        result = mean_score(values - low, sampled, top=high - low).interval
        return result and result._replace(low=result.low + low, high=result.high + low)
    sums, counts = np.bincount(sampled, values), np.bincount(sampled)
    sums, counts = sums[counts > 0], counts[counts > 0]
    with np.errstate(divide="ignore", invalid="ignore"):
        without = (sums.sum() - sums) / (counts.sum() - counts)
    try:
        return jackknife_t(float(values.mean()), without)
    except (NoIntervalError, ValueError):
        return None
