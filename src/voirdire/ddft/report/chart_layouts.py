"""How panels are laid out: Vega-Lite descriptions with their rows by name, each made once.

A study needs a hundred panels of few kinds, and Altair takes 30 ms to check a description.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import altair as alt

ROWS = "rows"
"""The name of a layout's data."""

Layout = Mapping[str, Any]

BLUE, ORANGE, GREEN, PINK, GREY = "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#888888"
_SCORES = {"FAR": BLUE, "SAS": ORANGE}
_STANCES = {"rejected": GREEN, "questioned": PINK, "accepted": ORANGE, "unknown": GREY}
_ON_BARS = "#111111"
"""Numbers on bars: at least 4.5 to 1 on every colour of a stance, on light pages and on dark ones."""
_TURNS = {"turns 1-3": BLUE, "turn 4": ORANGE, "turn 5": GREEN}
_SHAPES = ["circle", "square", "triangle-up"]
_NAMES = 130
"""Units that names on an axis may take."""
_CLEAR_OF_POINTS = 8
"""Units that a point on the axis, at value 0, needs beside a name."""
NO_VALUE = "no value"
_ROW = 20
_LAYOUTS = 64


@lru_cache(maxsize=_LAYOUTS)
def scores_layout(x_title: str, ticks: tuple[float, ...], bound: float | None, small: bool, bars: bool) -> Layout:
    """FAR and SAS along something, with bands or error bars."""
    import altair as alt

    margin = 0.4 if bars else 0.03
    scale = alt.Scale(domain=[ticks[0] - margin, ticks[-1] + margin], nice=False)
    x = alt.X("at:Q", title=x_title, scale=scale, axis=alt.Axis(values=list(ticks), format=".2~f", grid=False))
    y_axis = alt.Axis(values=[0, 0.5, 1] if small else [0, 0.2, 0.4, 0.6, 0.8, 1], format=".2~f", labelOverlap=False)
    y_scale = alt.Scale(domain=[0, 1])
    y = alt.Y("value:Q", title=None, scale=y_scale, axis=y_axis)
    low = alt.Y("low:Q", title=None, scale=y_scale, axis=y_axis)
    base = _rows().encode(x=x, color=_colour("score", _SCORES))
    spread = base.mark_rule(strokeWidth=1.5, opacity=0.7, aria=False)
    if not bars:
        spread = base.mark_area(opacity=0.2, line=False, aria=False)
    line = base.mark_line(strokeWidth=2, aria=False).encode(
        y=y, strokeDash=alt.StrokeDash("score:N", sort=list(_SCORES), legend=None)
    )
    point = base.mark_point(filled=True, size=24 if small else 40, opacity=1).encode(
        y=y, shape=_shape("score", _SCORES, shown=False), description="label:N"
    )
    layers = [spread.encode(y=low, y2="high:Q"), line, point]
    if bound is not None:
        layers.insert(0, _dashed_line(y=alt.Y(datum=bound, title=None, scale=y_scale, axis=y_axis)))
    return _described(alt.layer(*layers), 264, 90 if small else 150)


@lru_cache(maxsize=_LAYOUTS)
def forest_layout(names: tuple[str, ...], ends: tuple[float, float] | None, zero: bool, gaps: bool) -> Layout:
    """A point and a line for each name, hollow where the row says so; with gaps, words for a name without a value."""
    import altair as alt

    scale = alt.Scale() if ends is None else alt.Scale(domain=list(ends), nice=False)
    axis = alt.Axis(tickCount=4, format=".2~f", grid=False)
    base = _rows().encode(y=_names("name", names, clear=_CLEAR_OF_POINTS))
    rule = base.mark_rule(strokeWidth=2, opacity=0.6, aria=False, color=BLUE).encode(
        x=alt.X("low:Q", title=None, scale=scale, axis=axis), x2="high:Q"
    )
    point = base.mark_point(filled=True, size=50, opacity=1, color=BLUE, stroke=BLUE, strokeWidth=1.5).encode(
        x=alt.X("value:Q", title=None, scale=scale, axis=axis),
        fillOpacity=alt.condition("datum.hollow", alt.value(0), alt.value(1)),
        description="label:N",
    )
    layers = [rule, point]
    if gaps:
        text = base.transform_filter("datum.value === null").mark_text(align="left", fontSize=10)
        layers.append(text.encode(x=alt.value(0), text=alt.value(NO_VALUE), description="label:N"))
    if zero:
        layers.insert(0, _dashed_line(x=alt.X(datum=0, title=None, scale=scale, axis=axis)))
    return _described(alt.layer(*layers), 170, max(40, _ROW * len(names)))


