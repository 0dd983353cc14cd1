"""The codes of a context: letters with a figure, such as "V16", "A380" or "I-72"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from voirdire.detectors.contradiction.words import Reading

Codes = dict[str, dict[str, int]]
"""Of the letters, the figures that stand with them, and in which sentence first."""

CODE = re.compile(r"(?<![\w.-])([a-z]{1,4})-?(\d{1,3})(?![\w-])")


def codes_of(readings: Sequence[Reading]) -> Codes:
    """The codes of a context."""
    codes: Codes = {}
    for place, reading in enumerate(readings):
        for letters, figure in CODE.findall(reading.text.lower()):
            codes.setdefault(letters, {}).setdefault(figure, place)
    return codes
