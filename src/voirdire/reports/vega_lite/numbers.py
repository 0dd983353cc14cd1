"""Numbers on axes: round ones, and how they are written (d3-format's notation, as far as it is used)."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

_FORMAT = re.compile(r"(?:\.(?P<digits>\d+))?(?P<trim>~?)(?P<kind>[fdgs%]?)")
_PREFIXES = ("", "k", "M", "G", "T")
_STEPS = (1, 2, 5, 10)
_NEARLY = 1e-9


def round_step(low: float, high: float, count: int) -> float:
    """The step of 1, 2 or 5 times a power of ten with which about `count` steps lead from one end to the other."""
    rough = (high - low) / max(1, count)
    power = 10.0 ** math.floor(math.log10(rough))
    edges = (math.sqrt(2), math.sqrt(10), math.sqrt(50))
    return power * _STEPS[sum(rough / power >= edge for edge in edges)]


def multiples(low: float, high: float, step: float) -> list[float]:
    """The multiples of a step from one end to the other, both included."""
    first, last = math.ceil(low / step - _NEARLY), math.floor(high / step + _NEARLY)
    return [float(f"{number * step:.12g}") for number in range(first, last + 1)]


def powers(low: float, high: float) -> list[float]:
    """1, 2 and 5 times powers of ten from one end to the other."""
    exponents = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    matches = (digit * 10.0**exponent for exponent in exponents for digit in (1, 2, 5))
    return [each for each in matches if low <= each <= high]


def formatted(value: float, notation: str | None, values: Sequence[float] = ()) -> str:
    """A number in d3's notation; without one, with the decimals that tell apart the numbers of its axis.

    Raises:
        ValueError: the notation is not known here.
    """
    if notation is None:
        return _signed(f"{value:,.{_decimals(values or [value])}f}")
    match = _FORMAT.fullmatch(notation)
    if match is None:
        raise ValueError(f"{notation!r} is no number format that is known here.")
    kind, digits = match["kind"], match["digits"]
    if kind == "%":
        places = int(digits) if digits else max(0, _decimals(values or [value]) - 2)
        return _signed(_trimmed(f"{100 * value:.{places}f}", match["trim"])) + "%"
    if kind == "d":
        return _signed(f"{value:.0f}")
    if kind == "s":
        return _signed(_with_prefix(value))
    if kind == "f":
        return _signed(_trimmed(f"{value:.{digits or 6}f}", match["trim"]))
    return _signed(f"{value:.{digits or 12}g}")


def _decimals(values: Sequence[float]) -> int:
    """Decimals that all of these numbers need, six at most."""
    texts = (f"{value:.6f}".rstrip("0") for value in values)
    return max(len(text.partition(".")[2]) for text in texts)


def _trimmed(text: str, trim: str) -> str:
    return text.rstrip("0").rstrip(".") if trim and "." in text else text


def _with_prefix(value: float) -> str:
    group = min(len(_PREFIXES) - 1, int(math.log10(abs(value)) // 3)) if abs(value) >= 1 else 0
    return f"{value / 1000**group:.6g}{_PREFIXES[group]}"


def _signed(text: str) -> str:
    """With a minus sign instead of a hyphen, and none before a zero."""
    if not text.startswith("-"):
        return text
    return text[1:] if not text.strip("-0.,") else "−" + text[1:]
