"""Intervals of agreement on categories that hold for few items, and where nearly all are of one category.

A jackknife fails there: single items decide all, and with one disagreement its interval reaches from -0.9 to 1. Drawn
are weights of the groups (a Bayesian bootstrap, doi:10.1214/aos/1176345338), with two items' worth of every pair of
categories beside them, so that what was not seen stays possible; of two raters, two categories and single items this is
Jeffreys' posterior of the table. Items of a group tell less than single ones: more is added, by the root of its size.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from voirdire.stats import special
from voirdire.stats.intervals import Floats
from voirdire.stats.rating_estimates import Estimate

_DRAWS = 4000
_SEED = 20261128
UNSEEN = 2.0
"""Items that are added, over all pairs of categories."""
UNSEEN_BY_AC = 4 / 3
"""For Gwet's AC, which more would pull below the truth where nearly all items are of one category."""
MIN_GROUPS = 3


def drawn_agreement(
    value: float,
    tables: Floats,
    groups: ArrayLike,
    statistic: Callable[[Floats], Floats],
    *,
    level: float = 0.95,
    unseen: float = UNSEEN,
) -> Estimate:
    """A coefficient with its interval.

    How often it holds the truth is measured by `benchmarks.statistics.agreement_coverage`.

    Args:
        value: of all items.
        tables: shape (items, …, categories, categories), what each item adds to tables of pairs of ratings.
        groups: shape (items,), what was sampled.
        statistic: from tables of shape (draws, …, categories, categories) to a number each, NaN where undefined.
        level: confidence level.
        unseen: items that are added, over all pairs of categories.

    Returns:
        The ends are NaN where the value is, and below `MIN_GROUPS` groups.
    """
    (estimate,) = drawn_agreements(
        [value], tables, groups, lambda drawn: [statistic(drawn)], level=level, unseen=unseen
    )
    return estimate


def drawn_agreements(
    values: Sequence[float],
    tables: Floats,
    groups: ArrayLike,
    statistics: Callable[[Floats], Sequence[Floats]],
    *,
    level: float = 0.95,
    unseen: float = UNSEEN,
) -> list[Estimate]:
    """Several coefficients of the same draws, as `drawn_agreement` gives each: `statistics` has an array for each."""
    labels = np.unique(np.asarray(groups), return_inverse=True)[1]
    has_pairs = tables.reshape(len(tables), -1).any(axis=1)
    rated = np.unique(labels[has_pairs])
    if np.isnan(values).all() or rated.size < MIN_GROUPS:
        return [Estimate(value, math.nan, math.nan) for value in values]
    per_group = np.zeros((int(labels.max()) + 1, *tables.shape[1:]))
    np.add.at(per_group, labels, tables)
    group_weights, unseen_items = _random_weights(rated.size, tables.shape[1:], unseen / tables.shape[-1] ** 2)
    weight, size = _weight_of_item(tables[has_pairs]), math.sqrt(has_pairs.sum() / rated.size)
    drawn = np.tensordot(group_weights, _in_order(per_group[rated]), axes=1) + weight * size * unseen_items
    tail = special.ndtr(special.stdtrit(rated.size - 1, 0.5 - level / 2))
    return [_estimate(value, of_draws, tail) for value, of_draws in zip(values, statistics(drawn), strict=True)]


def _in_order(tables: Floats) -> Floats:
    """Groups by what is in them, so that no interval depends on how they are called."""
    return tables[np.lexsort(tables.reshape(len(tables), -1).T)]


def _random_weights(groups: int, shape: tuple[int, ...], unseen: float) -> tuple[Floats, Floats]:
    """In each draw, what each group weighs, and how much is added to each cell of tables of this shape.

    What is added to the tables of a pair of raters does not depend on how many pairs come after it.
    """
    random = np.random.default_rng(_SEED)
    weights = random.standard_gamma(1.0, (_DRAWS, groups))
    by_pair = random.standard_gamma(unseen, (*shape[:-2], _DRAWS, *shape[-2:]))
    return weights, np.moveaxis(by_pair, -3, 0)


