"""Which sentences of a context a model should read to judge a sentence: few, and together enough to decide."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from math import fsum, log

from voirdire.evidence.context import ContextIndex
from voirdire.evidence.tokens import parse
from voirdire.text.overlap import words

MOST_WORDS = 85
"""Words of evidence that are shown beside a sentence: with it they fit the model's 256 tokens."""

_BLANK_LINE = re.compile(r"\n[ \t]*\n\s*")
_HEADING = 10
"""Words that a heading has at most."""
_STOPS = (".", "!", "?", ";", "|")


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


def nearest_paragraphs(context: str, sentence: str, enough: int) -> str:
    """The paragraphs of a context that share most with a sentence, rare words weighing more, in their order.

    Args:
        context: whose paragraphs or passages a blank line parts.
        sentence: to be judged.
        enough: words; the nearest paragraphs are taken until they have so many.
    """
    paragraphs = _paragraphs(context)
    if len(paragraphs) < 2:
        return context
    stated = set(words(sentence))
    spread = Counter(word for _, known in paragraphs for word in known)
    weights = {word: log(1 + len(paragraphs) / spread[word]) for word in sorted(stated & spread.keys())}
    shared = [fsum(weights[word] for word in stated & known) for _, known in paragraphs]
    chosen: list[int] = []
    room = enough
    for place in sorted(range(len(paragraphs)), key=lambda place: (-shared[place], place)):
        chosen.append(place)
        room -= len(paragraphs[place][0].split())
        if room <= 0:
            break
    return "\n\n".join(paragraphs[place][0] for place in sorted(chosen))


@lru_cache(maxsize=64)
def _paragraphs(context: str) -> tuple[tuple[str, frozenset[str]], ...]:
    """(paragraph, its words); a heading is a part of the paragraph below it."""
    whole: list[str] = []
    heading = ""
    for text in filter(str.strip, _BLANK_LINE.split(context)):
        if len(text.split()) <= _HEADING and not text.rstrip().endswith(_STOPS):
            heading = f"{heading}{text}\n\n"
        else:
            whole.append(heading + text)
            heading = ""
    if heading:
        whole.append(heading.rstrip())
    return tuple((text, frozenset(words(text))) for text in whole)


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
