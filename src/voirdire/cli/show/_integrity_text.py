"""Words and numbers that the tables of integrity share."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import RenderableType

    from voirdire.stats.intervals import Interval

_SHORT = {"epistemic_integrity": "integrity", "value_transparency": "transparency", "overall_score": "overall"}


def title(text: str) -> RenderableType:
    """A heading."""
    from rich.text import Text

    return Text(f"\n{text}", style="bold")


def short(dimension: str) -> str:
    """A dimension, as tables name it."""
    return _SHORT.get(dimension, dimension)


def places(value: float | None, decimals: int) -> str:
    """With so many decimals; nothing where it is undefined."""
    return "" if value is None or not math.isfinite(value) else f"{round(value, decimals) + 0:.{decimals}f}"


def two_places(value: float | None) -> str:
    """With two decimals, likewise."""
    return places(value, 2)


def span(low: float, high: float) -> str:
    """The ends of an interval, likewise."""
    if low != low or high != high:
        return ""
    return f"{two_places(low)}{'–' if low >= 0 else ' to '}{two_places(high)}"


def ends(interval: Interval | None) -> str:
    """The ends of an interval, where there is one."""
    return "" if interval is None else span(interval.low, interval.high)


def p_value(p: float) -> str:
    """A p-value, as far as its places say something."""
    return "" if p != p else f"{p:.3f}" if p >= 0.001 else f"{p:.0e}"
