"""The drawings of the report: Vega-Lite descriptions without colours of text, axes or background.

Marks are in Okabe and Ito's colours that read on white and on near-black; whatever colour says, dash, shape or place
says too. Points and bars have a description, which becomes their label for screen readers and their tooltip.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from voirdire.ddft.report import chart_layouts as layouts
from voirdire.documents.document import Panel
from voirdire.text.shortening import shortened

__all__ = ["Panel", "forest", "outcome_bars", "plane", "ranks", "scores_at"]

Row = Mapping[str, Any]

_ROOM = 0.08
"""Of the longest bar, what a number needs."""
_NAME = 20
"""Characters of a name that an axis has room for."""
_APART = 0.09
"""How far FAR and SAS stand from a turn's place, so that error bars do not hide one another."""


def scores_at(
    title: str,
    rows: Sequence[Row],
    summary: str,
    *,
    x_title: str,
    ticks: Sequence[float],
    bound: float | None = None,
    small: bool = False,
    bars: bool = False,
) -> Panel:
    """FAR and SAS along something, with bands or error bars.

    Args:
        title: of the panel.
        rows: score ("FAR", "SAS"), x, value, low, high (`None` for no band), label.
        summary: for those who can't see it.
        x_title: of the axis.
        ticks: places on it.
        bound: a dashed line at this height.
        small: one of many.
        bars: error bars instead of a band; FAR and SAS then stand a little apart.
    """
    apart = {"FAR": -_APART, "SAS": _APART} if bars else {"FAR": 0.0, "SAS": 0.0}
    points = [dict(row) | {"at": row["x"] + apart[row["score"]]} for row in rows]
    return _filled(layouts.scores_layout(x_title, tuple(ticks), bound, small, bars), title, points, summary)


def forest(
    title: str,
    rows: Sequence[Row],
    summary: str,
    *,
    ends: tuple[float, float] | None = None,
    zero: bool = False,
    leading: bool = False,
) -> Panel:
    """A row per name: its value as a point, its interval as a line.

    Args:
        title: of the panel.
        rows: name, value (`None` for none), low, high (`None` for no interval), label; hollow, where it is so; words,
            where there is no value; shown, the value as a number, where the chart is leading.
        summary: for those who can't see it.
        ends: of the axis; the upper one gives way to a value or an interval beyond it.
        zero: a dashed line at 0.
        leading: the chart that a page begins with, which is larger.
    """
    if ends is not None:
        ends = ends[0], max([ends[1], *(row[end] for row in rows for end in ("value", "high") if row[end] is not None)])
    rows = _with_short_names(rows)
    names, gaps = tuple(row["name"] for row in rows), any(row["value"] is None for row in rows)
    return _filled(layouts.forest_layout(names, ends, zero, gaps, leading), title, rows, summary)


def plane(title: str, rows: Sequence[Row], summary: str, *, sas_above: float, far_below: float) -> Panel:
    """SAS against FAR with the danger zone shaded: a point where turns lie, larger where several do.

    Args:
        title: of the panel.
        rows: sas, far, turns ("turns 1-3", "turn 4", "turn 5"), count, label.
        summary: for those who can't see it.
        sas_above: left edge of the zone.
        far_below: upper edge.
    """
    return _filled(layouts.plane_layout(sas_above, far_below), title, rows, summary)


def outcome_bars(title: str, rows: Sequence[Row], summary: str) -> Panel:
    """What became of the traps of each kind, stacked, with the counts where there is room for them.

    Args:
        title: of the panel.
        rows: kind, stance, start and end of its stretch, label.
        summary: for those who can't see it.
    """
    longest = max((row["end"] for row in rows), default=1)
    parts = [
        dict(row)
        | {
            "middle": (row["start"] + row["end"]) / 2,
            "count": str(row["end"] - row["start"]) if row["end"] - row["start"] >= _ROOM * longest else "",
        }
        for row in rows
    ]
    return _filled(
        layouts.bars_layout(tuple(dict.fromkeys(row["kind"] for row in rows)), longest), title, parts, summary
    )


def ranks(title: str, rows: Sequence[Row], summary: str) -> Panel:
    """How likely each model takes each rank: a circle whose area is the chance.

    Args:
        title: of the panel.
        rows: name, rank (from 1), chance, label.
        summary: for those who can't see it.
    """
    rows = _with_short_names(rows)
    return _filled(layouts.ranks_layout(tuple(dict.fromkeys(row["name"] for row in rows))), title, rows, summary)


def _with_short_names(rows: Sequence[Row]) -> list[Row]:
    """Rows whose names fit the axis and differ; the whole name stands in the label of the point."""
    longest = max((len(row["name"]) for row in rows), default=0)
    if longest <= _NAME:
        return list(rows)
    short = shortened((row["name"] for row in rows), _NAME)
    return [dict(row) | {"name": short[row["name"]]} for row in rows]


def _filled(layout: Mapping[str, Any], title: str, rows: Sequence[Row], summary: str) -> Panel:
    return Panel(title, {**layout, "datasets": {layouts.ROWS: [dict(row) for row in rows]}}, summary)
