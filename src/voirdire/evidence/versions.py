"""Which versions of a program the context allows: "Python 3.9 and newer" allows Python 3.10."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

from voirdire.evidence.context import Code, ContextIndex, code_spots
from voirdire.evidence.lexicon import lexicon
from voirdire.evidence.matching import Match
from voirdire.text.numbers import version_value

_VERSION = re.compile(r"\d+(?:\.\d+)*")
_UP_TO = re.compile(r"\s(?:to|through|until)\s(\d{1,4}(?:\.\d{1,3}){0,3})|\s?[-–]\s?(\d{1,4}(?:\.\d{1,3}){0,3})")
_ONWARDS = re.compile(r"\+|,?\s(?:(?:or|and)\s(?:newer|later|higher|above|greater|up|upwards)|onwards?)\b")
_BACKWARDS = re.compile(r",?\s(?:or|and)\s(?:older|earlier|lower|below)\b")


def is_allowed_version(match: Match, code: Code) -> bool:
    """Whether a sentence has a version ("Python 3.10") that is within the limits of the context.

    A limit of its own must be that of the context: "Python 3.10 or newer" is no "Python 3.9 or newer".
    """
    name, version = code
    spans = list(_spans(match.claim.text, code))
    value = version_value(version)
    if not spans or any(span != (value, value) for span in spans):
        return False
    return any(low <= value <= high for low, high in _limits(match.index, name))


def _limits(index: ContextIndex, name: str) -> Iterator[tuple[float, float]]:
    """The spans of versions that the context gives for a name."""
    for place in sorted(index.places_of_letters.get(name, ())):
        for code in index.sentence_codes[place]:
            if code[0] == name:
                yield from _spans(index.sentences[place].text, code)


def _spans(text: str, code: Code) -> Iterator[tuple[float, float]]:
    """From which version to which a text means, wherever it has a code."""
    if not _VERSION.fullmatch(code[1]):
        return
    value = version_value(code[1])
    for start, end in code_spots(text, (code,)):
        before = text[:start].lower()
        last = _UP_TO.match(text, end)
        if last is not None:
            yield value, version_value(last[1] or last[2])
        elif _ONWARDS.match(text, end) or lexicon().qualifiers["at_least"].search(before):
            yield value, math.inf
        elif _BACKWARDS.match(text, end) or lexicon().qualifiers["at_most"].search(before):
            yield 0, value
        else:
            yield value, value
