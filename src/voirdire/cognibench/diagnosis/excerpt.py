"""The part of a context that matters to a claim, short enough for an example in a prompt."""

from __future__ import annotations

from voirdire.text import content_words, split_sentences
from voirdire.text.overlap import Evidence

GAP = "[…]"
"""Stands where something is left out."""
_SENTENCES = 2
"""Beside the first one, which says what the context is about."""
_LONG = 50
"""Words; of a longer piece, only so many are shown."""


def excerpt(context: str, claim: str) -> str:
    """The first sentence of a context and the two that share most with the claim, in the context's order.

    Lines are cut apart too: a context without full stops would else be one sentence.
    """
    pieces = [
        " ".join(line.split())
        for sentence in split_sentences(context, layout=True)
        for line in sentence.text.splitlines()
        if content_words(line)
    ]
    evidence = Evidence.of(pieces)
    shared: dict[int, float] = {}
    for word in set(content_words(claim)):
        for place in evidence.index.get(word, ()):
            shared[place] = shared.get(place, 0.0) + evidence.weight(word)
    best = sorted(shared, key=lambda place: (-shared[place], place))[:_SENTENCES]
    parts: list[str] = []
    before = -1
    for place in sorted({0, *best}) if evidence.sentences else ():
        parts += [GAP] if place > before + 1 else []
        parts.append(_cut(evidence.sentences[place]))
        before = place
    return " ".join(parts)


def _cut(sentence: str) -> str:
    words = sentence.split()
    return sentence if len(words) <= _LONG else f"{' '.join(words[:_LONG])} {GAP}"
