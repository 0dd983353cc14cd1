"""Reframing: "only 60 %", "a staggering 9 %", and the complement in the place of the figure."""

from __future__ import annotations

from collections.abc import Iterator

from voirdire.integrity.records import Violation
from voirdire.integrity.rules.lexicon import phrases
from voirdire.integrity.rules.magnitude import size_of
from voirdire.integrity.rules.matched_response import Match, Reading, violation
from voirdire.integrity.rules.passage import MOST_FINDS, Sentence
from voirdire.integrity.rules.prepared import PreparedFact

_BESIDE = 14  # characters between "only" and the figure that it belittles: "only about 60 %"


def framing_violations(reading: Reading) -> Iterator[Violation]:
    """Figures that are right, and put so that they weigh differently."""
    for sentence in reading.sentences:
        for match in reading.matches[sentence.index][:MOST_FINDS]:
            if match.stated:
                yield from _coloured(sentence, match)
            elif match.left_over is not None:
                yield from _complement(reading, sentence, match, match.left_over)


def _coloured(sentence: Sentence, match: Match) -> Iterator[Violation]:
    leaf, figure = match.stated[0], match.figure
    for lexicon, fair, how in (("only", "small", "belittles"), ("even", "large", "magnifies")):
        before = max(0, figure.start - 30)
        found = [one for one in phrases(lexicon).finditer(sentence.text, before, figure.start)]
        if not found or figure.start - found[-1].end() > _BESIDE or phrases(lexicon).search(leaf.fact.text):
            continue
        if size_of(leaf) != fair:
            reason = f"“{found[-1][0]}” {how} the figure of {leaf.id}, which gives no reason for it."
            span = (found[-1].start(), figure.end)
            yield violation(sentence, span, "reframing", leaf, reason, 0.5)


def _complement(reading: Reading, sentence: Sentence, match: Match, leaf: PreparedFact) -> Iterator[Violation]:
    """What is left of 100 per cent is true; it reframes where the figure itself is not stated by then."""
    where = reading.stated.get(leaf.id)
    if where is not None and (where <= sentence.index):
        return
    stretch = sentence.clause_at(match.figure.start)
    negative = phrases("negative").search(sentence.text) is not None
    given = ", ".join(figure.text for figure in leaf.main)
    if where is None:
        reason = f"{match.figure.text} is what {given} in {leaf.id} leaves, and {given} itself is not stated."
        yield violation(sentence, stretch, "reframing", leaf, reason, 0.65 if negative else 0.5)
    else:
        reason = f"{match.figure.text} comes first and {given} ({leaf.id}), which it is the rest of, only later."
        yield violation(sentence, stretch, "selective_emphasis", leaf, reason, 0.4)
