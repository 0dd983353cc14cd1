"""Mark by mark: what people and a machine both found, and what only one side did."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from voirdire.raters.agreement.findings import positive_agreement
from voirdire.raters.agreement.measures import AgreementFigure, figure_of, within
from voirdire.raters.comparison.measures import Closeness
from voirdire.raters.comparison.rated_items import RatedItem
from voirdire.raters.tasks.base import Finding, Mark, Value
from voirdire.stats.jackknife import jackknife_estimate

_NOTHING = "Neither side has marked a violation."
_NO_PAIRS = "No response that the machine has audited was rated by two people."


class FindingRow(NamedTuple):
    """How often a family or a type was found by whom."""

    name: str
    both: int
    people_only: int
    machine_only: int


class FindingInItem(NamedTuple):
    """One finding in one item."""

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
    """How many of those who rated the item marked it."""
    of: int
    """How many these are."""


@dataclass(frozen=True, slots=True)
class FindingComparison:
    """A machine's marks beside people's: same sentence, fact and family are the same finding."""

    machine: str
    consensus: bool
    items: int
    groups: int
    positive_agreement: AgreementFigure
    """Twice the shared findings over all, people taken together: decided ones, else those of more than half."""
    families: tuple[FindingRow, ...]
    types: tuple[FindingRow, ...]
    """By type as people name it; what the machine alone found, as the machine does."""
    findings: tuple[FindingInItem, ...]


class FindingComparer(NamedTuple):
    """Compares a machine's marks with people's, item by item."""

    machine: str
    consensus: bool
    """Whether it is that of several."""
    rated: Sequence[RatedItem]
    marked: Mapping[str, Sequence[Mark]]
    """By the machine; by item."""
    marks_of: Callable[[Value], Sequence[Mark]]
    """Of one rating."""
    people: Callable[[RatedItem], Sequence[Mark]]
    """Of all people together."""

    def comparison(self) -> FindingComparison | None:
        """What was found by whom, in the items that the machine has audited; `None` where there are none."""
        there = [each for each in self.rated if each.item in self.marked and not each.awaited]
        if not there:
            return None
        listed = tuple(row for each in there for row in self._rows(each))
        groups = [each.group for each in there]
        by_item = {each.item: [row for row in listed if row.item == each.item] for each in there}
        shared = [sum(_by(row) == (True, True) for row in by_item[each.item]) for each in there]
        marked = [sum(sum(_by(row)) for row in by_item[each.item]) for each in there]
        agreement = positive_agreement(
            np.array(shared, dtype=np.float64), np.array(marked, dtype=np.float64), groups, _NOTHING
        )
        return FindingComparison(
            machine=self.machine,
            consensus=self.consensus,
            items=len(there),
            groups=len(set(groups)),
            positive_agreement=agreement,
            families=_count_by_name([(row.family, row) for row in listed]),
            types=_count_by_name([(row.people_type or row.machine_type or "", row) for row in listed]),
            findings=listed,
        )

    def closeness(self) -> Closeness:
        """Positive agreement between people, and between people and the machine, on the same items."""
        there = [each for each in self.rated if each.item in self.marked and len(each.values) >= 2]
        header = self.machine, self.consensus, "findings", "positive agreement"
        if not there:
            nothing = AgreementFigure(None, reason=_NO_PAIRS)
            return Closeness(*header, 0, 0, nothing, nothing, nothing)
        groups = [each.group for each in there]
        count = len(set(groups))
        between, beside = np.zeros((len(there), 2)), np.zeros((len(there), 2))
        for place, each in enumerate(there):
            own = self._own(each)
            machine_findings = frozenset(mark.finding for mark in self.marked[each.item])
            between[place] = np.sum([_overlap(a, b) for a, b in combinations(own, 2)], axis=0)
            beside[place] = np.sum([_overlap(a, machine_findings) for a in own], axis=0)
        difference = jackknife_estimate(
            lambda left_in: _share(*beside[left_in].T) - _share(*between[left_in].T), groups
        )
        return Closeness(
            *header,
            len(there),
            count,
            positive_agreement(between[:, 0], between[:, 1], groups, _NOTHING),
            positive_agreement(beside[:, 0], beside[:, 1], groups, _NOTHING),
            within(figure_of(difference, count, _NOTHING), 1.0),
        )

    def _own(self, rated: RatedItem) -> list[frozenset[Finding]]:
        return [frozenset(mark.finding for mark in self.marks_of(value)) for value in rated.values.values()]

    def _rows(self, rated: RatedItem) -> Iterator[FindingInItem]:
        people, machine = _by_finding(self.people(rated)), _by_finding(self.marked[rated.item])
        own = self._own(rated)
        for finding in dict.fromkeys([*people, *machine]):
            by_people, by_machine = people.get(finding), machine.get(finding)
            mark = by_people or by_machine
            yield FindingInItem(
                rated.item,
                *finding,
                None if by_people is None else by_people.type,
                None if by_machine is None else by_machine.type,
                None if mark is None else mark.span,
                sum(finding in theirs for theirs in own),
                len(own),
            )


def _by_finding(marks: Sequence[Mark]) -> dict[Finding, Mark]:
    return {mark.finding: mark for mark in reversed(marks)}


def _by(row: FindingInItem) -> tuple[bool, bool]:
    return row.people_type is not None, row.machine_type is not None


def _count_by_name(found_by_name: Sequence[tuple[str, FindingInItem]]) -> tuple[FindingRow, ...]:
    rows = []
    for name in sorted({name for name, _ in found_by_name}):
        by = [_by(row) for own, row in found_by_name if own == name]
        rows.append(FindingRow(name, by.count((True, True)), by.count((True, False)), by.count((False, True))))
    return tuple(rows)


def _overlap(one: frozenset[Finding], other: frozenset[Finding]) -> tuple[int, int]:
    return len(one & other), len(one) + len(other)


def _share(shared: NDArray[np.float64], marked: NDArray[np.float64]) -> float:
    whole = float(marked.sum())
    return 2 * float(shared.sum()) / whole if whole else math.nan
