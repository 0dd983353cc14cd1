"""Small charts of a few marks each, as several instruments draw them: Vega-Lite descriptions, written out.

Colours are Okabe and Ito's, which read on white and on black; series differ in dash and in the shape of their points as
well. Text, axes and background have no colour here: those belong to whoever shows the chart.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from voirdire.documents.colours import BLUE, GREEN, GREY, ORANGE
from voirdire.documents.document import Panel

_WIDTH = 250
_WIDE = 550
"""With axis and frame about 640 pixels."""
_HEIGHT = 170
_NAMED_WIDTH = 150
"""Of charts with names at their left, which need room."""
_ROW_HEIGHT = 22
_APART = 0.025
"""How far series stand apart at one place, as a share of the axis, so that error bars do not hide one another."""
_SHAPES_AND_DASHES: dict[str, tuple[str, list[int]]] = {
    BLUE: ("circle", [1, 0]),
    ORANGE: ("diamond", [4, 2]),
    GREEN: ("square", [1, 2]),
}
"""Shape of points and dash of lines that go with a colour, whichever other series there are."""

SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"

Spec = dict[str, Any]


class Point(NamedTuple):
    """One value of a chart, with its interval."""

    x: Any
    type: str
    """Which series it belongs to; empty where there is only one."""
    value: float | None
    """`None` is not drawn."""
    low: float | None = None
    high: float | None = None
    n: int | None = None
    """What it rests on."""


@dataclass(frozen=True, slots=True)
class WholeChart:
    """A chart of its own, to be saved."""

    spec: Spec


@dataclass(frozen=True, slots=True)
class SmallChart:
    """One small chart."""

    title: str
    spec: Spec
    """Without a title and without settings of its own."""
    summary: str
    """Its values in words."""

    def panel(self, title: str | None = None) -> Panel:
        """As a part of a report, under another title if need be."""
        return Panel(self.title if title is None else title, self.spec, self.summary)


def lines(
    points: Sequence[Point],
    x_title: str,
    title: str,
    colours: Mapping[str, str],
    *,
    share: bool,
    inside: bool = False,
    apart: bool = True,
    wide: bool = False,
) -> SmallChart:
    """Lines with error bars, one for each series.

    Args:
        points: x a number.
        x_title: of the axis.
        title: of the chart.
        colours: of the series, by name; each one of this module's.
        share: the figure is a share, shown in percent from 0 to 100.
        inside: x is a position from 0 to 1; otherwise whole numbers.
        apart: series stand a little apart; not where x is itself a value that is read off.
        wide: it stands alone, and fills a column.
    """
    known = _with_value(points)
    places = sorted({point.x for point in points}) or [0]
    ends = [0, 1] if inside else [places[0] - 0.4, places[-1] + 0.4]
    ticks = {"format": "%", "values": [0, 0.2, 0.4, 0.6, 0.8, 1]} if inside else {"format": "d", "values": places}
    place = "{:.0%}" if inside else f"{x_title} {{:g}}"
    x = {**_number("at"), "title": x_title, "scale": {"domain": ends}, "axis": ticks}
    y = {**_number("value"), "title": None, "axis": {"format": "%"} if share else {}}
    y["scale"] = {"domain": [0, 1]} if share else {"domainMin": 0}
    shared = {"x": x, "color": _colour(colours)}
    dashes = {"domain": list(colours), "range": [_SHAPES_AND_DASHES[colour][1] for colour in colours.values()]}
    dash = {"field": "type", "type": "nominal", "scale": dashes, "legend": None}
    layers = [
        _layer(_RULE, {**shared, "y": {**_number("low"), "title": None}, "y2": {"field": "high"}}),
        _layer({"type": "line", "strokeWidth": 2, "aria": False}, {**shared, "y": y, "strokeDash": dash}),
        _layer(_DOT, {**shared, "y": y, "shape": _shape(colours), **_DESCRIBED}),
    ]
    rows = _rows(known, place, share=share, shifts=_shifts(colours, ends[1] - ends[0] if apart else 0))
    width = _WIDE if wide else _WIDTH
    return SmallChart(title, _chart(rows, width, _HEIGHT, layer=layers), _summary(known, place, share=share))


def named_shares(
    points: Sequence[Point],
    order: Sequence[str],
    title: str,
    colours: Mapping[str, str],
    *,
    top: float = 1.0,
    wide: bool = False,
) -> SmallChart:
    """A row of points with their intervals for each name, in percent.

    Args:
        points: x a name.
        order: of the names.
        title: of the chart.
        colours: of the series, by name; empty where there is only one.
        top: where the axis ends.
        wide: it stands alone, and fills a column.
    """
    known = _with_value(points)
    shared: Spec = {"y": {"field": "x", "type": "nominal", "sort": list(order), "title": None}}
    # Names end where a point on the axis, at 0 %, does not cover them.
    shared["y"]["axis"] = {"grid": True, "labelPadding": 8}
    shape: Spec = {}
    if colours:
        # Vega-Lite puts a point at the start of its band: half a band is added.
        apart = {"field": "type", "type": "nominal", "sort": list(colours), "bandPosition": 0.5}
        shared |= {"color": _colour(colours), "yOffset": apart}
        shape = {"shape": _shape(colours)}
    else:
        shared["color"] = {"value": GREY}
    scale = {"domain": [0, top]}
    ticks = {"format": "~%", "values": [top * quarter / 4 for quarter in range(5)]}
    x = {**_number("value"), "title": None, "scale": scale, "axis": ticks}
    layers = [
        _layer(_RULE, {**shared, "x": {**_number("low"), "title": None, "scale": scale}, "x2": {"field": "high"}}),
        _layer(_DOT, {**shared, "x": x, **shape, **_DESCRIBED}),
    ]
    width = _WIDE - (_WIDTH - _NAMED_WIDTH) if wide else _NAMED_WIDTH
    drawn = _chart(_rows(known, "{}", share=True), width, _named_height(order), layer=layers)
    return SmallChart(title, drawn, _summary(known, "{}", share=True))


def named_ranges(
    points: Sequence[Point],
    order: Sequence[str],
    title: str,
    *,
    ends: tuple[float, float] | None = None,
    whole: bool = False,
) -> SmallChart:
    """A point for each name, with a line over what it may be.

    Args:
        points: x a name.
        order: of the names.
        title: of the chart.
        ends: of the axis; `None` for what the values need.
        whole: values are whole numbers, such as places.
    """
    known = _with_value(points)
    y: Spec = {"field": "x", "type": "nominal", "sort": list(order), "title": None}
    y["axis"] = {"grid": True, "labelPadding": 8, "labelLimit": _NAMED_WIDTH}
    scale = {} if ends is None else {"domain": list(ends), "nice": False}
    ticks: Spec = {"tickCount": 4, "format": "d" if whole else "~g", **({"tickMinStep": 1} if whole else {})}
    shared: Spec = {"y": y, "color": {"value": BLUE}}
    x = {**_number("value"), "title": None, "scale": scale, "axis": ticks}
    layers = [
        _layer(_RULE, {**shared, "x": {**_number("low"), "title": None, "scale": scale}, "x2": {"field": "high"}}),
        _layer(_DOT, {**shared, "x": x, **_DESCRIBED}),
    ]
    drawn = _chart(_rows(known, "{}", share=False), _NAMED_WIDTH, _named_height(order), layer=layers)
    return SmallChart(title, drawn, _summary(known, "{}", share=False))


def scores_beside(
    scores: Sequence[tuple[str, float | None]], threshold: float, title: str, above: str, below: str
) -> SmallChart:
    """A point for each named score from 0 to 1, with a line to the threshold: what reaches it differs in colour.

    Args:
        scores: name and score, in order; names may come again, and what has no score keeps its row.
        threshold: where the lines end.
        title: of the chart.
        above: what reaches the threshold.
        below: what does not.
    """
    colours = {above: ORANGE, below: BLUE}
    order = [f"{place}  {name}" for place, (name, _) in enumerate(scores, start=1)]
    points = [
        Point(name, above if score >= threshold else below, score)
        for name, (_, score) in zip(order, scores, strict=True)
        if score is not None
    ]
    y: Spec = {"field": "x", "type": "nominal", "sort": order, "title": None}
    y |= {"axis": {"grid": True, "labelPadding": 8, "labelLimit": _WIDE}, "scale": {"domain": order}}
    x = {**_number("value"), "title": f"score (threshold {threshold:g})", "scale": {"domain": [0, 1]}}
    shared: Spec = {"y": y, "color": _colour(colours)}
    layers = [
        _layer(_RULE, {**shared, "x": x, "x2": {"datum": threshold}}),
        _layer(_DOT, {**shared, "x": x, "shape": _shape(colours), **_DESCRIBED}),
    ]
    drawn = _chart(_rows(points, "{}", share=False), _WIDTH, _named_height(order), layer=layers)
    return SmallChart(title, drawn, _summary(points, "{}", share=False))


def named_counts(counts: Mapping[str, int], title: str) -> SmallChart:
    """A bar for each name, in the order given."""
    points = [Point(name, "", count) for name, count in counts.items()]
    encoding = {
        "y": {"field": "x", "type": "nominal", "sort": list(counts), "title": None},
        "x": {**_number("value"), "title": None, "axis": {"tickMinStep": 1, "format": "~s"}},
        **_DESCRIBED,
    }
    bar = _layer({"type": "bar", "color": GREY, "height": {"band": 0.7}}, encoding)
    rows = _rows(points, "{}", share=False)
    return SmallChart(
        title, _chart(rows, _NAMED_WIDTH, _named_height(list(counts)), **bar), _summary(points, "{}", share=False)
    )


def score_counts(scores: Sequence[float], title: str, *, step: int = 5) -> SmallChart:
    """How many scores from 0 to 100 fall into each stretch of `step` points; 100 belongs to the last one."""
    binned = [min(int(score // step) * step, 100 - step) for score in scores]
    points = [Point(f"{start} to {start + step}", "", binned.count(start)) for start in range(0, 100, step)]
    rows = _rows(points, "{}", share=False)
    places = [{**row, "start": number * step, "end": (number + 1) * step} for number, row in enumerate(rows)]
    encoding = {
        "x": {**_number("start"), "title": "score", "scale": {"domain": [0, 100]}},
        "x2": {"field": "end"},
        "y": {
            **_number("value"),
            "title": None,
            "axis": {"tickMinStep": 1, "format": "~s"},
            "scale": {"domainMin": 0},
        },
        "y2": {"datum": 0},
        **_DESCRIBED,
    }
    bars = _layer({"type": "rect", "color": BLUE}, encoding)
    filled = [point for point in points if point.value]
    return SmallChart(title, _chart(places, _WIDTH, _HEIGHT, **bars), _summary(filled, "{}", share=False))


_RULE: Spec = {"type": "rule", "strokeWidth": 1.5, "opacity": 0.7, "aria": False}
_DOT: Spec = {"type": "point", "filled": True, "size": 50, "opacity": 1}
_DESCRIBED: Spec = {
    "description": {"field": "label", "type": "nominal"},
    "tooltip": {"field": "label", "type": "nominal"},
}
"""What a mark says of itself, to those who point at it and to those who can't see it."""


