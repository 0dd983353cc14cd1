"""Which ratings count as independent, and laying them out: items as rows, raters as columns."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from voirdire.raters.records import Project, Rating

Value = Mapping[str, Any]
Floats = NDArray[np.float64]
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
        found = [
            (one, other, known[:, one] & known[:, other])
            for one, other in zip(*np.triu_indices(len(self.raters), k=1), strict=True)
        ]
        return [(int(one), int(other), both) for one, other, both in found if both.any()]


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
    said, who = {item for item, _ in known}, {rater for _, rater in known}
    items = tuple(item for item in project.items if item in said)
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
