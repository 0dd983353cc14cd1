"""How many items it takes to see a difference, by the spread of the paired differences that results show."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from voirdire.data.json_values import as_object
from voirdire.evaluation.comparison import compare
from voirdire.evaluation.records import Evaluation
from voirdire.instruments import PowerQuestion
from voirdire.stats.power import clusters_needed, smallest_difference

MOST_UNITS = 1_000_000


@dataclass(frozen=True, slots=True)
class Planned:
    """What one evaluation would need."""

    evaluation: str
    unit: Literal["item", "cluster"]
    """What is sampled."""
    units: int
    """How many the results have, in the median pair of models."""
    needed: int | None
    """For two models as unlike as the median pair; `None`: more than `MOST_UNITS`."""
    needed_at_worst: int | None
    """For two as unlike as the pair whose differences vary most."""
    seen: float
    """The smallest difference that so many units as there are show with this power, in the median pair."""

    def as_dict(self) -> dict[str, Any]:
        """Plain values that JSON can hold."""
        return as_object(self)


def planned(evaluation: Evaluation, question: PowerQuestion) -> Planned | None:
    """How many units are needed; `None` where no two models differ on shared items.

    Several models are compared at the level that Holm's first step gives each pair, which is the hardest.
    """
    result = compare(evaluation)
    above = np.triu_indices(len(result.placed), 1)
    errors, clusters = result.pairs.se[above], result.pairs.clusters[above]
    known = np.isfinite(errors) & (errors > 0)
    if not known.any():
        return None
    variances = errors[known] ** 2 * clusters[known]
    units, median = int(np.median(clusters[known])), float(np.median(variances))
    models = question.models or 2
    alpha = question.alpha / (models * (models - 1) / 2)
    needed, at_worst = (
        clusters_needed(question.detect, variance, power=question.power, alpha=alpha, most=MOST_UNITS)
        for variance in (median, float(variances.max()))
    )
    seen = smallest_difference(median, units, power=question.power, alpha=alpha)
    return Planned(evaluation.name, result.unit, units, needed, at_worst, seen)
