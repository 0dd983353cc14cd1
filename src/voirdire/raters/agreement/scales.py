"""Agreement on categories and scores: several coefficients side by side, where none tells it all."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from voirdire.raters.agreement.measures import (
    AgreementFigure,
    Coefficient,
    Floats,
    OfCategories,
    Table,
    clustered_figure,
    cuts_between,
    figure_of,
    icc_2_1,
    kappa,
    mean_over_pairs,
    scaled,
    tabulate,
    within,
)
from voirdire.raters.records import Project, Rating
from voirdire.raters.tasks.base import Scale, ScoreScale
from voirdire.stats import Estimate, gwet_ac, intraclass, krippendorff_alpha, leniency
from voirdire.stats.agreement import Measurement, Weighting, mean_absolute_difference, pearson
from voirdire.stats.agreement_draws import UNSEEN_BY_AC, acs, alphas, drawn_agreement, kappas, pair_tables
from voirdire.stats.category_agreement import agreement_weights
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
    percent: AgreementFigure
    """Mean over items of the share of pairs of raters who agree; in [0, 1]."""
    cohen: AgreementFigure
    """Mean over pairs of raters, by the items they share; linear weights where ordered."""
    cohen_pairs: tuple[PairKappa, ...]
    fleiss: AgreementFigure
    """Without weights."""
    alpha: AgreementFigure
    """Krippendorff's, nominal or ordinal."""
    ac: AgreementFigure
    """Gwet's AC1, or AC2 with linear weights where ordered; over all categories of the scale, used or not.

    So it is defined, and 1, where all ratings are of one."""
    categories: int
    """Of the scale, used or not."""


def category_agreement(project: Project, ratings: Sequence[Rating], scale: Scale) -> CategoryAgreement:
    """Agreement of independent ratings on one scale."""
    table = tabulate(project, ratings, scale.number)
    weights: Weighting = "linear" if scale.ordered else None
    paired = int(table.paired.sum())
    twice = len({each.item for each in ratings}) < len(ratings)
    alone = _NOT_GRADED if twice else _NOT_PAIRED
    used = np.unique(table.values[~np.isnan(table.values)])
    percent = clustered_figure(_percent(table), alone)
    groups, several = table.paired_groups, _several(table)
    cuts = cuts_between(len(scale.categories))
    same, pairs = agreement_weights(cuts, None), pair_tables(table.values, len(scale.categories))

    def drawn(value: float, statistic: Callable[[Floats], Floats], **unseen: float) -> Estimate:
        return drawn_agreement(value, pairs, table.groups, statistic, **unseen)

    cohen = fleiss = alpha = AgreementFigure(None, reason=_ALPHA if paired else alone)
    if several:
        cohen = figure_of(_cohen(table, kappa(len(scale.categories), weights)), groups, _KAPPA)
        together = _whole(table)
        value = fleiss_kappa(table.values, clusters=together).value
        fleiss = figure_of(drawn(value, lambda tables: kappas(tables, same)), groups, _ALPHA)
        measured: Measurement = "ordinal" if scale.ordered else "nominal"
        value = krippendorff_alpha(table.values, measured, together).value
        alpha = figure_of(drawn(value, partial(alphas, ordinal=scale.ordered)), groups, _ALPHA)
    ac = AgreementFigure(None, reason=alone)
    if paired:
        value = gwet_ac(table.values, cuts=cuts, weights=weights, clusters=_whole(table)).value
        by_chance = partial(acs, agreement=agreement_weights(cuts, weights))
        ac = figure_of(drawn(value, by_chance, unseen=UNSEEN_BY_AC), groups, alone)
    return CategoryAgreement(
        name=scale.name,
        ordered=scale.ordered,
        shares={scale.categories[int(number)]: float(np.nanmean(_is_category(table, number))) for number in used},
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
        categories=len(scale.categories),
    )


def _several(table: Table) -> bool:
    """Whether items rated twice are of more than one category: else no chance agreement can be told of them."""
    values = table.values[table.paired]
    return len(np.unique(values[~np.isnan(values)])) > 1


def _percent(table: Table) -> Clustered:
    shares = item_agreement(table.values)[table.paired]
    return mean_score(shares, table.groups[table.paired], top=1.0)


def _whole(table: Table) -> NDArray[np.intp]:
    """One cluster of all items: the value is wanted, and no interval."""
    return np.zeros(len(table.items), dtype=np.intp)


def _cohen(table: Table, coefficient: OfCategories) -> Estimate:
    """The mean over the pairs of raters for whom there is a kappa."""
    pairs = [table.values[:, [one, other]] for one, other, _ in table.pairs()]
    value = mean_over_pairs(coefficient, pairs)
    return drawn_agreement(value, coefficient.crossed(pairs), table.groups, coefficient.mean_of)


def _pairs(table: Table, coefficient: Coefficient) -> tuple[PairKappa, ...]:
    result = []
    for one, other, both in table.pairs():
        values = table.values[both][:, [one, other]]
        value = coefficient(values)
        same = float(np.mean(values[:, 0] == values[:, 1]))
        names = table.raters[one], table.raters[other]
        result.append(PairKappa(names, int(both.sum()), same, None if math.isnan(value) else value))
    return tuple(result)


