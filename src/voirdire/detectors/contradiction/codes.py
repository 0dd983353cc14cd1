"""Codes: letters with a figure, such as "V16", "A380" or "I-72"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from voirdire.detectors.contradiction.reading import Reading
from voirdire.detectors.contradiction.records import Contradiction

if TYPE_CHECKING:
    from voirdire.detectors.contradiction.matching import Match

Codes = dict[str, dict[str, int]]
"""Of the letters, the figures that stand with them, and in which sentence first."""

_CODE = re.compile(r"(?<![\w.-])([a-z]{1,4})-?(\d{1,3})(?![\w-])")


def codes_of(readings: Sequence[Reading]) -> Codes:
    """The codes of a context."""
    codes: Codes = {}
    for place, reading in enumerate(readings):
        for letters, figure in _CODE.findall(reading.text.lower()):
            codes.setdefault(letters, {}).setdefault(figure, place)
    return codes


def code_contradictions(match: Match) -> Iterator[Contradiction]:
    """Codes that the context has with other figures only."""
    for letters, figure in _CODE.findall(match.mine.text.lower()):
        known = match.index.codes.get(letters, {})
        if known and figure not in known:
            other, place = next(iter(known.items()))
            context_sentence = match.index.readings[place].text
            yield Contradiction("number", letters + figure, letters + other, context_sentence, 0.7)
