"""How much room a text takes: the widths of Helvetica, which Arial and Liberation Sans share (Adobe's font metrics)."""

from __future__ import annotations

import unicodedata

_LETTERS = (
    *(278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, *[556] * 10, 278, 278, 584),
    *(584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722),
    *(667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278, 556, 556),
    *(222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584),
)
"""From the space to the tilde, in thousandths of the font's size."""
_OTHERS = 600
_BOLD = 1.07
"""How much wider bold letters are, on average."""
_CUT = "…"


def text_width(text: str, size: float, *, bold: bool = False) -> float:
    """Pixels that a text takes in letters of this size."""
    return sum(map(_letter, text)) * size / 1000 * (_BOLD if bold else 1)


def fitting(text: str, size: float, limit: float) -> str:
    """The text, cut with an ellipsis where it takes more than so many pixels; 0 is no limit."""
    if not limit or text_width(text, size) <= limit:
        return text
    while text and text_width(text + _CUT, size) > limit:
        text = text[:-1]
    return text + _CUT


def _letter(letter: str) -> int:
    place = ord(letter) - 32
    if 0 <= place < len(_LETTERS):
        return _LETTERS[place]
    if unicodedata.combining(letter):
        return 0
    return 1000 if unicodedata.east_asian_width(letter) in "WF" else _OTHERS
