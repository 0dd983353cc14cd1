"""Scores as they would be if all outputs had the same length: a fractional logistic regression of scores on length."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from voirdire.stats import special
from voirdire.stats.minimum import lowest

Floats = NDArray[np.float64]

_ITERATIONS = 2_000
_ROUNDS = 50
"""Of taking out means by row and by column."""
_ENOUGH = 1e-9


class LengthAdjusted(NamedTuple):
    """What the regression found."""

    scores: Floats
    """Shape (models, items): the score expected at a length difference of 0; NaN where score or length is missing."""
    slope: float
    """Log-odds for one unit of the length measure: the same for all models."""
    se: float
    """Of the slope, clustered by item."""


def length_measure(lengths: ArrayLike, beside: ArrayLike) -> Floats:
    """Tanh of the log of the ratio of two lengths: 3/5 for twice as long, -3/5 for half as long, never beyond 1.

    It rests on the two lengths alone. AlpacaEval (arXiv:2404.04475) takes the tanh of the difference over its standard
    deviation; over all models that grows with the distance between them, so that what length does within each model is
    taken for too much of that distance.
    """
    own, others = np.square(np.asarray(lengths, dtype=np.float64)), np.square(np.asarray(beside, dtype=np.float64))
    return np.asarray((own - others) / (own + others), dtype=np.float64)


def length_adjusted(scores: ArrayLike, measure: ArrayLike) -> LengthAdjusted:
    """Fit log-odds of scores as model + item + slope · length; items' effects are drawn to 0 (normal, variance 1).

    Args:
        scores: shape (models, items), in [0, 1]; NaN where missing.
        measure: shape (models, items), of the length; NaN where missing.

    Raises:
        ValueError: no score with a length.
    """
    y, x = np.asarray(scores, dtype=np.float64), np.asarray(measure, dtype=np.float64)
    weight = (~(np.isnan(y) | np.isnan(x))).astype(np.float64)
    if not weight.any():
        raise ValueError("No score has a length.")
    y, x, total = np.where(weight > 0, y, 0.0), np.where(weight > 0, x, 0.0), float(weight.sum())
    models = len(y)

    def log_odds(line: Floats) -> Floats:
        return np.asarray(line[:models, np.newaxis] + line[models:-1] + line[-1] * x, dtype=np.float64)

    def loss(line: Floats) -> tuple[float, Floats]:
        odds, items = log_odds(line), line[models:-1]
        value = ((np.logaddexp(0.0, odds) - y * odds) * weight).sum() + (items**2).sum() / 2
        slope = (special.expit(odds) - y) * weight
        gradient = np.concatenate([slope.sum(axis=1), slope.sum(axis=0) + items, [(slope * x).sum()]])
        return float(value / total), gradient / total

    line = lowest(loss, np.zeros(sum(y.shape) + 1), _ITERATIONS, gradient=1e-7)
    chance = special.expit(log_odds(line))
    alone = _without_means(x, chance * (1 - chance) * weight)
    by_item = ((y - chance) * weight * alone).sum(axis=0)
    information = float((chance * (1 - chance) * weight * alone**2).sum())
    se = float(np.sqrt((by_item**2).sum()) / information) if information > _ENOUGH else float("nan")
    at_zero = special.expit(line[:models, np.newaxis] + line[models:-1])
    return LengthAdjusted(np.where(weight > 0, at_zero, np.nan), float(line[-1]), se)


def _without_means(x: Floats, weight: Floats) -> Floats:
    """What is left of x without its weighted means by row and by column."""
    left = x.copy()
    for _ in range(_ROUNDS):
        for axis in (0, 1):
            sums = weight.sum(axis=axis, keepdims=True)
            means = np.divide(
                (left * weight).sum(axis=axis, keepdims=True), sums, out=np.zeros_like(sums), where=sums > 0
            )
            left = left - means
    return left