def _estimate(value: float, of_draws: Floats, tail: float) -> Estimate:
    if math.isnan(value):
        return Estimate(value, math.nan, math.nan)
    low, high = np.quantile(of_draws[np.isfinite(of_draws)], [tail, 1 - tail])
    return Estimate(value, min(float(low), value), max(float(high), value))


def _weight_of_item(tables: Floats) -> float:
    """What an item adds to a table, on average over those to which it adds something."""
    sums = tables.sum(axis=(-2, -1))
    return float(sums[sums > 0].mean())


def pair_tables(values: Floats, categories: int) -> Floats:
    """By item, how often two of its ratings, in either order, are of which two categories; half a rating each.

    Args:
        values: shape (items, raters), the number of a category, NaN where missing.
        categories: how many there are.
    """
    counts = (values[:, :, np.newaxis] == np.arange(categories)).sum(axis=1).astype(np.float64)
    ratings = counts.sum(axis=1)
    paired = ratings >= 2
    tables = np.zeros((len(values), categories, categories))
    own = counts[paired]
    both = own[:, :, np.newaxis] * own[:, np.newaxis, :] - own[:, :, np.newaxis] * np.eye(categories)
    tables[paired] = both / (2 * (ratings[paired] - 1))[:, np.newaxis, np.newaxis]
    return tables


def crossed_table(a: Floats, b: Floats, categories: int) -> Floats:
    """By item, one where two raters put it: shape (items, categories, categories), nothing where one rating is missing.

    Args:
        a: shape (items,), the number of a category, NaN where missing.
        b: likewise, of the other rater.
        categories: how many there are.
    """
    known = np.arange(categories)
    both = (a[:, np.newaxis] == known)[:, :, np.newaxis] & (b[:, np.newaxis] == known)[:, np.newaxis, :]
    return np.asarray(both, dtype=np.float64)


def kappas(tables: Floats, agreement: NDArray[np.float64]) -> Floats:
    """Cohen's kappa of each table of two raters; of tables the same either way, Scott's pi, and so Fleiss' kappa.

    Args:
        tables: shape (…, categories, categories).
        agreement: what two categories count for, from 1 where they are the same to 0.
    """
    shares = tables / tables.sum(axis=(-2, -1), keepdims=True)
    observed = (agreement * shares).sum(axis=(-2, -1))
    rows, columns = shares.sum(axis=-1), shares.sum(axis=-2)
    expected = np.einsum("...i,ij,...j->...", rows, agreement, columns)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.where(expected < 1, (observed - expected) / (1 - expected), np.nan))


def alphas(tables: Floats, *, ordinal: bool) -> Floats:
    """Krippendorff's alpha of each table of pairs, for many ratings.

    Args:
        tables: shape (…, categories, categories); which rating is the first does not matter.
        ordinal: whether categories are as far apart as their mean ranks, squared; else all differ alike.
    """
    shares = tables + tables.swapaxes(-2, -1)
    shares /= shares.sum(axis=(-2, -1), keepdims=True)
    share = shares.sum(axis=-1)
    places = np.cumsum(share, axis=-1) - share / 2
    unlike = 1 - np.eye(tables.shape[-1])
    apart = (places[..., :, np.newaxis] - places[..., np.newaxis, :]) ** 2 if ordinal else unlike
    observed = (apart * shares).sum(axis=(-2, -1))
    expected = (apart * share[..., :, np.newaxis] * share[..., np.newaxis, :]).sum(axis=(-2, -1))
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.where(expected > 0, 1 - observed / expected, np.nan))


def acs(tables: Floats, agreement: NDArray[np.float64]) -> Floats:
    """Gwet's AC of each table of pairs; see `kappas`."""
    shares = tables / tables.sum(axis=(-2, -1), keepdims=True)
    share, q = (shares.sum(axis=-1) + shares.sum(axis=-2)) / 2, tables.shape[-1]
    observed = (agreement * shares).sum(axis=(-2, -1))
    expected = agreement.sum() / (q * (q - 1)) * (share * (1 - share)).sum(axis=-1)
    return np.asarray((observed - expected) / (1 - expected))
