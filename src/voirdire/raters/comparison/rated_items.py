"""Rated items that a run holds: what people say of each, all together, and what each machine says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from voirdire.raters.agreement.measures import Floats, clusters_of, group_of, icc_2_1, icc_3_1, independent
from voirdire.raters.comparison.measures import (
    Closeness,
    Clustering,
    Confusion,
    ScoreComparison,
    Sides,
    closeness,
    coefficients_of,
    compare_scores,
    confusion,
)
from voirdire.raters.records import GoldRating, Project, RatersError
from voirdire.raters.tasks.base import Scale, ScoreScale, Value

_ICC = {"ICC(2,1)": icc_2_1, "ICC(3,1)": icc_3_1}

JudgeKey = tuple[str, bool]
"""A machine's name, and whether it is the consensus of several."""
Placed = tuple[Scale, Callable[[Value], float | None]]
"""A scale, and the number of the category that a machine's value is of."""


@dataclass(frozen=True, slots=True)
class RatedItem:
    """An item that people have rated."""

    item: str
    group: str
    """What intervals of coefficients are clustered by."""
    own_group: str
    """The same, never put together with others in a block."""
    weight: float
    """How many items it stands for."""
    values: dict[str, Value]
    """Independent, live ratings by rater."""
    gold: GoldRating | None
    awaited: bool = False
    """Whether it still lacks ratings: what is there does not stand for people."""

    def score(self, number_of: Callable[[Value], float | None]) -> float | None:
        """Their score: the settled one, else the mean of those who gave one; `None` where ratings are awaited."""
        if self.awaited:
            return None
        if self.gold is not None:
            return number_of(self.gold.value)
        scores = [score for value in self.values.values() if (score := number_of(value)) is not None]
        return float(np.mean(scores)) if scores else None

    def category(self, scale: Scale) -> str | None:
        """Their category: the gold one, else that of more than half; `None` where there is none."""
        if self.gold is not None:
            return scale.of(self.gold.value)
        if self.awaited:
            return None
        counts = Counter(category for value in self.values.values() if (category := scale.of(value)) is not None)
        if not counts:
            return None
        ((first, count),) = counts.most_common(1)
        return first if 2 * count > counts.total() else None


def rated_items(project: Project) -> list[RatedItem]:
    """The live items with a rating, in the project's order.

    Raises:
        RatersError: there are none.
    """
    by_item: dict[str, dict[str, Value]] = {}
    for rating in independent(project):
        by_item.setdefault(rating.item, {})[rating.rater] = rating.value
    if not by_item:
        raise RatersError(
            f"{project.settings.title!r} has no live ratings yet: there is nothing to compare with a run."
        )
    clusters = clusters_of(project)
    needed = project.settings.raters_per_item
    return [
        RatedItem(
            item,
            clusters[item],
            group_of(project, item),
            project.documents[project.items[item].document].weight,
            by_item[item],
            gold,
            gold is None and len(by_item[item]) < needed,
        )
        for item in project.items
        if item in by_item
        for gold in [project.gold.get(item)]
    ]


def raters_of(project: Project, rated: Sequence[RatedItem]) -> tuple[str, ...]:
    """Who rated any of these, in the project's order."""
    return tuple(rater for rater in project.raters if any(rater in each.values for each in rated))


@dataclass(frozen=True, slots=True)
class ComparisonData:
    """What is compared."""

    rated: tuple[RatedItem, ...]
    raters: tuple[str, ...]
    by_machine: Mapping[JudgeKey, Mapping[str, Value]]
    """By machine, the consensus first; then by item."""

    @property
    def groups(self) -> NDArray[np.object_]:
        """Shape (items,): what intervals are clustered by."""
        return np.array([each.group for each in self.rated], dtype=object)

    @property
    def clustering(self) -> Clustering:
        """What is known of how the items were drawn."""
        return Clustering(
            self.groups,
            np.array([each.own_group for each in self.rated], dtype=object),
            np.array([each.weight for each in self.rated]),
        )

    def table(self, number_of: Callable[[Value], float | None]) -> Floats:
        """A number of every rating; shape (items, raters)."""
        columns = [
            _column([number_of(each.values[rater]) if rater in each.values else None for each in self.rated])
            for rater in self.raters
        ]
        return np.column_stack(columns)

    def machine(self, who: JudgeKey, number_of: Callable[[Value], float | None]) -> Floats:
        """A number of what a machine says; shape (items,)."""
        values = self.by_machine[who]
        return _column([number_of(values[each.item]) if each.item in values else None for each in self.rated])

    def scores(self, scales: Sequence[ScoreScale]) -> tuple[ScoreComparison, ...]:
        """All people beside each machine, scale by scale; then each rater."""
        people: list[tuple[str, ScoreScale, Floats]] = [
            ("", scale, _column([each.score(scale.of) for each in self.rated])) for scale in scales
        ]
        for scale in scales:
            table = self.table(scale.of)
            people += [(rater, scale, table[:, place]) for place, rater in enumerate(self.raters)]
        comparisons = [
            compare_scores(
                Sides(*who, rater, scale.name),
                column,
                self.machine(who, scale.of),
                self.clustering,
                (scale.bottom, scale.top),
            )
            for rater, scale, column in people
            for who in self.by_machine
        ]
        return tuple(each for each in comparisons if each is not None)

    def confusions(self, scales: Sequence[Placed]) -> tuple[Confusion, ...]:
        """All people beside each machine, scale by scale."""
        laid_out = [
            confusion(
                *who,
                scale,
                _column([_number(scale, each.category(scale)) for each in self.rated]),
                self.machine(who, number),
                self.groups,
            )
            for scale, number in scales
            for who in self.by_machine
        ]
        return tuple(each for each in laid_out if each is not None)

    def score_closeness(self, scales: Sequence[ScoreScale]) -> list[Closeness]:
        """By intraclass correlations."""
        return [
            closeness(
                (*who, scale.name, name), coefficient, self.table(scale.of), self.machine(who, scale.of), self.groups
            )
            for scale in scales
            for who in self.by_machine
            for name, coefficient in _ICC.items()
        ]

    def category_closeness(self, scales: Sequence[Placed]) -> list[Closeness]:
        """By percent agreement, Cohen's kappa and Gwet's coefficient."""
        return [
            closeness(
                (*who, scale.name, name), coefficient, self.table(scale.number), self.machine(who, number), self.groups
            )
            for scale, number in scales
            for who in self.by_machine
            for name, coefficient in coefficients_of(scale).items()
        ]


def _number(scale: Scale, category: str | None) -> float | None:
    return None if category is None else float(scale.categories.index(category))


def _column(values: Sequence[float | None]) -> Floats:
    return np.array(values, dtype=np.float64)
