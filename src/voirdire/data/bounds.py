"""What a number must be before it is used: finite, and within bounds. NaN would switch off any limit it is used as."""

from __future__ import annotations

import math
from typing import Any

from voirdire.errors import shown

MAX_COUNT = 2**31 - 1
MAX_NUMBER = 1e9
"""Where nothing else is said: far beyond use, and far from what overflows."""
MAX_SAMPLES = 1_000
"""Repetitions of a dialogue, or of a model's vote."""
MAX_CONNECTIONS = 10_000
MAX_SECONDS = 86_400


def in_bounds(value: Any, least: float, most: float, *, whole: bool = False) -> bool:
    """Whether a value is a number (a whole one) from `least` to `most`; NaN is not, nor is True."""
    kinds = int if whole else (int, float)
    return isinstance(value, kinds) and not isinstance(value, bool) and least <= value <= most


def check_bounds(
    name: str, value: Any, least: float, most: float, error: type[Exception], *, whole: bool = False
) -> None:
    """See that a value is a number (a whole one) from `least` to `most`; `None` is none given.

    Raises:
        Exception: of the class `error`, with a sentence, where it is not.
    """
    if value is not None and not in_bounds(value, least, most, whole=whole):
        raise error(f"{name}: {value!r} is not {bounds_text(least, most, whole=whole)}.")


def as_people_write(given: Any) -> Any:
    """A number or its text, for `int` and `float`.

    Raises:
        ValueError: its digits are parted by underscores, as only programs have them.
    """
    if "_" in str(given):
        raise ValueError
    return given


def share_of(value: object) -> float:
    """A share in [0, 1], from "5%", "5 %" or 0.05.

    Raises:
        ValueError: it is none, or a bare 1, which could be one in a hundred or all; the message says which.
    """
    given = str(value).strip()
    try:
        number = float(as_people_write(given).removesuffix("%")) / (100 if given.endswith("%") else 1)
    except ValueError:
        number = math.nan
    if not in_bounds(number, 0, 1):
        raise ValueError(f"{shown(value)} is not {bounds_text(0, 1, whole=False)}.")
    if number == 1 and not given.endswith("%"):
        raise ValueError(f"{shown(value)} can mean 1% or 100%; write one of them.")
    return number


def is_count(value: object) -> bool:
    """Whether a value, or its text, is a whole number as one counts things: 5, but no 5.0, "5%" or trillion."""
    given = str(value).strip()
    return given.isdecimal() and len(given) < len(str(MAX_COUNT))


def bounds_text(least: float, most: float, *, whole: bool) -> str:
    """What is expected, in words: "a whole number from 1 to 1,000"."""
    return f"a {'whole ' if whole else ''}number from {_number_text(least)} to {_number_text(most)}"


def _number_text(number: float) -> str:
    return f"{number:,.0f}" if number == int(number) else f"{number:g}"
