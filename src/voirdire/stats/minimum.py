"""Where a smooth convex function of many numbers is lowest."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_REMEMBERED = 20
"""Steps from which the curvature is estimated."""
_ENOUGH = 1e-4
"""Of the decrease that the slope promises, what a step must bring (Armijo's rule)."""
_LEAST = 1e-12
"""The share of a step below which nothing is gained any more."""


def lowest(
    loss: Callable[[Floats], tuple[float, Floats]], start: Floats, iterations: int, *, gradient: float
) -> Floats:
    """Where a function is lowest, by L-BFGS (Nocedal and Wright, Numerical Optimization, 2006, algorithm 7.5).

    Args:
        loss: gives the value and the slope in each direction.
        start: where to begin.
        iterations: at most.
        gradient: the steepest slope at which to end.
    """
    at = np.asarray(start, dtype=np.float64)
    value, slope = loss(at)
    steps: deque[tuple[Floats, Floats]] = deque(maxlen=_REMEMBERED)
    for _ in range(iterations):
        if float(np.abs(slope).max()) <= gradient:
            break
        direction = -_newton_like(slope, steps)
        promised = float(direction @ slope)
        share = 1.0 if steps else min(1.0, 1.0 / float(np.abs(slope).sum()))
        following, lower, new_slope = at, value, slope
        while share > _LEAST:
            following = at + share * direction
            lower, new_slope = loss(following)
            if lower <= value + _ENOUGH * share * promised:
                break
            share /= 2
        if not lower < value:
            break
        step, change = following - at, new_slope - slope
        if float(step @ change) > 0:
            steps.append((step, change))
        at, value, slope = following, lower, new_slope
    return at


def _newton_like(slope: Floats, steps: deque[tuple[Floats, Floats]]) -> Floats:
    """The slope through the inverse curvature that earlier steps suggest."""
    rest, weights = slope.copy(), []
    for step, change in reversed(steps):
        weight = float(step @ rest) / float(step @ change)
        weights.append(weight)
        rest -= weight * change
    if steps:
        step, change = steps[-1]
        rest *= float(step @ change) / float(change @ change)
    for (step, change), weight in zip(steps, reversed(weights), strict=True):
        rest += (weight - float(change @ rest) / float(step @ change)) * step
    return rest
