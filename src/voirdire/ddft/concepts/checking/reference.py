"""Rules for the reference: long enough to be shortened, and made of sentences that can be read alone."""

from __future__ import annotations

import re
from collections.abc import Iterator

from voirdire.ddft.concepts.checking.findings import MIN_SENTENCES, Finding, Limits, error, warning
from voirdire.records import Concept
from voirdire.text import split_sentences
from voirdire.text.counting import counted

MAX_SENTENCE = 45
"""Words; a longer sentence says several things, and compression takes them away together."""

# "It is true that …" points nowhere; "It was stated by Mill" hangs in the air once its neighbour is gone.
_OPENER = re.compile(
    r"(?:However|Therefore|Thus|Hence|Moreover|Furthermore|Consequently|Nevertheless|Nonetheless|Instead|Similarly|"
    r"Likewise|Accordingly|Besides|Conversely|Otherwise|But|And|So|Yet|He|She|They|It|His|Her|Their|Its)\b|"
    r"(?:This|That|These|Those)(?= (?:is|are|was|were|has|have|had|can|could|may|might|must|will|would|did|does|do)\b)"
)
_NO_REFERENT = re.compile(r"It (?:is|was|can be|has been) (?:\w+ )?(?:that|to|when|where|who)\b")


def reference_findings(concept: Concept, limits: Limits) -> Iterator[Finding]:
    """What is wrong with a concept's reference."""
    text = concept.reference
    sentences = [sentence.text for sentence in split_sentences(text)]
    yield from _length(text, limits)
    if len(sentences) < MIN_SENTENCES:
        yield error(
            "reference-sentences",
            "reference",
            f"The reference has {counted(len(sentences), 'sentence')}; with fewer than {MIN_SENTENCES} there is "
            "nothing to take away level by level.",
        )
    for sentence in sentences:
        yield from _alone(sentence)
    twice = {sentence for sentence in sentences if sentences.count(sentence) > 1}
    for sentence in sorted(twice):
        yield warning("reference-repeats", "reference", f"A sentence stands twice: {_cut(sentence)}", sentence)


def opens_dependent(sentence: str) -> str | None:
    """The word at a sentence's beginning that needs the sentence before it ("It", "However"), if there is one."""
    opener = _OPENER.match(sentence)
    return opener.group(0) if opener and not _NO_REFERENT.match(sentence) else None


def _length(text: str, limits: Limits) -> Iterator[Finding]:
    count, (least, most) = len(text.split()), limits.words
    if not least <= count <= most:
        yield Finding(
            limits.severity,
            "reference-length",
            "reference",
            f"The reference has {counted(count, 'word')}; {least} to {most} are wanted.",
        )
    paragraphs = len(text.split("\n\n"))
    if paragraphs < limits.paragraphs:
        yield Finding(limits.severity, "reference-paragraphs", "reference", "The reference is one paragraph.")


def _alone(sentence: str) -> Iterator[Finding]:
    opener = opens_dependent(sentence)
    if opener is not None:
        yield warning(
            "sentence-alone",
            "reference",
            f"A sentence that opens with {opener!r} can't be read alone: {_cut(sentence)}",
            sentence,
        )
    count = len(sentence.split())
    if count > MAX_SENTENCE:
        yield warning("sentence-length", "reference", f"A sentence has {count} words: {_cut(sentence)}", sentence)


def _cut(text: str) -> str:
    return text if len(text) <= 70 else f"{text[:69].rstrip()}…"
