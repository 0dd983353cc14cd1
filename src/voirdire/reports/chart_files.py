"""Charts as Vega-Lite descriptions, and how they are saved.

One description gives the offline page, and the PNG or SVG for a paper. Colours are Okabe and Ito's, which people with
colour-vision deficiencies can tell apart; lines differ in dash as well, so that a grey print can be read.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from voirdire.data.paths import AnyPath, check_folder_of, why_unwritable
from voirdire.data.table_values import rows_of
from voirdire.documents.colours import BLUE, ORANGE
from voirdire.documents.drawing import SCHEMA, Spec, WholeChart
from voirdire.errors import InputError
from voirdire.reports.rasters import to_png, vega_library
from voirdire.reports.vega_lite import to_svg

if TYPE_CHECKING:
    import pandas as pd

SUFFIXES = (".html", ".svg", ".png")
PNG_PIXELS_PER_UNIT = 2.0
_HEAD = 1_024
"""Bytes at the start of a file by which a chart is known."""
_KNOWN_BY: Mapping[str, Callable[[bytes], bool]] = {
    ".html": lambda head: b'<meta name="generator" content="voirdire' in head,
    ".svg": lambda head: head.startswith(b"<svg ") and b'font-family="Liberation Sans' in head,
    ".png": lambda head: head.startswith(b"\x89PNG"),
}

_COLOURS = {"FAR": BLUE, "SAS": ORANGE}
_PANEL = {"width": 210, "height": 130}
_COLUMNS = 3
_CONFIG = {
    "view": {"stroke": "#ccc"},
    "axis": {"grid": True, "gridColor": "#eee", "domainColor": "#999", "tickColor": "#999", "labelFontSize": 10},
    "header": {"labelFontSize": 10.5, "labelLimit": 0},
    "legend": {"orient": "top", "symbolStrokeWidth": 3},
}
"""No frame, thin grid, text of one size."""


class ChartError(InputError):
    """A chart that can't be saved: one sentence says what was given and what is expected."""


@dataclass(frozen=True, slots=True, repr=False)
class NotebookChart:
    """A chart where altair is not installed: a notebook shows it as SVG, and it saves itself."""

    chart: WholeChart

    def __repr__(self) -> str:
        return "A chart: end a cell with it, or save it with .save('chart.svg')."

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"This chart has no .{name}: pip install altair, and .plot() gives a chart of altair.")

    def to_dict(self) -> Spec:
        """The Vega-Lite description, with its data."""
        return self.chart.spec

    def save(self, path: AnyPath) -> None:
        """Save it as a page that works offline (.html), or as a picture (.svg, .png).

        Raises:
            ChartError: another kind of file, it can't be written, or what is there is no such chart.
        """
        save_chart(self.chart, Path(path))

    def _repr_svg_(self) -> str:
        return to_svg(self.chart.spec)


def notebook_chart(chart: WholeChart) -> Any:
    """A chart of altair where altair is installed, and else a `NotebookChart`."""
    try:
        import altair
    except ImportError:
        return NotebookChart(chart)
    return altair.Chart.from_dict(chart.spec)


def curves_by_model(curves: pd.DataFrame, title: str = "") -> WholeChart:
    """FAR and SAS over compression, a panel per model in the order in which the models come.

    Args:
        curves: one row per model and level: model, level, far, far_low, far_high, sas, sas_low, sas_high; the ends of
            the bands may be NaN.
        title: of the whole chart.
    """
    models = list(dict.fromkeys(curves["model"]))
    ticks = {"values": sorted(set(curves["level"])), "format": "~g"}
    level = {**_number("level"), "title": "compression", "axis": ticks}
    value = {**_number("value"), "title": None, "scale": {"domain": [0, 1]}}
    score = {"field": "score", "type": "nominal"}
    colour = {
        **score,
        "scale": {"domain": list(_COLOURS), "range": list(_COLOURS.values())},
        "legend": {"title": None, "symbolType": "stroke", "symbolOpacity": 1},
    }
    tooltip = [
        {"field": "model", "type": "nominal"},
        score,
        {**_number("level"), "format": "~g"},
        {**_number("value"), "format": ".3f"},
    ]
    shared = {"x": level, "color": colour}
    low = {**_number("low"), "title": None}
    dash = {**score, "sort": list(_COLOURS), "legend": None}
    layers = [
        {
            "mark": {"type": "area", "opacity": 0.18, "line": False},
            "encoding": {**shared, "y": low, "y2": {"field": "high"}},
        },
        {"mark": {"type": "line", "strokeWidth": 2}, "encoding": {**shared, "y": value, "strokeDash": dash}},
        {
            "mark": {"type": "point", "filled": True, "size": 28, "opacity": 1},
            "encoding": {**shared, "y": value, "tooltip": tooltip},
        },
    ]
    header = {"labelFontWeight": "bold"}
    return WholeChart(
        {
            "$schema": SCHEMA,
            "config": _CONFIG,
            **({"title": title} if title else {}),
            "data": {"values": _tidy(curves)},
            "facet": {"field": "model", "type": "nominal", "sort": models, "title": None, "header": header},
            "columns": min(_COLUMNS, len(models)),
            "spec": {**_PANEL, "layer": layers},
        }
    )


