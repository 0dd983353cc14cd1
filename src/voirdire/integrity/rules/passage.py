"""A response as the rules see it: sentences, clauses, words with their places, figures."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Container, Iterator
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import NamedTuple

from voirdire.evidence.figures import Figure, figures_of
from voirdire.evidence.negation import Negation, negations
from voirdire.evidence.tokens import ParsedSentence, parse
from voirdire.integrity.rules.lexicon import family, phrases, words_of
from voirdire.integrity.rules.quantities import Quantity, find_quantities
from voirdire.text.overlap import content_words, stem
from voirdire.text.sentences import split_sentences

_CLAUSE = re.compile(
    r"(?i)[;:()—]|\s[–-]\s|,(?!\d)\s?|\s(?=(?:but|though|although|while|whereas|however|yet|so|because|since)\s)"
)


MOST_FINDS = 40  # per sentence and list; what has more is no sentence


class Word(NamedTuple):
    """A word and its place in its sentence."""

    lower: str
    key: str
    """The stem of its family; empty for words without content, and for numbers."""
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class ResponseSentence:
    """A sentence of the response; all places are relative to its own start."""

    index: int
    text: str
    parsed: ParsedSentence
    words: tuple[Word, ...]
    keys: frozenset[str]
    clauses: tuple[tuple[int, int], ...]
    stated: tuple[Figure, ...]
    """Its figures as they stand."""
    negations: tuple[Negation, ...]
    figures: tuple[Quantity, ...]
    """The same as they are compared: ranges as one, without numbers that count nothing."""

    def clause_at(self, place: int) -> tuple[int, int]:
        """Start and end of the clause that holds `place`."""
        return self.clauses[max(0, bisect_left(self.clauses, (place + 1, 0)) - 1)]

    def keys_in(self, start: int, end: int) -> frozenset[str]:
        """The content words between two places."""
        return frozenset(word.key for word in self.words_in(start, end) if word.key)

    def words_in(self, start: int, end: int) -> tuple[Word, ...]:
        """The words that lie between two places."""
        first = bisect_left(self.words, start, key=lambda word: word.start)
        last = bisect_left(self.words, end, key=lambda word: word.start)
        return self.words[first:last]

    def words_after(self, place: int, count: int) -> tuple[Word, ...]:
        """So many words from a place on."""
        first = bisect_left(self.words, place, key=lambda word: word.start)
        return self.words[first : first + count]

    def find(self, lexicon: str) -> Iterator[re.Match[str]]:
        """Where the sentence has a phrase of the lexicon: at most 40 places, so that no text takes long."""
        return islice(phrases(lexicon).finditer(self.text), MOST_FINDS)

    def keys_near(self, start: int, end: int, before: int, after: int) -> frozenset[str]:
        """So many content words before and after a span, within its clause."""
        low, high = self.clause_at(start)
        earlier = [word.key for word in self.words_in(low, start) if word.key][-before:] if before else []
        later = [word.key for word in self.words_in(end, high) if word.key][:after]
        return frozenset(earlier + later)


def sentences_of(response: str, named: Container[str]) -> tuple[ResponseSentence, ...]:
    """Cut a response; a Markdown answer is cut at its list items and headings too.

    Args:
        response: any text.
        named: words, in lower case, that have a figure in the facts, as names do.
    """
    pieces = split_sentences(response, layout=True)
    return tuple(_sentence(index, piece.text, named) for index, piece in enumerate(pieces))


def words_of_text(parsed: ParsedSentence) -> tuple[Word, ...]:
    """The words of a text, each with the stem of its family."""
    tokens = (token for token in parsed.tokens if token.word[0].isalnum())
    return tuple(Word(token.word, _key(token.word), token.start, token.end) for token in tokens)


def _sentence(index: int, text: str, named: Container[str]) -> ResponseSentence:
    parsed = parse(text)
    stated = tuple(figures_of(parsed))
    words = words_of_text(parsed)
    cuts = [0, *(match.end() for match in _CLAUSE.finditer(text)), len(text)]
    clauses = tuple((a, b) for a, b in pairwise(cuts) if a < b) or ((0, len(text)),)
    return ResponseSentence(
        index,
        text,
        parsed,
        words,
        frozenset(word.key for word in words if word.key),
        clauses,
        stated,
        negations(parsed),
        tuple(find_quantities(text, stated, named)),
    )


_KEYS: dict[str, str] = {}
_MOST_KEYS = 50_000


def _key(lower: str) -> str:
    """The stem that stands for a word in comparisons, or nothing."""
    key = _KEYS.get(lower)
    if key is None:
        stems = content_words(lower) if not lower[0].isdigit() else []
        generic = lower in words_of("generic")
        key = "" if generic or not stems else family(stem(stems[0]))
        if len(_KEYS) < _MOST_KEYS:
            _KEYS[lower] = key
    return key
