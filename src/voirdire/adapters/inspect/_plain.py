"""Tables and metrics as Inspect's logs hold them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from voirdire.data.plain import as_plain

if TYPE_CHECKING:
    import pandas as pd

    from voirdire.stats.intervals import Interval


def rows_of(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """A table's rows; what is missing is `None`."""
    return [{str(name): as_plain(value) for name, value in row.items()} for row in frame.to_dict("records")]


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
