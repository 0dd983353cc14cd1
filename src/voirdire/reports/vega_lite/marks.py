"""Marks: what a layer draws for each of its rows, or for each of its series."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any
from xml.etree.ElementTree import Element

from voirdire.documents.colours import BLUE
from voirdire.reports.vega_lite.elements import element, group, short, text
from voirdire.reports.vega_lite.scales import Names
from voirdire.reports.vega_lite.views import Layer, Row, View, says

_DOT = 30
_TEXT = 11
_BAND = 0.9
_CENTRED = 0.35
"""How far below its middle a line of text has its baseline, in its size."""
_ANCHORS = {"left": "start", "center": "middle", "right": "end"}
_KINDS = {"point": "symbol", "bar": "rect"}
"""Vega's names of marks, where they differ."""


def draw(view: View, layer: Layer, clip: str | None) -> Element:
    """All that a layer draws."""
    kind: str = layer.mark["type"]
    made = group(_KINDS.get(kind, kind), "mark")
    if clip is not None:
        made.set("clip-path", f"url(#{clip})")
    made.extend(_DRAWN[kind](view, layer))
    return made


def symbol(shape: str, size: float) -> str:
    """The outline of a symbol around the origin, in a square of so many square pixels."""
    half = math.sqrt(size) / 2
    if shape == "circle":
        radius = short(half)
        return f"M{radius},0A{radius},{radius},0,1,1,-{radius},0A{radius},{radius},0,1,1,{radius},0"
    corners = [f"{short(x * half)},{short(y * half)}" for x, y in _CORNERS[shape]]
    return f"M{'L'.join(corners)}Z"


_HIGH = math.sqrt(3) / 2
_CORNERS: Mapping[str, Sequence[tuple[float, float]]] = {
    "square": ((-1, -1), (1, -1), (1, 1), (-1, 1)),
    "diamond": ((-1, 0), (0, -1), (1, 0), (0, 1)),
    "triangle-up": ((0, -_HIGH), (-1, _HIGH), (1, _HIGH)),
    "triangle-down": ((0, _HIGH), (-1, -_HIGH), (1, -_HIGH)),
    "cross": tuple(
        (x, y)
        for x, y in zip(
            (-1, -0.4, -0.4, 0.4, 0.4, 1, 1, 0.4, 0.4, -0.4, -0.4, -1),
            (-0.4, -0.4, -1, -1, -0.4, -0.4, 0.4, 0.4, 1, 1, 0.4, 0.4),
            strict=True,
        )
    ),
}


def _points(view: View, layer: Layer) -> Iterator[Element]:
    for row, x, y in _placed(view, layer):
        colour = _colour(view, layer, row)
        filled = bool(layer.mark.get("filled"))
        yield element(
            "path",
            d=symbol(view.look(layer, row, "shape") or "circle", _size(layer, row)),
            transform=f"translate({short(x)},{short(y)})",
            fill=colour if filled else "none",
            fill_opacity=_fill_opacity(layer, row),
            stroke=layer.mark.get("stroke", None if filled else colour),
            stroke_width=layer.mark.get("strokeWidth", None if filled else 2),
            opacity=layer.mark.get("opacity", 0.7),
            aria_label=says(layer, row),
        )


def _lines(view: View, layer: Layer) -> Iterator[Element]:
    for rows in _series(layer):
        pieces: list[list[str]] = [[]]
        for row in _along(view, layer, rows):
            x, y = view.at(layer, row, "x"), view.at(layer, row, "y")
            if x is None or y is None:
                pieces.append([])
            else:
                pieces[-1].append(f"{short(x)},{short(y)}")
        yield element(
            "path",
            d="".join(f"M{'L'.join(piece)}" for piece in pieces if piece),
            fill="none",
            stroke=_colour(view, layer, rows[0]),
            stroke_width=layer.mark.get("strokeWidth", 2),
            stroke_dasharray=_dashes(view.look(layer, rows[0], "strokeDash")),
            opacity=layer.mark.get("opacity"),
        )


def _areas(view: View, layer: Layer) -> Iterator[Element]:
    for rows in _series(layer):
        pieces: list[list[tuple[float, float, float]]] = [[]]
        for row in _along(view, layer, rows):
            x, y, y2 = (view.at(layer, row, channel) for channel in ("x", "y", "y2"))
            if x is None or y is None or y2 is None:
                pieces.append([])
            else:
                pieces[-1].append((x, y, y2))
        outlines = (
            [f"{short(x)},{short(y)}" for x, y, _ in piece] + [f"{short(x)},{short(y2)}" for x, _, y2 in piece[::-1]]
            for piece in pieces
            if piece
        )
        yield element(
            "path",
            d="".join(f"M{'L'.join(outline)}Z" for outline in outlines),
            fill=_colour(view, layer, rows[0]),
            opacity=layer.mark.get("opacity", 0.7),
        )


