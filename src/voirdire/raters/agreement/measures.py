"""What agreement is measured with: ratings laid out as tables, coefficients of them, figures with their intervals."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from voirdire.raters.records import Project, Rating
from voirdire.raters.tasks.base import Value
from voirdire.stats import Estimate, cohen_kappa, gwet_ac, krippendorff_alpha
from voirdire.stats.agreement import Measurement, Weighting
from voirdire.stats.agreement_draws import UNSEEN, UNSEEN_BY_AC, acs, crossed_table, drawn_agreement, kappas
from voirdire.stats.category_agreement import agreement_weights
from voirdire.stats.clustered import Estimate as Clustered
from voirdire.stats.jackknife import Shape, jackknife_estimate
from voirdire.stats.nominal import item_agreement
from voirdire.stats.one_way_icc import icc_draws

Floats = NDArray[np.float64]
MIN_GROUPS = 5
"""Groups below which an interval clustered by them is too wide to say anything, and none is given."""


class AgreementFigure(NamedTuple):
    """A figure; `None` where it is undefined."""

    value: float | None
    low: float | None = None
    """End of the 95 % interval, clustered by group; `None` where there is none."""
    high: float | None = None
    reason: str | None = None
    """Why there is no figure, or no interval: a sentence."""


def figure_of(estimate: Estimate, groups: int, undefined: str) -> AgreementFigure:
    """An estimate as a figure.

    Args:
        estimate: NaN where undefined.
        groups: how many groups its items are of.
        undefined: why it is, should it be undefined: a sentence.
    """
    if math.isnan(estimate.value):
        return AgreementFigure(None, reason=undefined)
    if groups < MIN_GROUPS or math.isnan(estimate.low) or math.isnan(estimate.high):
        return AgreementFigure(estimate.value, reason=no_interval(groups))
    return AgreementFigure(*estimate)


def clustered_figure(estimate: Clustered, undefined: str, times: float = 1.0) -> AgreementFigure:
    """The same of a share, a mean or a count; `times` gives it another unit."""
    if estimate.value is None:
        return AgreementFigure(None, reason=undefined)
    if estimate.interval is None or estimate.groups < MIN_GROUPS:
        return AgreementFigure(times * estimate.value, reason=no_interval(estimate.groups))
    return AgreementFigure(times * estimate.value, times * estimate.interval.low, times * estimate.interval.high)


def within(figure: AgreementFigure, bound: float) -> AgreementFigure:
    """A figure that can't lie farther from 0 than `bound`: neither do the ends of its interval."""
    if figure.low is None or figure.high is None:
        return figure
    return figure._replace(low=max(figure.low, -bound), high=min(figure.high, bound))


def scaled(figure: AgreementFigure, times: float) -> AgreementFigure:
    """A figure in another unit."""
    value, low, high = (None if each is None else times * each for each in figure[:3])
    return AgreementFigure(value, low, high, figure.reason)


def no_interval(groups: int) -> str:
    """Why a figure that is known has no interval."""
    if groups < MIN_GROUPS:
        return f"An interval needs {MIN_GROUPS} groups, and there {'is' if groups == 1 else 'are'} {groups}."
    return "There is no interval: nothing varies between the groups, or all rests on one of them."


MOST_CLUSTERS = 60
"""Above it, groups are put together in blocks."""
PHASES = ("live", "calibration", "practice")


