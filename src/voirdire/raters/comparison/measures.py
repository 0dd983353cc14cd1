"""What a machine is compared with people by: closeness, scores, confusions, and how well hallucinations are flagged."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from voirdire.detectors.scoring import WordCounts, count_words, score_interval
from voirdire.jury.worth.assessment import bias_of
from voirdire.raters.agreement.measures import (
    MIN_GROUPS,
    AgreementFigure,
    Coefficient,
    Floats,
    OfCategories,
    ac,
    clustered_figure,
    cuts_between,
    estimated,
    figure_of,
    kappa,
    mean_over_pairs,
    no_interval,
    percent,
    scaled,
    shape_of,
    widest_difference,
    within,
)
from voirdire.raters.tasks.base import Scale
from voirdire.stats import Estimate, intraclass, spearman
from voirdire.stats.agreement import Weighting
from voirdire.stats.agreement_draws import drawn_agreements
from voirdire.stats.clustered import weighted_share
from voirdire.stats.correlation import clustered_pearson
from voirdire.stats.jackknife import Bools, jackknife_estimate

_UNDEFINED = "The coefficient is undefined for every pair, as where all ratings are alike."
_NO_PAIRS = "No item that the machine has judged was rated on this scale by two people."


class Closeness(NamedTuple):
    """People with each other, and with the machine; on the items that two people or more and the machine have rated."""

    machine: str
    consensus: bool
    scale: str
    coefficient: str
    items: int
    groups: int
    people: AgreementFigure
    """Mean over pairs of people, by the items they share."""
    with_machine: AgreementFigure
    """Mean over people of their agreement with the machine, likewise."""
    difference: AgreementFigure
    """With the machine minus with each other: negative where people agree better among themselves."""


def closeness(
    header: tuple[str, bool, str, str],
    coefficient: Coefficient,
    people: Floats,
    machine: Floats,
    groups: NDArray[np.object_],
) -> Closeness:
    """Compare two agreements on the same items.

    Args:
        header: the machine, whether it is a consensus, the scale, the coefficient.
        coefficient: of two raters.
        people: shape (items, raters), NaN where missing.
        machine: shape (items,), likewise.
        groups: shape (items,).
    """
    has_both = ((~np.isnan(people)).sum(axis=1) >= 2) & ~np.isnan(machine)
    x, y, groups_with_both = people[has_both], machine[has_both], groups[has_both]
    count = len(set(groups_with_both))
    if not count:
        nothing = AgreementFigure(None, reason=_NO_PAIRS)
        return Closeness(*header, 0, 0, nothing, nothing, nothing)
    raters = x.shape[1]
    between = [x[:, [a, b]] for a in range(raters) for b in range(a + 1, raters)]
    pairs_with_machine = [np.column_stack([x[:, a], y]) for a in range(raters)]

    if isinstance(coefficient, OfCategories):
        estimates = _drawn(coefficient, between, pairs_with_machine, groups_with_both)
        one, other, difference = (figure_of(each, count, _UNDEFINED) for each in estimates)
        return Closeness(*header, len(x), count, one, other, difference)
    with_each_other = _over(coefficient, between)
    with_machine = _over(coefficient, pairs_with_machine)
    estimates = [
        jackknife_estimate(with_each_other, groups_with_both, shape=shape_of(header[-1])),
        jackknife_estimate(with_machine, groups_with_both, shape=shape_of(header[-1])),
        jackknife_estimate(lambda rows: with_machine(rows) - with_each_other(rows), groups_with_both),
    ]
    one, other, difference = (figure_of(each, count, _UNDEFINED) for each in estimates)
    return Closeness(*header, len(x), count, one, other, within(difference, widest_difference(header[-1])))


def _drawn(
    coefficient: OfCategories, between: Sequence[Floats], with_machine: Sequence[Floats], groups: NDArray[np.object_]
) -> list[Estimate]:
    """Agreement of people with each other, with the machine, and the difference, of the same draws."""
    sides = [_that_share_items(each) for each in (between, with_machine)]
    one, other = (mean_over_pairs(coefficient, each) for each in sides)
    first, tables = len(sides[0]), coefficient.crossed([*sides[0], *sides[1]])

    def statistics(drawn: Floats) -> tuple[Floats, Floats, Floats]:
        with_each_other, with_machine = coefficient.mean_of(drawn[:, :first]), coefficient.mean_of(drawn[:, first:])
        return with_each_other, with_machine, with_machine - with_each_other

    return drawn_agreements([one, other, other - one], tables, groups, statistics, unseen=coefficient.unseen)


def _that_share_items(pairs: Sequence[Floats]) -> list[Floats]:
    return [pair for pair in pairs if not np.isnan(pair).any(axis=1).all()]


def _over(coefficient: Coefficient, pairs: Sequence[Floats]) -> Callable[[Bools], float]:
    """The mean over pairs as a function of the items left in; kept, since the difference asks for the same again."""
    known: dict[bytes, float] = {}

    def mean(rows: Bools) -> float:
        key = rows.tobytes()
        if key not in known:
            known[key] = mean_over_pairs(coefficient, [pair[rows] for pair in pairs])
        return known[key]

    return mean


_ONE_CATEGORY = "Both sides use one and the same category only."


class Confusion(NamedTuple):
    """How often people and a machine put an item where; on items that both have placed."""

    machine: str
    consensus: bool
    scale: str
    categories: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]
    """Rows are people's categories, columns the machine's."""
    items: int
    groups: int
    percent: AgreementFigure
    """Share of items that both put alike."""
    kappa: AgreementFigure
    """Cohen's; linear weights where categories are ordered."""
    ac: AgreementFigure
    """Gwet's AC1, or AC2 with linear weights, over all categories of the scale."""


