"""Means of turns' scores with intervals over concepts: the profile's own rule, for parts of a run."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from voirdire.ddft.concept_sums import Floats
from voirdire.stats.intervals import Interval, jackknife_t

Counts = NDArray[np.intp]


class Mean(NamedTuple):
    """A mean of scores."""

    value: float | None
    interval: Interval | None
    """95 %, jackknife-t over concepts (exact, over turns, where these do not differ); `None` below three of them."""
    n: int
    """Turns behind it."""

    @property
    def ends(self) -> tuple[float, float] | None:
        """Of the interval."""
        return None if self.interval is None else self.interval[:2]

    @property
    def method(self) -> str | None:
        """Of the interval."""
        return None if self.interval is None else self.interval.method


def mean_score(turns: pd.DataFrame, score: str) -> Mean:
    """The mean of a score over turns that have one.

    Args:
        turns: one row per turn, with the columns concept and `score`.
        score: "far" or "sas".
    """
    values = turns[score].to_numpy(dtype=np.float64)
    known = ~np.isnan(values)
    if not known.any():
        return Mean(None, None, 0)
    concepts, _ = pd.factorize(turns["concept"].array[known])
    sums = np.bincount(concepts, values[known]).astype(np.float64)
    counts = np.bincount(concepts)
    total, n = float(sums.sum()), int(counts.sum())
    return Mean(total / n, _interval(sums, counts, total, n), n)


def _interval(sums: Floats, counts: Counts, total: float, n: int) -> Interval | None:
    if len(sums) < 2:
        return None
    left_out = (total - sums) / (n - counts)
    try:
        return jackknife_t(total / n, left_out, scale="logit", trials=float(n))
    except ValueError:  # fewer than three concepts
        return None
