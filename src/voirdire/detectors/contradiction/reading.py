"""A sentence read once: its words with their places, its numbers, its negations."""

from __future__ import annotations

import re
import unicodedata
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
    """The numbers of a text; "march 2014" is a date in lower case too."""
    if "may" in text or "march" in text:
        text = _LOWER_MONTH.sub(lambda month: month[0].title(), text)
    return find_numbers(text)


@lru_cache(maxsize=65_536)
def _normal(token: str) -> tuple[str, str]:
    plain = token.lower().replace("’", "'")
    if not plain.isascii():
        plain = "".join(c for c in unicodedata.normalize("NFKD", plain) if not unicodedata.combining(c))
    plain = plain.replace(",", "") if plain[:1].isdigit() else plain
    stems = content_words(plain)
    return plain, stems[0] if stems else ""