def _rules(view: View, layer: Layer) -> Iterator[Element]:
    for row, (x, x2), (y, y2) in _spans(view, layer):
        yield element(
            "line",
            x1=x,
            x2=x2,
            y1=y,
            y2=y2,
            stroke=_colour(view, layer, row),
            stroke_width=layer.mark.get("strokeWidth", 1),
            stroke_dasharray=_dashes(view.look(layer, row, "strokeDash")),
            opacity=layer.mark.get("opacity"),
            aria_label=says(layer, row),
        )


def _rects(view: View, layer: Layer) -> Iterator[Element]:
    for row, (x, x2), (y, y2) in _spans(view, layer):
        yield element(
            "rect",
            x=min(x, x2),
            y=min(y, y2),
            width=abs(x2 - x),
            height=abs(y2 - y),
            fill=_colour(view, layer, row),
            stroke=layer.mark.get("stroke"),
            stroke_dasharray=_dashes(layer.mark.get("strokeDash")),
            opacity=layer.mark.get("opacity"),
            aria_label=says(layer, row),
        )


def _texts(view: View, layer: Layer) -> Iterator[Element]:
    size = layer.mark.get("fontSize", _TEXT)
    for row, x, y in _placed(view, layer):
        encoded = layer.encoding["text"]
        content = encoded["value"] if "value" in encoded else row.get(encoded["field"])
        if content is None or content == "":
            continue
        yield text(
            str(content),
            x + layer.mark.get("dx", 0),
            y + layer.mark.get("dy", 0) + _CENTRED * size,
            size,
            fill=_colour(view, layer, row),
            text_anchor=_ANCHORS[layer.mark.get("align", "center")],
            aria_label=says(layer, row) if "description" in layer.encoding else None,
        )


_DRAWN: Mapping[str, Callable[[View, Layer], Iterator[Element]]] = {
    "area": _areas,
    "bar": _rects,
    "line": _lines,
    "point": _points,
    "rect": _rects,
    "rule": _rules,
    "text": _texts,
}


def _placed(view: View, layer: Layer) -> Iterator[tuple[Row, float, float]]:
    """Rows that have a place, and where."""
    for row in layer.rows:
        x, y = view.at(layer, row, "x"), view.at(layer, row, "y")
        if x is not None and y is not None:
            yield row, x, y


def _spans(view: View, layer: Layer) -> Iterator[tuple[Row, tuple[float, float], tuple[float, float]]]:
    """Rows that have a stretch in both directions, and from where to where."""
    for row in layer.rows:
        across, down = _span(view, layer, row, "x"), _span(view, layer, row, "y")
        if across is not None and down is not None:
            yield row, across, down


def _span(view: View, layer: Layer, row: Row, axis: str) -> tuple[float, float] | None:
    if axis not in layer.encoding:
        return 0.0, view.width if axis == "x" else view.height
    start = view.at(layer, row, axis)
    if start is None:
        return None
    if axis + "2" in layer.encoding:
        end = view.at(layer, row, axis + "2")
        return None if end is None else (start, end)
    if layer.mark["type"] != "bar":
        return start, start
    scale = view.positions[axis]
    if isinstance(scale, Names):
        share = (layer.mark.get("height" if axis == "y" else "width") or {}).get("band", _BAND)
        return start - share * scale.step / 2, start + share * scale.step / 2
    return scale.at(0.0), start


def _series(layer: Layer) -> Iterator[list[Row]]:
    """The rows of each line: of each colour and dash."""
    fields = [
        layer.encoding[name]["field"] for name in ("color", "strokeDash") if "field" in layer.encoding.get(name, {})
    ]
    results: dict[Any, list[Row]] = {}
    for row in layer.rows:
        results.setdefault(tuple(row.get(each) for each in fields), []).append(row)
    yield from results.values()


def _along(view: View, layer: Layer, rows: Sequence[Row]) -> list[Row]:
    """Rows from left to right."""
    return sorted(rows, key=lambda row: view.at(layer, row, "x") or 0.0)


def _colour(view: View, layer: Layer, row: Row) -> str:
    return view.look(layer, row, "color") or view.colours.get(layer.mark["type"], BLUE)


def _size(layer: Layer, row: Row) -> float:
    encoded = layer.encoding.get("size")
    if encoded is None:
        return float(layer.mark.get("size", _DOT))
    (low, high), (least, most) = encoded["scale"]["domain"], encoded["scale"]["range"]
    return float(least + (row[encoded["field"]] - low) / (high - low) * (most - least))


def _fill_opacity(layer: Layer, row: Row) -> float | None:
    encoded = layer.encoding.get("fillOpacity")
    if encoded is None:
        return None
    test = encoded["condition"]["test"]
    return float(encoded["condition"]["value"] if row.get(test["field"]) == test["equal"] else encoded["value"])


def _dashes(pattern: Sequence[float] | None) -> str | None:
    return ",".join(map(short, pattern)) if pattern and list(pattern) != [1, 0] else None
