"""Agreement of judges: arrays of scores in, NamedTuples out; missing scores are NaN and never a reason to drop an item.

Which coefficient says what stands in docs/reliability.md.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from voirdire.stats import special
from voirdire.stats.category_agreement import DECIMALS, Weighting, categories, cohen_kappa, gwet_ac, kappa_of_counts
from voirdire.stats.crossed_ratings import Components, components, fit, without_each
from voirdire.stats.effective_raters import EffectiveRaters, effective_raters
from voirdire.stats.intervals import Floats
from voirdire.stats.rating_estimates import (
    Bools,
    Estimate,
    as_ratings,
    estimate_from_jackknife,
    jackknifed,
    jackknifed_agreement,
    ratings_and_clusters,
)

__all__ = [
    "EffectiveRaters",
    "Estimate",
    "Intraclass",
    "ItemSpread",
    "Measurement",
    "Weighting",
    "categories",
    "cohen_kappa",
    "effective_raters",
    "gwet_ac",
    "intraclass",
    "item_spread",
    "kappa_of_counts",
    "krippendorff_alpha",
    "leniency",
    "leniency_shift",
    "mean_absolute_difference",
    "pairwise",
    "pearson",
]

Measurement = Literal["interval", "ordinal", "nominal"]


class Intraclass(NamedTuple):
    """Intraclass correlations of crossed items and judges; NaN where undefined."""

    icc_2_1: Estimate
    """Absolute agreement of a single judge, judges a sample of many: leniency counts against it."""
    icc_2_k: Estimate
    """The same of the mean of all judges."""
    icc_3_1: Estimate
    """Consistency of a single judge: leniency does not matter."""
    icc_3_k: Estimate
    """The same of the mean of all judges."""
    items: int
    """With at least one score."""
    judges: int
    """Likewise."""
    complete: int
    """Items scored by all of the judges."""
    method: str
    """How the intervals were made: "F", "jackknife-t over items" or "jackknife-t over clusters"."""


class ItemSpread(NamedTuple):
    """Mean and standard deviation between judges, per item with two scores or more."""

    mean: Floats
    sd: Floats


def intraclass(ratings: ArrayLike, *, clusters: ArrayLike | None = None, level: float = 0.95) -> Intraclass:
    """ICC(2,1), ICC(2,k), ICC(3,1) and ICC(3,k), with all scores that there are.

    Variance components a (items), b (judges) and e (error) give ICC(2,1) = a/(a + b + e) and ICC(3,1) = a/(a + e); for
    the mean of k judges, b and e count 1/k. With complete scores the components are those of the two-way analysis of
    variance (McGraw and Wong, doi:10.1037/1082-989X.1.1.30); with missing ones, those of Henderson's method III, which
    then drops no item (`stats/crossed_ratings.py` has the formulas). An ICC may be negative; it is not cut off at 0.

    Intervals: F-based for complete scores of independent items. With clusters, or with missing scores, a jackknife-t
    over clusters (or items) on Fisher's scale for an ICC, log((1 + (k - 1) ICC)/(1 - ICC)); it speaks of these judges
    on other items, while the F interval of ICC(2,·) also speaks of other judges.

    Args:
        ratings: shape (items, judges), NaN where missing.
        clusters: shape (items,), what was sampled, if items of one cluster resemble one another.
        level: confidence level.

    Raises:
        ValueError: shapes that do not fit.
    """
    scores, groups = ratings_and_clusters(ratings, clusters)
    scores = scores[:, ~np.isnan(scores).all(axis=0)]
    items, k = scores.shape
    complete = int((~np.isnan(scores)).all(axis=1).sum())
    variances = components(scores)
    if clusters is None and complete == items:
        method = "F"
        agreement, consistency = _with_f_intervals(variances, items, k, level)
    else:
        method = f"jackknife-t over {'items' if clusters is None else 'clusters'}"
        without = without_each(scores, groups)
        agreement, consistency = (
            _jackknifed_icc(ratio, variances, without, k, level) for ratio in (_agreement, _consistency)
        )
    return Intraclass(
        agreement,
        _stepped_up(agreement, k),
        consistency,
        _stepped_up(consistency, k),
        items=items,
        judges=k,
        complete=complete,
        method=method,
    )


def pairwise(ratings: ArrayLike, function: Callable[[Floats, Floats], float]) -> Floats:
    """A function of every two judges' scores on the items both have scored; shape (judges, judges), symmetric.

    Args:
        ratings: shape (items, judges), NaN where missing.
        function: symmetric; takes two arrays of equal shape (shared items,), which may be empty.
    """
    scores = np.asarray(ratings, dtype=np.float64)
    k = scores.shape[1]
    matrix = np.full((k, k), np.nan)
    for one, other in zip(*np.triu_indices(k), strict=True):
        both = ~np.isnan(scores[:, [one, other]]).any(axis=1)
        matrix[one, other] = matrix[other, one] = function(scores[both, one], scores[both, other])
    return matrix


def pearson(a: Floats, b: Floats) -> float:
    """Pearson's correlation; NaN below two items, or where one side is constant."""
    if len(a) < 2 or np.ptp(a) == 0 or np.ptp(b) == 0:
        return math.nan
    return float(np.corrcoef(a, b)[0, 1])


