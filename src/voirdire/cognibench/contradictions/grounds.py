"""What the context knows, so that a change can be checked to differ from it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from voirdire.evidence import ContextIndex
from voirdire.evidence.matching import match_of
from voirdire.text import Number, agree, content_words, find_names, find_numbers, split_sentences

_LEAST = 4  # letters of a name; shorter ones are often words too
_LAST_WORD = re.compile(r"([\w'’-]+)\s$")
_NEXT_WORD = re.compile(r"\s([\w'’-]+)")
_POSSESSIVE = re.compile(r"['’]s?$")
_PREPOSITIONS = {
    word: sort
    for sort, words in {
        "place": "in at near from to into across through outside inside around",
        "agent": "by with under against between for",
        "of": "of",
        "article": "the a an",
    }.items()
    for word in words.split()
}


class NamedPlace(NamedTuple):
    """A name of the context, and how it stands there."""

    text: str
    before: str
    """Sort of the word before it: place, agent, of, article, or empty."""
    attributive: bool
    """Whether a content word follows it: "English barons"."""

    @property
    def words(self) -> int:
        """Length in words."""
        return self.text.count(" ") + 1


class Grounds(NamedTuple):
    """A context, with its numbers and names."""

    numbers: tuple[Number, ...]
    names: tuple[NamedPlace, ...]
    """Those whose words never stand in lower case."""
    name_words: frozenset[str]
    context: ContextIndex
    """Its sentences."""

    @classmethod
    def of(cls, context: str) -> Grounds:
        """Read a context."""
        names = tuple(dict.fromkeys(_names(context)))
        return cls(
            tuple(find_numbers(context)),
            names,
            frozenset(word.lower() for name in names for word in name.text.split()),
            ContextIndex.of_sentences(dict.fromkeys(each.text for each in split_sentences(context, layout=True))),
        )

    def has_number(self, number: Number) -> bool:
        """Whether a number of the context can mean the same."""
        return any(agree(number, other) for other in self.numbers)

    def near(self, statement: str) -> frozenset[str]:
        """The content words of the sentence that carries a statement best, and of its two neighbours."""
        best = match_of(statement, self.context).closest
        if best is None:
            return frozenset()
        return frozenset().union(*(each.stems for each in self.context.sentences[max(0, best - 1) : best + 2]))


def place_of(text: str, start: int, end: int) -> tuple[str, bool]:
    """(sort of the word before, whether a content word follows) of a name within a text."""
    before = _LAST_WORD.search(text[:start])
    after = _NEXT_WORD.match(text[end:])
    sort = _PREPOSITIONS.get(before[1].lower(), "") if before is not None else ""
    return sort, after is not None and bool(content_words(after[1]))


def _names(context: str) -> Iterator[NamedPlace]:
    titles = {line.strip(" =#*") for line in context.split("\n")}
    lower = set(re.findall(r"(?<![\w'’-])[a-z][\w-]*", context))
    for name in find_names(context):
        text = _POSSESSIVE.sub("", name.text)
        words = [word for word in text.split() if content_words(word)]
        common = any(_POSSESSIVE.sub("", word.lower()) in lower for word in words)
        if words and not (common or name.quoted or text in titles or "\n" in text) and len(text) >= _LEAST:
            yield NamedPlace(text, *place_of(context, name.start, name.start + len(text)))
