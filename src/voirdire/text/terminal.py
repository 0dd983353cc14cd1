"""Texts as a terminal may be given them: what stands in data must not move the cursor, change a title, or hide."""

from __future__ import annotations

import re

_ENDS = re.compile("\r\n")
_ACTIVE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f"  # controls of both kinds, all but tab and line feed
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u206f"  # what turns the direction of the text that follows
    "\u2028\u2029\u180e\ufeff\ufff9-\ufffb\U000e0000-\U000e0fff"  # other ends of lines; what is not seen at all
    "\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]"  # halves of characters, and no characters
)
_PICTURES = 0x2400
_DELETE = 0x7F


def inert(text: str) -> str:
    """The text with all that a terminal would act on made visible: escape as ␛, a carriage return as ␍, others as �.

    Line feeds and tabs stay. Of what is not seen, joiners stay, which letters and emoji need.
    """
    return _ACTIVE.sub(_picture, _ENDS.sub("\n", text))


def inert_json(text: str) -> str:
    """JSON with the same characters as escapes, so that it still says what it said."""
    return _ACTIVE.sub(_escape, text)


def _picture(found: re.Match[str]) -> str:
    code = ord(found[0])
    if code < ord(" "):
        return chr(_PICTURES + code)
    return "\u2421" if code == _DELETE else "\ufffd"


def _escape(found: re.Match[str]) -> str:
    code = ord(found[0])
    if code <= 0xFFFF:
        return f"\\u{code:04x}"
    code -= 0x10000
    return f"\\u{0xD800 + (code >> 10):04x}\\u{0xDC00 + (code & 0x3FF):04x}"
