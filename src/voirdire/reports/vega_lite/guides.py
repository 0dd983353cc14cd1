"""What is around a view's marks: axes, the legend, the title."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, NamedTuple
from xml.etree.ElementTree import Element

from voirdire.reports.vega_lite.elements import Drawn, element, group, moved, text
from voirdire.reports.vega_lite.marks import symbol
from voirdire.reports.vega_lite.numbers import formatted
from voirdire.reports.vega_lite.scales import Continuous, Names
from voirdire.reports.vega_lite.text_width import fitting, text_width
from voirdire.reports.vega_lite.views import Layer, Spec, View, is_named

_GREY, _LIGHT, _INK = "#888", "#ddd", "#000"
_TICK = 5
_PADDING = 2
_APART = 4
_LIMIT = 180
_BASE = 0.8
"""How far below its top a line of text has its baseline, in its size."""
_BEYOND = 30
"""How far a legend may reach beyond its view before it takes another line."""
_SYMBOL = 100
_SYMBOL_ROOM = 16
_BETWEEN = 12
_STROKE = 10
"""Half the length of a line in a legend."""


@dataclass(frozen=True, slots=True)
class Style:
    """How guides look: the settings of a description, with Vega's where it has none."""

    axis: Mapping[str, Any] = field(default_factory=dict)
    title: Mapping[str, Any] = field(default_factory=dict)
    legend: Mapping[str, Any] = field(default_factory=dict)
    header: Mapping[str, Any] = field(default_factory=dict)
    frame: str | None = _LIGHT
    """The colour of a view's outline."""
    marks: Mapping[str, str] = field(default_factory=dict)
    """The colours of marks that have none, by type."""

    @classmethod
    def of(cls, config: Mapping[str, Any]) -> Style:
        """From the `config` of a description."""
        marks = {kind: config[kind]["color"] for kind in ("rule", "text", "tick") if "color" in config.get(kind, {})}
        axis, title, legend, header = (config.get(name, {}) for name in ("axis", "title", "legend", "header"))
        frame = config.get("view", {}).get("stroke", _LIGHT)
        return cls(axis, title, legend, header, frame, {"rule": _INK, "text": _INK} | marks)


class _Tick(NamedTuple):
    at: float
    label: str


def axis(view: View, name: str, style: Style) -> tuple[Element, Drawn] | None:
    """The grid of an axis, which lies below the marks, and the axis; `None` where nothing is placed along it.

    Args:
        view: what the axis belongs to.
        name: "x" or "y".
        style: of guides.
    """
    scale, channel = view.positions.get(name), view.channel(name)
    if scale is None or channel.get("axis", {}) is None:
        return None
    settings = {**style.axis, **channel.get("axis", {})}
    ticks = _ticks(scale, settings, name)
    named = is_named(channel)
    grid = group("rule", "axis-grid")
    if channel.get("axis", {}).get("grid", not named):
        grid.extend(_line(view, name, tick.at, settings.get("gridColor", _LIGHT)) for tick in ticks)
    made = element("g", class_="mark-group role-axis")
    if settings.get("ticks", True):
        strokes = group("rule", "axis-tick")
        strokes.extend(_stroke(view, name, tick.at, settings.get("tickColor", _GREY)) for tick in ticks)
        made.append(strokes)
    labels, reach = _labels(view, name, ticks, settings, named=named)
    made.append(labels)
    if settings.get("domain", True):
        line = group("rule", "axis-domain")
        line.append(_domain(view, name, settings.get("domainColor", _GREY)))
        made.append(line)
    title = channel.get("title", channel.get("field"))
    if title:
        size = settings.get("titleFontSize", 11)
        made.append(_axis_title(view, name, str(title), reach, settings))
        reach += _APART + size
    if name == "x":
        return grid, Drawn(made, 0, view.height, view.width, view.height + reach)
    return grid, Drawn(made, -reach, 0, 0, view.height)


