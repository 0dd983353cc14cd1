"""Whether people mark the same words: F1 of characters, and Krippendorff's alpha with a character as the unit.

Gamma (pygamma-agreement) would bring 25 packages, numba and cvxpy among them. Alpha over characters needs none, takes
labels into account, and counts what nobody marks as agreement. It is nominal alpha of all answers one after the other,
as the package krippendorff computes it. Krippendorff's alpha-U differs: it compares whole marks by where they begin and
end, so that two marks side by side are not the same as one.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from voirdire.raters.agreement.measures import AgreementFigure, Floats, clustered_figure, clusters_of, figure_of
from voirdire.raters.records import Project, Rating
from voirdire.raters.tasks.base import Spans
from voirdire.stats.clustered import weighted_share
from voirdire.stats.jackknife import jackknife_estimate

_NOTHING = "Nobody who shares an item with another has marked anything."


class PairSpans(NamedTuple):
    """Two raters' marks in the items that both have rated."""

    raters: tuple[str, str]
    items: int
    f1: float | None
    """`None`: neither marked anything."""


@dataclass(frozen=True, slots=True)
class SpanAgreement:
    """How far people mark the same words with the same labels."""

    f1: AgreementFigure
    """Of every two raters' marked characters, twice those in common over all; pooled over pairs and items."""
    alpha: AgreementFigure
    """Krippendorff's alpha of labels, with each character as a unit; "nothing" is a label."""
    pairs: tuple[PairSpans, ...]
    items: int
    """That two people or more have answered."""


class _PairOnItem(NamedTuple):
    raters: tuple[str, str]
    group: str
    shared: int
    marked: int


def span_agreement(project: Project, ratings: Sequence[Rating], scheme: Spans) -> SpanAgreement:
    """Compare what independent raters have marked, item by item."""
    by_item: dict[str, dict[str, Rating]] = {}
    for rating in ratings:
        if scheme.counts(rating.value):
            by_item.setdefault(rating.item, {})[rating.rater] = rating
    clusters = clusters_of(project)
    rows: list[_PairOnItem] = []
    values: list[Values] = []
    groups: list[str] = []
    for item, by_rater in by_item.items():
        if len(by_rater) < 2:
            continue
        length = scheme.length(project.documents[project.items[item].document])
        marks = {rater: _marked(each, scheme, length) for rater, each in by_rater.items()}
        rows += [
            _PairOnItem(pair, clusters[item], *_in_common(marks[pair[0]], marks[pair[1]]))
            for pair in combinations([rater for rater in project.raters if rater in marks], 2)
        ]
        values.append(np.array([_combined(each, length) for each in marks.values()]))
        groups.append(clusters[item])
    return SpanAgreement(_f1(rows), _alpha(values, groups), _pairs(rows), len(groups))


Marks = NDArray[np.bool_]
"""Shape (labels, characters): which characters have which label."""
Values = NDArray[np.intp]
"""Shape (raters, characters): the set of labels that a character has, as a number."""


def _marked(rating: Rating, scheme: Spans, length: int) -> Marks:
    marks = np.zeros((len(scheme.labels), length), dtype=np.bool_)
    for start, end, label in scheme.marks(rating.value):
        marks[scheme.labels.index(label), start:end] = True
    return marks


def _in_common(one: Marks, other: Marks) -> tuple[int, int]:
    return int((one & other).sum()), int(one.sum() + other.sum())


def _combined(marks: Marks, length: int) -> NDArray[np.intp]:
    """Shape (characters,): which labels a character has, as one number; 0 for none."""
    bits = np.array([1 << place for place in range(len(marks))])
    return np.asarray(bits @ marks if len(marks) else np.zeros(length), dtype=np.intp)


def coincidences(values: Values, categories: Sequence[int]) -> Floats:
    """Krippendorff's coincidence matrix of one item (Content Analysis, ch. 11).

    Args:
        values: shape (raters, units).
        categories: all that there are.

    Returns:
        Shape (categories, categories).
    """
    raters, _ = values.shape
    counts = np.stack([(values == category).sum(axis=0) for category in categories]).astype(np.float64)
    return np.asarray((counts @ counts.T - np.diag(counts.sum(axis=1))) / (raters - 1))


def alpha_of(matrix: Floats) -> float:
    """Nominal alpha of a coincidence matrix; NaN where there is only one category."""
    totals = matrix.sum(axis=0)
    n = totals.sum()
    expected = n * n - (totals * totals).sum()
    return math.nan if expected <= 0 else float(1 - (n - 1) * (n - np.trace(matrix)) / expected)


def _alpha(values: Sequence[Values], groups: Sequence[str]) -> AgreementFigure:
    if not values:
        return AgreementFigure(None, reason=_NOTHING)
    categories = sorted({int(category) for each in values for category in np.unique(each)})
    stacked = np.stack([coincidences(each, categories) for each in values])
    estimate = jackknife_estimate(
        lambda left_in: alpha_of(stacked[left_in].sum(axis=0)), np.array(groups, dtype=object), shape="correlation"
    )
    return figure_of(estimate, len(set(groups)), _NOTHING)


def _f1(rows: Sequence[_PairOnItem]) -> AgreementFigure:
    shared = np.array([row.shared for row in rows], dtype=np.float64)
    marked = np.array([row.marked for row in rows], dtype=np.float64)
    alike = np.divide(2 * shared, marked, out=np.zeros_like(marked), where=marked > 0)
    return clustered_figure(weighted_share(alike, marked, [row.group for row in rows]), _NOTHING)


def _pairs(rows: Sequence[_PairOnItem]) -> tuple[PairSpans, ...]:
    pairs = []
    for pair in dict.fromkeys(row.raters for row in rows):
        own = [row for row in rows if row.raters == pair]
        marked = sum(row.marked for row in own)
        pairs.append(PairSpans(pair, len(own), 2 * sum(row.shared for row in own) / marked if marked else None))
    return tuple(pairs)
