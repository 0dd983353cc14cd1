"""An estimate with its interval, from ratings in which some are missing. Shared by all measures of agreement."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from voirdire.stats.intervals import Floats, Scale, jackknife_t

Bools = NDArray[np.bool_]
Statistic = Callable[[Bools], float]
"""From the items to be counted, shape (items,), to a number, NaN where it is undefined."""


class Estimate(NamedTuple):
    """A value and its confidence interval; NaN where undefined."""

    value: float
    low: float
    high: float


def as_ratings(ratings: ArrayLike) -> Floats:
    """The ratings as a float array of shape (items, judges), without the items that nobody rated.

    Raises:
        ValueError: not two-dimensional.
    """
    return ratings_and_clusters(ratings, None)[0]


def ratings_and_clusters(ratings: ArrayLike, clusters: ArrayLike | None) -> tuple[Floats, NDArray[np.intp]]:
    """The ratings of rated items, and the number of each item's cluster (its own, where no clusters are given).

    Raises:
        ValueError: ratings that are not two-dimensional, or not one cluster per item.
    """
    scores = np.asarray(ratings, dtype=np.float64)
    if scores.ndim != 2:
        raise ValueError(f"Ratings must have the shape (items, judges); shape {scores.shape} given.")
    labels = np.arange(len(scores)) if clusters is None else np.asarray(clusters)
    if labels.shape != (len(scores),):
        raise ValueError(f"One cluster per item is needed; {labels.shape} given for {len(scores)} items.")
    rated = ~np.isnan(scores).all(axis=1)
    return scores[rated], np.unique(labels[rated], return_inverse=True)[1]


def jackknifed(
    statistic: Statistic, clusters: NDArray[np.intp], *, level: float, scale: Scale = "identity"
) -> Estimate:
    """A statistic with its jackknife-t interval over clusters; the interval is NaN where there is none.

    Args:
        statistic: what is estimated, from the items that are left in.
        clusters: shape (items,), numbered from 0.
        level: confidence level.
        scale: on which the interval is symmetric (see `jackknife_t`).
    """
    value = statistic(np.ones(len(clusters), dtype=np.bool_))
    if math.isnan(value):
        return Estimate(value, math.nan, math.nan)
    left_out = [statistic(clusters != number) for number in range(int(clusters.max()) + 1)]
    return estimate_from_jackknife(value, left_out, level=level, scale=scale)


def estimate_from_jackknife(
    value: float, left_out: Sequence[float], *, level: float, scale: Scale = "identity"
) -> Estimate:
    """The same from the statistic of all items, and those without one cluster each."""
    try:
        interval = jackknife_t(value, left_out, level=level, scale=scale)
    except ValueError:
        return Estimate(value, math.nan, math.nan)
    return Estimate(value, interval.low, interval.high)


def jackknifed_agreement(statistic: Statistic, clusters: NDArray[np.intp], *, level: float) -> Estimate:
    """The same for a coefficient that is 1 at perfect agreement: on the log of what it lacks, so as to stay below 1."""
    lack = jackknifed(lambda mask: 1 - statistic(mask), clusters, level=level, scale="log")
    return agreement_from_lack(lack.value, lack.low, lack.high)


def agreement_from_lack(value: float, low: float, high: float) -> Estimate:
    """A coefficient that is 1 at perfect agreement, from what it lacks to 1; its interval ends at -1 at the lowest."""
    return Estimate(1 - value, max(1 - high, -1.0), 1 - low)
