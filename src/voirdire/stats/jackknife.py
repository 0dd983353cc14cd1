"""Any statistic of items with an interval clustered by what was sampled."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from voirdire.stats.rating_estimates import Estimate, jackknifed, jackknifed_agreement

Bools = NDArray[np.bool_]
Shape = Literal["plain", "share", "agreement", "correlation"]

_NEARLY_ONE = 1 - 1e-12
"""Beyond it Fisher's transformation has no value to work with."""


def jackknife_estimate(
    statistic: Callable[[Bools], float], clusters: ArrayLike, *, shape: Shape = "plain", level: float = 0.95
) -> Estimate:
    """A statistic of some items, with a jackknife-t interval over their clusters.

    Args:
        statistic: from the items that are left in, shape (items,), to a number; NaN where it is undefined. It may look
            at two sets of ratings at once: a difference of two coefficients on the same items is a statistic too.
        clusters: shape (items,), what was sampled.
        shape: "share" for one between 0 and 1 (logit scale), "agreement" for a coefficient that is 1 at perfect
            agreement (the interval stays below 1), "correlation" for one between -1 and 1 (Fisher's scale), "plain"
            for anything else.
        level: confidence level.

    Returns:
        The ends are NaN with fewer than three clusters, where nothing varies between them, and where the statistic is
        undefined once one of them is left out.
    """
    labels = np.unique(np.asarray(clusters), return_inverse=True)[1]
    if not labels.size:
        return Estimate(math.nan, math.nan, math.nan)
    if shape == "agreement":
        return jackknifed_agreement(statistic, labels, level=level)
    if shape == "correlation":
        z = jackknifed(lambda mask: _fisher(statistic(mask)), labels, level=level)
        return Estimate(statistic(np.ones(labels.size, dtype=np.bool_)), math.tanh(z.low), math.tanh(z.high))
    return jackknifed(statistic, labels, level=level, scale="logit" if shape == "share" else "identity")


def _fisher(r: float) -> float:
    return math.atanh(r) if abs(r) < _NEARLY_ONE else math.nan
