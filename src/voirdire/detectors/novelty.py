"""How much of a sentence its evidence lacks: five measures of the same thing, from single words to word order.

Words are compared by stem, and weigh more the fewer sentences of the evidence have them. Shares are drawn towards a
third by a pseudo-count, so that a two-word sentence does not score as surely as a long one.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from voirdire.evidence.context import evidence_sentences, plain
from voirdire.text.overlap import content_stems, content_words, words, words_as_written
from voirdire.text.scripts import is_unspaced
from voirdire.text.smalltalk import is_small_talk

WINDOW = 3
"""Neighbouring sentences of the evidence that may carry a sentence together."""
# Both begin with the mark: a text is looked through quickest for a sign that is always there.
_HYPHEN = re.compile(r"-(?<=\b[eE]-)(?=(?i:mail))")
_ZEROS = re.compile(r"\.(?<=\d\.)(?:00|([1-9])0)(?![\d.])")
_LIST_NUMBER = re.compile(r"\s*\d{1,3}[.)]\s+")
_Bigram = tuple[str, str]
_Trigram = tuple[str, str, str]


def mask_unchecked(scores: Sequence[float], sentences: Sequence[str]) -> list[float]:
    """The scores of sentences that claim something: 0 for small talk, as `voirdire detect` never flags it.

    NaN for sentences in scripts without spaces between words, which can't be compared.
    """
    return [
        0.0 if is_small_talk(each) else math.nan if is_unspaced(each) else score
        for score, each in zip(scores, sentences, strict=True)
    ]


class Novelty(NamedTuple):
    """Shares in (0, 1) of a sentence that the evidence lacks; higher is newer."""

    sentence: float
    """Weighted content words that the best single sentence of the evidence lacks."""
    window: float
    """The same for the best three neighbouring sentences."""
    anywhere: float
    """The same for the whole of the evidence."""
    bigrams: float
    """Pairs of neighbouring words that stand nowhere in the evidence."""
    trigrams: float
    """Runs of three words that stand nowhere in it."""

    @property
    def mean(self) -> float:
        """The plain mean of the five."""
        return sum(self) / len(self)


@dataclass(frozen=True, slots=True)
class NoveltyIndex:
    """Evidence, indexed once for all sentences of an answer."""

    sentences: int
    where: Mapping[str, tuple[int, ...]]
    """Which sentences have a stem."""
    weights: Mapping[str, float]
    bigrams: frozenset[_Bigram]
    trigrams: frozenset[_Trigram]

    @classmethod
    def of(cls, evidence: str) -> NoveltyIndex:
        """Index a text. An empty one lacks everything."""
        where: dict[str, list[int]] = {}
        sentences = evidence_sentences(evidence)
        for position, sentence in enumerate(sentences):
            for stem in set(content_words(_in_one_spelling(sentence))):
                where.setdefault(stem, []).append(position)
        tokens = words(_in_one_spelling(plain(evidence)))
        return cls(
            len(sentences),
            {stem: tuple(positions) for stem, positions in where.items()},
            {stem: math.log(1 + len(sentences) / len(positions)) for stem, positions in where.items()},
            frozenset(_bigrams(tokens)),
            frozenset(_trigrams(tokens)),
        )

    def novelty(self, sentence: str) -> Novelty:
        """What the evidence lacks of a sentence; a list number at its start does not count."""
        text = _LIST_NUMBER.sub("", sentence, count=1) if _LIST_NUMBER.match(sentence) else sentence
        unseen = math.log(1 + self.sentences) if self.sentences else 1.0
        tokens = words(_in_one_spelling(text))
        weights = {stem: self.weights.get(stem, unseen) for stem in content_stems(tokens)}
        single, window = self._weight_in_context(weights)
        known = sum(weight for stem, weight in weights.items() if stem in self.where)
        total = sum(weights.values())
        unit = total / len(weights) if weights else 1.0
        return Novelty(
            _share(total - single, total, unit),
            _share(total - window, total, unit),
            _share(total - known, total, unit),
            _share_missing(_bigrams(tokens), self.bigrams),
            _share_missing(_trigrams(tokens), self.trigrams),
        )

    def lacks_all_words_of(self, sentence: str) -> bool:
        """Whether the evidence has none of a sentence's content words, of which there are two or more."""
        stems = set(content_words(_in_one_spelling(sentence)))
        return len(stems) > 1 and not any(stem in self.where for stem in stems)

    def new_words(self, sentence: str) -> list[str]:
        """Words of a sentence that the evidence has nowhere, as they are written but in lower case; each once."""
        fresh: dict[str, str] = {}
        for word, written in words_as_written(_HYPHEN.sub("", sentence)):
            if any(stem not in self.where for stem in content_words(_in_one_spelling(word))):
                fresh.setdefault(word, written.lower())
        return list(fresh.values())

    def _weight_in_context(self, weights: Mapping[str, float]) -> tuple[float, float]:
        """Weight of the words that the best sentence, and the best window of sentences, have."""
        single: defaultdict[int, float] = defaultdict(float)
        window: defaultdict[int, float] = defaultdict(float)
        for stem, weight in weights.items():
            positions = self.where.get(stem, ())
            for position in positions:
                single[position] += weight
            for start in {at - back for back in range(WINDOW) for at in positions}:
                window[start] += weight
        return max(single.values(), default=0.0), max(window.values(), default=0.0)


def _in_one_spelling(text: str) -> str:
    """A text whose amounts are as short as they can be ("4.20" is 4.2, "24.00" is 24), with "email" for "e-mail"."""
    return _HYPHEN.sub("", _ZEROS.sub(lambda zeros: f".{zeros[1]}" if zeros[1] else "", text))


def _share(part: float, total: float, unit: float) -> float:
    return (part + unit) / (total + 3 * unit)


def _share_missing(
    sequences: Sequence[tuple[str, ...]], known: frozenset[tuple[str, ...]] | frozenset[_Bigram]
) -> float:
    distinct = set(sequences)
    return _share(len(distinct - known), len(distinct), 1.0)


def _bigrams(tokens: Sequence[str]) -> list[_Bigram]:
    return list(pairwise(tokens))


def _trigrams(tokens: Sequence[str]) -> list[_Trigram]:
    return list(zip(tokens, tokens[1:], tokens[2:], strict=False))


def means_around(values: Sequence[float]) -> list[float]:
    """What stands around each sentence of an answer: the mean of its neighbours and of the whole answer.

    A sentence among invented ones is more likely invented itself.
    """
    if not values:
        return []
    whole = sum(values) / len(values)
    return [_mean([*values[max(0, at - 1) : at], *values[at + 1 : at + 2], whole]) for at in range(len(values))]


def _mean(values: Iterable[float]) -> float:
    numbers = list(values)
    return sum(numbers) / len(numbers)
