"""Where words stand in a text that was cut into sentences: the search that alignment rests on."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby, islice
from typing import NamedTuple

from voirdire.text.scripts import UNSPACED

RATIO = 0.8
"""A lightly edited text is one of whose words at least this share stands, in order, where it is placed."""

_APOSTROPHES = re.compile(r"['’‘ʼ`´]")
# Scripts without spaces: each character is a word of its own.
_WORD = re.compile(rf"[{UNSPACED}]|[^\W_{UNSPACED}]+")
_SEEDS = 16  # the rarest words of a text say where to look
_PLACES_PER_SEED = 200
_MOST_STARTS = 6


def plain_words(text: str) -> list[str]:
    """The words of a text without case, accents, quotes and punctuation; an apostrophe joins ("don't": "dont")."""
    decomposed = unicodedata.normalize("NFKD", _APOSTROPHES.sub("", text))
    bare = "".join(character for character in decomposed if not unicodedata.combining(character))
    return _WORD.findall(unicodedata.normalize("NFKC", bare).casefold())


class Stretch(NamedTuple):
    """Words `[start:end]` of the whole text, counted over all sentences."""

    start: int
    end: int


class Words:
    """The words of all sentences in a row, and which of them are taken already."""

    def __init__(self, sentences: Sequence[str]) -> None:
        self._bounds: list[Stretch] = []
        self._words: list[str] = []
        for sentence in sentences:
            start = len(self._words)
            self._words += plain_words(sentence)
            self._bounds.append(Stretch(start, len(self._words)))
        self._sentence_of = [place for place, (start, end) in enumerate(self._bounds) for _ in range(end - start)]
        self._joined = " ".join(["", *self._words, ""])
        self._begins: list[int] = []  # of each word, in `_joined`
        position = 1
        for word in self._words:
            self._begins.append(position)
            position += len(word) + 1
        self._taken = bytearray(len(self._words))
        self._positions: dict[str, list[int]] = {}
        for place, word in enumerate(self._words):
            self._positions.setdefault(word, []).append(place)

    def of(self, sentence: int) -> Stretch:
        """The words of a sentence."""
        return self._bounds[sentence]

    def take(self, stretch: Stretch) -> None:
        """Mark words as taken: nothing else is found on them."""
        self._taken[stretch.start : stretch.end] = b"\1" * (stretch.end - stretch.start)

    def find(self, words: Sequence[str], start: int = 0) -> Stretch | None:
        """The first stretch of free words, from word `start` on, that is just these words."""
        needle = " ".join(["", *words, ""])
        while words and start < len(self._words):
            at = self._joined.find(needle, self._begins[start] - 1)
            if at == -1:
                return None
            first = bisect_right(self._begins, at)
            stretch = Stretch(first, first + len(words))
            last_taken = self._taken.rfind(1, stretch.start, stretch.end)
            if last_taken == -1:
                return stretch
            start = self._taken.find(0, last_taken)  # whatever begins before overlaps the same taken word
            if start == -1:
                return None
        return None

    def find_similar(self, words: Sequence[str]) -> list[int]:
        """The free words of the text that best repeat these, in order; none if they are less than `RATIO` of them."""
        best: list[int] = []
        most = RATIO * len(words)
        for start in self._likely_starts(words):
            window = self._window(start, len(words))
            common = common_in_order(words, [self._words[place] for place in window])
            if common >= most and (not best or common > most):
                best, most = window, common
        return [best[place] for place in common_places(words, [self._words[place] for place in best])]

    def sentences(self, stretch: Stretch) -> tuple[int, ...]:
        """The sentences that the words stand in."""
        return tuple(dict.fromkeys(self._sentence_of[stretch.start : stretch.end]))

    def covered(self, repeated: Sequence[int], length: int) -> tuple[int, ...]:
        """The sentences of which, or in which, at least half is repeated; the most repeated one if there is none.

        Args:
            repeated: words of the text, as `find_similar` gives them.
            length: of what was sought, in words.
        """
        shares = Counter(self._sentence_of[place] for place in repeated)
        half = tuple(
            sentence for sentence in sorted(shares) if 2 * shares[sentence] >= min(self._size(sentence), length)
        )
        return half or (shares.most_common(1)[0][0],)

    def take_repeated(self, repeated: Sequence[int]) -> None:
        """Take what stands between the repeated words of each sentence; all of it where hardly more was left."""
        for sentence, places in groupby(repeated, key=self._sentence_of.__getitem__):
            positions = list(places)
            whole = len(positions) >= RATIO * self._size(sentence)
            self.take(self.of(sentence) if whole else Stretch(positions[0], positions[-1] + 1))

    def _size(self, sentence: int) -> int:
        start, end = self.of(sentence)
        return end - start

    def _window(self, start: int, length: int) -> list[int]:
        """The free words around a stretch, with room for as many more or fewer as light edits allow."""
        slack = round((1 - RATIO) * length)
        reach = range(max(start - slack, 0), min(start + length + slack, len(self._words)))
        return [place for place in reach if not self._taken[place]]

    def _likely_starts(self, words: Sequence[str]) -> list[int]:
        """Where the text would begin if most of its rare words stood as they stand in it."""
        seeds = sorted(
            ((len(self._positions[word]), place) for place, word in enumerate(words) if word in self._positions)
        )[:_SEEDS]
        starts = Counter(
            position - place for _, place in seeds for position in islice(self._free(words[place]), _PLACES_PER_SEED)
        )
        return [start for start, _ in sorted(starts.items(), key=lambda each: (-each[1], each[0]))[:_MOST_STARTS]]

    def _free(self, word: str) -> Iterator[int]:
        return (place for place in self._positions[word] if not self._taken[place])


def common_in_order(first: Sequence[str], second: Sequence[str]) -> int:
    """Length of the longest common subsequence, bit-parallel (Hyyrö, 2004): fast for texts of 20,000 words."""
    row = 0
    for row in _rows(first, second):  # noqa: B007 (only the last one says how much is common)
        pass
    return len(first) - row.bit_count()


def common_places(first: Sequence[str], second: Sequence[str]) -> list[int]:
    """Where in `second` the words of a longest common subsequence stand."""
    rows = list(_rows(first, second))
    places: list[int] = []
    column, row = len(first), len(second)
    while row and column:
        if rows[row] >> (column - 1) & 1:
            column -= 1
            continue
        row -= 1
        if rows[row] >> (column - 1) & 1:
            column -= 1
            places.append(row)
    return places[::-1]


def _rows(first: Sequence[str], second: Sequence[str]) -> Iterator[int]:
    """Row j has a 0 for each word of `first` at which the common subsequence with `second[:j]` grows by one."""
    masks: dict[str, int] = {}
    for place, word in enumerate(first):
        masks[word] = masks.get(word, 0) | 1 << place
    every = (1 << len(first)) - 1
    row = every
    yield row
    for word in second:
        hit = row & masks.get(word, 0)
        row = (row + hit | row - hit) & every
        yield row
