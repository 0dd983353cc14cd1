"""Agreement on categories, several coefficients side by side: where nearly all scores are alike they part company."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from voirdire.stats.agreement import gwet_ac
from voirdire.stats.intervals import Floats
from voirdire.stats.rating_estimates import Estimate, as_ratings, jackknifed_agreement, ratings_and_clusters


class NominalAgreement(NamedTuple):
    """Agreement of any number of judges who each put an item into one category; NaN where undefined."""

    categories: tuple[float, ...]
    """All that were used, rising."""
    prevalence: tuple[float, ...]
    """The share of each, of all scores."""
    pairwise_agreement: float
    """Mean over items of the share of pairs of judges who agree."""
    fleiss_kappa: float
    """(Pa - Pe)/(1 - Pe) with Pe = Σ p²: near 0 when nearly all scores are of one category, however many agree.
    Where scores are missing, see `fleiss_kappa`."""
    gwet_ac1: Estimate
    """The same with Pe = Σ p(1 - p)/(q - 1), which goes to 0 then."""
    unanimous_share: float
    """The share of items on which all judges agree."""


def nominal_agreement(
    ratings: ArrayLike, *, clusters: ArrayLike | None = None, level: float = 0.95
) -> NominalAgreement:
    """Agreement on categories: plain, Fleiss' kappa and Gwet's AC1 (doi:10.1037/h0031619, 10.1348/000711006X126600).

    Items with a single score count for prevalence only.

    Args:
        ratings: shape (items, judges), a number per category, NaN where missing.
        clusters: shape (items,), what the jackknife-t interval of AC1 leaves out at a time; `None`: single items.
        level: confidence level.

    Returns:
        Coefficients are NaN where only one category was used, or no item has two scores.

    Raises:
        ValueError: not two-dimensional.
    """
    scores = as_ratings(ratings)
    categories = np.unique(scores[~np.isnan(scores)])
    counts = (scores[:, :, np.newaxis] == categories).sum(axis=1)
    shares = counts.sum(axis=0) / max(int(counts.sum()), 1)
    paired = counts[counts.sum(axis=1) >= 2]
    several = len(categories) > 1 and len(paired) > 0
    cuts = (categories[1:] + categories[:-1]) / 2
    return NominalAgreement(
        categories=tuple(map(float, categories)),
        prevalence=tuple(map(float, shares)),
        pairwise_agreement=_pairwise(paired),
        fleiss_kappa=_fleiss(counts),
        gwet_ac1=gwet_ac(ratings, cuts=cuts.tolist(), weights=None, clusters=clusters, level=level)
        if several
        else Estimate(math.nan, math.nan, math.nan),
        unanimous_share=float(np.mean(paired.max(axis=1) == paired.sum(axis=1))) if len(paired) else math.nan,
    )


def fleiss_kappa(ratings: ArrayLike, *, clusters: ArrayLike | None = None, level: float = 0.95) -> Estimate:
    """Fleiss' kappa (doi:10.1037/h0031619) with an interval; items may have any number of ratings.

    Pa is the mean over items with two ratings or more. Pe = Σ p², p being a category's mean share over rated items, as
    in Gwet's form for missing ratings; with complete ratings that is Fleiss' own.

    Args:
        ratings: shape (items, judges), a number per category, NaN where missing.
        clusters: shape (items,), what the jackknife-t interval leaves out at a time; `None`: single items.
        level: confidence level.

    Returns:
        NaN where only one category was used, or no item has two ratings.

    Raises:
        ValueError: shapes that do not fit.
    """
    scores, groups = ratings_and_clusters(ratings, clusters)
    counts = (scores[:, :, np.newaxis] == np.unique(scores[~np.isnan(scores)])).sum(axis=1)
    return jackknifed_agreement(lambda mask: _fleiss(counts[mask]), groups, level=level)


def item_agreement(ratings: ArrayLike) -> Floats:
    """The share of pairs of judges who agree on each item; shape (items,), NaN with fewer than two ratings.

    Args:
        ratings: shape (items, judges), a number per category, NaN where missing.
    """
    scores = np.asarray(ratings, dtype=np.float64)
    counts = (scores[:, :, np.newaxis] == np.unique(scores[~np.isnan(scores)])).sum(axis=1)
    return _agreeing(counts)


def _fleiss(counts: Floats) -> float:
    per_item = counts.sum(axis=1)
    expected = float(np.sum((counts / per_item[:, np.newaxis]).mean(axis=0) ** 2)) if len(counts) else 1.0
    paired = counts[per_item >= 2]
    if not len(paired) or expected >= 1:
        return math.nan
    return (_pairwise(paired) - expected) / (1 - expected)


def _pairwise(counts: Floats) -> float:
    return float(np.mean(_agreeing(counts))) if len(counts) else math.nan


def _agreeing(counts: Floats) -> Floats:
    n = counts.sum(axis=1)
    pairs = n * (n - 1)
    agreeing = (counts * (counts - 1)).sum(axis=1)
    return np.asarray(np.divide(agreeing, pairs, out=np.full(len(counts), np.nan), where=pairs > 0), dtype=np.float64)
