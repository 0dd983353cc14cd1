"""Where a function passes zero."""

from __future__ import annotations

from collections.abc import Callable


def root(rising: Callable[[float], float], high: float) -> float:
    """Where a rising function passes 0 between 0 and `high`; 0 if it lies above from the start."""
    from scipy.optimize import brentq

    return 0.0 if rising(0.0) >= 0 else float(brentq(rising, 0.0, high))
