"""Agreement on categories: percent, Cohen, Fleiss, Krippendorff and Gwet side by side, where none tells it all."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from voirdire.raters.agreement.measures import (
    Coefficient,
    Figure,
    Floats,
    Table,
    clustered_figure,
    cuts_between,
    figure_of,
    kappa,
    mean_over_pairs,
    tabulate,
)
from voirdire.raters.records import Project, Rating
from voirdire.raters.tasks.base import Scale
from voirdire.stats import Estimate, gwet_ac, krippendorff_alpha
from voirdire.stats.agreement import Measurement, Weighting
from voirdire.stats.clustered import Estimate as Clustered
from voirdire.stats.clustered import mean_score
from voirdire.stats.jackknife import Bools, jackknife_estimate
from voirdire.stats.nominal import fleiss_kappa, item_agreement

_NOT_PAIRED = "No item has been rated by two people."
_NOT_GRADED = "No item has been graded on this scale by two people."
_KAPPA = "Every two raters use one and the same category only, on the items they share."
_ALPHA = "All items rated twice are of one category: there is no disagreement by chance to correct for."


class PairKappa(NamedTuple):
    """Cohen's kappa of two raters."""

    raters: tuple[str, str]
    items: int
    """That both have rated."""
    percent: float
    """Share of them on which they agree."""
    kappa: float | None
    """`None`: both use one and the same category only."""


@dataclass(frozen=True, slots=True)
class CategoryAgreement:
    """How far people agree on categories. With ordered ones, near misses count in part where a weight is named."""

    name: str
    ordered: bool
    shares: Mapping[str, float]
    """Of each category that was used, of all ratings."""
    items: int
    """With a rating."""
    paired: int
    """With two or more."""
    groups: int
    """That these are of."""
    raters: tuple[str, ...]
    percent: Figure
    """Mean over items of the share of pairs of raters who agree; in [0, 1]."""
    cohen: Figure
    """Mean over pairs of raters, by the items they share; linear weights where ordered."""
    cohen_pairs: tuple[PairKappa, ...]
    fleiss: Figure
    """Without weights."""
    alpha: Figure
    """Krippendorff's, nominal or ordinal."""
    ac: Figure
    """Gwet's AC1, or AC2 with linear weights where ordered; over all categories of the scale, used or not.

    So it is defined, and 1, where all ratings are of one."""


def category_agreement(project: Project, ratings: Sequence[Rating], scale: Scale) -> CategoryAgreement:
    """Agreement on one scale.

    Args:
        project: whose items they are.
        ratings: independent ones.
        scale: what to compare them by.
    """
    table = tabulate(project, ratings, scale.number)
    weights: Weighting = "linear" if scale.ordered else None
    paired = int(table.paired.sum())
    twice = len({each.item for each in ratings}) < len(ratings)
    alone = _NOT_GRADED if twice else _NOT_PAIRED
    used = np.unique(table.values[~np.isnan(table.values)])
    percent = clustered_figure(_percent(table), alone)
    groups, several = table.paired_groups, _several(table)
    cohen = fleiss = alpha = Figure(None, reason=_ALPHA if paired else alone)
    if several:
        cohen = figure_of(_cohen(table, kappa(len(scale.categories), weights)), groups, _KAPPA)
        fleiss = figure_of(fleiss_kappa(table.values, clusters=table.groups), groups, _ALPHA)
        measured: Measurement = "ordinal" if scale.ordered else "nominal"
        alpha = figure_of(krippendorff_alpha(table.values, measured, table.groups), groups, _ALPHA)
    cuts = cuts_between(len(scale.categories))
    ac = Figure(None, reason=alone)
    if paired:
        ac = figure_of(gwet_ac(table.values, cuts=cuts, weights=weights, clusters=table.groups), groups, alone)
    return CategoryAgreement(
        name=scale.name,
        ordered=scale.ordered,
        shares={scale.categories[int(number)]: float(np.nanmean(_is(table, number))) for number in used},
        items=len(table.items),
        paired=paired,
        groups=table.paired_groups,
        raters=table.raters,
        percent=percent,
        cohen=cohen,
        cohen_pairs=_pairs(table, kappa(len(scale.categories), weights)),
        fleiss=fleiss,
        alpha=alpha,
        ac=ac,
    )


def _several(table: Table) -> bool:
    """Whether items rated twice are of more than one category: else no chance agreement can be told of them."""
    values = table.values[table.paired]
    return len(np.unique(values[~np.isnan(values)])) > 1


def _percent(table: Table) -> Clustered:
    shares = item_agreement(table.values)[table.paired]
    return mean_score(shares, table.groups[table.paired], top=1.0)


def _cohen(table: Table, coefficient: Coefficient) -> Estimate:
    """The mean over the pairs of raters for whom there is a kappa."""
    pairs = [table.values[:, [one, other]] for one, other, _ in table.pairs()]

    def mean(kept: Bools) -> float:
        return mean_over_pairs(coefficient, [pair[kept] for pair in pairs])

    return jackknife_estimate(mean, table.groups, shape="agreement")


def _pairs(table: Table, coefficient: Coefficient) -> tuple[PairKappa, ...]:
    found = []
    for one, other, both in table.pairs():
        values = table.values[both][:, [one, other]]
        value = coefficient(values)
        same = float(np.mean(values[:, 0] == values[:, 1]))
        names = table.raters[one], table.raters[other]
        found.append(PairKappa(names, int(both.sum()), same, None if math.isnan(value) else value))
    return tuple(found)


def _is(table: Table, number: float) -> Floats:
    """Whether each rating is of a category; NaN where there is none."""
    return np.asarray(np.where(np.isnan(table.values), np.nan, table.values == number), dtype=np.float64)