@lru_cache(maxsize=_LAYOUTS)
def plane_layout(sas_above: float, far_below: float) -> Layout:
    """SAS against FAR, with the danger zone."""
    import altair as alt

    scale = alt.Scale(domain=[-0.03, 1.03], nice=False)
    axis = alt.Axis(values=[0, 0.2, 0.4, 0.6, 0.8, 1], format=".2~f", grid=False)
    zone = (
        alt.Chart(alt.InlineData(values=[{"left": sas_above, "right": 1, "bottom": 0, "top": far_below}]))
        .mark_rect(color=ORANGE, opacity=0.16, stroke=ORANGE, strokeDash=[4, 3], description="danger zone")
        .encode(
            x=alt.X("left:Q", title="SAS", scale=scale, axis=axis),
            x2="right:Q",
            y=alt.Y("bottom:Q", title="FAR", scale=scale, axis=axis),
            y2="top:Q",
        )
    )
    points = (
        _rows()
        .mark_point(filled=True, opacity=0.55)
        .encode(
            x=alt.X("sas:Q", title="SAS", scale=scale, axis=axis),
            y=alt.Y("far:Q", title="FAR", scale=scale, axis=axis),
            size=alt.Size("count:Q", scale=alt.Scale(type="linear", domain=[1, 20], range=[26, 260]), legend=None),
            color=_colour("turns", _TURNS),
            shape=_shape("turns", _TURNS, shown=True),
            description="label:N",
        )
    )
    return _described(alt.layer(zone, points), 255, 230)


@lru_cache(maxsize=_LAYOUTS)
def bars_layout(kinds: tuple[str, ...], longest: int) -> Layout:
    """Stacked bars by kind, with counts."""
    import altair as alt

    axis = alt.Axis(format="d", values=list(range(0, longest + 1, math.ceil(longest / 4))), grid=False)
    base = _rows().encode(y=_names("kind", kinds))
    bar = base.mark_bar(opacity=1, height={"band": 0.75}).encode(
        x=alt.X("start:Q", title="traps", axis=axis),
        x2="end:Q",
        color=_colour("stance", _STANCES),
        description="label:N",
    )
    text = base.mark_text(fontSize=10, color=_ON_BARS, aria=False).encode(
        x=alt.X("middle:Q", title="traps", axis=axis), text="count:N"
    )
    return _described(alt.layer(bar, text), 235, max(50, 24 * len(kinds)))


@lru_cache(maxsize=_LAYOUTS)
def ranks_layout(names: tuple[str, ...]) -> Layout:
    """Circles by name and rank."""
    import altair as alt

    axis = alt.Axis(labelAngle=0, grid=True, ticks=False, domain=False)
    size = alt.Size("chance:Q", scale=alt.Scale(domain=[0, 1], range=[0, 230]), legend=None)
    chart = (
        _rows()
        .mark_point(filled=True, shape="circle", color=BLUE, opacity=0.9)
        .encode(x=alt.X("rank:O", title="rank", axis=axis), y=_names("name", names), size=size, description="label:N")
    )
    return _described(chart, min(190, 40 * len(names)), max(40, _ROW * len(names)))


def _rows() -> alt.Chart:
    import altair as alt

    return alt.Chart(alt.NamedData(name=ROWS))


def _names(field: str, order: Sequence[str], clear: int = 2) -> alt.Y:
    """An axis of names, which end so many units before it."""
    import altair as alt

    axis = alt.Axis(labelLimit=_NAMES, labelPadding=clear, grid=False, ticks=False, domain=False)
    return alt.Y(f"{field}:N", sort=list(order), title=None, axis=axis)


def _colour(field: str, colours: Mapping[str, str]) -> alt.Color:
    import altair as alt

    scale = alt.Scale(domain=list(colours), range=list(colours.values()))
    return alt.Color(f"{field}:N", scale=scale, legend=_legend())


def _shape(field: str, colours: Mapping[str, str], *, shown: bool) -> alt.Shape:
    import altair as alt

    scale = alt.Scale(domain=list(colours), range=_SHAPES[: len(colours)])
    return alt.Shape(f"{field}:N", scale=scale, legend=_legend() if shown else None)


def _legend() -> alt.Legend:
    import altair as alt

    return alt.Legend(title=None, orient="top", columns=0, symbolOpacity=1)


def _dashed_line(**where: Any) -> alt.Chart:
    import altair as alt

    line: alt.Chart = (
        alt.Chart(alt.InlineData(values=[{}])).mark_rule(strokeDash=[4, 3], color=GREY, aria=False).encode(**where)
    )
    return line


def _described(chart: Any, width: int, height: int) -> Layout:
    """The description without what belongs to whoever shows it."""
    described: dict[str, Any] = chart.properties(width=width, height=height).to_dict()
    return {name: part for name, part in described.items() if name not in ("$schema", "config")}