def mean_absolute_difference(a: Floats, b: Floats) -> float:
    """Mean absolute difference of two judges; NaN without an item."""
    return float(np.mean(np.abs(a - b))) if len(a) else math.nan


def item_spread(ratings: ArrayLike, *, ddof: int = 0) -> ItemSpread:
    """Mean and standard deviation between judges of every item with two ratings or more.

    Args:
        ratings: shape (items, judges), NaN where missing.
        ddof: 0 for the standard deviation of these judges (what the DDFT paper prints as "variance", 4.4), 1 for the
            estimate of the one of all judges they are a sample of.
    """
    scores = as_ratings(ratings)
    scores = scores[(~np.isnan(scores)).sum(axis=1) >= 2]
    mean: Floats = np.asarray(np.nanmean(scores, axis=1)).round(
        DECIMALS
    )  # three scores of 0.9 have a mean that is not above 0.9
    return ItemSpread(mean, np.nanstd(scores, axis=1, ddof=ddof))


def krippendorff_alpha(
    ratings: ArrayLike, measurement: Measurement, clusters: ArrayLike | None = None, *, level: float = 0.95
) -> Estimate:
    """Krippendorff's alpha: 1 - observed/expected disagreement over pairs of ratings of an item.

    Items with a single rating tell nothing and are left out, as in its definition. The distance of two scores is the
    squared difference ("interval"), the same of their mean ranks among all paired ratings ("ordinal"), or whether they
    differ ("nominal"). Values equal those of the package `krippendorff`, whose tables of all distinct scores would take
    gigabytes for scores that hardly repeat.

    Args:
        ratings: shape (items, judges), NaN where missing; for "nominal", a number per category.
        measurement: how scores are compared.
        clusters: shape (items,), what the jackknife-t interval leaves out at a time; `None`: single items.
        level: confidence level.

    Returns:
        NaN where all paired ratings are equal, or none are paired.
    """
    scores, groups = ratings_and_clusters(ratings, clusters)
    return jackknifed_agreement(lambda mask: _alpha(scores[mask], measurement), groups, level=level)


def leniency(ratings: ArrayLike, clusters: ArrayLike | None = None, *, level: float = 0.95) -> tuple[Estimate, ...]:
    """How much higher each judge scores than the others, on the same items.

    A judge's effect in the model score = item + judge + error, fitted by least squares, minus the mean effect of the
    others. With complete scores this is the difference of plain means; with missing ones it is not thrown off by who
    happened to score the harder items.

    Args:
        ratings: shape (items, judges), NaN where missing.
        clusters: shape (items,), what the jackknife-t interval leaves out at a time; `None`: single items.
        level: confidence level.

    Returns:
        One per judge; NaN where no chain of shared items links all judges, or there is one judge only.
    """
    scores, groups = ratings_and_clusters(ratings, clusters)
    return tuple(
        jackknifed(partial(_deviation, scores, judge), groups, level=level) for judge in range(scores.shape[1])
    )


def leniency_shift(
    ratings: ArrayLike, judge: int, among: ArrayLike, clusters: ArrayLike | None = None, *, level: float = 0.95
) -> Estimate:
    """How much a judge's leniency among some items exceeds that among the others: a difference in differences.

    Args:
        ratings: shape (items, judges), NaN where missing.
        judge: its column.
        among: shape (items,), true for the items in question.
        clusters: shape (items,), what the jackknife-t interval leaves out at a time; `None`: single items.
        level: confidence level.

    Returns:
        NaN where the judge's leniency is undefined on either side.
    """
    scores = np.asarray(ratings, dtype=np.float64)
    inside = np.asarray(among, dtype=np.bool_)[~np.isnan(scores).all(axis=1)]
    scores, groups = ratings_and_clusters(scores, clusters)

    def shift(mask: Bools) -> float:
        return _deviation(scores, judge, mask & inside) - _deviation(scores, judge, mask & ~inside)

    return jackknifed(shift, groups, level=level)


def _agreement(variances: Components) -> float:
    return _ratio(variances.items, variances.items + variances.judges + variances.error)


def _consistency(variances: Components) -> float:
    return _ratio(variances.items, variances.items + variances.error)


def _ratio(part: float, whole: float) -> float:
    return part / whole if whole > 0 else math.nan


