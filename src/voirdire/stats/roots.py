"""Where a function passes 0."""

from __future__ import annotations

from collections.abc import Callable

_STEPS = 200
_CLOSE = 1e-13


def root(rising: Callable[[float], float], high: float) -> float:
    """Where a rising function passes 0 between 0 and `high`; 0 if it lies above from the start.

    Ridders' method (IEEE Trans. Circuits Syst. 26, 1979), which never leaves the bounds.
    """
    low, below, above = 0.0, rising(0.0), rising(high)
    if below >= 0:
        return 0.0
    if above == 0:
        return high
    for _ in range(_STEPS):
        middle = (low + high) / 2
        if high - low <= _CLOSE * max(1.0, high):
            break
        between = rising(middle)
        guess = middle - (middle - low) * between / (between * between - below * above) ** 0.5
        for at, value in sorted(((middle, between), (guess, rising(guess)))):
            if value < 0 and at > low:
                low, below = at, value
            elif value >= 0 and at < high:
                high, above = at, value
    return (low + high) / 2