def save_chart(chart: WholeChart, path: Path) -> None:
    """Save a chart as a page that works offline (.html), or as a picture (.svg, .png).

    Raises:
        ChartError: another kind of file, it can't be written, or what is there is no such chart.
        PicturesNeeded: .html or .png without the extra `pictures`.
    """
    if path.suffix not in SUFFIXES:
        raise ChartError(f"A chart can be saved as {', '.join(SUFFIXES)}; {path.name!r} was given.")
    check_folder_of(path, ChartError)
    _check_place(path)
    spec = chart.spec
    if path.suffix == ".html":
        content = page(spec, str(spec.get("description", "voirdire"))).encode()
    elif path.suffix == ".svg":
        content = to_svg(spec).encode()
    else:
        content = to_png(spec, PNG_PIXELS_PER_UNIT)
    try:
        path.write_bytes(content)
    except OSError as error:
        raise ChartError(f"The chart can't be written to {path}: {why_unwritable(error, path)}.") from error


def _check_place(path: Path) -> None:
    """See that nothing is replaced but a page of voirdire by a page, or a picture by a picture."""
    if not path.is_file() or not path.stat().st_size:
        return
    with path.open("rb") as file:
        head = file.read(_HEAD)
    if not _KNOWN_BY[path.suffix](head):
        raise ChartError(f"{path} already exists, and is no chart of voirdire: remove it, or name another place.")


def page(spec: dict[str, Any], title: str) -> str:
    """A self-contained page with one chart: nothing is fetched, and nothing in the data can run.

    Raises:
        PicturesNeeded: the extra `pictures` is not installed.
    """
    # What a browser would take for the end of a script can't stand in JSON once "<" is written as an escape.
    data = json.dumps(spec).replace("<", "\\u003c")
    library = vega_library().replace("</script", "<\\/script")
    script = (
        f"\n{library}\nvegaEmbed("
        '"#chart", JSON.parse(document.getElementById("spec").textContent), { actions: false, renderer: "svg" });\n'
    )
    hashed = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    # Vega makes functions of a description's formulas (unsafe-eval); the description is ours, and data are no formulas.
    policy = (
        f"default-src 'none'; script-src 'sha256-{hashed}' 'unsafe-eval'; style-src 'unsafe-inline'; "
        "base-uri 'none'; form-action 'none'"
    )
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="generator" content="voirdire">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{html.escape(title)}</title>
<style>
body {{ margin: 1.5rem; font-family: system-ui, sans-serif; background: #fff; color: #222; }}
#chart {{ max-width: 100%; overflow-x: auto; }}
</style>
</head>
<body>
<div id="chart"></div>
<script type="application/json" id="spec">{data}</script>
<script type="module">{script}</script>
</body>
</html>
"""


def _tidy(curves: pd.DataFrame) -> list[dict[str, Any]]:
    """One row per model, level and score, with the names that the chart uses; `None` for what is undefined."""
    parts = []
    for score in _COLOURS:
        name = score.lower()
        columns = {name: "value", f"{name}_low": "low", f"{name}_high": "high"}
        parts.append(curves[["model", "level", *columns]].rename(columns=columns).assign(score=score))
    return [row for part in parts for row in rows_of(part)]


def _number(field: str) -> dict[str, Any]:
    return {"field": field, "type": "quantitative"}
