"""What values a metric can have, and which way is good, so that no limit that can't be meant passes in silence."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from voirdire.adapters.gate.records import GateError, Limit, Side


class Scale(NamedTuple):
    """The values of a metric."""

    low: float = -math.inf
    high: float = math.inf
    usual: Side | None = None
    """"min" where high values are good, "max" where low ones are; `None` where that is open."""


def scale_of(metric: str, instrument: str) -> Scale:
    """What is known of a metric; of one that is not known here, nothing."""
    look_up = _SCALES.get(instrument)
    return Scale() if look_up is None else look_up(metric)


def check_range(limit: Limit, instrument: str) -> None:
    """See that the metric has values on both sides of the limit, or at it.

    Raises:
        GateError: it has none there.
    """
    scale = scale_of(limit.metric, instrument)
    if not scale.low <= limit.value <= scale.high:
        span = f"from {scale.low:g} to {scale.high:g}" if math.isfinite(scale.high) else f"{scale.low:g} or more"
        raise GateError(f"{limit.metric} is {span}; the limit {limit} can't be meant.")


def odd_side(limit: Limit, among: Sequence[Limit], instrument: str) -> str | None:
    """A note where a limit asks for bad values of a metric, unless another one makes a band of the two."""
    usual = scale_of(limit.metric, instrument).usual
    if usual in (None, limit.side) or any(other.metric == limit.metric and other.side == usual for other in among):
        return None
    asks, good = ("high", "low") if limit.side == "min" else ("low", "high")
    return f"{limit} asks for {asks} values, and of {limit.metric} {good} ones are good: was --{usual} meant?"


def _ddft(metric: str) -> Scale:
    from voirdire.ddft.analysis.comparing.standings import LOWER_IS_BETTER
    from voirdire.ddft.metrics import BY_NAME

    usual: Side | None = "max" if metric in LOWER_IS_BETTER else "min"
    if metric == "CI_norm":  # of the models of a study, and so no metric of one model
        return Scale(0.0, 1.0, usual)
    if metric not in BY_NAME:
        return Scale()
    known = BY_NAME[metric]
    high = math.inf if known.kind == "ratio" else known.unit
    return Scale(0.0, high, None if metric == "share_answered" else usual)  # a refusal may be right, or not


def _cognibench(metric: str) -> Scale:
    if metric == "reliable_pct":  # whether that is enough depends on what is required
        return Scale(0.0, 100.0)
    return Scale(0.0, 100.0, "min" if metric in ("faithful_pct", "irrefutable_pct") else "max")


def _integrity(metric: str) -> Scale:
    high = math.inf if metric.endswith("_per_response") else 100.0
    return Scale(0.0, high, "min" if metric.endswith("_score") else "max")


_SCALES: Mapping[str, Callable[[str], Scale]] = {"ddft": _ddft, "cognibench": _cognibench, "integrity": _integrity}
