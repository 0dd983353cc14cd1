"""Align what came back (from a label file, a model, a span detector) to the sentences of a text.

What came back is seldom what was sent: case is lost, quotes are changed, a list number is gone, two sentences came
back as one. Four rules are tried, each on what the ones before it left over:

1. the same characters;
2. the same letters and digits: case, accents, quotes, punctuation and white space aside;
3. the same words in a row: part of a sentence, or several sentences;
4. at least `RATIO` of the words, in their order, near one place of the text.

A stretch of the text is given away once, so that of two equal sentences each gets its own.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Mapping, Sequence, Set
from typing import NamedTuple, Protocol

from voirdire.text._stretches import RATIO, Stretch, Words, plain_words

__all__ = ["RATIO", "Alignment", "Located", "align", "span_to_sentences"]

_FEW = 3
"""Fewer words than this say too little to be a part of a sentence, unless they are half of it."""


class Alignment(NamedTuple):
    """Where the returned texts belong."""

    places: tuple[tuple[int, ...], ...]
    """For each returned text, the sentences (from 0, in order) that it covers or stands in; empty: none."""
    unplaced: tuple[int, ...]
    """The returned texts that belong nowhere."""
    uncovered: tuple[int, ...]
    """The sentences on which nothing was placed."""


class Located(Protocol):
    """What stands at `[start:end]` of a text."""

    @property
    def start(self) -> int:
        """Offset of the first character."""
        ...

    @property
    def end(self) -> int:
        """Offset behind the last character."""
        ...


def align(sentences: Sequence[str], returned: Sequence[str]) -> Alignment:
    """Place returned texts on the sentences that they are, hold, or are parts of.

    Args:
        sentences: of the text, in order.
        returned: in any order, each of them a sentence, several in one, or a part of one, perhaps lightly edited.

    Returns:
        A place for each text; a text returned more often than it stands there is unplaced from then on.
    """
    words = Words(sentences)
    places: dict[int, tuple[int, ...]] = {}
    free = set(range(len(sentences)))
    for same in (str.strip, _letters):
        for which, sentence in _equal(sentences, returned, same, free, places):
            places[which] = (sentence,)
            free.discard(sentence)
            words.take(words.of(sentence))
    remaining = [(which, plain_words(text)) for which, text in enumerate(returned) if which not in places]
    # The longest first: a short text must not take the place of a long one.
    remaining.sort(key=lambda each: -len(each[1]))
    for which, text in remaining:
        if stretch := _within(words, text):
            words.take(stretch)
            places[which] = words.sentences(stretch)
    for which, text in remaining:
        if which not in places and len(text) >= _FEW and (repeated := words.find_similar(text)):
            places[which] = words.covered(repeated, len(text))
            words.take_repeated(repeated)
    return _alignment([places.get(which, ()) for which in range(len(returned))], len(sentences))


def span_to_sentences(text: str, sentences: Sequence[Located], spans: Sequence[str]) -> Alignment:
    """Find the sentences that quoted spans touch, as span detectors return them.

    A span that stands in the text several times is taken to be the one that follows the span quoted before it, or
    else the first.

    Args:
        text: what the offsets count in.
        sentences: of the text, in order.
        spans: quotes of any length, perhaps lightly edited; equal ones and overlapping ones may come.
    """
    words = Words([text[each.start : each.end] for each in sentences])
    places: list[tuple[int, ...]] = []
    after = 0
    for span in spans:
        needle = plain_words(span)
        stretch = words.find(needle, after) or words.find(needle)
        if stretch:
            after = stretch.end
            places.append(words.sentences(stretch))
        elif len(needle) >= _FEW and (repeated := words.find_similar(needle)):
            after = repeated[-1] + 1
            places.append(words.covered(repeated, len(needle)))
        else:
            places.append(())
    return _alignment(places, len(sentences))


def _equal(
    sentences: Sequence[str],
    returned: Sequence[str],
    same: Callable[[str], str],
    free: Set[int],
    placed: Mapping[int, object],
) -> list[tuple[int, int]]:
    """(returned text, sentence) of what is equal under `same`; equal sentences are given away in order."""
    waiting: dict[str, deque[int]] = defaultdict(deque)
    for sentence in sorted(free):
        waiting[same(sentences[sentence])].append(sentence)
    keys = ((which, same(text)) for which, text in enumerate(returned) if which not in placed)
    return [(which, waiting[key].popleft()) for which, key in keys if key and waiting.get(key)]


def _letters(text: str) -> str:
    return "".join(plain_words(text))


def _within(words: Words, text: Sequence[str]) -> Stretch | None:
    """Where the words stand in a row, if they are enough to say so."""
    stretch = words.find(text)
    while stretch and len(text) < _FEW:
        start, end = words.of(words.sentences(stretch)[0])
        if 2 * len(text) >= end - start:
            return stretch
        stretch = words.find(text, stretch.start + 1)
    return stretch


def _alignment(places: Sequence[tuple[int, ...]], sentences: int) -> Alignment:
    covered = {sentence for place in places for sentence in place}
    return Alignment(
        tuple(places),
        tuple(which for which, place in enumerate(places) if not place),
        tuple(sentence for sentence in range(sentences) if sentence not in covered),
    )