def legend(view: View, style: Style) -> Drawn | None:
    """The legend of a view above its origin: what colours, shapes and dashes stand for."""
    shown = _shown(view)
    if shown is None:
        return None
    channel, layers = shown
    scale = view.lookups[channel]
    size = style.legend.get("labelFontSize", 10)
    stroked = (view.channel(channel).get("legend") or {}).get("symbolType") == "stroke"
    made = element("g", class_="mark-group role-legend")
    signs, labels = group("symbol", "legend-symbol"), group("text", "legend-label")
    x, y, right = 0.0, 0.0, 0.0
    for name in scale.names:
        label = fitting(str(name), size, _LIMIT)
        room = _SYMBOL_ROOM + text_width(label, size)
        if x and x + room > view.width + _BEYOND:
            x, y = 0.0, y + size + _APART
        signs.append(_sign(view, layers, channel, name, (x + _SYMBOL_ROOM / 2 - 2, y + size / 2), stroked))
        labels.append(
            text(label, x + _SYMBOL_ROOM, y + _BASE * size + 1, size, fill=style.legend.get("labelColor", _INK))
        )
        x, right = x + room + _BETWEEN, max(right, x + room)
    made.extend((signs, labels))
    return Drawn(made, 0, 0, right, y + size + _APART)


def title(content: Any, style: Style, width: float) -> Drawn:
    """A title whose box begins at the origin; at the start, or in the middle of so many pixels."""
    own = {"text": content} if isinstance(content, str) else content
    settings = {**style.title, **own}
    size, bold = settings.get("fontSize", 13), settings.get("fontWeight", "bold") == "bold"
    first = settings.get("anchor", "middle") == "start"
    made = group("text", "title-text")
    made.append(
        text(
            str(own["text"]),
            0 if first else width / 2,
            _BASE * size + 1,
            size,
            fill=settings.get("color", _INK),
            font_weight="bold" if bold else None,
            text_anchor="start" if first else "middle",
        )
    )
    wide = text_width(str(own["text"]), size, bold=bold)
    left = 0 if first else (width - wide) / 2
    return Drawn(made, left, 0, left + wide, size + settings.get("offset", _APART))


def _ticks(scale: Continuous | Names, settings: Spec, name: str) -> list[_Tick]:
    if isinstance(scale, Names):
        size, limit = settings.get("labelFontSize", 10), settings.get("labelLimit", _LIMIT)
        return [_Tick(scale.at(each), fitting(str(each), size, limit)) for each in scale.names]
    values = scale.ticks(settings)
    ticks = [_Tick(scale.at(value), formatted(value, settings.get("format"), values)) for value in values]
    return (
        ticks
        if settings.get("labelOverlap") is False or name == "y"
        else _clear(ticks, settings.get("labelFontSize", 10), scale.length)
    )


def _clear(ticks: Sequence[_Tick], size: float, length: float) -> list[_Tick]:
    """Ticks without every other label, as often as it takes for the rest not to touch."""
    every = 1
    while True:
        reaches = [_reach(tick, size, length) for tick in ticks[::every]]
        if all(right + _APART <= left for (_, right), (left, _) in pairwise(reaches)):
            return [tick if place % every == 0 else _Tick(tick.at, "") for place, tick in enumerate(ticks)]
        every *= 2


def _reach(tick: _Tick, size: float, length: float) -> tuple[float, float]:
    """From where to where a number below an axis is written: the outermost ones end where the axis does."""
    width = text_width(tick.label, size)
    share = {"start": 0.0, "middle": 0.5, "end": 1.0}[_anchor(tick.at, length)]
    return tick.at - share * width, tick.at + (1 - share) * width


def _anchor(at: float, length: float) -> str:
    return "start" if at <= 1 else "end" if at >= length - 1 else "middle"


def _line(view: View, name: str, at: float, colour: str) -> Element:
    if name == "x":
        return element("line", x1=at, x2=at, y1=0, y2=view.height, stroke=colour, stroke_width=1)
    return element("line", x1=0, x2=view.width, y1=at, y2=at, stroke=colour, stroke_width=1)


