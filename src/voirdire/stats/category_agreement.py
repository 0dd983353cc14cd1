"""Agreement of scores that are put into ordered categories first: Cohen's kappa, Gwet's AC1 and AC2."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from voirdire.stats.intervals import Floats
from voirdire.stats.rating_estimates import Estimate, jackknifed_agreement, ratings_and_clusters

Weighting = Literal["linear", "quadratic"] | None

DECIMALS = 9
"""Scores are rounded to this before they meet a cut: 0.1 * 7 is at least 0.7."""


def cohen_kappa(a: ArrayLike, b: ArrayLike, *, cuts: Sequence[float], weights: Weighting) -> float:
    """Cohen's kappa of two judges whose scores are put into categories.

    kappa = (Po - Pe) / (1 - Pe), Po and Pe weighted (Cohen, doi:10.1037/h0026256).

    Args:
        a: shape (items,), one judge's scores; NaN where missing: the item is left out.
        b: shape (items,), the other's.
        cuts: rising; a score equal to a cut belongs above it. (0.7,) makes two categories.
        weights: how near misses count: `None` (not at all), "linear" or "quadratic" in the distance of categories.

    Returns:
        NaN without a shared item, and where both judges use one and the same category only.

    Raises:
        ValueError: cuts that do not rise, or shapes that differ.
    """
    x, y = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    if x.shape != y.shape or x.ndim != 1:
        raise ValueError(f"Two lists of equal length are needed; shapes {x.shape} and {y.shape} given.")
    both = ~(np.isnan(x) | np.isnan(y))
    agreement = agreement_weights(cuts, weights)
    counts = np.zeros_like(agreement)
    np.add.at(counts, (categories(x[both], cuts), categories(y[both], cuts)), 1.0)
    return kappa_of_counts(counts, agreement)


def kappa_of_counts(counts: Floats, agreement: Floats) -> float:
    """The same from how many items two judges put into which categories.

    Args:
        counts: shape (categories, categories), a row for each category of one judge.
        agreement: of the same shape, what two categories count for: from 1 where they are the same to 0.
    """
    if not counts.sum():
        return math.nan
    table = counts / counts.sum()
    observed = float((agreement * table).sum())
    expected = float((agreement * np.outer(table.sum(axis=1), table.sum(axis=0))).sum())
    return math.nan if expected >= 1 else (observed - expected) / (1 - expected)


def gwet_ac(
    ratings: ArrayLike,
    *,
    cuts: Sequence[float],
    weights: Weighting,
    clusters: ArrayLike | None = None,
    level: float = 0.95,
) -> Estimate:
    """Gwet's AC1 (no weights) or AC2 (weighted) of any number of judges (doi:10.1348/000711006X126600).

    AC = (Pa - Pe) / (1 - Pe). Pa is the mean, over items with two ratings or more, of the (weighted) share of agreeing
    pairs of ratings; Pe = (sum of all weights) / (q (q - 1)) · Σ p (1 - p) over the q categories, p being a category's
    mean share over rated items. Unlike kappa it does not fall when nearly all items are of one category.

    Args:
        ratings: shape (items, judges), NaN where missing.
        cuts: as of `cohen_kappa`.
        weights: likewise.
        clusters: shape (items,), what the jackknife-t interval leaves out at a time; `None`: single items.
        level: confidence level.

    Returns:
        NaN where no item has two ratings.

    Raises:
        ValueError: cuts that do not rise, or shapes that do not fit.
    """
    scores, groups = ratings_and_clusters(ratings, clusters)
    agreement = agreement_weights(cuts, weights)
    return jackknifed_agreement(lambda mask: _gwet(scores[mask], cuts, agreement), groups, level=level)


def _gwet(scores: Floats, cuts: Sequence[float], agreement: Floats) -> float:
    counts = _counts(scores, cuts)
    n = counts.sum(axis=1)
    paired = n >= 2
    if not paired.any():
        return math.nan
    agreeing = (counts * (counts @ agreement - 1)).sum(axis=1)
    observed = float(np.mean(agreeing[paired] / (n * (n - 1))[paired]))
    shares = (counts / n[:, np.newaxis]).mean(axis=0)
    q = len(shares)
    expected = float(agreement.sum() / (q * (q - 1)) * np.sum(shares * (1 - shares)))
    return (observed - expected) / (1 - expected)


def _counts(scores: Floats, cuts: Sequence[float]) -> Floats:
    """How many judges put each item into each category; shape (items, categories)."""
    counts = np.zeros((len(scores), len(cuts) + 1))
    items, judges = np.nonzero(~np.isnan(scores))
    np.add.at(counts, (items, categories(scores[items, judges], cuts)), 1.0)
    return counts


def categories(scores: Floats, cuts: Sequence[float]) -> NDArray[np.intp]:
    """The number of each score's category, from 0; a score equal to a cut belongs above it."""
    return np.digitize(np.round(scores, DECIMALS), cuts)


def agreement_weights(cuts: Sequence[float], weights: Weighting) -> Floats:
    """1 on the diagonal, less the farther two categories lie apart; shape (categories, categories)."""
    if not len(cuts) or np.any(np.diff(cuts) <= 0):
        raise ValueError(f"Cuts must rise, and there must be one at least; {tuple(cuts)} given.")
    places = np.arange(len(cuts) + 1)
    apart: Floats = np.abs(places[:, np.newaxis] - places) / len(cuts)
    if weights is None:
        return np.asarray(apart == 0, dtype=np.float64)
    return np.asarray(1 - apart if weights == "linear" else 1 - apart**2)
