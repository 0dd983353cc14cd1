"""Logistic regression, and two curves from scores to probabilities: a sigmoid (Platt) and a staircase (isotonic).

Objectives are scikit-learn's (`LogisticRegression`, the sigmoid of `CalibratedClassifierCV`, `IsotonicRegression`), and
so are the figures, as far as scikit-learn goes on: Newton's method ends where the objective does not fall any further.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from voirdire.stats import special

if TYPE_CHECKING:
    from threadpoolctl import ThreadpoolController

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

_STEPS = 100
_LEAST = 1e-10
"""The share of a step below which nothing is gained any more."""
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


def logistic_regression(features: Floats, target: Flags, inverse_penalty: float) -> Line:
    """Fit log-odds to what was found, with a squared penalty on the weights and none on the intercept.

    Args:
        features: shape (n, features).
        target: shape (n,); both kinds must occur.
        inverse_penalty: the smaller, the nearer to 0 the weights stay.
    """
    n, width = features.shape
    penalties = np.append(np.full(width, 1.0 / (inverse_penalty * n)), 0.0)
    result = _fit(np.column_stack([features, np.ones(n)]), target.astype(np.float64), penalties)
    return Line(result[:width], float(result[width]))


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

    result = _fit(np.column_stack([scaled, np.ones(scores.size)]), wanted, np.zeros(2))
    return Line(np.array([result[0] / scale]), float(result[1]))


def isotonic(scores: Floats, target: Flags) -> Steps:
    """The growing function that comes nearest to what was found, by squared distance.

    Args:
        scores: shape (n,).
        target: shape (n,), whether each came true.
    """
    x, place = np.unique(scores, return_inverse=True)
    number = np.bincount(place).astype(np.float64)
    y = _pooled(np.bincount(place, target) / number, number)
    knots = np.ones(y.size, np.bool_)
    knots[1:-1] = (y[1:-1] != y[:-2]) | (y[1:-1] != y[2:])
    return Steps(x[knots], y[knots])


def _fit(columns: Floats, target: Floats, penalties: Floats) -> Floats:
    """Where the mean log loss and half the penalised squares of the weights are lowest: Newton's method, damped.

    Args:
        columns: shape (n, weights).
        target: shape (n,), between 0 and 1.
        penalties: shape (weights,).
    """
    with _thread_pools().limit(limits=1):  # small matrices: threads only wait for one another
        weights = np.zeros(columns.shape[1])
        lowest = _loss(weights, columns, target, penalties)
        for _ in range(_STEPS):
            chances = special.expit(columns @ weights)
            gradient = columns.T @ (chances - target) / target.size + penalties * weights
            spread = (columns * (chances * (1 - chances))[:, np.newaxis]).T @ columns / target.size
            # Columns that say nothing, or say the same, leave the curvature without an inverse.
            step = np.linalg.lstsq(spread + np.diag(penalties), gradient, rcond=None)[0]
            share = 1.0
            while (loss := _loss(weights - share * step, columns, target, penalties)) > lowest and share > _LEAST:
                share /= 2
            if not loss < lowest:
                break
            weights, lowest = weights - share * step, loss
    return np.asarray(weights, dtype=np.float64)


@cache
def _thread_pools() -> ThreadpoolController:
    """Those of linear algebra, which it takes milliseconds to find."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


def _loss(weights: Floats, columns: Floats, target: Floats, penalties: Floats) -> float:
    log_odds = columns @ weights
    misfit = (np.logaddexp(0.0, log_odds) - target * log_odds).mean()
    return float(misfit + (penalties * weights**2).sum() / 2)


def _pooled(values: Floats, weights: Floats) -> Floats:
    """The growing values that come nearest: neighbours that fall share their mean (pool adjacent violators)."""
    pools: list[tuple[float, float, int]] = []
    for value, weight in zip(values.tolist(), weights.tolist(), strict=True):
        size = 1
        while pools and pools[-1][0] >= value:
            other, mass, count = pools.pop()
            value, weight, size = (value * weight + other * mass) / (weight + mass), weight + mass, size + count
        pools.append((value, weight, size))
    return np.repeat([value for value, *_ in pools], [size for *_, size in pools])
