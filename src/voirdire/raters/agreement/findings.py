"""Whether people mark the same things in an item, and whether their scores fit their first impressions."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

import numpy as np

from voirdire.raters.agreement.measures import AgreementFigure, Floats, clustered_figure, clusters_of, figure_of, within
from voirdire.raters.records import Project, Rating
from voirdire.raters.tasks.base import Finding, Findings, Impression, Value
from voirdire.stats.agreement import pearson
from voirdire.stats.clustered import weighted_share
from voirdire.stats.jackknife import jackknife_estimate

DIVERGENCE = 10  # guide, "Comparison to Holistic Scoring": a second look above this
_TOP = 100.0  # of scores and impressions
_NOTHING = "Nobody who shares a response with another has marked a violation."


class PairFindings(NamedTuple):
    """Two raters' findings in the responses that both have rated."""

    raters: tuple[str, str]
    items: int
    shared: int
    marked: tuple[int, int]
    positive_agreement: float | None
    """Twice the shared ones over all; `None`: neither marked anything."""


@dataclass(frozen=True, slots=True)
class FindingAgreement:
    """How far people mark the same: sentence, fact and family.

    What nobody marks is left out: there is no end of it (Cicchetti and Feinstein, doi:10.1016/0895-4356(90)90159-M).
    """

    positive_agreement: AgreementFigure
    """Of every two raters' findings in a response, twice those in common over all; pooled over pairs and responses."""
    by_family: Mapping[str, AgreementFigure]
    pairs: tuple[PairFindings, ...]
    groups: int


class HolisticGap(NamedTuple):
    """A rater's deductions beside their own first impressions."""

    rater: str
    items: int
    difference: AgreementFigure
    """Mean of score - impression, before any second look; positive where the deductions are milder."""
    mean_absolute: float
    over: int
    """Responses whose two scores lie more than 10 points apart."""
    changed: int
    """Of those looked at again, how many got another score."""
    pearson: float | None


def findings_of(value: Value, scheme: Findings) -> frozenset[Finding]:
    """What two raters must have in common to have found the same."""
    return frozenset(mark.finding for mark in scheme.marks(value))


def finding_agreement(project: Project, ratings: Sequence[Rating], scheme: Findings) -> FindingAgreement:
    """Compare every two independent raters' findings, item by item.

    Raises:
        VoirdireError: a rating marks something that the task does not know.
    """
    by_item: dict[str, dict[str, frozenset[Finding]]] = {}
    for rating in ratings:
        by_item.setdefault(rating.item, {})[rating.rater] = findings_of(rating.value, scheme)
    clusters = clusters_of(project)
    rows = [
        _PairOnItem(pair, clusters[item], by_rater[pair[0]], by_rater[pair[1]])
        for item, by_rater in by_item.items()
        for pair in combinations([rater for rater in project.raters if rater in by_rater], 2)
    ]
    families = sorted({family for row in rows for *_, family in row.one | row.other})
    groups = len({row.group for row in rows})
    return FindingAgreement(
        positive_agreement=_positive(rows),
        by_family={family: _positive([row.of(family) for row in rows]) for family in families},
        pairs=_pairs(rows),
        groups=groups,
    )


class _PairOnItem(NamedTuple):
    """The findings of two raters in one response."""

    raters: tuple[str, str]
    group: str
    one: frozenset[Finding]
    other: frozenset[Finding]

    def of(self, family: str) -> _PairOnItem:
        one, other = (frozenset(each for each in side if each[2] == family) for side in (self.one, self.other))
        return self._replace(one=one, other=other)


def _positive(rows: Sequence[_PairOnItem]) -> AgreementFigure:
    shared = np.array([len(row.one & row.other) for row in rows], dtype=np.float64)
    marked = np.array([len(row.one) + len(row.other) for row in rows], dtype=np.float64)
    return positive_agreement(shared, marked, [row.group for row in rows], _NOTHING)


def positive_agreement(shared: Floats, marked: Floats, groups: Sequence[str], undefined: str) -> AgreementFigure:
    """Twice the shared findings over all of both sides, pooled.

    Args:
        shared: shape (meetings,), findings in common each time two sides meet on a response.
        marked: likewise, those of the one and of the other together.
        groups: of each meeting.
        undefined: why there is no figure where nothing is marked.
    """
    alike = np.divide(2 * shared, marked, out=np.zeros_like(marked), where=marked > 0)
    return clustered_figure(weighted_share(alike, marked, groups), undefined)


def _pairs(rows: Sequence[_PairOnItem]) -> tuple[PairFindings, ...]:
    pairs = []
    for pair in dict.fromkeys(row.raters for row in rows):
        met = [row for row in rows if row.raters == pair]
        shared = sum(len(row.one & row.other) for row in met)
        marked = sum(len(row.one) for row in met), sum(len(row.other) for row in met)
        pairs.append(PairFindings(pair, len(met), shared, marked, 2 * shared / sum(marked) if sum(marked) else None))
    return tuple(pairs)


def holistic_gaps(project: Project, ratings: Sequence[Rating], scheme: Findings) -> tuple[HolisticGap, ...]:
    """Each rater's deductions beside their first impressions."""
    clusters = clusters_of(project)
    return tuple(
        _gap(rater, [scheme.impression(each.value) for each in own], [clusters[each.item] for each in own])
        for rater in project.raters
        if (own := [each for each in ratings if each.rater == rater])
    )


def _gap(rater: str, own: Sequence[Impression], groups: Sequence[str]) -> HolisticGap:
    impression, first, final = np.array(own, dtype=np.float64).T
    gaps = first - impression
    estimate = jackknife_estimate(lambda left_in: float(gaps[left_in].mean()) if left_in.any() else math.nan, groups)
    r = pearson(first, impression)
    return HolisticGap(
        rater=rater,
        items=len(own),
        difference=within(figure_of(estimate, len(set(groups)), _NOTHING), _TOP),
        mean_absolute=float(np.abs(gaps).mean()),
        over=int((np.abs(gaps) > DIVERGENCE).sum()),
        changed=int((first != final).sum()),
        pearson=None if math.isnan(r) else r,
    )
