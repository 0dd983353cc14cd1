"""What values a metric can have, and which way is good, so that no limit that can't be meant passes in silence."""

from __future__ import annotations

import math
from collections.abc import Sequence

from voirdire.adapters.gate.records import GateError, Limit
from voirdire.instruments import instrument_of
from voirdire.instruments.figures import Scale


def scale_of(metric: str, instrument: str) -> Scale:
    """What is known of a metric; of one that is not known here, nothing."""
    return instrument_of(instrument).scale(metric)


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
