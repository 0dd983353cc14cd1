"""Krippendorff's alpha."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from voirdire.stats._estimates import Estimate, jackknifed_agreement, ratings_and_clusters
from voirdire.stats.intervals import Floats

Measurement = Literal["interval", "ordinal", "nominal"]


def krippendorff_alpha(
    ratings: ArrayLike, measurement: Measurement, clusters: ArrayLike | None = None, *, level: float = 0.95
) -> Estimate:
    """Krippendorff's alpha: 1 - observed/expected disagreement over pairs of ratings of an item.

    Items with a single rating tell nothing and are left out, as in its definition. The distance of two scores is the
    squared difference ("interval"), the same of their mean ranks among all paired ratings ("ordinal"), or whether they
    differ ("nominal"). Values equal those of the package `krippendorff`, whose tables of all distinct scores would take
    gigabytes for scores that hardly repeat.

    Args:
        ratings: shape (items, judges), NaN where missing; for "nominal", a number per category.
        measurement: how scores are compared.
        clusters: shape (items,), what the jackknife-t interval leaves out at a time; `None`: single items.
        level: confidence level.

    Returns:
        NaN where all paired ratings are equal, or none are paired.
    """
    scores, groups = ratings_and_clusters(ratings, clusters)
    return jackknifed_agreement(lambda kept: _alpha(scores[kept], measurement), groups, level=level)


def _alpha(scores: Floats, measurement: Measurement) -> float:
    known = ~np.isnan(scores)
    paired = known.sum(axis=1) >= 2
    kept, known = scores[paired], known[paired]
    n = int(known.sum())
    if n == 0 or np.ptp(kept[known]) == 0:
        return math.nan
    placed = _placed(kept[known], measurement)
    points = np.zeros((*kept.shape, placed.shape[1]))
    points[known] = placed - placed.mean(axis=0)
    per_item = known.sum(axis=1)
    squares, sums = (points**2).sum(axis=(1, 2)), points.sum(axis=1)
    # Sum of squared distances over pairs: m Σ x² - (Σ x)².
    observed = float(np.sum((per_item * squares - (sums**2).sum(axis=1)) / (per_item - 1))) / n
    expected = float(squares.sum()) / (n - 1)
    return 1 - observed / expected


def _placed(values: Floats, measurement: Measurement) -> Floats:
    """Each value as a point, so that distances are squared Euclidean ones; shape (values, dimensions)."""
    if measurement == "interval":
        return values[:, np.newaxis]
    if measurement == "ordinal":
        _, place, copies = np.unique(values, return_inverse=True, return_counts=True)
        return (np.cumsum(copies) - (copies - 1) / 2)[place][:, np.newaxis]
    return np.asarray(values[:, np.newaxis] == np.unique(values), dtype=np.float64)
