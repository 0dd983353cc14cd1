"""Tables, metrics and texts as the logs and the viewer of Inspect hold them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from inspect_ai.viewer import TaskSamplesColumn, TaskSamplesView, ViewerConfig

from voirdire.data.json_values import as_plain

if TYPE_CHECKING:
    import pandas as pd

    from voirdire.stats.intervals import Interval


SHARE = {"min": 0, "max": 1}


def viewer(instrument: str, scales: Mapping[str, Any]) -> ViewerConfig:
    """What models and judges wrote is shown as the text that it is, never rendered: none of it is trusted.

    Args:
        instrument: whose scores are shown.
        scales: how each of them is coloured, in the order in which they are shown.
    """
    columns = [
        *(TaskSamplesColumn(id=name) for name in ("sampleStatus", "sampleId", "epoch", "input")),
        *(TaskSamplesColumn.score(instrument, name) for name in scales),
        *(TaskSamplesColumn(id=name) for name in ("tokens", "duration", "error", "limit")),
    ]
    return ViewerConfig(
        trust_content=False,
        task_samples_view=TaskSamplesView(
            name="voirdire",
            columns=columns,
            score_color_scales=dict(scales),
            color_scales_enabled=True,
            multiline=False,
        ),
    )


def rows_of(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """A table's rows; what is missing is `None`."""
    return [{str(name): as_plain(value) for name, value in row.items()} for row in frame.to_dict("records")]


def with_ends(values: Mapping[str, float | None], intervals: Mapping[str, Interval]) -> dict[str, float]:
    """Metrics, each followed by the ends of its interval (`NAME_low`, `NAME_high`); undefined ones are left out."""
    metrics: dict[str, float] = {}
    for name, value in values.items():
        if value is None:
            continue
        metrics[name] = float(value)
        if name in intervals:
            metrics |= {f"{name}_low": float(intervals[name].low), f"{name}_high": float(intervals[name].high)}
    return metrics
