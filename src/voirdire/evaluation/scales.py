"""On which scale scores lie: whether two models, or two judges, were scored on different ones."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from voirdire.evaluation.records import Evaluation, Floats

_FEWEST = 20
"""Scores that tell a scale."""
_WIDER = 4.0
"""How many times as high and as wide scores on another scale lie: 0 to 5 beside 0 to 20."""
_ALIKE = 2.0
"""How far the spread, as a share of the highest score, may differ between scores that are alike but for their scale."""
_SHARES = ((1.0, 0.4), (100.0, 0.4))
_USUAL = (*_SHARES, (5.0, 0.8), (10.0, 0.8), (20.0, 0.8), (50.0, 0.8))
"""Ends of usual scales, and the part of each that the highest score reaches at least.

A time, a perplexity or a count has no end. A share may be known as one, or in percent.
"""

_ENDS = (1.0, 3.0, 4.0, 5.0, 7.0, 10.0, 100.0)
"""Highest steps of usual scales."""
_MOST_STEPS = 11
_FAR = 2.0
"""Beyond the highest step of a scale, in widths of it: no step of it lies there."""
_SLIPS = 0.01
"""Of the scores, or three: what more of them have is no slip."""


def off_the_scale(evaluation: Evaluation) -> np.ndarray:
    """Shape (rows,): the few scores far above a usual scale of few steps that all others lie on: 11 among 0 and 1.

    Where lower is better nothing is: counts and times have no end.
    """
    score = evaluation.rows["score"].to_numpy(np.float64)
    values, counts = np.unique(score[~np.isnan(score)], return_counts=True)
    most = max(3, int(_SLIPS * counts.sum()))
    for steps in range(len(values) - 1, 1, -1):
        low, high = values[0], values[steps - 1]
        if counts[steps:].sum() > most or not evaluation.higher_is_better or counts[:steps].sum() < _FEWEST:
            break
        if steps <= _MOST_STEPS and low >= 0 and high in _ENDS and values[steps] >= high + _FAR * (high - low):
            return np.asarray(score >= values[steps])
    return np.zeros(len(score), dtype=bool)


def by_name(evaluation: Evaluation, column: str) -> dict[str, Floats]:
    """The scores of each model or judge that has enough of them, and not one score alone."""
    score, codes = evaluation.rows["score"].to_numpy(np.float64), evaluation.codes(column)
    names = evaluation.rows[column].cat.categories
    own = {str(name): score[(codes == place) & ~np.isnan(score)] for place, name in enumerate(names)}
    return {name: scores for name, scores in own.items() if len(scores) >= _FEWEST and np.ptp(scores) > 0}


def most_apart(scores: Sequence[Floats], *, lower: bool = False) -> tuple[int, int] | None:
    """Which two lie on different scales: the place of the wider one, then of the narrower; `None` if none do.

    A better model has more of the high scores of one scale. On another scale the highest score and the spread are as
    many times as large, and each reaches the end of a usual scale.

    Args:
        scores: of each model or judge.
        lower: lower scores are better, as of errors, times and costs: only a share and percent are then two scales.
    """
    reach = np.array([np.abs(own).max() for own in scores])
    spread = np.array([own.std() for own in scores])
    if len(scores) < 2:
        return None
    wider, shape = reach[:, np.newaxis] / reach, (spread / reach)[:, np.newaxis] / (spread / reach)
    apart = (wider >= _WIDER) & (spread[:, np.newaxis] >= _WIDER * spread) & (np.maximum(shape, 1 / shape) <= _ALIKE)
    ends = _SHARES if lower else _USUAL
    bounded = np.any([(reach >= part * end) & (reach <= end) for end, part in ends], axis=0)
    apart &= (reach[:, np.newaxis] > 1) & bounded & bounded[:, np.newaxis]
    if not apart.any():
        return None
    high, low = divmod(int(np.argmax(np.where(apart, wider, 0.0))), len(scores))
    return high, low


@lru_cache(maxsize=8)
def judges_apart(evaluation: Evaluation) -> tuple[str, str] | None:
    """Two judges who score on different scales, the wider one first."""
    judges = by_name(evaluation, "judge")
    pair = most_apart([*judges.values()], lower=not evaluation.higher_is_better)
    return pair and (list(judges)[pair[0]], list(judges)[pair[1]])
