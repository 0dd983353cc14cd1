"""A sentence read once: its words with their places, its numbers, its negations."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from voirdire.text import Number, content_words, find_numbers

_TOKEN = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?|\d+(?:[.,]\d+)*|[,;:.!?()—–]")
# Months that are also verbs are months before a year, or beside a day, in lower case too.
_LOWER_MONTH = re.compile(
    r"\b(?:may|march)\b(?=,? \d{4}\b| \d{1,2}(?:st|nd|rd|th)?,? \d{4}\b| \d{1,2}(?:st|nd|rd|th)\b)"
    r"|(?:(?<=\d )|(?<=\d(?:st|nd|rd|th) )|(?<= of ))(?:may|march)\b(?=[.,;)]|$| \d{4}\b)"
)

_COUNTS = {
    word: value for value, word in enumerate("one two three four five six seven eight nine ten".split(), start=1)
}
_COUNT = rf"an?|{'|'.join(_COUNTS)}|\d{{1,3}}"
_SCALES = {"dozen": 12, "hundred": 100, "thousand": 1e3, "million": 1e6, "billion": 1e9}
_DIVISORS = {"half": 2, "third": 3, "thirds": 3, "quarter": 4, "quarters": 4, "fifth": 5, "fifths": 5, "tenth": 10}
_SHARE = re.compile(
    rf"(?i)(?<!first )(?<!second )(?<!other )(?<!latter )\b"
    rf"(?:(?P<times>{_COUNT})[ -])?(?P<share>half|(?<=[ -])(?:{'|'.join(_DIVISORS)}))(?= of\b)"
)
_HALF = re.compile(
    rf"(?i)\b(?:(?P<whole>{_COUNT}) and a half(?: (?P<scale>{'|'.join(_SCALES)}))?\b"
    rf"|half an?(?: (?P<half_scale>{'|'.join(_SCALES)}))?\b)"
)
_DOZEN = re.compile(rf"(?i)\b(?P<times>{_COUNT}) dozen\b")


class Token(NamedTuple):
    """A word, a figure or a mark, lower-case, without accents."""

    word: str
    stem: str
    """Empty for stop words and marks."""
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Reading:
    """A sentence as the stage compares it."""

    text: str
    tokens: tuple[Token, ...]
    stems: frozenset[str]
    words: frozenset[str]


def read(text: str) -> Reading:
    """Read one sentence."""
    tokens = tokens_of(text)
    return Reading(
        text,
        tokens,
        frozenset(token.stem for token in tokens if token.stem),
        frozenset(token.word for token in tokens),
    )


def tokens_of(text: str) -> tuple[Token, ...]:
    """The words, figures and marks of a text."""
    return tuple(Token(*_normal(match[0]), *match.span()) for match in _TOKEN.finditer(text))


def numbers_of(text: str) -> list[Number]:
    """The numbers of a text; "march 2014" is a date in lower case too, "a quarter of" a share, "a dozen" a number."""
    if "may" in text or "march" in text:
        text = _LOWER_MONTH.sub(lambda month: month[0].title(), text)
    found = find_numbers(text)
    parts = list(_parts_of(text))
    if not parts:
        return found
    whole = [each for each in found if not any(each.start < part.end and part.start < each.end for part in parts)]
    return sorted([*whole, *parts], key=lambda number: number.start)


def _parts_of(text: str) -> Iterator[Number]:
    """Shares ("two thirds of"), dozens, and halves: "one and a half million", "half an hour"."""
    for match in _SHARE.finditer(text):
        if match["times"] is None and match["share"].lower() != "half":  # "the third of May"
            continue
        value = 100 * _count(match["times"]) / _DIVISORS[match["share"].lower()]
        yield Number(match[0], *match.span(), "percent", value, value)
    for match in _HALF.finditer(text):
        value = _count(match["whole"]) + 0.5 if match["whole"] else 0.5
        value *= _SCALES.get((match["scale"] or match["half_scale"] or "").lower(), 1)
        yield Number(match[0], *match.span(), "number", value, value)
    for match in _DOZEN.finditer(text):
        value = 12 * _count(match["times"])
        yield Number(match[0], *match.span(), "number", value, value)


def _count(word: str | None) -> float:
    return float(word) if word and word.isdigit() else _COUNTS.get((word or "one").lower(), 1)


@lru_cache(maxsize=65_536)
def _normal(token: str) -> tuple[str, str]:
    plain = token.lower().replace("’", "'")
    if not plain.isascii():
        plain = "".join(c for c in unicodedata.normalize("NFKD", plain) if not unicodedata.combining(c))
    plain = plain.replace(",", "") if plain[:1].isdigit() else plain
    stems = content_words(plain)
    return plain, stems[0] if stems else ""
