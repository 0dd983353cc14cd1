"""From values to pixels, colours, shapes: the scales of a view."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from voirdire.documents.colours import BLUE, GREEN, GREY, ORANGE, PINK, SKY, YELLOW
from voirdire.reports.vega_lite.numbers import multiples, powers, round_step

Spec = Mapping[str, Any]

_PIXELS_PER_TICK = 40
_NICE = 10
"""Steps by which the ends of a scale become round numbers."""
_GROUP = 0.7
"""The share of a name's room over which the series beside each other are spread."""
COLOURS = (BLUE, ORANGE, GREEN, PINK, YELLOW, SKY, GREY)
SHAPES = ("circle", "square", "cross", "diamond", "triangle-up", "triangle-down")
DASHES: tuple[Sequence[float], ...] = ((1, 0), (4, 2), (2, 1), (1, 1), (1, 2, 4, 2))


@dataclass(frozen=True, slots=True)
class Continuous:
    """A scale of numbers, linear or logarithmic, over so many pixels."""

    low: float
    high: float
    length: float
    downward: bool = False
    """Whether the low end is at the far end: y grows upward."""
    log: bool = False

    def at(self, value: float) -> float:
        """The pixel of a value."""
        low, high, value = (math.log(each) if self.log else each for each in (self.low, self.high, value))
        share = (value - low) / (high - low)
        return self.length * (1 - share if self.downward else share)

    def ticks(self, axis: Spec) -> list[float]:
        """The values that an axis names, within the scale."""
        if "values" in axis:
            return [float(value) for value in axis["values"] if self.low <= value <= self.high]
        if self.log:
            return powers(self.low, self.high)
        step = round_step(self.low, self.high, axis.get("tickCount", _count(self.length)))
        return multiples(self.low, self.high, max(step, axis.get("tickMinStep", 0.0)))


@dataclass(frozen=True, slots=True)
class Names:
    """A scale of names: each has a stretch of the same length."""

    names: tuple[Any, ...]
    length: float

    @property
    def step(self) -> float:
        """Pixels for each name."""
        return self.length / max(1, len(self.names))

    def at(self, name: Any) -> float:
        """The middle of a name's stretch."""
        return (self.names.index(name) + 0.5) * self.step

    def aside(self, place: int, of: int) -> float:
        """How far a series lies from the middle, where several share a name."""
        return ((place + 0.5) / of - 0.5) * _GROUP * self.step


@dataclass(frozen=True, slots=True)
class Lookup:
    """A scale that gives each name something to look like."""

    names: tuple[Any, ...]
    values: tuple[Any, ...]

    def of(self, name: Any) -> Any:
        """What a name looks like; where there are more names than values, they are used again."""
        return self.values[self.names.index(name) % len(self.values)]


def continuous(values: Sequence[float], scale: Spec, length: float, *, downward: bool) -> Continuous:
    """The scale of numbers that a description asks for.

    Args:
        values: what is drawn.
        scale: domain, domainMin, nice, zero, type, padding.
        length: in pixels.
        downward: whether the low end is at the far end.
    """
    log = scale.get("type") == "log"
    if scale.get("domain") is not None:
        low, high = (float(end) for end in scale["domain"])
    else:
        low, high = min(values, default=0.0), max(values, default=1.0)
        if scale.get("zero", not log):
            low, high = min(low, 0.0), max(high, 0.0)
    low = float(scale.get("domainMin", low))
    if not high > low:
        low, high = (low, low + 1.0) if not log else (low / 2, low * 2)
    if scale.get("domain") is None and scale.get("nice", True) and not log:
        step = round_step(low, high, _NICE)
        low, high = math.floor(low / step + 1e-9) * step, math.ceil(high / step - 1e-9) * step
    if log and scale.get("padding"):
        beyond = (high / low) ** (scale["padding"] / (length - 2 * scale["padding"]))
        low, high = low / beyond, high * beyond
    return Continuous(low, high, length, downward, log)


def ordered(values: Iterable[Any], channel: Spec) -> tuple[Any, ...]:
    """Names in the order that a channel gives, or else sorted."""
    matches = set(values)
    wanted = list((channel.get("scale") or {}).get("domain") or channel.get("sort") or [])
    rest = sorted(matches - set(wanted), key=lambda name: (isinstance(name, str), name))
    if "domain" in (channel.get("scale") or {}):
        return (*wanted, *rest)
    return (*(name for name in dict.fromkeys(wanted) if name in matches), *rest)


def lookup(names: tuple[Any, ...], channel: Spec, properties: Sequence[Any]) -> Lookup:
    """The scale of a channel whose names are these."""
    return Lookup(names, tuple((channel.get("scale") or {}).get("range") or properties))


def _count(length: float) -> int:
    return max(1, math.ceil(length / _PIXELS_PER_TICK))
