"""The names of a context, to be found again in sentences that may be written in lower case."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from voirdire.detectors.contradiction.words import Reading, Token

_PRONOUNS = frozenset("he she it they his her hers him its their them this these that those".split())
_LINKS = frozenset("of de da di du la le van von der the for".split())
_OPENING = frozenset(".:!?")
_NOT_NAMES = frozenset(
    "monday tuesday wednesday thursday friday saturday sunday january february march april may june july august "
    "september october november december".split()
)
_ENDINGS = ("", "s", "'s", "s's")
_KIN = 4  # letters
_HEADING = 6  # words; a shorter line without a full stop is a title, whose capitals say nothing


class Mention(NamedTuple):
    """Where a name of the context stands in a sentence."""

    text: str
    words: frozenset[str]
    """As the table knows them."""
    stems: frozenset[str]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class NameTable:
    """The words of the context's names that it never writes in lower case."""

    proper: frozenset[str]
    written: frozenset[str]
    """The same, and in the plural and the possessive: other words are none of them."""
    alone: frozenset[str]
    """Those that a name ends with, as a surname does; the others ("Royal", "Unified") name nothing by themselves."""
    of_sentence: tuple[frozenset[str], ...]
    """Which of them each sentence has."""
    kin: tuple[frozenset[str], ...]
    """Their first letters, so that "English" is also found as "England"."""
    pronouns: tuple[bool, ...]
    """Whether each sentence has a pronoun that can stand for a name."""

    @classmethod
    def of(cls, readings: Sequence[Reading]) -> NameTable:
        """Find the names of a context: words that it writes with a capital within a sentence, and never without."""
        lower = {
            _bare(token) for reading in readings for token in reading.tokens if reading.text[token.start].islower()
        }
        capitals = [_capitals(reading) for reading in readings]
        within = {
            word
            for reading, places in zip(readings, capitals, strict=True)
            if not _is_heading(reading)
            for place, word in places.items()
            if _within(reading, place)
        }
        common = lower | {_singular(word) for word in lower} | _NOT_NAMES
        proper = frozenset(word for word in within if word not in common and _singular(word) not in common)
        of_sentence = tuple(
            frozenset(known for word in places.values() if (known := _in(proper, word))) for places in capitals
        )
        return cls(
            proper,
            frozenset(word + ending for word in proper for ending in _ENDINGS),
            frozenset(word for places in capitals for place, word in places.items() if place + 1 not in places),
            of_sentence,
            tuple(frozenset(word[:_KIN] for word in words if len(word) >= _KIN) for words in of_sentence),
            tuple(not _PRONOUNS.isdisjoint(reading.words) for reading in readings),
        )

    def sentences_of(self, mention: Mention) -> frozenset[int]:
        """Which sentences have at least half of a name's words, or a word of its kin."""
        kin = {word[:_KIN] for word in mention.words if len(word) >= _KIN}
        return frozenset(
            place
            for place, words in enumerate(self.of_sentence)
            if words and (2 * len(mention.words & words) >= len(mention.words) or kin & self.kin[place])
        )

    def may_mean(self, place: int, named: frozenset[int]) -> bool:
        """Whether a sentence has a name, follows one that has it, or stands two after it and has a pronoun."""
        return place in named or place - 1 in named or (place - 2 in named and self.pronouns[place])

    def mentions(self, reading: Reading) -> list[Mention]:
        """Runs of such words in a sentence; what a comma or an "and" parts are two names, "of" joins."""
        if self.written.isdisjoint(reading.words):
            return []
        found: list[Mention] = []
        run: list[Token] = []
        link = False
        for token in (*reading.tokens, None):
            if token is not None and token.word in self.written and _in(self.proper, _bare(token)):
                run.append(token)
                link = False
            elif run and token is not None and token.word in _LINKS and not link:
                link = True
            elif run:
                found.extend(self._mention(reading, run))
                run, link = [], False
        return found

    def _mention(self, reading: Reading, run: Sequence[Token]) -> Iterator[Mention]:
        text = reading.text[run[0].start : run[-1].end]
        words = frozenset(_in(self.proper, _bare(each)) for each in run)
        if len(words) > 1 or (words <= self.alone and len(text) > 2):
            yield Mention(text, words, frozenset(each.stem for each in run), run[0].start, run[-1].end)


def _capitals(reading: Reading) -> dict[int, str]:
    """The capitalised content words of a sentence, by the place of their tokens."""
    text = reading.text
    return {
        place: _bare(token)
        for place, token in enumerate(reading.tokens)
        if token.stem and len(token.word) > 1 and text[token.start].isupper()
    }


def _within(reading: Reading, place: int) -> bool:
    """Whether a word stands within a sentence, where only names have capitals; so does what follows such a word."""
    return place > 0 and reading.tokens[place - 1].word not in _OPENING


def _is_heading(reading: Reading) -> bool:
    return len(reading.tokens) <= _HEADING and reading.text[-1] not in ".!?,;:"


def _in(proper: frozenset[str], word: str) -> str:
    """The word of a name that a word stands for, also in the plural; empty for none."""
    return word if word in proper else word[:-1] if word.endswith("s") and word[:-1] in proper else ""


def _singular(word: str) -> str:
    return word[:-1] if word.endswith("s") else word


def _bare(token: Token) -> str:
    """Without a possessive."""
    return token.word.removesuffix("'s")
