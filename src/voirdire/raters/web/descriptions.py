"""Texts and times as lists show them."""

from __future__ import annotations

_SHORT = 140
"""Characters of a text in a list."""


def shortened(text: str, limit: int = _SHORT) -> str:
    """The beginning of a text, in one line."""
    line = " ".join(text[: 4 * limit].split())
    return line if len(line) <= limit and len(text) <= 4 * limit else f"{line[: limit - 1].rstrip()}…"


def duration(seconds: float) -> str:
    """A span of time as people say it: "45 s", "12 min", "3.5 h"."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 100 * 60 else f"{seconds / 3600:.1f} h"