class Flagging(NamedTuple):
    """How well a machine flags what people hold for hallucinated."""

    require: str
    """What a cognitive statement must be: "rational", "grounded" or "irrefutable"."""
    unit: str
    """"words" (CogniBench 4.1) or "sentences"."""
    items: int
    groups: int
    precision: AgreementFigure
    recall: AgreementFigure
    f1: AgreementFigure
    flagged: int
    """In words or sentences."""
    hallucinated: int
    unsaid: int
    """Statements of which the machine could not say: they count as not flagged."""


def coefficients_of(scale: Scale) -> dict[str, Coefficient]:
    """What people with people and people with a machine are compared by."""
    weights: Weighting = "linear" if scale.ordered else None
    categories = len(scale.categories)
    return {
        "percent": percent,
        "kappa": kappa(categories, weights),
        "AC2" if scale.ordered else "AC1": ac(cuts_between(categories), weights),
    }


def confusion(
    machine: str, consensus: bool, scale: Scale, people: Floats, machine_values: Floats, groups: NDArray[np.object_]
) -> Confusion | None:
    """Lay out categories; `None` where no item has both.

    Args:
        machine: who it is.
        consensus: whether it is that of several.
        scale: of the categories.
        people: shape (items,), numbers of categories, NaN where there is none.
        machine_values: likewise, by the machine.
        groups: shape (items,).
    """
    has_both = ~(np.isnan(people) | np.isnan(machine_values))
    if not has_both.any():
        return None
    table, groups_with_both = np.column_stack([people[has_both], machine_values[has_both]]), groups[has_both]
    counts = np.zeros((len(scale.categories), len(scale.categories)), dtype=int)
    np.add.at(counts, (table[:, 0].astype(int), table[:, 1].astype(int)), 1)
    groups_there = len(set(groups_with_both))
    plain, chance, gwet = (
        figure_of(estimated(name, one, table, groups_with_both), groups_there, _ONE_CATEGORY)
        for name, one in coefficients_of(scale).items()
    )
    rows = tuple(tuple(int(count) for count in row) for row in counts)
    return Confusion(
        machine, consensus, scale.name, scale.categories, rows, len(table), groups_there, plain, chance, gwet
    )


def flagging(
    require: str,
    people: Sequence[bool],
    flagged: Sequence[bool | None],
    words: Sequence[int],
    groups: Sequence[str],
) -> tuple[Flagging, Flagging]:
    """Precision, recall and F1 of a machine's flags, in words and in sentences.

    Args:
        require: under which statements are hallucinated.
        people: whether people hold each statement for hallucinated.
        flagged: whether the machine does; `None`: it could not say.
        words: length of each.
        groups: of each.
    """
    unsaid = sum(flag is None for flag in flagged)
    marks = [bool(flag) for flag in flagged]
    lengths = {"words": list(words), "sentences": [1] * len(words)}
    one, other = (_flagging(require, unit, people, marks, each, groups, unsaid) for unit, each in lengths.items())
    return one, other


