"""What people say of an item, all together: the gold rating where it is settled, else their mean or majority."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from voirdire.integrity.panel import majority
from voirdire.integrity.records import Violation
from voirdire.integrity.taxonomy import Taxonomy
from voirdire.raters.agreement.categories import Scale
from voirdire.raters.agreement.tables import Value, clusters_of, independent
from voirdire.raters.agreement.violations import violations_of
from voirdire.raters.records import GoldRating, Project, RatersError


@dataclass(frozen=True, slots=True)
class Rated:
    """An item that people have rated."""

    item: str
    group: str
    values: dict[str, Value]
    """Independent, live ratings by rater."""
    gold: GoldRating | None

    def score(self, of: Callable[[Value], float | None]) -> float | None:
        """Their score: the decided one, else the mean of those who gave one.

        Ratings that agreed were near enough to need no third person, but need not be equal: their mean counts.
        """
        if self.gold is not None and self.gold.how != "agreed":
            return of(self.gold.value)
        given = [score for value in self.values.values() if (score := of(value)) is not None]
        return float(np.mean(given)) if given else None

    def category(self, scale: Scale) -> str | None:
        """Their category: the gold one, else that of more than half; `None` where there is none."""
        if self.gold is not None:
            return scale.of(self.gold.value)
        given = Counter(category for value in self.values.values() if (category := scale.of(value)) is not None)
        if not given:
            return None
        ((first, count),) = given.most_common(1)
        return first if 2 * count > given.total() else None

    def violations(self, taxonomy: Taxonomy) -> list[Violation]:
        """Their violations: the decided ones, else those that more than half of them found."""
        if self.gold is not None and self.gold.how != "agreed":
            return violations_of(self.gold.value, taxonomy)
        return majority([violations_of(value, taxonomy) for value in self.values.values()], taxonomy)


def rated_items(project: Project) -> list[Rated]:
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
    return [
        Rated(item, clusters[item], by_item[item], project.gold.get(item)) for item in project.items if item in by_item
    ]


def raters_of(project: Project, rated: Sequence[Rated]) -> tuple[str, ...]:
    """Who rated any of these, in the project's order."""
    return tuple(rater for rater in project.raters if any(rater in each.values for each in rated))
