"""How far the judges agree, by every coefficient that is called "ICC" somewhere, and whether two dimensions are one.

Dimensions are correlated pooled, within judges, and between trials: leniency alone can make a pooled correlation.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from voirdire.integrity.trials import Treatment, Trials
from voirdire.stats.agreement import Estimate, Intraclass, intraclass, krippendorff_alpha, pairwise, pearson
from voirdire.stats.correlation import correlation_p
from voirdire.stats.intervals import Floats, Interval, percentile
from voirdire.stats.nominal import NominalAgreement, nominal_agreement
from voirdire.stats.one_way_icc import OneWayIcc, icc_draws, one_way_icc

MOST_CATEGORIES = 4
"""A rubric with at most this many distinct scores (three grades, and -1) is one of categories."""

ICC_DRAWS = 1000
DIMENSION_DRAWS = 2000
FLAT = 1e-12
"""A product of variances below this is rounding."""

QUANTILE = 1.96
"""Of the normal distribution at 97.5 %, to as many places as the published interval was made with."""

_SEED = 7


@dataclass(frozen=True, slots=True)
class Agreement:
    """Agreement of all judges on one dimension under one rubric."""

    rubric: str
    dimension: str
    treatment: Treatment
    one_way: OneWayIcc
    two_way: Intraclass
    """Its intervals leave out a scenario at a time: trials of one scenario share its facts."""
    bootstrap_2_1: Interval | None
    """Percentile interval over trials taken as independent, as it was published; `None` with missing scores, and where
    some draws hold no variation."""
    bootstrap_3_1: Interval | None
    mean_pairwise_pearson: float | None
    """Over the pairs of judges in which neither gives always the same; `None` without such a pair."""
    pairs_defined: int
    alpha: Estimate
    """Krippendorff's, for interval scores."""
    mean: float
    sd: float
    """Of all scores, n in the denominator."""
    evaluator_means: dict[str, float]
    constant: tuple[str, ...]
    """Judges who always give the same score."""
    nominal: NominalAgreement | None
    """For rubrics of categories, the mean of dimensions apart."""


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


def agreement_table(trials: Trials) -> tuple[Agreement, ...]:
    """Agreement under every rubric, dimension and treatment of unparsed replies that makes a difference."""
    affected = {cell.rubric for cell in trials.unparsed}
    return tuple(
        agreement(trials, rubric, dimension, treatment)
        for rubric in trials.parsed
        for dimension in trials.dimensions
        for treatment in treatments(rubric in affected)
    )


def treatments(affected: bool) -> tuple[Treatment, ...]:
    """Those that differ; where every reply was parsed there is one only."""
    return ("published", "recovered", "missing") if affected else ("published",)


def agreement(trials: Trials, rubric: str, dimension: str, treatment: Treatment) -> Agreement:
    """Agreement on one dimension under one rubric.

    Raises:
        IntegrityError: there is no such rubric or dimension.
    """
    ratings = trials.scores(rubric, treatment)[:, :, trials.dimension(dimension)]
    clusters = np.unique([trial.scenario for trial in trials.trials], return_inverse=True)[1]
    correlations = pairwise(ratings, pearson)[np.triu_indices(len(trials.evaluators), k=1)]
    defined = correlations[~np.isnan(correlations)]
    low, high = np.nanmin(ratings, axis=0), np.nanmax(ratings, axis=0)
    graded = len(np.unique(ratings[~np.isnan(ratings)])) <= MOST_CATEGORIES and not dimension.startswith("overall")
    bootstrap_2_1, bootstrap_3_1 = _bootstrap(ratings)
    return Agreement(
        rubric=rubric,
        dimension=dimension,
        treatment=treatment,
        one_way=one_way_icc(ratings),
        two_way=intraclass(ratings, clusters=clusters),
        bootstrap_2_1=bootstrap_2_1,
        bootstrap_3_1=bootstrap_3_1,
        mean_pairwise_pearson=float(defined.mean()) if len(defined) else None,
        pairs_defined=len(defined),
        alpha=krippendorff_alpha(ratings, "interval", clusters),
        mean=float(np.nanmean(ratings)),
        sd=float(np.nanstd(ratings)),
        evaluator_means=dict(zip(trials.evaluators, map(float, np.nanmean(ratings, axis=0)), strict=True)),
        constant=tuple(name for name, flat in zip(trials.evaluators, low == high, strict=True) if flat),
        nominal=nominal_agreement(ratings, clusters=clusters) if graded else None,
    )


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
    weights = _draw_weights(len(x), DIMENSION_DRAWS)
    return Dimensions(
        first=first,
        second=second,
        pooled=_pearson(x, y),
        per_evaluator=per_evaluator,
        mean_evaluator_r=float(np.nanmean([each.r for each in per_evaluator.values()])),
        centred_r=_pearson(own_x, own_y).r,
        trial_means=_pearson(np.nanmean(x, axis=1), np.nanmean(y, axis=1)),
        between_evaluator_means_r=pearson(np.nanmean(x, axis=0), np.nanmean(y, axis=0)),
        pooled_bootstrap=_interval_of(_drawn(x, y, weights)),
        centred_bootstrap=_interval_of(_drawn(own_x, own_y, weights)),
    )


def _bootstrap(ratings: Floats) -> tuple[Interval | None, Interval | None]:
    if np.isnan(ratings).any():
        return None, None
    drawn = icc_draws(ratings, _draw_weights(len(ratings), ICC_DRAWS))
    return _interval_of(drawn.icc_2_1), _interval_of(drawn.icc_3_1)


def _pearson(x: Floats, y: Floats) -> Pearson:
    known = ~np.isnan(x)
    a, b, n = x[known], y[known], int(known.sum())
    r = pearson(a, b)
    if math.isnan(r) or n < 4 or abs(r) >= 1:
        return Pearson(r, np.nan, n, np.nan, np.nan)
    z, half = math.atanh(r), QUANTILE / math.sqrt(n - 3)
    return Pearson(r, correlation_p(r, n), n, math.tanh(z - half), math.tanh(z + half))


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


def _draw_weights(trials: int, draws: int) -> Floats:
    """How often each trial stands in each draw, the same for every figure; shape (draws, trials)."""
    drawn = np.random.default_rng(_SEED).integers(0, trials, (draws, trials))
    places = drawn + np.arange(draws)[:, np.newaxis] * trials
    return np.bincount(places.ravel(), minlength=draws * trials).reshape(draws, trials).astype(np.float64)


def _interval_of(values: Floats) -> Interval | None:
    """Their percentile interval; `None` where a draw has no value, for what lies outside is then unknown."""
    return None if np.isnan(values).any() else percentile(values)
