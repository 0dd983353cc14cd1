"""What can this evaluation see?"""

from __future__ import annotations

import numpy as np

from voirdire.evaluation.checks.check import Check, graded, not_measured
from voirdire.evaluation.comparison import Comparison, compare
from voirdire.evaluation.records import Evaluation
from voirdire.reasons import reason
from voirdire.stats.power import clusters_needed, smallest_difference

MOST_UNITS = 1_000_000


def power(evaluation: Evaluation) -> Check:
    """The difference of two models that is seen in four of five evaluations of this size, at a level of 5 %.

    Value: that difference, for two models as like as the median pair. It warns where the two best differ by less.
    """
    id = "power"
    found = compare(evaluation)
    above = np.triu_indices(len(found.placed), 1)
    errors, clusters = found.pairs.se[above], found.pairs.clusters[above]
    known = np.isfinite(errors) & (errors > 0)
    if not known.any():
        return not_measured(id, evaluation, "evaluation_no_pairs")
    k = int(np.median(clusters[known]))
    variance = float(np.median(errors[known] ** 2 * clusters[known]))
    smallest = smallest_difference(variance, k)
    gap = _first_gap(found)
    needed = clusters_needed(gap, variance, most=MOST_UNITS) if gap else None
    return Check(
        id,
        graded(smallest, max(gap, 1e-9), float("inf")),
        evaluation.name,
        reason("evaluation_power", difference=smallest, gap=gap, units=k, unit=found.unit)
        if needed is None
        else reason("evaluation_power_needed", difference=smallest, gap=gap, units=k, unit=found.unit, needed=needed),
        smallest,
        int(known.sum()),
        tuple(each.model for each in found.placed[:2]) if smallest >= gap else (),
        details={"needed": needed, "first_gap": gap},
    )


CHECKS = (power,)


def _first_gap(found: Comparison) -> float:
    first, second = (each.headline.value or 0.0 for each in found.placed[:2])
    return abs(first - second)