def _chart(rows: Sequence[Spec], width: int, height: int, **parts: Any) -> Spec:
    return {"data": {"values": list(rows)}, "width": width, "height": height, **parts}


def _layer(mark: Spec, encoding: Spec) -> Spec:
    return {"mark": mark, "encoding": encoding}


def _number(field: str) -> Spec:
    return {"field": field, "type": "quantitative"}


def _colour(colours: Mapping[str, str]) -> Spec:
    scale = {"domain": list(colours), "range": list(colours.values())}
    return {"field": "type", "type": "nominal", "scale": scale, "legend": {"title": None, "orient": "top"}}


def _shape(colours: Mapping[str, str]) -> Spec:
    scale = {"domain": list(colours), "range": [_SHAPES_AND_DASHES[colour][0] for colour in colours.values()]}
    return {"field": "type", "type": "nominal", "scale": scale, "legend": {"title": None, "orient": "top"}}


def _with_value(points: Sequence[Point]) -> list[Point]:
    return [point for point in points if point.value is not None]


def _shifts(colours: Mapping[str, str], width: float) -> dict[str, float]:
    """How far each series is moved to the side."""
    middle = (len(colours) - 1) / 2
    return {name: (place - middle) * _APART * width for place, name in enumerate(colours)}


def _named_height(order: Sequence[str]) -> int:
    return max(60, _ROW_HEIGHT * len(order))


