"""The word lists of the engine (`data/lexicons/evidence.yaml`), as it looks them up."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, get_args

from voirdire.data import packaged_files
from voirdire.text.overlap import content_words

_ANY_WORDS = r"[\w-]+(?:\s[\w-]+){0,2}"
_SIZE = r"(?:an?|the)\s(?:length|height|altitude|width|depth|weight|size|distance|speed|total|maximum)\sof\s"

Qualifier = Literal["at_least", "at_most", "nearly", "about"]


@dataclass(frozen=True, slots=True)
class Measure:
    """What things have more or less of: weight, loudness."""

    words: frozenset[str]
    """Keys: heavy, weight, weigh."""
    units: tuple[str, ...]
    """Spellings of units of it, one of each kind; none where a figure needs no unit."""


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The lists. The key of a word is its stem, or the word itself where it is a stop word."""

    negators: frozenset[str]
    """Words."""
    negator: re.Pattern[str]
    """One of them in a clause that goes on to the end of a text in lower case."""
    negating: frozenset[str]
    """Keys: fail, lack, deny."""
    faint: frozenset[str]
    """Negators that leave a little: hardly, seldom."""
    scarce: frozenset[str]
    """Negators that speak of quantity, the faint ones among them."""
    half_negators: frozenset[str]
    """Words that may repeat a negation: unlikely, despite, prevent."""
    softened: frozenset[str]
    softened_before_than: frozenset[str]
    limits: frozenset[str]
    """Words that limit what is negated."""
    prefixes: tuple[str, ...]
    synonyms: Mapping[str, frozenset[str]]
    """Of a key, those of the words that rules have for the same."""
    opposites: Mapping[str, tuple[tuple[int, int], ...]]
    """Of a key, or that of a verb and its particle, the pairs it stands in, and its side (0 or 1) there."""
    ordering: frozenset[str]
    """Words that compare what stands before them with what follows."""
    quantity: Mapping[str, str]
    """Of a word: all, most, some or only."""
    falls: frozenset[str]
    """Words beside which a figure without a sign may mean one below zero."""
    changes: frozenset[str]
    """The same of words beside which "from 3 to 6" is a change and no range, besides those of `falls`."""
    measures: tuple[Measure, ...]
    """What "how heavy" and "the weight" ask for."""
    numbered: frozenset[str]
    """Words that a figure after them tells apart."""
    limiting: tuple[str, ...]
    """What makes a bound that every value keeps."""
    reaching: tuple[str, ...]
    """What says how far a range goes, or a part of it."""
    qualifiers: Mapping[Qualifier, re.Pattern[str]]
    """Words that end right before a figure, by what they make of it."""
    bounds_after: Mapping[Qualifier, re.Pattern[str]]
    """Words that make it a bound right after it."""

    def are_opposites(self, one: str, other: str) -> bool:
        """Whether two keys stand on the two sides of a pair."""
        return any((pair, 1 - side) in self.opposites.get(other, ()) for pair, side in self.opposites.get(one, ()))


def key_of(word: str) -> str:
    """The key of a word of a list."""
    return stem_of(word) or word.lower()


def stem_of(word: str) -> str:
    """The stem of a word, of a listed participle that of its verb: empty for a stop word."""
    return next(iter(content_words(_participles().get(word, word))), "")


@cache
def _participles() -> dict[str, str]:
    words = _lists()["participles"].split()
    return dict(zip(words[::2], words[1::2], strict=True))


@cache
def _lists() -> dict[str, Any]:
    lists: dict[str, Any] = packaged_files.read_yaml("lexicons/evidence.yaml")
    return lists


@cache
def lexicon() -> Lexicon:
    """Read the lists; the first time only."""
    lists = _lists()
    faint = lists["faint"].split()
    negators = [*lists["negators"].split(), *faint]
    opposites: dict[str, list[tuple[int, int]]] = {}
    for pair, line in enumerate(lists["opposites"]):
        for side, words in enumerate(line.split(" | ")):
            for key in dict.fromkeys(_term(word) for word in words.split()):
                opposites.setdefault(key, []).append((pair, side))
    return Lexicon(
        negators=frozenset(negators),
        negator=re.compile(rf"\b(?:{'|'.join(negators)}|\w+n['’]t)\b(?=[^,;:.()]*$)"),
        negating=_keys(lists["negating"]),
        faint=frozenset(faint),
        scarce=frozenset([*lists["scarce"].split(), *faint]),
        half_negators=_keys(lists["half_negators"]),
        softened=frozenset(lists["softened"].split()),
        softened_before_than=frozenset(lists["softened_before_than"].split()),
        limits=frozenset(lists["limits"].split()),
        prefixes=tuple(lists["prefixes"].split()),
        synonyms={key: keys for keys in map(_keys, lists["synonyms"]) for key in keys},
        opposites={key: tuple(places) for key, places in opposites.items()},
        ordering=frozenset(lists["ordering"].split()),
        quantity={word: level for level in ("only", "some", "most", "all") for word in lists[level].split()},
        falls=frozenset(lists["falls"].split()),
        changes=frozenset(lists["changes"].split()),
        measures=tuple(map(_measure, lists["measures"])),
        numbered=frozenset(lists["numbered"].split()),
        limiting=tuple(each.strip() for each in lists["limiting"].split(",")),
        reaching=tuple(each.strip() for each in lists["reaching"].split(",")),
        qualifiers={name: _before(lists[name]) for name in get_args(Qualifier)},
        bounds_after={
            "at_least": re.compile(rf"\s(?:{_phrases(lists['at_least_after'])})\b"),
            "at_most": re.compile(rf"\s(?:{_phrases(lists['at_most_after'])})\b"),
        },
    )


def _measure(line: str) -> Measure:
    words, _, units = line.partition(" | ")
    return Measure(_keys(words), tuple(units.split()))


def _term(word: str) -> str:
    """The key of a word of a pair, or of a verb and its particle: "turn_down"."""
    verb, joined, particle = word.partition("_")
    return phrase_key(key_of(verb), particle) if joined else key_of(word)


def phrase_key(verb: str, particle: str) -> str:
    """The key of a verb, of which the key is given, and the particle after it."""
    return f"{verb}_{particle}"


def _keys(listed: str) -> frozenset[str]:
    return frozenset(map(key_of, listed.split()))


def _phrases(listed: str) -> str:
    longest_first = sorted(listed.split(","), key=len, reverse=True)
    words = ([_ANY_WORDS if word == "…" else re.escape(word) for word in phrase.split()] for phrase in longest_first)
    return "|".join(map(r"\s".join, words))


def _before(listed: str) -> re.Pattern[str]:
    return re.compile(rf"(?i)(?<![\w-])(?:{_phrases(listed)})\s?(?:{_SIZE}|the\s|an?\s|us\s?)?[$£€]?\s?$")
