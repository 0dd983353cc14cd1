"""Tables and numbers as Inspect's logs hold them: plain values, nothing that JSON can't say."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

    from voirdire.stats.intervals import Interval


def rows_of(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """A table's rows; what is missing is `None`."""
    return [{str(name): plain(value) for name, value in row.items()} for row in frame.to_dict("records")]


def plain(value: Any) -> Any:
    """A value as JSON knows it: NaN is `None`, an array a list, a number Python's own."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, Mapping):
        return {str(name): plain(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def with_ends(values: Mapping[str, float | None], intervals: Mapping[str, Interval]) -> dict[str, float]:
    """Metrics, each followed by the ends of its interval (`NAME_low`, `NAME_high`); undefined ones are left out."""
    found: dict[str, float] = {}
    for name, value in values.items():
        if value is None:
            continue
        found[name] = float(value)
        if name in intervals:
            found |= {f"{name}_low": float(intervals[name].low), f"{name}_high": float(intervals[name].high)}
    return found
