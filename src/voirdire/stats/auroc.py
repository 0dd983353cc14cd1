"""How well scores tell two kinds apart, whatever the threshold."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from voirdire.stats.intervals import Interval, jackknife_t

_MIN_GROUPS = 3


def auroc(scores: NDArray[np.float64], gold: NDArray[np.bool_]) -> float | None:
    """The area under the ROC curve, by ranks; `None` where one kind is missing.

    Args:
        scores: shape (n,), finite.
        gold: shape (n,), whether a high score is right.
    """
    positive = int(gold.sum())
    negative = gold.size - positive
    if not positive or not negative:
        return None
    order = np.sort(scores)
    ranks = (np.searchsorted(order, scores, "left") + np.searchsorted(order, scores, "right") + 1) / 2
    return float((ranks[gold].sum() - positive * (positive + 1) / 2) / (positive * negative))


def auroc_interval(
    scores: NDArray[np.float64], gold: NDArray[np.bool_], groups: NDArray[np.intp] | NDArray[np.str_]
) -> Interval | None:
    """Its 95 % interval, jackknife-t over groups; `None` at 0 or 1, or where leaving some group out leaves one kind.

    Args:
        scores: as for `auroc`.
        gold: as for `auroc`.
        groups: shape (n,), which depend on one another.
    """
    value = auroc(scores, gold)
    if value is None or not 0 < value < 1:
        return None
    without = [auroc(scores[groups != each], gold[groups != each]) for each in np.unique(groups)]
    known = [each for each in without if each is not None]
    if len(known) < max(_MIN_GROUPS, len(without)) or len(set(known)) == 1:
        return None
    return jackknife_t(value, known, scale="logit")
