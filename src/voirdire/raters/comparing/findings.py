"""Violation by violation: what people and auditors both found, and what only one side did."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from voirdire.integrity.panel import Finding, finding_of
from voirdire.integrity.records import Violation
from voirdire.integrity.taxonomy import Taxonomy
from voirdire.raters.agreement.figures import Figure, figure_of, within
from voirdire.raters.agreement.violations import findings_of, positive_agreement
from voirdire.raters.comparing.closeness import Closeness
from voirdire.raters.comparing.people import Rated
from voirdire.stats.jackknife import jackknife_estimate

_NOTHING = "Neither side has marked a violation."
_NO_PAIRS = "No response that the machine has audited was rated by two people."

Found = Mapping[str, Sequence[Violation]]
"""A machine's violations by item."""


class FindingRow(NamedTuple):
    """How often a family or a type was found by whom."""

    name: str
    both: int
    people_only: int
    machine_only: int


class FoundBy(NamedTuple):
    """One finding in one response."""

    item: str
    sentence: int | None
    fact: str | None
    family: str
    people_type: str | None
    """The type that people give it; `None`: people, taken together, did not find it."""
    machine_type: str | None
    """Likewise of the machine."""
    span: str | None
    people: int
    """How many of those who rated the response marked it."""
    of: int
    """How many these are."""


@dataclass(frozen=True, slots=True)
class FindingComparison:
    """A machine's violations beside people's: same sentence, fact and family are the same finding."""

    machine: str
    consensus: bool
    items: int
    groups: int
    positive_agreement: Figure
    """Twice the shared findings over all, people taken together: decided ones, else those of more than half."""
    families: tuple[FindingRow, ...]
    types: tuple[FindingRow, ...]
    """By type as people name it; what the machine alone found, as the machine does."""
    findings: tuple[FoundBy, ...]


def compare_findings(
    machine: str, consensus: bool, rated: Sequence[Rated], found: Found, taxonomy: Taxonomy
) -> FindingComparison | None:
    """Compare violations in the responses that the machine has audited; `None` where there are none.

    Args:
        machine: who audited.
        consensus: whether it is that of several.
        rated: by people.
        found: by the machine.
        taxonomy: whose families count.
    """
    there = [each for each in rated if each.item in found]
    if not there:
        return None
    listed = tuple(row for each in there for row in _rows(each, found[each.item], taxonomy))
    groups = [each.group for each in there]
    by_item = {each.item: [row for row in listed if row.item == each.item] for each in there}
    shared = np.array([sum(_by(row) == (True, True) for row in by_item[each.item]) for each in there], dtype=np.float64)
    marked = np.array([sum(sum(_by(row)) for row in by_item[each.item]) for each in there], dtype=np.float64)
    return FindingComparison(
        machine=machine,
        consensus=consensus,
        items=len(there),
        groups=len(set(groups)),
        positive_agreement=positive_agreement(shared, marked, groups, _NOTHING),
        families=_counted([(row.family, row) for row in listed]),
        types=_counted([(row.people_type or row.machine_type or "", row) for row in listed]),
        findings=listed,
    )


def finding_closeness(
    machine: str, consensus: bool, rated: Sequence[Rated], found: Found, taxonomy: Taxonomy
) -> Closeness:
    """Positive agreement between people, and between people and the machine, on the same responses."""
    there = [each for each in rated if each.item in found and len(each.values) >= 2]
    named = machine, consensus, "findings", "positive agreement"
    if not there:
        nothing = Figure(None, reason=_NO_PAIRS)
        return Closeness(*named, 0, 0, nothing, nothing, nothing)
    groups = [each.group for each in there]
    count = len(set(groups))
    between, beside = np.zeros((len(there), 2)), np.zeros((len(there), 2))
    for place, each in enumerate(there):
        own = [findings_of(value, taxonomy) for value in each.values.values()]
        theirs = frozenset(finding_of(violation, taxonomy) for violation in found[each.item])
        between[place] = np.sum([_overlap(a, b) for a, b in combinations(own, 2)], axis=0)
        beside[place] = np.sum([_overlap(a, theirs) for a in own], axis=0)
    difference = jackknife_estimate(lambda kept: _share(*beside[kept].T) - _share(*between[kept].T), groups)
    return Closeness(
        *named,
        len(there),
        count,
        positive_agreement(between[:, 0], between[:, 1], groups, _NOTHING),
        positive_agreement(beside[:, 0], beside[:, 1], groups, _NOTHING),
        within(figure_of(difference, count, _NOTHING), 1.0),
    )


def _rows(each: Rated, violations: Sequence[Violation], taxonomy: Taxonomy) -> Iterator[FoundBy]:
    people = _by_finding(each.violations(taxonomy), taxonomy)
    machine = _by_finding(violations, taxonomy)
    own = [findings_of(value, taxonomy) for value in each.values.values()]
    for finding in dict.fromkeys([*people, *machine]):
        said, marked = people.get(finding), machine.get(finding)
        shown = said or marked
        yield FoundBy(
            each.item,
            *finding,
            None if said is None else taxonomy.type_of(said.type).name,
            None if marked is None else taxonomy.type_of(marked.type).name,
            None if shown is None else shown.span,
            sum(finding in theirs for theirs in own),
            len(own),
        )


def _by_finding(violations: Sequence[Violation], taxonomy: Taxonomy) -> dict[Finding, Violation]:
    return {finding_of(violation, taxonomy): violation for violation in reversed(violations)}


def _by(row: FoundBy) -> tuple[bool, bool]:
    return row.people_type is not None, row.machine_type is not None


def _counted(named: Sequence[tuple[str, FoundBy]]) -> tuple[FindingRow, ...]:
    found = []
    for name in sorted({name for name, _ in named}):
        by = [_by(row) for own, row in named if own == name]
        found.append(FindingRow(name, by.count((True, True)), by.count((True, False)), by.count((False, True))))
    return tuple(found)


def _overlap(one: frozenset[Finding], other: frozenset[Finding]) -> tuple[int, int]:
    return len(one & other), len(one) + len(other)


def _share(shared: NDArray[np.float64], marked: NDArray[np.float64]) -> float:
    whole = float(marked.sum())
    return 2 * float(shared.sum()) / whole if whole else math.nan
