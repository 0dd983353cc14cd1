"""A sentence parsed once: its words with their places."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from voirdire.evidence.lexicon import stem_of

_TOKEN = re.compile(
    r"(?i:rul(?:e[ds]?|ing) out\b|\bno-(?:shows?|brainers?|frills|nonsense)\b|"
    r"(?<![\w-])(?:non|off)-(?=[a-z]{3})[a-z]+)|[^\W\d_]+(?:['’][^\W\d_]+)?|"
    r"\d+(?:[.,]\d+)*|[,;:.!?()—–]"
)
"""A no-show is one word, which negates nothing: "no-fee" does. Non-members are no members, off-peak is no peak."""
_PREFIXES = ("non-", "off-")


class Token(NamedTuple):
    """A word, a figure or a mark, lower-case, without accents."""

    word: str
    stem: str
    """Empty for stop words and marks."""
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class ParsedSentence:
    """A sentence as it is compared with others."""

    text: str
    tokens: tuple[Token, ...] = field(compare=False)
    stems: frozenset[str] = field(compare=False)
    words: frozenset[str] = field(compare=False)


@lru_cache(maxsize=4096)
def parse(text: str) -> ParsedSentence:
    """Parse one sentence."""
    tokens = tuple([Token(*_normal(match[0]), match.start(), match.end()) for match in _TOKEN.finditer(text)])
    return ParsedSentence(
        text,
        tokens,
        frozenset(token.stem for token in tokens if token.stem),
        frozenset(token.word for token in tokens),
    )


def counterparts(stem: str) -> tuple[str, ...]:
    """The stems of the group that one leaves out, or that leaves it out: "member" and "non-member"."""
    return (stem[len(_PREFIXES[0]) :],) if leaves_out(stem) else tuple(f"{each}{stem}" for each in _PREFIXES)


def leaves_out(stem: str) -> bool:
    """Whether a stem is of a group that leaves another one out: "non-member", "off-peak"."""
    return stem.startswith(_PREFIXES)


def stems_of(tokens: Sequence[Token]) -> tuple[str, ...]:
    """The stems of the content words, in order."""
    return tuple(token.stem for token in tokens if token.stem)


@lru_cache(maxsize=65_536)
def _normal(token: str) -> tuple[str, str]:
    plain = token.lower().replace("’", "'")
    if plain.endswith(" out"):
        plain = "excluded"
    if not plain.isascii():
        plain = "".join(c for c in unicodedata.normalize("NFKD", plain) if not unicodedata.combining(c))
    plain = plain.replace(",", "") if plain[:1].isdigit() else plain
    prefix = next(filter(plain.startswith, _PREFIXES), "")
    return plain, prefix + stem_of(plain.removeprefix(prefix))