def _jackknifed_icc(
    ratio: Callable[[Components], float], variances: Components, without: Sequence[Components], k: int, level: float
) -> Estimate:
    z = estimate_from_jackknife(
        _fisher(ratio(variances), k), [_fisher(ratio(each), k) for each in without], level=level
    )
    return Estimate(ratio(variances), _unfisher(z.low, k), _unfisher(z.high, k))


def _stepped_up(single: Estimate, k: int) -> Estimate:
    """Of the mean of k judges (Spearman and Brown); undefined from -1/(k - 1) down."""
    value, low, high = (k * icc / (1 + (k - 1) * icc) if 1 + (k - 1) * icc > 0 else math.nan for icc in single)
    if math.isnan(value) or math.isnan(low):
        return Estimate(value, math.nan, math.nan)
    return Estimate(value, low, high)


def _fisher(icc: float, k: int) -> float:
    below, above = 1 - icc, 1 + (k - 1) * icc
    return math.log(above / below) if below > 0 and above > 0 else math.nan


def _unfisher(z: float, k: int) -> float:
    return (math.exp(z) - 1) / (math.exp(z) + k - 1)


def _with_f_intervals(variances: Components, n: int, k: int, level: float) -> tuple[Estimate, Estimate]:
    """ICC(2,1) and ICC(3,1) of complete scores, with McGraw and Wong's intervals (their table 7)."""
    agreement, consistency = _agreement(variances), _consistency(variances)
    if not variances.error > 0:
        return Estimate(agreement, math.nan, math.nan), Estimate(consistency, math.nan, math.nan)
    # Mean squares over that of error, from the components.
    f_items, f_judges = 1 + k * variances.items / variances.error, 1 + n * variances.judges / variances.error
    quantile, df = 0.5 + level / 2, (n - 1) * (k - 1)
    ends = f_items / special.fdtri(n - 1, df, quantile), f_items * special.fdtri(df, n - 1, quantile)
    low, high = ((float(end) - 1) / (float(end) + k - 1) for end in ends)
    a, b = k * agreement * f_judges, n * (1 + (k - 1) * agreement) - k * agreement
    spread = a**2 / (k - 1) + b**2 / df
    if not spread > 0:  # two judges who order the items exactly the other way round
        return Estimate(agreement, math.nan, math.nan), Estimate(consistency, low, high)
    agreed = _agreement_ends(f_items, f_judges, n, k, (a + b) ** 2 / spread, quantile)
    return Estimate(agreement, *agreed), Estimate(consistency, low, high)


def _agreement_ends(f_items: float, f_judges: float, n: int, k: int, v: float, quantile: float) -> tuple[float, float]:
    upper, lower = float(special.fdtri(n - 1, v, quantile)), float(special.fdtri(v, n - 1, quantile))
    others = k * f_judges + k * n - k - n
    return (
        n * (f_items - upper) / (upper * others + n * f_items),
        n * (lower * f_items - 1) / (others + n * lower * f_items),
    )


def _alpha(scores: Floats, measurement: Measurement) -> float:
    known = ~np.isnan(scores)
    paired = known.sum(axis=1) >= 2
    ratings, known = scores[paired], known[paired]
    n = int(known.sum())
    if n == 0 or np.ptp(ratings[known]) == 0:
        return math.nan
    placed = _as_points(ratings[known], measurement)
    points = np.zeros((*ratings.shape, placed.shape[1]))
    points[known] = placed - placed.mean(axis=0)
    per_item = known.sum(axis=1)
    squares, sums = (points**2).sum(axis=(1, 2)), points.sum(axis=1)
    # Sum of squared distances over pairs: m Σ x² - (Σ x)².
    observed = float(np.sum((per_item * squares - (sums**2).sum(axis=1)) / (per_item - 1))) / n
    expected = float(squares.sum()) / (n - 1)
    return 1 - observed / expected


def _as_points(values: Floats, measurement: Measurement) -> Floats:
    """Each value as a point, so that distances are squared Euclidean ones; shape (values, dimensions)."""
    if measurement == "interval":
        return values[:, np.newaxis]
    if measurement == "ordinal":
        _, place, copies = np.unique(values, return_inverse=True, return_counts=True)
        return (np.cumsum(copies) - (copies - 1) / 2)[place][:, np.newaxis]
    return np.asarray(values[:, np.newaxis] == np.unique(values), dtype=np.float64)


def _deviation(scores: Floats, judge: int, mask: Bools) -> float:
    model = fit(scores[mask])
    effects = model.judge_effects
    if not model.connected or model.judges < 2 or math.isnan(effects[judge]):
        return math.nan
    return float(effects[judge] - np.nanmean(np.delete(effects, judge)))
