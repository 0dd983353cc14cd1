"""Categories of a machine beside people's: confusions, and how well hallucinations are flagged."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from voirdire.detectors.scoring import WordCounts, count_words, score_interval
from voirdire.raters.agreement.measures import (
    MIN_GROUPS,
    Coefficient,
    Figure,
    Floats,
    ac,
    clustered_figure,
    cuts_between,
    estimated,
    figure_of,
    kappa,
    no_interval,
    percent,
)
from voirdire.raters.tasks.base import Scale
from voirdire.stats.agreement import Weighting
from voirdire.stats.clustered import weighted_share

_UNDEFINED = "Both sides use one and the same category only."


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
    percent: Figure
    """Share of items that both put alike."""
    kappa: Figure
    """Cohen's; linear weights where categories are ordered."""
    ac: Figure
    """Gwet's AC1, or AC2 with linear weights, over all categories of the scale."""


class Flagging(NamedTuple):
    """How well a machine flags what people hold for hallucinated."""

    require: str
    """What a cognitive statement must be: "rational", "grounded" or "irrefutable"."""
    unit: str
    """"words" (CogniBench 4.1) or "sentences"."""
    items: int
    groups: int
    precision: Figure
    recall: Figure
    f1: Figure
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
    machine: str, consensus: bool, scale: Scale, people: Floats, said: Floats, groups: NDArray[np.object_]
) -> Confusion | None:
    """Lay out categories; `None` where no item has both.

    Args:
        machine: who it is.
        consensus: whether it is that of several.
        scale: of the categories.
        people: shape (items,), numbers of categories, NaN where there is none.
        said: likewise, by the machine.
        groups: shape (items,).
    """
    both = ~(np.isnan(people) | np.isnan(said))
    if not both.any():
        return None
    table, of = np.column_stack([people[both], said[both]]), groups[both]
    counts = np.zeros((len(scale.categories), len(scale.categories)), dtype=int)
    np.add.at(counts, (table[:, 0].astype(int), table[:, 1].astype(int)), 1)
    groups_there = len(set(of))
    plain, chance, gwet = (
        figure_of(estimated(name, one, table, of), groups_there, _UNDEFINED)
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
    said = [bool(flag) for flag in flagged]
    lengths = {"words": list(words), "sentences": [1] * len(words)}
    one, other = (_flagging(require, unit, people, said, each, groups, unsaid) for unit, each in lengths.items())
    return one, other


def _flagging(
    require: str,
    unit: str,
    people: Sequence[bool],
    said: Sequence[bool],
    lengths: Sequence[int],
    groups: Sequence[str],
    unsaid: int,
) -> Flagging:
    gold, mark, length, of = np.array(people), np.array(said), np.array(lengths), np.array(groups, dtype=object)
    whole = count_words(said, people, lengths)
    clusters = [_counts_in(of == group, gold, mark, length) for group in dict.fromkeys(groups)]
    interval = score_interval(clusters)
    f1 = whole.score.f1
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
        f1=Figure(None, reason="Nothing was flagged, and nothing is hallucinated.")
        if f1 is None
        else Figure(f1, *ends),
        flagged=whole.flagged,
        hallucinated=whole.labelled,
        unsaid=unsaid,
    )


def _counts_in(
    here: NDArray[np.bool_], gold: NDArray[np.bool_], mark: NDArray[np.bool_], length: NDArray[np.int_]
) -> WordCounts:
    return count_words(mark[here].tolist(), gold[here].tolist(), length[here].tolist())
