"""How panels are laid out: Vega-Lite descriptions with their rows by name."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from voirdire.documents.colours import BLUE, GREEN, GREY, ORANGE, PINK

ROWS = "rows"
"""The name of a layout's data."""

Layout = Mapping[str, Any]
Spec = dict[str, Any]

_SCORES = {"FAR": BLUE, "SAS": ORANGE}
_STANCES = {"rejected": GREEN, "questioned": PINK, "accepted": ORANGE, "unknown": GREY}
_ON_BARS = "#111111"
"""Numbers on bars: at least 4.5 to 1 on every colour of a stance, on light pages and on dark ones."""
_TURNS = {"turns 1-3": BLUE, "turn 4": ORANGE, "turn 5": GREEN}
_SHAPES = ["circle", "square", "triangle-up"]
_NAMES = 130
"""Units that names on an axis may take."""
_CLEAR_OF_POINTS = 10
"""Units that a point on the axis, at value 0, needs beside a name."""
_ROW = 20
_LEADING, _LEADING_ROWS = 316, 135
"""The chart that a page begins with, names and all, and its rows: a page draws it as wide as its box."""
_FIGURE = 36
"""Units that a value takes beside the rows of the chart that a page begins with."""
_LETTER = 5.6
"""Units that a letter of a name takes."""
_SHARES = [0, 0.2, 0.4, 0.6, 0.8, 1]
_LABEL = {"field": "label", "type": "nominal"}


def scores_layout(x_title: str, ticks: Sequence[float], bound: float | None, small: bool, bars: bool) -> Layout:
    """FAR and SAS along something, with bands or error bars."""
    margin = 0.4 if bars else 0.03
    x = {
        **_number("at"),
        "title": x_title,
        "scale": {"domain": [ticks[0] - margin, ticks[-1] + margin], "nice": False},
        "axis": {"values": list(ticks), "format": ".2~f", "grid": False},
    }
    y = {
        "title": None,
        "scale": {"domain": [0, 1]},
        "axis": {"values": [0, 0.5, 1] if small else _SHARES, "format": ".2~f", "labelOverlap": False},
    }
    spread = {"type": "area", "opacity": 0.2, "line": False, "aria": False}
    if bars:
        spread = {"type": "rule", "strokeWidth": 1.5, "opacity": 0.7, "aria": False}
    dash = {"field": "score", "type": "nominal", "sort": list(_SCORES), "legend": None}
    point = {"type": "point", "filled": True, "size": 24 if small else 40, "opacity": 1}
    shared = {"x": x, "color": _colour("score", _SCORES)}
    value = {**y, **_number("value")}
    shape = _shape("score", _SCORES, shown=False)
    layers = [
        _layer(spread, {**shared, "y": {**y, **_number("low")}, "y2": {"field": "high"}}),
        _layer({"type": "line", "strokeWidth": 2, "aria": False}, {**shared, "y": value, "strokeDash": dash}),
        _layer(point, {**shared, "y": value, "shape": shape, "description": _LABEL}),
    ]
    if bound is not None:
        layers.insert(0, _dashed_line({"y": {**y, "datum": bound}}))
    return {"layer": layers, "width": 264, "height": 90 if small else 150}


def forest_layout(
    names: Sequence[str], ends: tuple[float, float] | None, zero: bool, gaps: bool, leading: bool
) -> Layout:
    """A point and a line for each name, hollow where the row says so; with gaps, words for a name without a value.

    The chart that a page begins with (leading) is of shares, and has each value as a number too.
    """
    x: Spec = {
        "title": None,
        "scale": {} if ends is None else {"domain": list(ends), "nice": False},
        "axis": {"tickCount": 4, "format": ".2~f", "grid": False},
    }
    width = 170.0
    if leading:
        longest = max((len(name) for name in names), default=0)
        width = _LEADING - min(_NAMES, _LETTER * longest) - _CLEAR_OF_POINTS
        x["scale"] = {"domain": [0, width / (width - _FIGURE)], "nice": False}
        # Beyond 1 there are only the numbers, so that no line leads there.
        x["axis"] = {"values": _SHARES, "format": ".2~f", "grid": False, "domain": False}
    y = _names("name", names, clear=_CLEAR_OF_POINTS)
    rule = {"type": "rule", "strokeWidth": 2, "opacity": 0.6, "aria": False, "color": BLUE}
    point = {
        "type": "point",
        "filled": True,
        "size": 50,
        "opacity": 1,
        "color": BLUE,
        "stroke": BLUE,
        "strokeWidth": 1.5,
    }
    hollow = {"condition": {"test": {"field": "hollow", "equal": True}, "value": 0}, "value": 1}
    layers = [
        _layer(rule, {"y": y, "x": {**x, **_number("low")}, "x2": {"field": "high"}}),
        _layer(point, {"y": y, "x": {**x, **_number("value")}, "fillOpacity": hollow, "description": _LABEL}),
    ]
    if gaps:
        text = {"type": "text", "align": "left", "fontSize": 10}
        words = _layer(
            text, {"y": y, "x": {"value": 0}, "text": {"field": "words", "type": "nominal"}, "description": _LABEL}
        )
        layers.append({**words, "transform": [{"filter": {"field": "value", "valid": False}}]})
    if zero:
        layers.insert(0, _dashed_line({"x": {**x, "datum": 0}}))
    if not leading:
        return {"layer": layers, "width": width, "height": max(40, _ROW * len(names))}
    row = min(25.0, max(15.0, _LEADING_ROWS / max(1, len(names))))
    figure = {"type": "text", "align": "right", "fontSize": 10, "aria": False}
    encoding = {"y": y, "x": {"value": width}, "text": {"field": "shown", "type": "nominal"}}
    layers.append(_layer(figure, encoding))
    return {"layer": layers, "width": width, "height": max(50, row * len(names))}


