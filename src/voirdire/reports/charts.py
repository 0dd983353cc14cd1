"""Charts as Altair descriptions, and how they are saved.

One description gives the offline page, and the PNG or SVG for a paper. Colours are Okabe and Ito's, which people with
colour-vision deficiencies can tell apart; lines differ in dash as well, so that a grey print can be read.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from voirdire.errors import InputError

if TYPE_CHECKING:
    import altair as alt
    import pandas as pd

SUFFIXES = (".html", ".svg", ".png")
PNG_PIXELS_PER_UNIT = 2.0

_COLOURS = {"FAR": "#0072B2", "SAS": "#D55E00"}
_PANEL = {"width": 210, "height": 130}
_COLUMNS = 3


class HasSpec(Protocol):
    """Whatever has a Vega-Lite description: a chart of Altair, or one written out."""

    def to_dict(self) -> dict[str, Any]:
        """The description."""


class ChartError(InputError):
    """A chart that can't be saved: one sentence says what was given and what is expected."""


def curves_by_model(curves: pd.DataFrame) -> alt.Chart:
    """FAR and SAS over compression, a panel per model in the order in which the models come.

    Args:
        curves: one row per model and level: model, level, far, far_low, far_high, sas, sas_low, sas_high; the ends of
            the bands may be NaN.
    """
    import altair as alt

    models = list(dict.fromkeys(curves["model"]))
    data = _tidy(curves)
    colours = alt.Scale(domain=list(_COLOURS), range=list(_COLOURS.values()))
    ticks = alt.Axis(values=sorted(set(curves["level"])), labelExpr="datum.value")
    level = alt.X("level:Q", title="compression", axis=ticks)
    swatch = alt.Legend(title=None, symbolType="stroke", symbolOpacity=1)
    colour = alt.Color("score:N", scale=colours, legend=swatch)
    base = alt.Chart().encode(x=level, color=colour)
    value = alt.Y("value:Q", title=None, scale=alt.Scale(domain=[0, 1]))
    band = base.mark_area(opacity=0.18, line=False).encode(y=alt.Y("low:Q", title=None), y2="high:Q")
    dash = alt.StrokeDash("score:N", sort=list(_COLOURS), legend=None)
    line = base.mark_line(strokeWidth=2).encode(y=value, strokeDash=dash)
    tooltip = ["model:N", "score:N", alt.Tooltip("level:Q", format="~g"), alt.Tooltip("value:Q", format=".3f")]
    point = base.mark_point(filled=True, size=28, opacity=1).encode(y=value, tooltip=tooltip)
    panel = alt.layer(band, line, point, data=data).properties(**_PANEL)
    faceted = panel.facet(
        facet=alt.Facet("model:N", sort=models, title=None, header=alt.Header(labelFontWeight="bold")),
        columns=min(_COLUMNS, len(models)),
    )
    chart: alt.Chart = _styled(faceted)
    return chart


def save_chart(chart: HasSpec, path: Path) -> None:
    """Save a chart as a page that works offline (.html), or as a picture (.svg, .png).

    Raises:
        ChartError: another kind of file, or it can't be written.
    """
    import vl_convert

    if path.suffix not in SUFFIXES:
        raise ChartError(f"A chart can be saved as {', '.join(SUFFIXES)}; {path.name!r} was given.")
    spec = chart.to_dict()
    if path.suffix == ".html":
        content = page(spec, str(spec.get("description", "voirdire"))).encode()
    elif path.suffix == ".svg":
        content = vl_convert.vegalite_to_svg(spec, allowed_base_urls=[]).encode()
    else:
        content = vl_convert.vegalite_to_png(spec, scale=PNG_PIXELS_PER_UNIT, allowed_base_urls=[])
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    except OSError as error:
        raise ChartError(f"The chart can't be written to {path}: {error.strerror}.") from error


def page(spec: dict[str, Any], title: str) -> str:
    """A self-contained page with one chart: nothing is fetched, and nothing in the data can run.

    Args:
        spec: the Vega-Lite description.
        title: of the page.
    """
    import vl_convert

    # What a browser would take for the end of a script can't stand in JSON once "<" is written as an escape.
    data = json.dumps(spec).replace("<", "\\u003c")
    library = vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;").replace("</script", "<\\/script")
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


def _tidy(curves: pd.DataFrame) -> pd.DataFrame:
    """One row per model, level and score, with the names that the chart uses."""
    import pandas as pd

    parts = []
    for score in _COLOURS:
        name = score.lower()
        columns = {name: "value", f"{name}_low": "low", f"{name}_high": "high"}
        parts.append(curves[["model", "level", *columns]].rename(columns=columns).assign(score=score))
    return pd.concat(parts, ignore_index=True)


def _styled(chart: Any) -> Any:
    """No frame, thin grid, text of one size: what all charts share."""
    return (
        chart.configure_view(stroke="#ccc")
        .configure_axis(grid=True, gridColor="#eee", domainColor="#999", tickColor="#999", labelFontSize=10)
        .configure_header(labelFontSize=10.5, labelLimit=0)
        .configure_legend(orient="top", symbolStrokeWidth=3)
    )
