"""What a description says of one view: its layers with their rows, and the scales that the layers share."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from voirdire.reports.vega_lite.numbers import formatted
from voirdire.reports.vega_lite.scales import (
    COLOURS,
    DASHES,
    SHAPES,
    Continuous,
    Lookup,
    Names,
    continuous,
    lookup,
    ordered,
)

Row = Mapping[str, Any]
Spec = Mapping[str, Any]

MARKS = frozenset(("area", "bar", "line", "point", "rect", "rule", "text"))
_SIZE = 200
_NAME_SIZE = 20
_SECOND = {"x": "x2", "y": "y2"}
_OFFSET = {"x": "xOffset", "y": "yOffset"}
_RANGES: Mapping[str, Sequence[Any]] = {"color": COLOURS, "shape": SHAPES, "strokeDash": DASHES}


@dataclass(frozen=True, slots=True)
class Layer:
    """One mark over some rows."""

    mark: Spec
    """With `type`."""
    encoding: Mapping[str, Spec]
    rows: Sequence[Row]


@dataclass(frozen=True, slots=True)
class View:
    """Layers in the same frame."""

    layers: tuple[Layer, ...]
    width: float
    height: float
    positions: Mapping[str, Continuous | Names]
    """The scales of "x" and "y", of those that are used."""
    lookups: Mapping[str, Lookup]
    """The scales of "color", "shape" and "strokeDash"."""
    colours: Mapping[str, str] = field(default_factory=dict)
    """Of marks that have none of their own, by the mark's type."""

    def at(self, layer: Layer, row: Row, channel: str) -> float | None:
        """The pixel of a row in "x", "y", "x2" or "y2"; `None` where it has no value.

        A mark that does not ask for a place is in the middle.
        """
        axis, length = channel[0], self.width if channel[0] == "x" else self.height
        encoded = layer.encoding.get(channel)
        if encoded is None:
            return length / 2
        if "value" in encoded:
            return float(encoded["value"])
        value, scale = value_of(encoded, row), self.positions[axis]
        if not is_known(value):
            return None
        if isinstance(scale, Continuous):
            return scale.at(value)
        return scale.at(value) + self._aside(layer, row, axis, scale)

    def look(self, layer: Layer, row: Row, channel: str) -> Any:
        """What a row looks like in "color", "shape" or "strokeDash"; `None` where the layer does not say."""
        encoded = layer.encoding.get(channel)
        if encoded is None:
            return layer.mark.get(channel)
        return encoded["value"] if "value" in encoded else self.lookups[channel].of(row.get(encoded["field"]))

    def channel(self, name: str) -> Spec:
        """What the layers say together of a channel: of each property, what the first says that has it."""
        merged: dict[str, Any] = {}
        for layer in self.layers:
            merged = {**layer.encoding.get(name, {}), **merged}
        return merged

    def _aside(self, layer: Layer, row: Row, axis: str, scale: Names) -> float:
        encoded = layer.encoding.get(_OFFSET[axis])
        if encoded is None:
            return 0.0
        series = ordered((each.get(encoded["field"]) for each in _all_rows(self.layers)), encoded)
        return scale.aside(series.index(row.get(encoded["field"])), len(series))


def view_of(spec: Spec, colours: Mapping[str, str]) -> View:
    """The view that a description describes.

    Args:
        spec: `mark` or `layer`, with data and encoding.
        colours: of marks that have none of their own, by the mark's type.

    Raises:
        ValueError: it asks for something that is not drawn here.
    """
    layers = tuple(_layers(spec, {}, (), spec.get("datasets", {})))
    width, height = (_length(spec, layers, axis) for axis in ("width", "height"))
    positions = {axis: _position(layers, axis, length) for axis, length in (("x", width), ("y", height))}
    known = {axis: scale for axis, scale in positions.items() if scale is not None}
    return View(layers, width, height, known, {name: _lookup(layers, name) for name in _RANGES}, colours)


def value_of(encoded: Spec, row: Row) -> Any:
    """What a channel is given for a row, before any scale."""
    return encoded["datum"] if "datum" in encoded else row.get(encoded["field"])


def is_known(value: Any) -> bool:
    """Whether there is something to place."""
    return value is not None and not (isinstance(value, float) and not math.isfinite(value))


