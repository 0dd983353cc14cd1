"""Agreement on scores: intraclass correlations, alpha, and who is lenient."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from voirdire.raters.agreement.measures import Figure, Table, figure_of, icc_2_1, scaled, tabulate, within
from voirdire.raters.records import Project, Rating
from voirdire.raters.tasks.base import ScoreScale
from voirdire.stats import intraclass, krippendorff_alpha, leniency
from voirdire.stats.agreement import mean_absolute_difference, pearson
from voirdire.stats.jackknife import Bools, jackknife_estimate

_NOT_PAIRED = "No item has been scored by two people."
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
    icc_2_1: Figure
    """Absolute agreement of one rater: leniency counts against it."""
    icc_2_k: Figure
    """The same of the mean of as many raters as an item has (`k`)."""
    icc_3_1: Figure
    """Consistency of one rater: leniency does not matter."""
    alpha: Figure
    """Krippendorff's, interval."""
    mean_absolute_difference: Figure
    """Between two raters of an item, over all pairs of scores."""
    pairs: tuple[PairScore, ...]
    leniency: Mapping[str, Figure]
    """By rater: how much higher they score than the others, on the same items."""


def score_agreement(project: Project, ratings: Sequence[Rating], scale: ScoreScale) -> ScoreAgreement:
    """Agreement on one score.

    Args:
        project: whose items they are.
        ratings: independent ones.
        scale: the score.
    """
    name, of, top = scale
    table = tabulate(project, ratings, of)
    groups, paired = table.paired_groups, int(table.paired.sum())
    why = _FLAT if paired else _NOT_PAIRED
    found = intraclass(table.values, clusters=table.groups)
    single = figure_of(found.icc_2_1, groups, why)
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
        icc_2_k=_of_the_mean(single, k),
        icc_3_1=figure_of(found.icc_3_1, groups, why),
        alpha=figure_of(krippendorff_alpha(table.values, "interval", table.groups), groups, why) if paired else single,
        mean_absolute_difference=_differences(table, groups, top),
        pairs=_pairs(table),
        leniency=_leniency(table, groups, top) if paired else {},
    )


def _of_the_mean(single: Figure, k: float | None) -> Figure:
    """ICC(2,k) by Spearman and Brown, k being the raters that an item has and not all who took part."""
    if single.value is None or k is None:
        return single
    value, low, high = (None if icc is None else _stepped_up(icc, k) for icc in single[:3])
    return Figure(value, low, high, single.reason) if value != _FLOOR else Figure(None, reason=_TOO_LOW)


def _stepped_up(icc: float, k: float) -> float:
    """Cut at -1: below it the formula runs away, and says no more than that nothing is shared."""
    whole = 1 + (k - 1) * icc
    return max(k * icc / whole, _FLOOR) if whole > 0 else _FLOOR


def _differences(table: Table, groups: int, top: float) -> Figure:
    """As a share of the highest score, whose interval stays between 0 and 1."""
    pairs = table.pairs()

    def mean(kept: Bools) -> float:
        gaps = [np.abs(table.values[both & kept, one] - table.values[both & kept, other]) for one, other, both in pairs]
        pooled = np.concatenate(gaps) if gaps else np.empty(0)
        return float(pooled.mean()) / top if pooled.size else math.nan

    found = jackknife_estimate(mean, table.groups, shape="share")
    return scaled(figure_of(found, groups, _NOT_PAIRED), top)


def _pairs(table: Table) -> tuple[PairScore, ...]:
    found = []
    for one, other, both in table.pairs():
        a, b = table.values[both, one], table.values[both, other]
        r, icc = pearson(a, b), icc_2_1(np.column_stack([a, b]))
        found.append(
            PairScore(
                (table.raters[one], table.raters[other]),
                int(both.sum()),
                None if math.isnan(r) else r,
                None if math.isnan(icc) else icc,
                mean_absolute_difference(a, b),
            )
        )
    return tuple(found)


def _leniency(table: Table, groups: int, top: float) -> dict[str, Figure]:
    found = leniency(table.values, table.groups)
    return {
        rater: within(figure_of(each, groups, _NOT_LINKED), top)
        for rater, each in zip(table.raters, found, strict=True)
    }