@dataclass(frozen=True, slots=True)
class Table:
    """One number of every rating."""

    items: tuple[str, ...]
    """With one rating at least."""
    raters: tuple[str, ...]
    groups: NDArray[np.object_]
    """Shape (items,): what intervals are clustered by."""
    values: Floats
    """Shape (items, raters), NaN where a rater has none."""

    @property
    def paired(self) -> NDArray[np.bool_]:
        """Shape (items,): which have two ratings or more."""
        return np.asarray((~np.isnan(self.values)).sum(axis=1) >= 2)

    @property
    def paired_groups(self) -> int:
        """How many groups those are of."""
        return len(set(self.groups[self.paired]))

    def pairs(self) -> list[tuple[int, int, NDArray[np.bool_]]]:
        """Every two raters who share an item: their columns, and which items both have rated."""
        known = ~np.isnan(self.values)
        shared = [
            (one, other, known[:, one] & known[:, other])
            for one, other in zip(*np.triu_indices(len(self.raters), k=1), strict=True)
        ]
        return [(int(one), int(other), both) for one, other, both in shared if both.any()]


def independent(project: Project, phase: str = "live") -> list[Rating]:
    """The ratings that tell how far people agree: blind ones, in one phase.

    A third person's are left out, blind or not: only items on which the others differ get one.
    """
    return [each for each in project.ratings if each.phase == phase and each.blind and each.role == "rater"]


def tabulate(project: Project, ratings: Iterable[Rating], number: Callable[[Value], float | None]) -> Table:
    """Lay out one number of each rating.

    Args:
        project: whose items and raters they are.
        ratings: at most one of a rater on an item.
        number: what to take of a rating's value; `None` where it holds nothing of the kind.
    """
    cells = {(each.item, each.rater): number(each.value) for each in ratings}
    known = {place: value for place, value in cells.items() if value is not None}
    rated, who = {item for item, _ in known}, {rater for _, rater in known}
    items = tuple(item for item in project.items if item in rated)
    raters = tuple(rater for rater in project.raters if rater in who)
    values = np.array(
        [[known.get((item, rater), np.nan) for rater in raters] for item in items], dtype=np.float64
    ).reshape(len(items), len(raters))
    clusters = clusters_of(project)
    groups = np.array([clusters[item] for item in items], dtype=object)
    return Table(items, raters, groups, values)


def clusters_of(project: Project) -> dict[str, str]:
    """By item: what intervals are clustered by.

    That is its group; where there are many, a block of groups, for a jackknife that leaves out one at a time takes as
    many rounds as there are clusters, and gains hardly anything beyond some dozens (the delete-a-group jackknife: Kott
    2001, Journal of Official Statistics 17, 521). A group is in the same block in every project.
    """
    groups = {item: group_of(project, item) for item in project.items}
    if len(set(groups.values())) <= MOST_CLUSTERS:
        return groups
    return {item: f"block {crc32(group.encode()) % MOST_CLUSTERS}" for item, group in groups.items()}


def group_of(project: Project, item: str) -> str:
    """What an item shares with others."""
    return project.documents[project.items[item].document].group


Coefficient = Callable[[Floats], float]
"""From ratings of shape (items, raters) to a number."""


@dataclass(frozen=True, slots=True)
class OfCategories:
    """A coefficient of two raters' categories, and the same of many tables at once: its intervals are drawn."""

    of_ratings: Coefficient
    of_tables: Callable[[Floats], Floats]
    categories: int
    unseen: float = UNSEEN
    """Items that are added, for its intervals."""

    def __call__(self, values: Floats) -> float:
        """Of ratings of shape (items, 2)."""
        return self.of_ratings(values)

    def mean_of(self, tables: Floats) -> Floats:
        """The mean over pairs of raters, by the items that they share; tables of shape (draws, pairs, …)."""
        values, items = self.of_tables(tables), tables.sum(axis=(-2, -1))
        return np.asarray((values * items).sum(axis=-1) / items.sum(axis=-1))

    def crossed(self, pairs: Sequence[Floats]) -> Floats:
        """What each item adds to the table of each pair of raters, of ratings of shape (items, 2)."""
        return np.stack([crossed_table(pair[:, 0], pair[:, 1], self.categories) for pair in pairs], axis=1)


def cuts_between(categories: int) -> tuple[float, ...]:
    """Cuts that keep the categories 0, 1, 2 … apart."""
    return tuple(number + 0.5 for number in range(categories - 1))