def _is_category(table: Table, number: float) -> Floats:
    """Whether each rating is of a category; NaN where there is none."""
    return np.asarray(np.where(np.isnan(table.values), np.nan, table.values == number), dtype=np.float64)


_NOT_SCORED = "No item has been scored by two people."
_FLAT = "All scores are equal, or there is one item only: nothing tells items apart."
_TOO_LOW = "One rater's correlation is too far below 0 to say what the mean of several has."
_NOT_LINKED = "No chain of shared items links all raters."
_FLOOR = -1.0


class PairScore(NamedTuple):
    """Two raters on the items that both have scored; `None` where undefined."""

    raters: tuple[str, str]
    items: int
    pearson: float | None
    icc_2_1: float | None
    mean_absolute_difference: float


@dataclass(frozen=True, slots=True)
class ScoreAgreement:
    """How far people agree on a score."""

    name: str
    top: float
    """The highest score there is."""
    items: int
    """With a score."""
    paired: int
    """With two or more."""
    groups: int
    """That these are of."""
    raters: tuple[str, ...]
    k: float | None
    """Scores per item that has two or more, on average; `None` where none has."""
    icc_2_1: AgreementFigure
    """Absolute agreement of one rater: leniency counts against it."""
    icc_2_k: AgreementFigure
    """The same of the mean of as many raters as an item has (`k`)."""
    icc_3_1: AgreementFigure
    """Consistency of one rater: leniency does not matter."""
    alpha: AgreementFigure
    """Krippendorff's, interval."""
    mean_absolute_difference: AgreementFigure
    """Between two raters of an item, over all pairs of scores."""
    pairs: tuple[PairScore, ...]
    leniency: Mapping[str, AgreementFigure]
    """By rater: how much higher they score than the others, on the same items."""


def score_agreement(project: Project, ratings: Sequence[Rating], scale: ScoreScale) -> ScoreAgreement:
    """Agreement of independent ratings on one score."""
    name, of, top, _ = scale
    table = tabulate(project, ratings, of)
    groups, paired = table.paired_groups, int(table.paired.sum())
    why = _FLAT if paired else _NOT_SCORED
    icc = intraclass(table.values, clusters=table.groups)
    single = figure_of(icc.icc_2_1, groups, why)
    k = float((~np.isnan(table.values[table.paired])).sum(axis=1).mean()) if paired else None
    return ScoreAgreement(
        name=name,
        top=top,
        items=len(table.items),
        paired=paired,
        groups=groups,
        raters=table.raters,
        k=k,
        icc_2_1=single,
        icc_2_k=_icc_of_mean(single, k),
        icc_3_1=figure_of(icc.icc_3_1, groups, why),
        alpha=figure_of(krippendorff_alpha(table.values, "interval", table.groups), groups, why) if paired else single,
        mean_absolute_difference=_differences(table, groups, top),
        pairs=_score_pairs(table),
        leniency=_leniency(table, groups, top) if paired else {},
    )


def _icc_of_mean(single: AgreementFigure, k: float | None) -> AgreementFigure:
    """ICC(2,k) by Spearman and Brown, k being the raters that an item has and not all who took part."""
    if single.value is None or k is None:
        return single
    value, low, high = (None if icc is None else _spearman_brown(icc, k) for icc in single[:3])
    return (
        AgreementFigure(value, low, high, single.reason) if value != _FLOOR else AgreementFigure(None, reason=_TOO_LOW)
    )


def _spearman_brown(icc: float, k: float) -> float:
    """Cut at -1: below it the formula runs away, and says no more than that nothing is shared."""
    whole = 1 + (k - 1) * icc
    return max(k * icc / whole, _FLOOR) if whole > 0 else _FLOOR


def _differences(table: Table, groups: int, top: float) -> AgreementFigure:
    """As a share of the highest score, whose interval stays between 0 and 1."""
    pairs = table.pairs()

    def mean(left_in: Bools) -> float:
        gaps = [
            np.abs(table.values[both & left_in, one] - table.values[both & left_in, other])
            for one, other, both in pairs
        ]
        pooled = np.concatenate(gaps) if gaps else np.empty(0)
        return float(pooled.mean()) / top if pooled.size else math.nan

    estimate = jackknife_estimate(mean, table.groups, shape="share")
    return scaled(figure_of(estimate, groups, _NOT_SCORED), top)


def _score_pairs(table: Table) -> tuple[PairScore, ...]:
    result = []
    for one, other, both in table.pairs():
        a, b = table.values[both, one], table.values[both, other]
        r, icc = pearson(a, b), icc_2_1(np.column_stack([a, b]))
        result.append(
            PairScore(
                (table.raters[one], table.raters[other]),
                int(both.sum()),
                None if math.isnan(r) else r,
                None if math.isnan(icc) else icc,
                mean_absolute_difference(a, b),
            )
        )
    return tuple(result)


def _leniency(table: Table, groups: int, top: float) -> dict[str, AgreementFigure]:
    estimates = leniency(table.values, table.groups)
    return {
        rater: within(figure_of(each, groups, _NOT_LINKED), top)
        for rater, each in zip(table.raters, estimates, strict=True)
    }