def plane_layout(sas_above: float, far_below: float) -> Layout:
    """SAS against FAR, with the danger zone."""
    axis = {
        "scale": {"domain": [-0.03, 1.03], "nice": False},
        "axis": {"values": _SHARES, "format": ".2~f", "grid": False},
    }
    x, y = {"title": "SAS", **axis}, {"title": "FAR", **axis}
    rect = {"type": "rect", "color": ORANGE, "opacity": 0.16, "stroke": ORANGE, "strokeDash": [4, 3]}
    zone = {
        "data": {"values": [{"left": sas_above, "right": 1, "bottom": 0, "top": far_below}]},
        "mark": {**rect, "description": "danger zone"},
        "encoding": {
            "x": {**x, **_number("left")},
            "x2": {"field": "right"},
            "y": {**y, **_number("bottom")},
            "y2": {"field": "top"},
        },
    }
    points = _layer(
        {"type": "point", "filled": True, "opacity": 0.55},
        {
            "x": {**x, **_number("sas")},
            "y": {**y, **_number("far")},
            "size": {
                **_number("count"),
                "scale": {"type": "linear", "domain": [1, 20], "range": [26, 260]},
                "legend": None,
            },
            "color": _colour("turns", _TURNS),
            "shape": _shape("turns", _TURNS, shown=True),
            "description": _LABEL,
        },
    )
    return {"layer": [zone, points], "width": 255, "height": 230}


def bars_layout(kinds: Sequence[str], longest: int) -> Layout:
    """Stacked bars by kind, with counts."""
    ticks = list(range(0, longest + 1, math.ceil(longest / 4)))
    x = {"title": "fabrications", "axis": {"format": "d", "values": ticks, "grid": False}}
    y = _names("kind", kinds)
    bar = _layer(
        {"type": "bar", "opacity": 1, "height": {"band": 0.75}},
        {
            "y": y,
            "x": {**x, **_number("start")},
            "x2": {"field": "end"},
            "color": _colour("stance", _STANCES),
            "description": _LABEL,
        },
    )
    text = _layer(
        {"type": "text", "fontSize": 10, "color": _ON_BARS, "aria": False},
        {"y": y, "x": {**x, **_number("middle")}, "text": {"field": "count", "type": "nominal"}},
    )
    return {"layer": [bar, text], "width": 235, "height": max(50, 24 * len(kinds))}


def ranks_layout(names: Sequence[str]) -> Layout:
    """Circles by name and rank."""
    axis = {"labelAngle": 0, "grid": True, "ticks": False, "domain": False}
    circles = _layer(
        {"type": "point", "filled": True, "shape": "circle", "color": BLUE, "opacity": 0.9},
        {
            "x": {"field": "rank", "type": "ordinal", "title": "rank", "axis": axis},
            "y": _names("name", names),
            "size": {**_number("chance"), "scale": {"domain": [0, 1], "range": [0, 230]}, "legend": None},
            "description": _LABEL,
        },
    )
    return {**circles, "width": min(190, 40 * len(names)), "height": max(40, _ROW * len(names))}


def _layer(mark: Spec, encoding: Spec) -> Spec:
    return {"data": {"name": ROWS}, "mark": mark, "encoding": encoding}


def _number(field: str) -> Spec:
    return {"field": field, "type": "quantitative"}


def _names(field: str, order: Sequence[str], clear: int = 2) -> Spec:
    """An axis of names, which end so many units before it."""
    axis = {"labelLimit": _NAMES, "labelPadding": clear, "grid": False, "ticks": False, "domain": False}
    return {"field": field, "type": "nominal", "sort": list(order), "title": None, "axis": axis}


def _colour(field: str, colours: Mapping[str, str]) -> Spec:
    scale = {"domain": list(colours), "range": list(colours.values())}
    return {"field": field, "type": "nominal", "scale": scale, "legend": _legend()}


def _shape(field: str, colours: Mapping[str, str], *, shown: bool) -> Spec:
    scale = {"domain": list(colours), "range": _SHAPES[: len(colours)]}
    return {"field": field, "type": "nominal", "scale": scale, "legend": _legend() if shown else None}


def _legend() -> Spec:
    return {"title": None, "orient": "top", "columns": 0, "symbolOpacity": 1}


def _dashed_line(where: Spec) -> Spec:
    mark = {"type": "rule", "strokeDash": [4, 3], "color": GREY, "aria": False}
    return {"data": {"values": [{}]}, "mark": mark, "encoding": where}