def is_named(encoded: Spec) -> bool:
    """Whether a channel's values are names and not amounts."""
    return encoded.get("type") in ("nominal", "ordinal")


def says(layer: Layer, row: Row) -> str | None:
    """What a mark says of itself to those who can't see it: its description, or its values by name."""
    described = layer.encoding.get("description")
    if layer.mark.get("aria") is False:
        return None
    if described is not None:
        return str(row.get(described["field"]))
    if "description" in layer.mark:
        return str(layer.mark["description"])
    named = (
        (encoded.get("title") or encoded["field"], row.get(encoded["field"])) for encoded in _encoded_fields(layer)
    )
    return "; ".join(f"{name}: {_plain(value)}" for name, value in named) or None


def _encoded_fields(layer: Layer) -> Iterator[Spec]:
    return (encoded for encoded in layer.encoding.values() if "field" in encoded and "type" in encoded)


def _plain(value: Any) -> str:
    return formatted(value, None) if isinstance(value, int | float) and not isinstance(value, bool) else str(value)


def _layers(spec: Spec, encoding: Mapping[str, Spec], rows: Sequence[Row], datasets: Spec) -> Iterator[Layer]:
    encoding, rows = {**encoding, **spec.get("encoding", {})}, _rows(spec, rows, datasets)
    for each in spec.get("layer", ()):
        yield from _layers(each, encoding, rows, datasets)
    if "mark" in spec:
        mark: Spec = {"type": spec["mark"]} if isinstance(spec["mark"], str) else spec["mark"]
        if mark["type"] not in MARKS:
            raise ValueError(f"A mark {mark['type']!r} is not drawn here: {', '.join(sorted(MARKS))} are.")
        yield Layer(mark, encoding, rows)
        if mark.get("point"):
            yield Layer({"type": "point", "filled": True, "opacity": 1} | dict(mark["point"]), encoding, rows)


def _rows(spec: Spec, rows: Sequence[Row], datasets: Spec) -> Sequence[Row]:
    """The rows of a part: its own or, without any, those around it. What is somewhere else is not fetched."""
    data = spec.get("data")
    if data is not None:
        rows = data.get("values", datasets.get(data.get("name"), ()))
    for step in spec.get("transform", ()):
        wanted = step["filter"]
        rows = [row for row in rows if is_known(row.get(wanted["field"])) is wanted["valid"]]
    return rows


def _length(spec: Spec, layers: Sequence[Layer], side: str) -> float:
    if side in spec:
        return float(spec[side])
    axis = "x" if side == "width" else "y"
    scale = _position(layers, axis, _SIZE)
    return max(1, len(scale.names)) * _NAME_SIZE if isinstance(scale, Names) else _SIZE


def _position(layers: Sequence[Layer], axis: str, length: float) -> Continuous | Names | None:
    """The scale that the layers share along an axis."""
    used = [
        (layer, channel, layer.encoding[channel])
        for layer in layers
        for channel in (axis, _SECOND[axis])
        if channel in layer.encoding and "value" not in layer.encoding[channel]
    ]
    if not used:
        return None
    values = [value_of(encoded, row) for layer, _, encoded in used for row in layer.rows or [{}]]
    values = [value for value in values if is_known(value)]
    merged: dict[str, Any] = {}
    for _, channel, encoded in used:
        if channel == axis:
            merged = {**encoded, **merged}
    if is_named(merged):
        return Names(ordered(values, merged), length)
    scales = [encoded["scale"] for _, _, encoded in used if "scale" in encoded]
    return continuous(
        values, {k: v for scale in reversed(scales) for k, v in scale.items()}, length, downward=axis == "y"
    )


def _lookup(layers: Sequence[Layer], channel: str) -> Lookup:
    using = [layer for layer in layers if "field" in layer.encoding.get(channel, {})]
    if not using:
        return Lookup((), ())
    encoded = using[0].encoding[channel]
    values = [row.get(encoded["field"]) for layer in using for row in layer.rows]
    return lookup(ordered(values, encoded), encoded, _RANGES[channel])


def _all_rows(layers: Sequence[Layer]) -> Iterator[Row]:
    return (row for layer in layers for row in layer.rows)
