"""Texts as a terminal may be given them: what stands in data must not move the cursor, change a title, or hide."""

from __future__ import annotations

import re

from voirdire.errors import ACTIVE, inert

__all__ = ["Rendered", "inert", "inert_json"]


class Rendered(str):
    """A text for a terminal in which all that comes from data is inert: its escape sequences are our own."""

    __slots__ = ()


def inert_json(text: str) -> str:
    """JSON with the same characters as escapes, so that it still says what it said."""
    return ACTIVE.sub(_escape, text)


def _escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code <= 0xFFFF:
        return f"\\u{code:04x}"
    code -= 0x10000
    return f"\\u{0xD800 + (code >> 10):04x}\\u{0xDC00 + (code & 0x3FF):04x}"
