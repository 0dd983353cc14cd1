"""Shares and means of clustered data, each with its interval: one way to reckon them, wherever they are shown."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from voirdire.stats.intervals import Interval, Scale, clustered_share, jackknife_t

Floats = NDArray[np.float64]

_MIN_GROUPS = 3


class Estimate(NamedTuple):
    """A figure; `value` is `None` where it is undefined."""

    value: float | None
    interval: Interval | None
    """95 %; `None` with fewer than three groups, or where they show no variation to build on."""
    n: int
    groups: int


def share(hits: ArrayLike, groups: ArrayLike) -> Estimate:
    """Share of trials that are hits, with an interval clustered by group.

    Args:
        hits: shape (n,), true or false.
        groups: shape (n,), which group each trial belongs to.
    """
    hit, (sums, trials) = np.asarray(hits, dtype=np.float64), _sums(groups, hits)
    if not hit.size:
        return Estimate(None, None, 0, 0)
    interval = clustered_share(sums, trials) if trials.size >= _MIN_GROUPS else None
    return Estimate(float(hit.mean()), interval, hit.size, trials.size)


def weighted_share(hits: ArrayLike, weights: ArrayLike, groups: ArrayLike) -> Estimate:
    """Share of the weight that lies on hits: words in flagged sentences, say. Jackknife-t over groups, logit scale.

    Args:
        hits: shape (n,), true or false.
        weights: shape (n,), not negative.
        groups: shape (n,).
    """
    weight = np.asarray(weights, dtype=np.float64)
    parts, _ = _sums(groups, np.asarray(hits, dtype=np.float64) * weight)
    wholes, counts = _sums(groups, weight)
    whole = float(wholes.sum())
    if not whole:
        return Estimate(None, None, int(weight.size), counts.size)
    with np.errstate(divide="ignore", invalid="ignore"):
        without = (parts.sum() - parts) / (whole - wholes)
    value = float(parts.sum()) / whole
    return Estimate(value, _jackknifed(value, without, "logit"), int(weight.size), counts.size)


def mean_score(scores: ArrayLike, groups: ArrayLike, top: float = 100.0) -> Estimate:
    """Mean of scores in [0, top]; jackknife-t over groups on the logit scale.

    Where all scores lie at one end, the exact binomial interval of as many scores stands in.

    Args:
        scores: shape (n,).
        groups: shape (n,).
        top: the highest score there is.
    """
    score = np.asarray(scores, dtype=np.float64) / top
    if not score.size:
        return Estimate(None, None, 0, 0)
    parts, counts = _sums(groups, score)
    with np.errstate(divide="ignore", invalid="ignore"):
        without = (parts.sum() - parts) / (counts.sum() - counts)
    value = float(score.mean())
    trials = float(score.size) if value in (0.0, 1.0) else None
    unit = _jackknifed(value, without, "logit", trials)
    interval = None if unit is None else unit._replace(low=unit.low * top, high=unit.high * top)
    return Estimate(float(np.asarray(scores, dtype=np.float64).mean()), interval, score.size, counts.size)


def mean_count(counts: ArrayLike, groups: ArrayLike) -> Estimate:
    """Mean of counts, which have no highest value; jackknife-t over groups on the log scale.

    Args:
        counts: shape (n,), not negative.
        groups: shape (n,).
    """
    values = np.asarray(counts, dtype=np.float64)
    if not values.size:
        return Estimate(None, None, 0, 0)
    sums, sizes = _sums(groups, values)
    with np.errstate(divide="ignore", invalid="ignore"):
        without = (sums.sum() - sums) / (sizes.sum() - sizes)
    value = float(values.mean())
    return Estimate(value, _jackknifed(value, without, "log"), values.size, sizes.size)


def _jackknifed(value: float, without: Floats, scale: Scale, trials: float | None = None) -> Interval | None:
    try:
        return jackknife_t(value, without, scale=scale, trials=trials)
    except ValueError:  # too few groups, or no variation between them
        return None


def _sums(groups: ArrayLike, values: ArrayLike) -> tuple[Floats, Floats]:
    """Sum and number of values of each group."""
    names, places = np.unique(np.asarray(groups), return_inverse=True)
    each = np.asarray(values, dtype=np.float64)
    sums = np.bincount(places, each, minlength=names.size).astype(np.float64)
    return sums, np.bincount(places, minlength=names.size).astype(np.float64)