def percent(values: Floats) -> float:
    """Mean over items of the share of pairs of raters who agree."""
    shares = item_agreement(values)
    return float(np.nanmean(shares)) if not np.isnan(shares).all() else math.nan


def kappa(categories: int, weights: Weighting = None) -> OfCategories:
    """Cohen's kappa of two raters."""
    cuts = cuts_between(categories)
    return OfCategories(
        lambda values: cohen_kappa(values[:, 0], values[:, 1], cuts=cuts, weights=weights),
        partial(kappas, agreement=agreement_weights(cuts, weights)),
        categories,
    )


def alpha(measurement: Measurement) -> Coefficient:
    """Krippendorff's alpha."""
    return lambda values: krippendorff_alpha(values, measurement, _whole(values)).value


def ac(cuts: Sequence[float], weights: Weighting = None) -> OfCategories:
    """Gwet's AC1, or AC2 with weights."""
    return OfCategories(
        lambda values: gwet_ac(values, cuts=cuts, weights=weights, clusters=_whole(values)).value,
        partial(acs, agreement=agreement_weights(cuts, weights)),
        len(cuts) + 1,
        UNSEEN_BY_AC,
    )


def icc_2_1(values: Floats) -> float:
    """ICC(2,1): absolute agreement of one rater; of complete scores."""
    return _icc(values, 0)


def icc_3_1(values: Floats) -> float:
    """ICC(3,1): consistency of one rater; of complete scores."""
    return _icc(values, 1)


def shape_of(name: str) -> Shape:
    """How the interval of a coefficient of two raters is made: shares can't leave [0, 1], others [-1, 1]."""
    if name in ("percent", "positive agreement"):
        return "share"
    return "correlation" if name.startswith("ICC") else "agreement"


def widest_difference(name: str) -> float:
    """How far two values of a coefficient can lie apart."""
    return 1.0 if shape_of(name) == "share" else 2.0


def estimated(name: str, coefficient: Coefficient, values: Floats, clusters: NDArray[np.object_]) -> Estimate:
    """A coefficient of two raters with its interval.

    Args:
        name: of the coefficient.
        coefficient: of any ratings.
        values: shape (items, 2).
        clusters: shape (items,).
    """
    if isinstance(coefficient, OfCategories):
        tables, unseen = coefficient.crossed([values]), coefficient.unseen
        return drawn_agreement(coefficient(values), tables, clusters, coefficient.mean_of, unseen=unseen)
    return jackknife_estimate(lambda left_in: coefficient(values[left_in]), clusters, shape=shape_of(name))


def mean_over_pairs(coefficient: Coefficient, pairs: Sequence[Floats]) -> float:
    """The mean of a coefficient of two raters over pairs of them, by the items that they share.

    Args:
        coefficient: of two raters.
        pairs: of shape (items, 2) each, NaN where a rating is missing.

    Returns:
        Over the pairs for whom it is defined; NaN where there are none.
    """
    shared = [pair[~np.isnan(pair).any(axis=1)] for pair in pairs]
    values = [(coefficient(pair), len(pair)) for pair in shared if len(pair)]
    defined = [(value, items) for value, items in values if not math.isnan(value)]
    return sum(value * items for value, items in defined) / sum(items for _, items in defined) if defined else math.nan


def _icc(values: Floats, which: int) -> float:
    """An intraclass correlation of one rater without the interval that `intraclass` makes."""
    if len(values) < 2:
        return math.nan
    with np.errstate(divide="ignore"):  # no variance at all left under the ratio: undefined
        icc = float(icc_draws(values, np.ones((1, len(values))))[which][0])
    return icc if math.isfinite(icc) else math.nan


def _whole(values: Floats) -> NDArray[np.intp]:
    """One cluster of all items: the value is wanted, and no interval."""
    return np.zeros(len(values), dtype=np.intp)
