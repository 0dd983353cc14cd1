"""Which sentences of a context a model should read to judge a sentence: few, and together enough to decide."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import fsum

from voirdire.evidence.context import ContextIndex
from voirdire.evidence.tokens import parse

MOST_WORDS = 85
"""Words of evidence that are shown beside a sentence: with it they fit the model's 256 tokens."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """Sentences of a context, in its order."""

    sentences: tuple[str, ...]
    closest: str
    """The one that shares most with the sentence; "" where the context has no sentence."""

    @property
    def text(self) -> str:
        """Them, joined."""
        return " ".join(self.sentences)


def select_evidence(sentence: str, index: ContextIndex, most_words: int = MOST_WORDS) -> Evidence:
    """The sentences of a context that have most of a sentence's words between them.

    Each next one has the most of what is still missing, rare words weighing more. Then come those that have most of
    what is there already, then the neighbours of the first, then the context's beginning, as long as there is room.

    Args:
        sentence: to be judged.
        index: of the context.
        most_words: in all; the first sentence is taken whatever its length.
    """
    chosen: list[int] = []
    room = most_words
    for place in _by_use(parse(sentence).stems, index):
        length = len(index.sentences[place].text.split())
        if chosen and length > room:
            continue
        chosen.append(place)
        room -= length
        if room <= 0:
            break
    texts = tuple(index.sentences[place].text for place in sorted(chosen))
    return Evidence(texts, index.sentences[chosen[0]].text if chosen else "")


def _by_use(stems: frozenset[str], index: ContextIndex) -> Iterator[int]:
    """The places of all sentences, the most useful first, each once."""
    shared = index.shared_weights(stems)
    missing = set(stems)
    left = dict(shared)
    seen: list[int] = []
    while left:
        gains = {place: _weight(missing & index.sentences[place].stems, index) for place in left}
        best = min(left, key=lambda place: (-gains[place], -shared[place], place))
        if seen and not gains[best]:
            break
        del left[best]
        missing -= index.sentences[best].stems
        seen.append(best)
        yield best
    first = seen[0] if seen else 0
    rest = sorted(left, key=lambda place: (-left[place], place))
    beside = [place for place in (first - 1, first + 1) if 0 <= place < len(index.sentences)]
    for place in (*rest, *beside, *range(len(index.sentences))):
        if place not in seen:
            seen.append(place)
            yield place


def _weight(stems: set[str], index: ContextIndex) -> float:
    return fsum(index.idf.get(stem, 0.0) for stem in stems)
