"""How well scores tell unsupported sentences from the others, every sentence counting the same."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from voirdire.cognibench.scoring import Bools, Floats, Truth
from voirdire.stats import Interval
from voirdire.stats.auroc import auroc, auroc_interval


class Separation(NamedTuple):
    """What a detector tells apart, by sentence; both figures are 0.5 for whoever guesses."""

    auroc: float | None = None
    """Chance that an unsupported sentence has a higher score than another, ties counting half (Hanley and McNeil,
    doi:10.1148/radiology.143.1.7063747). `None` where one kind is missing, or the scores only say yes or no."""
    auroc_interval: Interval | None = None
    """95 %, jackknife over contexts."""
    balanced_accuracy: float | None = None
    """The mean of the shares of unsupported sentences that are flagged and of others that are not."""


UNKNOWN = Separation()


def separation(truth: Truth, scores: Floats, flagged: Floats) -> Separation:
    """AUROC of scores and balanced accuracy of flags.

    Args:
        truth: what is labelled.
        scores: shape (statements,); NaN for none: such a statement counts for the flags alone.
        flagged: shape (statements,), from 0 to 1.
    """
    claims = ~truth.small_talk
    known = claims & ~np.isnan(scores)
    accuracy = _balanced(flagged[claims], truth.gold[claims])
    if len(np.unique(scores[known])) <= 2:
        return Separation(balanced_accuracy=accuracy)
    gold = truth.gold[known]
    return Separation(auroc(scores[known], gold), auroc_interval(scores[known], gold, truth.group[known]), accuracy)


def _balanced(flagged: Floats, gold: Bools) -> float | None:
    if gold.all() or not gold.any():
        return None
    return float((flagged[gold].mean() + 1 - flagged[~gold].mean()) / 2)
