"""A mean with its interval, for a handful of values."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from voirdire.stats import Interval, jackknife_t

_MIN_VALUES = 3
_EQUAL = 1e-9
"""Values closer together than this are equal, but for rounding."""


def mean_interval(values: ArrayLike, level: float = 0.95) -> Interval | None:
    """The t interval of a mean; `None` with fewer than three values, or where all are equal."""
    x = np.asarray(values, dtype=np.float64)
    if x.size < _MIN_VALUES or np.ptp(x) < _EQUAL:
        return None
    return jackknife_t(float(x.mean()), (x.sum() - x) / (x.size - 1), level=level)