def _flagging(
    require: str,
    unit: str,
    people: Sequence[bool],
    marks: Sequence[bool],
    lengths: Sequence[int],
    groups: Sequence[str],
    unsaid: int,
) -> Flagging:
    gold, mark, length, of = np.array(people), np.array(marks), np.array(lengths), np.array(groups, dtype=object)
    total_counts = count_words(marks, people, lengths)
    clusters = [_counts_in(of == group, gold, mark, length) for group in dict.fromkeys(groups)]
    interval = score_interval(clusters)
    f1 = total_counts.score.f1
    ends: tuple[float | None, float | None, str | None] = (None, None, no_interval(len(clusters)))
    if interval is not None and len(clusters) >= MIN_GROUPS:
        ends = interval.low, interval.high, None
    return Flagging(
        require=require,
        unit=unit,
        items=len(gold),
        groups=len(clusters),
        precision=clustered_figure(weighted_share(gold[mark], length[mark], of[mark]), "Nothing was flagged."),
        recall=clustered_figure(
            weighted_share(mark[gold], length[gold], of[gold]), "People hold nothing for hallucinated."
        ),
        f1=AgreementFigure(None, reason="Nothing was flagged, and nothing is hallucinated.")
        if f1 is None
        else AgreementFigure(f1, *ends),
        flagged=total_counts.flagged,
        hallucinated=total_counts.labelled,
        unsaid=unsaid,
    )


def _counts_in(
    here: NDArray[np.bool_], gold: NDArray[np.bool_], mark: NDArray[np.bool_], length: NDArray[np.int_]
) -> WordCounts:
    return count_words(mark[here].tolist(), gold[here].tolist(), length[here].tolist())


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
    pearson: AgreementFigure
    spearman: AgreementFigure
    """Its interval is of a bootstrap over groups."""
    icc_2_1: AgreementFigure
    """Absolute agreement: leniency counts against it."""
    icc_3_1: AgreementFigure
    """Consistency: leniency does not matter."""
    bias: AgreementFigure
    """Mean of machine - people, as `jury worth` has it (`bias_of`): positive where the machine is more lenient."""
    mean_absolute: AgreementFigure


class Sides(NamedTuple):
    """Who is compared, and on what."""

    machine: str
    consensus: bool
    people: str
    scale: str


class Clustering(NamedTuple):
    """How items were drawn; shape (items,) each."""

    blocks: NDArray[np.object_]
    """What intervals are clustered by."""
    groups: NDArray[np.object_]
    """The same, never put together in blocks: for what is quickly reckoned with all of them."""
    weights: Floats
    """How many items each stands for."""


def compare_scores(
    sides: Sides, people: Floats, machine: Floats, clustering: Clustering, ends: tuple[float, float]
) -> ScoreComparison | None:
    """Compare two lists of scores; `None` where no item has both.

    Args:
        sides: who, and what.
        people: shape (items,), NaN where there is none.
        machine: likewise.
        clustering: of the items.
        ends: the lowest and the highest score there is.
    """
    span = ends[1] - ends[0]
    has_both = ~(np.isnan(people) | np.isnan(machine))
    x, y, groups_with_both = people[has_both], machine[has_both], clustering.blocks[has_both]
    if not x.size:
        return None
    count, gaps = len(set(groups_with_both)), y - x
    groups, weights = clustering.groups[has_both].astype(str), clustering.weights[has_both]
    icc = intraclass(np.column_stack([x, y]), clusters=groups_with_both)
    rho = spearman(x, y, groups=groups_with_both)
    r = Estimate(*clustered_pearson(x, y, groups, weights))
    bias = bias_of(x, y, groups, weights, span=span)
    low, high = (math.nan, math.nan) if bias.interval is None else bias.interval[:2]
    return ScoreComparison(
        *sides,
        items=int(x.size),
        groups=count,
        people_mean=float(np.average(x, weights=weights)),
        machine_mean=float(np.average(y, weights=weights)),
        pearson=figure_of(r, count, _FLAT),
        spearman=figure_of(Estimate(rho.rho, rho.low, rho.high), count, _FLAT),
        icc_2_1=figure_of(icc.icc_2_1, count, _FLAT),
        icc_3_1=figure_of(icc.icc_3_1, count, _FLAT),
        bias=figure_of(Estimate(bias.value, low, high), count, _FLAT),
        mean_absolute=scaled(
            figure_of(_mean_share(np.abs(gaps) / span, groups_with_both, weights), count, _FLAT), span
        ),
    )


def _mean_share(values: Floats, groups: NDArray[np.object_], weights: Floats) -> Estimate:
    def mean(left_in: NDArray[np.bool_]) -> float:
        return float(np.average(values[left_in], weights=weights[left_in])) if left_in.any() else math.nan

    return jackknife_estimate(mean, groups, shape="share")
