"""Do two dimensions measure one thing? Their correlation pooled, within judges, and between trials."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy import stats

from voirdire.integrity.study._resample import draw_weights, interval_of
from voirdire.integrity.trials import Trials
from voirdire.stats.agreement import pearson
from voirdire.stats.intervals import Floats, Interval

DRAWS = 2000
FLAT = 1e-12
"""A product of variances below this is rounding."""

QUANTILE = 1.96
"""Of the normal distribution at 97.5 %, to as many places as the published interval was made with."""


class Pearson(NamedTuple):
    """A correlation; NaN where a side is constant."""

    r: float
    p: float
    """Two-sided, from t; takes the rows as independent."""
    n: int
    low: float
    high: float
    """Ends of Fisher's z interval at 95 %; likewise."""


@dataclass(frozen=True, slots=True)
class Dimensions:
    """How two dimensions go together under one rubric."""

    first: str
    second: str
    pooled: Pearson
    """Over all scores of all judges: mixes judges' leniency in."""
    per_evaluator: dict[str, Pearson]
    mean_evaluator_r: float
    centred_r: float
    """Pooled, each judge's own means taken off first: leniency can't drive it."""
    trial_means: Pearson
    """Of the means over judges, one per trial."""
    between_evaluator_means_r: float
    """Of the judges' means: what leniency alone gives."""
    pooled_bootstrap: Interval | None
    """Drawing trials with all their scores, as the five scores of a trial are not independent."""
    centred_bootstrap: Interval | None


def dimension_correlation(trials: Trials, rubric: str, first: str, second: str) -> Dimensions:
    """Correlate two dimensions under one rubric. Unparsed replies are left out.

    Raises:
        IntegrityError: there is no such rubric or dimension.
    """
    scores = trials.scores(rubric)
    scores[np.isnan(scores).any(axis=2)] = np.nan
    x, y = scores[:, :, trials.dimension(first)], scores[:, :, trials.dimension(second)]
    own_x, own_y = x - np.nanmean(x, axis=0), y - np.nanmean(y, axis=0)
    per_evaluator = {name: _pearson(x[:, at], y[:, at]) for at, name in enumerate(trials.evaluators)}
    weights = draw_weights(len(x), DRAWS)
    return Dimensions(
        first=first,
        second=second,
        pooled=_pearson(x, y),
        per_evaluator=per_evaluator,
        mean_evaluator_r=float(np.nanmean([each.r for each in per_evaluator.values()])),
        centred_r=_pearson(own_x, own_y).r,
        trial_means=_pearson(np.nanmean(x, axis=1), np.nanmean(y, axis=1)),
        between_evaluator_means_r=pearson(np.nanmean(x, axis=0), np.nanmean(y, axis=0)),
        pooled_bootstrap=interval_of(_drawn(x, y, weights)),
        centred_bootstrap=interval_of(_drawn(own_x, own_y, weights)),
    )


def _pearson(x: Floats, y: Floats) -> Pearson:
    known = ~np.isnan(x)
    a, b, n = x[known], y[known], int(known.sum())
    r = pearson(a, b)
    if math.isnan(r) or n < 4 or abs(r) >= 1:
        return Pearson(r, np.nan, n, np.nan, np.nan)
    z, half = math.atanh(r), QUANTILE / math.sqrt(n - 3)
    return Pearson(r, float(stats.pearsonr(a, b).pvalue), n, math.tanh(z - half), math.tanh(z + half))


def _drawn(x: Floats, y: Floats, weights: Floats) -> Floats:
    """Pearson's r of all scores of each draw; NaN where a side has no variation."""
    known = ~np.isnan(x)
    a, b = np.where(known, x - np.nanmean(x), 0.0), np.where(known, y - np.nanmean(y), 0.0)
    n = weights @ known.sum(axis=1)
    mean_a, mean_b, squares_a, squares_b, products = (
        weights @ each.sum(axis=1) / n for each in (a, b, a**2, b**2, a * b)
    )
    spread = (squares_a - mean_a**2) * (squares_b - mean_b**2)
    correlations: Floats = np.full(len(n), np.nan)
    np.divide(products - mean_a * mean_b, np.sqrt(np.maximum(spread, 0)), out=correlations, where=spread > FLAT)
    return correlations
