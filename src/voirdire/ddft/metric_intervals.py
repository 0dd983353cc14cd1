"""Intervals of a model's metrics. The concept is the cluster."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from voirdire.ddft.concept_sums import Cells, Floats, Totals
from voirdire.ddft.metrics import BY_NAME, ER_PARTS, METRICS, Metric, Value, measure
from voirdire.reason_codes import Reason, reason
from voirdire.stats.intervals import Interval, NoIntervalError, Scale, clustered_share, jackknife_t, percentile

_MIN_VALUES = 3
_EQUAL = 1e-9
"""Values closer together than this are equal, but for rounding."""


def mean_interval(values: ArrayLike, level: float = 0.95) -> Interval | None:
    """The t interval of a mean; `None` with fewer than three values, or where all are equal."""
    x = np.asarray(values, dtype=np.float64)
    if x.size < _MIN_VALUES or np.ptp(x) < _EQUAL:
        return None
    return jackknife_t(float(x.mean()), (x.sum() - x) / (x.size - 1), level=level)


MIN_CONCEPTS = 3
WITHOUT_VARIATION = ("exact", "binomial-t")
"""How the interval of a share is made whose concepts are all alike: the jackknife of ER sees nothing of it."""

_SCALES: dict[str, Scale] = {"mean": "logit", "index": "logit", "ratio": "log"}


def default_intervals(
    cells: Cells, estimates: dict[str, Value], *, level: float = 0.95
) -> tuple[dict[str, Interval], dict[str, Reason]]:
    """Jackknife-t intervals of all metrics estimated that have a value, and why some have none.

    Shares of counted things are moderated by their binomial variance (`stats.clustered_share`); means of scores and
    ER are jackknifed on the logit scale, CI_raw on the log scale (`stats.jackknife_t`). The ends of a smoothed share
    (E, D) are smoothed as it is, so that they are values it can take. Where all concepts have the same share of traps
    rejected, the jackknife of ER sees nothing of E's uncertainty: that of E's own interval is added (D likewise).

    Returns:
        Intervals by metric name, in the metric's unit; and by name, reasons for those without one.
    """
    each = np.eye(len(cells.concepts))
    metrics = [metric for metric in METRICS if metric.name in estimates]
    left_out, per_concept = measure(cells, 1 - each, metrics), cells.totals(each)
    intervals: dict[str, Interval] = {}
    missing: dict[str, Reason] = {}
    for metric in metrics:
        estimate = estimates[metric.name]
        if estimate.value is None:
            continue
        why = _missing_reason(metric, intervals, per_concept)
        if why is not None:
            missing[metric.name] = why
            continue
        reach = hidden_reach(estimate.value, estimates, intervals) if metric.kind == "index" else (0.0, 0.0)
        try:
            intervals[metric.name] = _interval(metric, estimate.value, left_out[metric.name], per_concept, level, reach)
        except NoIntervalError as problem:
            missing[metric.name] = reason(problem.code)
    return intervals, missing


def percentile_intervals(draws: dict[str, Floats], *, level: float = 0.95) -> dict[str, Interval]:
    """Percentile intervals of bootstrap draws by metric name; a metric without any defined draw has none."""
    return {name: percentile(values, level=level) for name, values in draws.items() if not np.isnan(values).all()}


def undefined_draws(draws: dict[str, Floats]) -> dict[str, int]:
    """How many draws of each metric are undefined, where any are but not all."""
    counts = {name: int(np.isnan(values).sum()) for name, values in draws.items()}
    return {name: count for name, count in counts.items() if 0 < count < draws[name].size}


def _interval(
    metric: Metric, estimate: float, left_out: Floats, per_concept: Totals, level: float, reach: tuple[float, float]
) -> Interval:
    counts = per_concept[metric.count]
    if metric.successes is not None:
        share = clustered_share(metric.successes(per_concept), counts, level=level)
        if metric.smoothed:
            n = float(counts.sum())
            return share._replace(low=(share.low * n + 0.5) / (n + 1), high=(share.high * n + 0.5) / (n + 1))
        return share._replace(low=metric.unit * share.low, high=metric.unit * share.high)
    trials = float(counts.sum()) if metric.kind == "mean" else None
    # A concept without any such turn says nothing of how much concepts differ.
    known = left_out[counts > 0]
    return jackknife_t(estimate, known, level=level, scale=_SCALES[metric.kind], trials=trials, reach=reach)


def _missing_reason(metric: Metric, intervals: dict[str, Interval], per_concept: Totals) -> Reason | None:
    """What an interval of this metric needs and does not have."""
    for part in metric.parts:
        if part not in intervals:
            return reason("part_without_interval", part=part)
    contributing = int((per_concept[metric.count] > 0).sum())
    if contributing < MIN_CONCEPTS:
        return reason("few_contribute", contributing=contributing, needed=MIN_CONCEPTS)
    return None


def hidden_reach(er: float, estimates: dict[str, Value], intervals: dict[str, Interval]) -> tuple[float, float]:
    """How far ER moves, down and up, with those shares among its parts in which concepts do not vary at all."""
    below = above = 0.0
    for part in ER_PARTS:
        value, interval = estimates[part].value, intervals[part]
        if BY_NAME[part].kind == "share" and interval.method in WITHOUT_VARIATION and value:
            low, high = (_unsmoothed(end, estimates[part].n) for end in (interval.low, interval.high))
            below = math.hypot(below, er * (1 - (low / value) ** (1 / len(ER_PARTS))))
            above = math.hypot(above, er * ((high / value) ** (1 / len(ER_PARTS)) - 1))
    return below, above


def _unsmoothed(share: float, n: int) -> float:
    """The population's share, which ER is an estimate with."""
    return max(0.0, (share * (n + 1) - 0.5) / n)
