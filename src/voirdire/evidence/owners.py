"""What the figures of a context are of, by the words beside each: "Small costs 7,900 euros, Medium 9,400 euros".

A sentence is cut at the first mark, or "and", after each of its figures. A part without a word before its figure is of
what the part before it is of ("the museum has 12 rooms on the ground floor and 9 upstairs"), one without a name or an
article of what that names.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from voirdire.evidence.figures import Figure
from voirdire.evidence.lexicon import lexicon
from voirdire.evidence.tokens import ParsedSentence, Token

_CUT = re.compile(r"[,;:](?!\d)|\b(?:and|while|whereas|but)\b")
_NEW_THING = re.compile(r"(?i)(?:[,;:]|and|while|whereas|but)?(?: and)? (?:the|an?) ")
_THAN = re.compile(r"(?i)(?: [a-z-]+){1,4} than\b")
Spot = tuple[int, int]
"""A sentence of the context, and where in it a figure starts."""


@dataclass(frozen=True, slots=True)
class OwnerComparison:
    """Things that a sentence compares: "Large costs 2,400 euros more than Medium"."""

    first: frozenset[Spot]
    """The figures of what stands before "than"."""
    second: frozenset[Spot]
    direction: int
    """1: the first has more; -1: it has less; 0: the word does not tell."""

    def allows(self, minuend: Spot, subtrahend: Spot) -> bool:
        """Whether it may speak of the difference of two figures."""
        forward = minuend in self.first and subtrahend in self.second
        backward = minuend in self.second and subtrahend in self.first
        return (forward and self.direction >= 0) or (backward and self.direction <= 0)


@dataclass(frozen=True, slots=True)
class Owners:
    """The stems of what each figure is of."""

    stems: Mapping[Spot, frozenset[str]]

    @classmethod
    def of(cls, sentences: Sequence[ParsedSentence], figures: Iterable[tuple[int, Figure]]) -> Owners:
        """Read them from the sentences.

        Args:
            sentences: of the context.
            figures: those of one sort, with the place of their sentence.
        """
        ordered = sorted(dict(((place, each.start), each) for place, each in figures if place >= 0).items())
        return cls(
            {
                spot: stems
                for place, some in groupby(ordered, key=lambda item: item[0][0])
                for spot, stems in _stems_of_parts(sentences[place], place, [figure for _, figure in some])
            }
        )

    def named_in(self, sentence: ParsedSentence, figure: Figure) -> frozenset[Spot]:
        """The figures of all that a sentence names beside a figure."""
        return self._named({each.stem for each in _naming_words(sentence, figure)})

    def _named(self, stems: Iterable[str]) -> frozenset[Spot]:
        """The figures of what some words name: the north wing's, not all of those of wings."""
        of_stems = {frozenset(spot for spot, own in self.stems.items() if stem in own) for stem in stems}
        telling = [spots for spots in of_stems if 0 < len(spots) < len(self.stems)]
        return frozenset().union(*(spots for spots in telling if not any(each < spots for each in telling)))

    def comparison(self, sentence: ParsedSentence, figure: Figure) -> OwnerComparison | None:
        """What a sentence compares, by a figure; `None` where it has no "than", or not both sides have figures."""
        than = next(reversed([*_THAN.finditer(sentence.text)]), None)
        if than is None:
            return None
        words = _naming_words(sentence, figure)
        before = self.most_named(each.stem for each in words if each.start < than.end())
        after = self.most_named(each.stem for each in words if each.start > than.end())
        if not before or not after or before & after:
            return None
        return OwnerComparison(before, after, _direction(than[0].split()[:-1]))

    def most_named(self, stems: Iterable[str]) -> frozenset[Spot]:
        """The figures of what most of some words name."""
        given = frozenset(stems)
        named = self._named(given)
        most = max((len(given & self.stems[spot]) for spot in named), default=0)
        return frozenset(spot for spot in named if len(given & self.stems[spot]) == most)


def _naming_words(sentence: ParsedSentence, figure: Figure) -> list[Token]:
    """The words by which a sentence may name things: without its figure, what that counts, and a verb right before."""
    before = next((each for each in reversed(sentence.tokens) if each.end <= figure.start), None)
    return [
        each
        for each in sentence.tokens
        if each.stem
        and each.stem != figure.noun
        and not figure.start <= each.start < figure.end
        and (each is not before or sentence.text[each.start].isupper())
    ]


def _direction(words: Sequence[str]) -> int:
    qualifiers = lexicon().qualifiers
    return next(
        (
            direction
            for word in words
            for direction, name in ((1, qualifiers["at_least"]), (-1, qualifiers["at_most"]))
            if name.search(f"{word} than ")
        ),
        0,
    )


def _stems_of_parts(
    sentence: ParsedSentence, place: int, figures: Sequence[Figure]
) -> Iterable[tuple[Spot, frozenset[str]]]:
    """The stems of the part of each figure, with those that it goes on with."""
    start, leading = 0, list[Token]()
    for figure, following in zip(figures, [*figures[1:], None], strict=True):
        end = _cut(sentence.text, figure.end, following.start) if following else len(sentence.text)
        own = [
            each
            for each in sentence.tokens
            if each.stem
            and start <= each.start < end
            and each.stem != figure.noun
            and not figure.start <= each.start < figure.end
        ]
        before = [each for each in own if each.start < figure.start]
        if not before:
            before = leading
        elif not _names(sentence, before) and not _NEW_THING.match(sentence.text, start):
            before = [*_names(sentence, leading), *before]
        yield (place, figure.start), frozenset(each.stem for each in (*before, *own))
        start, leading = end, before


def _names(sentence: ParsedSentence, tokens: Iterable[Token]) -> list[Token]:
    """Words with a capital, but for the first of the sentence, which always has one."""
    return [each for each in tokens if sentence.text[each.start].isupper() and each is not sentence.tokens[0]]


def _cut(text: str, start: int, end: int) -> int:
    mark = _CUT.search(text, start, end)
    return mark.start() if mark else end
