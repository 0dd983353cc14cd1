"""A figure with its interval, or the reason why there is none."""

from __future__ import annotations

import math
from typing import NamedTuple

from voirdire.stats import Estimate
from voirdire.stats.clustered import Estimate as Clustered

MIN_GROUPS = 5
"""Groups below which an interval clustered by them is too wide to say anything, and none is given."""


class Figure(NamedTuple):
    """A figure; `None` where it is undefined."""

    value: float | None
    low: float | None = None
    """End of the 95 % interval, clustered by group; `None` where there is none."""
    high: float | None = None
    reason: str | None = None
    """Why there is no figure, or no interval: a sentence."""


def figure_of(estimate: Estimate, groups: int, undefined: str) -> Figure:
    """An estimate as a figure.

    Args:
        estimate: NaN where undefined.
        groups: how many groups its items are of.
        undefined: why it is, should it be undefined: a sentence.
    """
    if math.isnan(estimate.value):
        return Figure(None, reason=undefined)
    if groups < MIN_GROUPS or math.isnan(estimate.low) or math.isnan(estimate.high):
        return Figure(estimate.value, reason=no_interval(groups))
    return Figure(*estimate)


def clustered_figure(estimate: Clustered, undefined: str, times: float = 1.0) -> Figure:
    """The same of a share, a mean or a count; `times` gives it another unit."""
    if estimate.value is None:
        return Figure(None, reason=undefined)
    if estimate.interval is None or estimate.groups < MIN_GROUPS:
        return Figure(times * estimate.value, reason=no_interval(estimate.groups))
    return Figure(times * estimate.value, times * estimate.interval.low, times * estimate.interval.high)


def within(figure: Figure, bound: float) -> Figure:
    """A figure that can't lie farther from 0 than `bound`: neither do the ends of its interval."""
    if figure.low is None or figure.high is None:
        return figure
    return figure._replace(low=max(figure.low, -bound), high=min(figure.high, bound))


def scaled(figure: Figure, times: float) -> Figure:
    """A figure in another unit."""
    value, low, high = (None if each is None else times * each for each in figure[:3])
    return Figure(value, low, high, figure.reason)


def no_interval(groups: int) -> str:
    """Why a figure that is known has no interval."""
    if groups < MIN_GROUPS:
        return f"An interval needs {MIN_GROUPS} groups, and there {'is' if groups == 1 else 'are'} {groups}."
    return "There is no interval: nothing varies between the groups, or all rests on one of them."