def _rows(points: Sequence[Point], place: str, *, share: bool, shifts: Mapping[str, float] | None = None) -> list[Spec]:
    """Points as a chart's data, each with what it says of itself, and where it is drawn if it is moved aside."""
    rows: list[Spec] = []
    for point in points:
        ends = "" if point.low is None or point.high is None else f" ({_ends(point.low, point.high, share)})"
        whole = "" if point.n is None else f", n {point.n:,}"
        series = f"{point.type}, " if point.type else ""
        label = f"{series}{place.format(point.x)}: {_value(point.value, share)}{ends}{whole}"
        moved = {} if shifts is None else {"at": point.x + shifts.get(point.type, 0.0)}
        rows.append({**point._asdict(), **moved, "label": label})
    return rows


def _summary(points: Sequence[Point], place: str, *, share: bool) -> str:
    """The values of a chart in words, series by series."""
    series: dict[str, list[str]] = {}
    for point in points:
        series.setdefault(point.type, []).append(f"{place.format(point.x)}: {_value(point.value, share)}")
    parts = [f"{name}, {'; '.join(own)}" if len(series) > 1 else "; ".join(own) for name, own in series.items()]
    return f"{'. '.join(parts)}." if parts else "Nothing can be shown."


def _value(value: float | None, share: bool) -> str:
    if value is None:
        return "–"
    return f"{100 * value:.0f} %" if share else f"{value:,.0f}" if value == int(value) else f"{value:.2f}"


def _ends(low: float, high: float, share: bool) -> str:
    return f"{100 * low:.0f} to {100 * high:.0f} %" if share else f"{low:.2f} to {high:.2f}"
