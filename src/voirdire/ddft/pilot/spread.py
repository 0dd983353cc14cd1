"""How far a concept tells models apart: spread between models against noise within, from a few dialogues."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from voirdire.ddft._means import mean_interval
from voirdire.stats import Interval

Floats = NDArray[np.float64]


class Between(NamedTuple):
    """What lies between models, and what within them."""

    sd_between: float
    """Standard deviation of the models' true means, as estimated; 0 where noise alone explains their means."""
    sd_within: float
    """Of dialogues of one model at one level."""
    share: float
    """Of the variance of a dialogue's FAR (levels apart) that lies between models: the intraclass correlation."""
    interval: Interval
    """Of the share, at least 0 (exact F interval; normal errors, fixed levels)."""


class Fall(NamedTuple):
    """How far FAR falls from the first level to the last."""

    mean: float
    interval: Interval | None
    """`None` with fewer than three pairs, or when every pair falls equally."""
    pairs: int


def between_models(far: ArrayLike, level: float = 0.95) -> Between | None:
    """Spread between models against noise within.

    (MSB - MSE)/(MSB + (n - 1) MSE) from the analysis of variance with models and levels as factors; the ends come from
    the F distribution of MSB/MSE (the one-way formula of Donner, doi:10.2307/1403259, with a degree of freedom less per
    level).

    Args:
        far: shape (models, levels, samples), a dialogue's mean FAR each; NaN where there is none.
        level: confidence level.

    Returns:
        `None` with fewer than two models, or too few dialogues to tell noise from spread.
    """
    scores = np.asarray(far, dtype=np.float64)
    scores = scores[:, ~np.isnan(scores).all(axis=(0, 2)), :]
    scores = scores[~np.isnan(scores).all(axis=(1, 2))]
    models, levels = scores.shape[0], scores.shape[1]
    if models < 2 or levels < 1:
        return None
    x = scores - np.nanmean(scores, axis=(0, 2), keepdims=True)
    n = (~np.isnan(x)).sum(axis=(1, 2))
    total = int(n.sum())
    error_df = total - models - levels + 1
    if error_df < 1:
        return None
    means = np.nanmean(x, axis=(1, 2))
    ms_between = float(np.sum(n * (means - np.average(means, weights=n)) ** 2)) / (models - 1)
    ms_error = float(np.nansum((x - means[:, None, None]) ** 2)) / error_df
    each = (total - float(np.sum(n**2)) / total) / (models - 1)
    if not ms_error > 0:
        return None
    f, quantile = ms_between / ms_error, 0.5 + level / 2
    ends = f / special.fdtri(models - 1, error_df, quantile), f * special.fdtri(error_df, models - 1, quantile)
    low, high = (_share(float(end), each) for end in ends)
    variance = max(0.0, (ms_between - ms_error) / each)
    return Between(math.sqrt(variance), math.sqrt(ms_error), _share(f, each), Interval(low, high, level, "F"))


def fall_over_levels(far: ArrayLike, level: float = 0.95) -> Fall | None:
    """How far FAR falls from the first level to the last, in pairs of (model, sample).

    Args:
        far: shape (models, levels, samples), the levels ascending; NaN where there is none.
        level: confidence level.

    Returns:
        `None` where no pair is known, or there is one level.
    """
    scores = np.asarray(far, dtype=np.float64)
    falls = (scores[:, 0] - scores[:, -1]).ravel()
    falls = falls[~np.isnan(falls)]
    if scores.shape[1] < 2 or not len(falls):
        return None
    interval = mean_interval(falls, level)
    return Fall(float(falls.mean()), interval and interval.within(-1.0, 1.0), len(falls))


def _share(f: float, each: float) -> float:
    return max(0.0, (f - 1) / (f + each - 1))