def _stroke(view: View, name: str, at: float, colour: str) -> Element:
    if name == "x":
        return element("line", x1=at, x2=at, y1=view.height, y2=view.height + _TICK, stroke=colour, stroke_width=1)
    return element("line", x1=-_TICK, x2=0, y1=at, y2=at, stroke=colour, stroke_width=1)


def _domain(view: View, name: str, colour: str) -> Element:
    if name == "x":
        return element("line", x1=0, x2=view.width, y1=view.height, y2=view.height, stroke=colour, stroke_width=1)
    return element("line", x1=0, x2=0, y1=0, y2=view.height, stroke=colour, stroke_width=1)


def _labels(view: View, name: str, ticks: Sequence[_Tick], settings: Spec, *, named: bool) -> tuple[Element, float]:
    """The labels of an axis, and how far they reach from it."""
    size, colour = settings.get("labelFontSize", 10), settings.get("labelColor", _INK)
    away = settings.get("labelPadding", _PADDING) + (_TICK if settings.get("ticks", True) else 0)
    widest = max((text_width(tick.label, size) for tick in ticks), default=0.0)
    made = group("text", "axis-label")
    shown = [tick for tick in ticks if tick.label]
    if name == "y":
        made.extend(
            text(each.label, -away, each.at + 0.35 * size, size, fill=colour, text_anchor="end") for each in shown
        )
        return made, away + widest
    if settings.get("labelAngle", -90 if named else 0):
        for each in shown:
            turned = f"{moved(each.at + 0.35 * size, view.height + away)} rotate(-90)"
            made.append(text(each.label, 0, 0, size, fill=colour, text_anchor="end", transform=turned))
        return made, away + widest
    for each in shown:
        anchor = "middle" if named else _anchor(each.at, view.width)
        y = view.height + away + _BASE * size
        made.append(text(each.label, each.at, y, size, fill=colour, text_anchor=anchor))
    return made, away + size


def _axis_title(view: View, name: str, content: str, reach: float, settings: Spec) -> Element:
    size = settings.get("titleFontSize", 11)
    look = {
        "fill": settings.get("titleColor", _INK),
        "font_weight": None if settings.get("titleFontWeight", "bold") == "normal" else "bold",
        "text_anchor": "middle",
    }
    made = group("text", "axis-title")
    if name == "x":
        made.append(text(content, view.width / 2, view.height + reach + _APART + _BASE * size, size, **look))
    else:
        turned = f"{moved(-reach - _APART, view.height / 2)} rotate(-90)"
        made.append(text(content, 0, 0, size, transform=turned, **look))
    return made


def _shown(view: View) -> tuple[str, list[Layer]] | None:
    """The channel whose legend is shown, and the layers that use its field: colours come first."""
    for channel in ("color", "shape", "strokeDash"):
        encoded = view.channel(channel)
        if "field" in encoded and encoded.get("legend", {}) is not None and view.lookups[channel].names:
            using = [each for each in view.layers if each.encoding.get(channel, {}).get("field") == encoded["field"]]
            return channel, using
    return None


def _sign(
    view: View, layers: Sequence[Layer], channel: str, name: Any, at: tuple[float, float], stroked: bool
) -> Element:
    """The sign of a name: a point if points are drawn, else a line or a square."""
    row = {view.channel(channel)["field"]: name}
    colour = view.look(layers[0], row, "color")
    pointed = next((each for each in layers if each.mark["type"] == "point"), None)
    if stroked or (pointed is None and any(each.mark["type"] == "line" for each in layers)):
        half = _STROKE - 3
        return element(
            "path", d=f"M{-half},0L{half},0", transform=moved(*at), stroke=colour, stroke_width=2, fill="none"
        )
    shape = view.look(pointed, row, "shape") if pointed is not None else "square"
    filled = pointed is None or pointed.mark.get("filled")
    outline = symbol(shape or "circle", _SYMBOL)
    if filled:
        return element("path", d=outline, transform=moved(*at), fill=colour)
    return element("path", d=outline, transform=moved(*at), fill="none", stroke=colour, stroke_width=2)
