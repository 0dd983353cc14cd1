"""Scores of a machine beside people's."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from voirdire.raters.agreement.measures import Figure, Floats, figure_of, scaled, within
from voirdire.stats import Estimate, intraclass, spearman
from voirdire.stats.agreement import pearson
from voirdire.stats.jackknife import Shape, jackknife_estimate

_FLAT = "One side's scores are all equal, or there is one item only."


class ScoreComparison(NamedTuple):
    """A machine's scores beside people's, on items that both have scored."""

    machine: str
    """Judge or auditor, or whose consensus it is."""
    consensus: bool
    people: str
    """Id of a rater; "" for all of them: the decided score, else their mean."""
    scale: str
    items: int
    groups: int
    people_mean: float
    machine_mean: float
    pearson: Figure
    spearman: Figure
    """Its interval is of a bootstrap over groups."""
    icc_2_1: Figure
    """Absolute agreement: leniency counts against it."""
    icc_3_1: Figure
    """Consistency: leniency does not matter."""
    bias: Figure
    """Mean of machine - people: positive where the machine is more lenient."""
    mean_absolute: Figure


class Sides(NamedTuple):
    """Who is compared, and on what."""

    machine: str
    consensus: bool
    people: str
    scale: str


def compare_scores(
    sides: Sides, people: Floats, machine: Floats, groups: NDArray[np.object_], top: float
) -> ScoreComparison | None:
    """Compare two lists of scores; `None` where no item has both.

    Args:
        sides: who, and what.
        people: shape (items,), NaN where there is none.
        machine: likewise.
        groups: shape (items,), what intervals are clustered by.
        top: the highest score there is.
    """
    both = ~(np.isnan(people) | np.isnan(machine))
    x, y, of = people[both], machine[both], groups[both]
    if not x.size:
        return None
    count, gaps = len(set(of)), y - x
    icc = intraclass(np.column_stack([x, y]), clusters=of)
    rho = spearman(x, y, groups=of)
    r = jackknife_estimate(lambda kept: pearson(x[kept], y[kept]), of, shape="correlation")
    return ScoreComparison(
        *sides,
        items=int(x.size),
        groups=count,
        people_mean=float(x.mean()),
        machine_mean=float(y.mean()),
        pearson=figure_of(r, count, _FLAT),
        spearman=figure_of(Estimate(rho.rho, rho.low, rho.high), count, _FLAT),
        icc_2_1=figure_of(icc.icc_2_1, count, _FLAT),
        icc_3_1=figure_of(icc.icc_3_1, count, _FLAT),
        bias=within(figure_of(_mean(gaps, of), count, _FLAT), top),
        mean_absolute=scaled(figure_of(_mean(np.abs(gaps) / top, of, "share"), count, _FLAT), top),
    )


def _mean(values: Floats, groups: NDArray[np.object_], shape: Shape = "plain") -> Estimate:
    return jackknife_estimate(lambda kept: float(values[kept].mean()) if kept.any() else math.nan, groups, shape=shape)
