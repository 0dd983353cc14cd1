"""A report's charts as pictures for a paper: the panels of a chart together, on white."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Literal

from voirdire.documents.document import Chart, Document, Panel
from voirdire.documents.drawing import SCHEMA
from voirdire.reports.rasters import to_png
from voirdire.reports.vega_lite import to_svg

_NAME = re.compile(r"[^a-z0-9]+")
_COLUMNS = 3
_DOTS = 3.0
"""Pixels a unit: a panel of 300 units is 900 pixels wide, enough for a column in print."""
_APART = 28
_INK = "#222222"
_CONFIG: dict[str, Any] = {
    "background": "white",
    "font": "Liberation Sans, Arial, sans-serif",
    "view": {"stroke": None},
    "axis": {
        "labelColor": _INK,
        "titleColor": _INK,
        "labelFontSize": 11,
        "titleFontSize": 11,
        "titleFontWeight": "normal",
        "gridColor": "#e4e4e4",
        "domainColor": "#888888",
        "tickColor": "#888888",
        "labelLimit": 260,
    },
    "title": {"color": _INK, "fontSize": 12, "fontWeight": "bold", "anchor": "start"},
    "legend": {"labelColor": _INK, "titleColor": _INK, "labelFontSize": 11, "orient": "top"},
    "header": {"labelColor": _INK, "titleColor": _INK},
    "text": {"color": _INK},
}
_TOP_LEVEL = frozenset({"$schema", "config", "datasets", "background", "padding", "autosize", "usermeta"})
"""Parts of a description that only a whole chart may have."""

Kind = Literal["png", "svg"]


def to_pictures(document: Document, kind: Kind) -> dict[str, bytes]:
    """The pictures of a report: content by file name, in the order of the report; empty where it has no charts.

    Raises:
        PicturesNeeded: PNG without the extra `pictures`.
    """
    pictures: dict[str, bytes] = {}
    for chart in charts_of(document):
        spec = combined(chart)
        name = f"{_NAME.sub('-', chart.id.lower()).strip('-')}.{kind}"
        pictures[name] = to_svg(spec).encode() if kind == "svg" else to_png(spec, _DOTS)
    return pictures


def charts_of(document: Document) -> Iterator[Chart]:
    """Charts with something in them, in the order of the report."""
    for section in document.sections:
        for block in section.blocks:
            if isinstance(block, Chart) and block.panels:
                yield block


def combined(chart: Chart) -> dict[str, Any]:
    """One Vega-Lite description of a chart's panels, three in a row, with readable axes on white."""
    panels = [_panel(panel) for panel in chart.panels]
    return {
        "$schema": SCHEMA,
        "config": _CONFIG,
        **({"title": {"text": chart.title, "fontSize": 14, "offset": 14}} if chart.title else {}),
        "concat": panels,
        "columns": min(_COLUMNS, len(panels)),
        "spacing": _APART,
    }


def _panel(panel: Panel) -> dict[str, Any]:
    """A panel as part of a chart. Only a whole chart may have named data, and panels may name theirs alike."""
    datasets = panel.spec.get("datasets", {})
    whole = _inline_data(panel.spec, datasets)
    inner = {name: part for name, part in whole.items() if name not in _TOP_LEVEL}
    return {"title": panel.title, **inner} if panel.title else inner


def _inline_data(part: Any, datasets: Mapping[str, Any]) -> Any:
    """The same with the values in place of the names of data."""
    if isinstance(part, Mapping):
        named = part.get("data")
        if isinstance(named, Mapping) and named.get("name") in datasets:
            part = {**part, "data": {**named, "values": datasets[named["name"]]}}
            del part["data"]["name"]
        return {key: each if key == "data" else _inline_data(each, datasets) for key, each in part.items()}
    return [_inline_data(each, datasets) for each in part] if isinstance(part, list | tuple) else part
