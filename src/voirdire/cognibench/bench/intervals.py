"""Intervals of F1 and of differences of F1 between detectors on the same statements. The group is the cluster."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from voirdire.cognibench.scoring import Bools, Floats, Truth, group_sums, left_out, measures, parts_of, totals
from voirdire.detectors.scoring import Score
from voirdire.stats import Interval, bca, jackknife_t, percentile

IntervalMethod = Literal["jackknife-t", "percentile", "bca"]
METHODS: tuple[IntervalMethod, ...] = ("jackknife-t", "percentile", "bca")

LEVEL = 0.95
_MIN_GROUPS = 3


class Difference(NamedTuple):
    """One detector's F1 minus another's."""

    difference: float | None
    """`None`: either is undefined."""
    interval: Interval | None


@dataclass(frozen=True, slots=True)
class Resampled:
    """What a detector's figures are with all groups, without each one, and in each bootstrap draw."""

    scores: dict[str, Score]
    without: dict[str, Floats]
    """F1 by figure, shape (groups,)."""
    drawn: dict[str, Floats] | None
    """F1 by figure, shape (draws,); `None`: there are no draws."""
    counting: dict[str, Bools]
    """By figure, groups with a flagged or a hallucinated word: those that can move it."""


def resample(truth: Truth, flagged: Floats, weights: Floats | None = None) -> Resampled:
    """Compute a detector's figures and what intervals need.

    Args:
        truth: what is labelled.
        flagged: shape (statements,).
        weights: shape (draws, groups): bootstrap draws; give every detector the same ones.
    """
    sums = group_sums(truth, flagged)
    moved = {part: sums[:, place, 1:].any(axis=1) for place, part in enumerate(truth.parts)}
    found = measures(truth, sums.sum(axis=0)[np.newaxis])
    return Resampled(
        scores={name: each.score() for name, each in found.items()},
        without={name: each.f1 for name, each in measures(truth, left_out(sums)).items()},
        drawn=None
        if weights is None
        else {name: each.f1 for name, each in measures(truth, totals(sums, weights)).items()},
        counting={name: np.logical_or.reduce([moved[part] for part in parts_of(name)]) for name in found},
    )


def interval_of(figure: str, of: Resampled, method: IntervalMethod) -> Interval | None:
    """The 95 % interval of a figure's F1.

    Returns:
        `None` where F1 is undefined, 0 or 1, where fewer than three groups have something to count, or where
        leaving one of them out makes it undefined or changes nothing.
    """
    f1 = of.scores[figure].f1
    if f1 is None or not 0 < f1 < 1:
        return None
    counting = of.counting[figure]
    drawn = None if of.drawn is None else of.drawn[figure]
    return _interval(f1, of.without[figure][counting], drawn, method, "logit")


def difference(figure: str, one: Resampled, other: Resampled, method: IntervalMethod) -> Difference:
    """How much higher one detector's F1 is than another's on the same statements, with its 95 % interval."""
    first, second = one.scores[figure].f1, other.scores[figure].f1
    if first is None or second is None:
        return Difference(None, None)
    counting = one.counting[figure] | other.counting[figure]
    without = (one.without[figure] - other.without[figure])[counting]
    if (without == 0).all():
        return Difference(first - second, None)
    drawn = None if one.drawn is None or other.drawn is None else one.drawn[figure] - other.drawn[figure]
    found = _interval(first - second, without, drawn, method, "identity")
    if found is not None:  # no difference of two shares is wider
        found = found._replace(low=max(found.low, -1.0), high=min(found.high, 1.0))
    return Difference(first - second, found)


def _interval(
    estimate: float,
    without: Floats,
    drawn: Floats | None,
    method: IntervalMethod,
    scale: Literal["logit", "identity"],
) -> Interval | None:
    if without.size < _MIN_GROUPS or not np.isfinite(without).all():
        return None
    try:
        if method == "jackknife-t" or drawn is None:
            return jackknife_t(estimate, without, level=LEVEL, scale=scale)
        return percentile(drawn, level=LEVEL) if method == "percentile" else bca(estimate, drawn, without, level=LEVEL)
    except ValueError:
        return None
