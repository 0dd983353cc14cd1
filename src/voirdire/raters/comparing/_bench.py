"""Rated items that a run holds, laid out with what each machine says of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from voirdire.raters.agreement.categories import Scale
from voirdire.raters.agreement.coefficients import Floats, icc_2_1, icc_3_1
from voirdire.raters.agreement.scales import ScoreScale
from voirdire.raters.agreement.tables import Value
from voirdire.raters.comparing.categories import Confusion, coefficients_of, confusion
from voirdire.raters.comparing.closeness import Closeness, closeness
from voirdire.raters.comparing.people import Rated
from voirdire.raters.comparing.scores import ScoreComparison, Sides, compare_scores

_ICC = {"ICC(2,1)": icc_2_1, "ICC(3,1)": icc_3_1}

Who = tuple[str, bool]
"""A machine's name, and whether it is the consensus of several."""
Placed = tuple[Scale, Callable[[Value], float | None]]
"""A scale, and the number of the category that a machine's value is of."""


@dataclass(frozen=True, slots=True)
class Bench:
    """What is compared."""

    rated: tuple[Rated, ...]
    raters: tuple[str, ...]
    said: Mapping[Who, Mapping[str, Value]]
    """By machine, the consensus first; then by item."""

    @property
    def groups(self) -> NDArray[np.object_]:
        """Shape (items,): what intervals are clustered by."""
        return np.array([each.group for each in self.rated], dtype=object)

    def table(self, of: Callable[[Value], float | None]) -> Floats:
        """A number of every rating; shape (items, raters)."""
        columns = [
            _column([of(each.values[rater]) if rater in each.values else None for each in self.rated])
            for rater in self.raters
        ]
        return np.column_stack(columns)

    def machine(self, who: Who, of: Callable[[Value], float | None]) -> Floats:
        """A number of what a machine says; shape (items,)."""
        said = self.said[who]
        return _column([of(said[each.item]) if each.item in said else None for each in self.rated])

    def scores(self, scales: Sequence[ScoreScale]) -> tuple[ScoreComparison, ...]:
        """All people beside each machine, scale by scale; then each rater."""
        people: list[tuple[str, ScoreScale, Floats]] = [
            ("", scale, _column([each.score(scale.of) for each in self.rated])) for scale in scales
        ]
        for scale in scales:
            table = self.table(scale.of)
            people += [(rater, scale, table[:, place]) for place, rater in enumerate(self.raters)]
        found = [
            compare_scores(Sides(*who, rater, scale.name), column, self.machine(who, scale.of), self.groups, scale.top)
            for rater, scale, column in people
            for who in self.said
        ]
        return tuple(each for each in found if each is not None)

    def confusions(self, scales: Sequence[Placed]) -> tuple[Confusion, ...]:
        """All people beside each machine, scale by scale."""
        found = [
            confusion(
                *who,
                scale,
                _column([_number(scale, each.category(scale)) for each in self.rated]),
                self.machine(who, number),
                self.groups,
            )
            for scale, number in scales
            for who in self.said
        ]
        return tuple(each for each in found if each is not None)

    def score_closeness(self, scales: Sequence[ScoreScale]) -> list[Closeness]:
        """By intraclass correlations."""
        return [
            closeness(
                (*who, scale.name, name), coefficient, self.table(scale.of), self.machine(who, scale.of), self.groups
            )
            for scale in scales
            for who in self.said
            for name, coefficient in _ICC.items()
        ]

    def category_closeness(self, scales: Sequence[Placed]) -> list[Closeness]:
        """By percent agreement, Cohen's kappa and Gwet's coefficient."""
        return [
            closeness(
                (*who, scale.name, name), coefficient, self.table(scale.number), self.machine(who, number), self.groups
            )
            for scale, number in scales
            for who in self.said
            for name, coefficient in coefficients_of(scale).items()
        ]


def _number(scale: Scale, category: str | None) -> float | None:
    return None if category is None else float(scale.categories.index(category))


def _column(values: Sequence[float | None]) -> Floats:
    return np.array(values, dtype=np.float64)
