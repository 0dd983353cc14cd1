"""Logistic regression, and two curves from scores to probabilities: a sigmoid (Platt) and a staircase (isotonic).

Objectives, starting points and stopping rules are scikit-learn's (`LogisticRegression` with lbfgs, the sigmoid of
`CalibratedClassifierCV`, `IsotonicRegression`), so that the figures are too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

_LARGE = 30.0
"""From which distance on scores are scaled before a sigmoid is fitted to them."""


class Line(NamedTuple):
    """Log-odds as a linear function."""

    weights: Floats
    """Shape (features,)."""
    intercept: float


class Steps(NamedTuple):
    """A growing function by its knots: straight between them."""

    x: Floats
    y: Floats


def logistic_regression(features: Floats, target: Flags, inverse_penalty: float, iterations: int = 1000) -> Line:
    """Fit log-odds to what was found, with a squared penalty on the weights and none on the intercept.

    Args:
        features: shape (n, features).
        target: shape (n,); both kinds must occur.
        inverse_penalty: the smaller, the nearer to 0 the weights stay.
        iterations: of L-BFGS, at most.
    """
    n, width = features.shape
    penalty = 1.0 / (inverse_penalty * n)

    def loss(line: Floats) -> tuple[float, Floats]:
        weights = line[:width]
        value, slope = _log_loss(features @ weights + line[width], target)
        gradient = np.append(features.T @ slope / n + penalty * weights, slope.sum() / n)
        return float(value / n + penalty / 2 * (weights @ weights)), gradient

    found = lowest(loss, np.zeros(width + 1), iterations, line_searches=50, gradient=1e-4)
    return Line(found[:width], float(found[width]))


def sigmoid(scores: Floats, target: Flags) -> Line:
    """Fit log-odds to scores, with Platt's targets, which are never quite 0 or 1: one weight, and the intercept.

    Args:
        scores: shape (n,).
        target: shape (n,), whether each came true.
    """
    largest = float(np.abs(scores).max())
    scale = largest if largest >= _LARGE else 1.0
    scaled = scores / scale
    true = int(target.sum())
    false = target.size - true
    wanted = np.where(target, (true + 1) / (true + 2), 1 / (false + 2))

    def loss(negated: Floats) -> tuple[float, Floats]:
        value, slope = _log_loss(-(negated[0] * scaled + negated[1]), wanted)
        return value, np.array([-slope @ scaled, -slope.sum()])

    start = np.array([0.0, np.log((false + 1) / (true + 1))])
    found = lowest(loss, start, 15_000, line_searches=20, gradient=1e-6)
    return Line(np.array([-found[0] / scale]), -float(found[1]))


def isotonic(scores: Floats, target: Flags) -> Steps:
    """The growing function that comes nearest to what was found, by squared distance.

    Args:
        scores: shape (n,).
        target: shape (n,), whether each came true.
    """
    from scipy.optimize import isotonic_regression

    x, place = np.unique(scores, return_inverse=True)
    number = np.bincount(place).astype(np.float64)
    y = isotonic_regression(np.bincount(place, target) / number, weights=number).x
    knots = np.ones(y.size, np.bool_)
    knots[1:-1] = (y[1:-1] != y[:-2]) | (y[1:-1] != y[2:])
    return Steps(x[knots], y[knots])


def lowest(
    loss: Callable[[Floats], tuple[float, Floats]],
    start: Floats,
    iterations: int,
    *,
    line_searches: int,
    gradient: float,
) -> Floats:
    """Where a function is lowest, by L-BFGS."""
    from scipy.optimize import minimize
    from threadpoolctl import threadpool_limits

    ftol = 64 * float(np.finfo(np.float64).eps)
    with threadpool_limits(1):  # small matrices: threads only wait for one another
        found: Floats = minimize(
            loss,
            start,
            method="L-BFGS-B",
            jac=True,
            options={"maxiter": iterations, "maxls": line_searches, "gtol": gradient, "ftol": ftol},
        ).x
    return found


def _log_loss(log_odds: Floats, target: Floats | Flags) -> tuple[float, Floats]:
    """The summed log loss, and its derivative by each of the log-odds."""
    return float((np.logaddexp(0.0, log_odds) - target * log_odds).sum()), special.expit(log_odds) - target
