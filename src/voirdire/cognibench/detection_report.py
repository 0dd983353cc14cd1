"""What `voirdire detect` shows: an answer's flagged sentences, and the counts over all answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from heapq import nlargest
from typing import NamedTuple

from voirdire.cognibench.detection import COMPARED, Count, DetectedAnswer, Finding
from voirdire.cognibench.detection_messages import unscored
from voirdire.detectors.base import HeldOut
from voirdire.detectors.trivial import BASELINES
from voirdire.documents.cells import text
from voirdire.documents.document import (
    Cell,
    Column,
    Document,
    Exchange,
    Mark,
    Piece,
    Reading,
    Readings,
    Table,
    Text,
    document,
)
from voirdire.documents.drawing import SmallChart, scores_beside
from voirdire.text.counting import counted
from voirdire.text.shortening import beginning
from voirdire.text.smalltalk import SMALL_TALK

_QUESTION = 60
"""Characters of a question that stand in an answer's heading."""
_SENTENCE = 500
"""Characters of a flagged sentence that are printed."""
_DRAWN = 50
"""Characters of a sentence that stand beside its score in a chart."""
_HIGHEST_FLAGS = 3
"""Flagged sentences that a failed check names."""
_NAMED = 120
"""Characters of each."""
_FLAGGED = Mark("flagged", "flagged", "bad", "flagged as not supported by the context")
_COLUMNS = (Column("score", "", numeric=True), Column("sentence", ""))


def flagged_document(detected: DetectedAnswer) -> Document:
    """An answer's flagged sentences, each with its score and the reasons."""
    question = beginning(detected.answer.question, _QUESTION)
    heading = f"{detected.answer.id}: {len(detected.flagged)} of {counted(detected.statements, 'sentence')} flagged"
    rows = tuple({"score": _score(each), "sentence": _sentence(each)} for each in detected.flagged)
    return document(Text(f"{heading}  {question}".rstrip(), "strong"), Table("flagged", _COLUMNS, rows))


def marked_document(detected: DetectedAnswer, count: Count, detector: str, threshold: float) -> Document:
    """A whole answer with its flagged sentences marked, each with its score and the reasons, and the counts."""
    exchange = Exchange("", detected.answer.question or None, marked_pieces(detected))
    reading = Reading(detected.answer.id, "", {}, (exchange,))
    counts = counts_document(count, detector, threshold, None)
    return document(Readings("answer", (reading,), "answers", marks=(_FLAGGED,)), *counts.sections[0].blocks)


def scores_chart(detected: DetectedAnswer, detector: str, threshold: float) -> SmallChart:
    """The score of each sentence of an answer, in order."""
    scores = [(beginning(each.statement.text, _DRAWN), each.score) for each in detected.findings]
    return scores_beside(scores, threshold, f"Scores by {detector}", "flagged", "not flagged")


def marked_pieces(detected: DetectedAnswer) -> tuple[Piece, ...]:
    """An answer with its flagged sentences marked, each with its score and the reasons."""
    return tuple(_pieces(detected))


def _pieces(detected: DetectedAnswer) -> Iterator[Piece]:
    answer, end = detected.answer.text, 0
    for each in detected.flagged:
        start, before = each.statement.start, answer[end : each.statement.start]
        if before:
            yield Piece(before)
        end = each.statement.end
        score = [] if each.score is None else [f"{each.score:.2f}"]
        yield Piece(answer[start:end], _FLAGGED.id, "; ".join([*score, *each.reasons]))
    if end < len(answer):
        yield Piece(answer[end:])


def counts_document(
    count: Count, detector: str, threshold: float, printed: int | None, held_out: HeldOut | None = None
) -> Document:
    """What was seen in all.

    Args:
        count: over all answers.
        detector: its name.
        threshold: that was used.
        printed: how many answers with flagged sentences were; `None` if they stand elsewhere.
        held_out: what is known of its errors at this threshold.
    """
    return document(lead(count, detector, threshold), *map(Text, notes(count, detector, printed, held_out)))


def lead(count: Count, detector: str, threshold: float) -> Text:
    """How many sentences of how many answers are flagged, in one sentence."""
    if count.share is None:
        return Text(f"{counted(count.answers, 'answer')}: no sentence was checked.")
    are = "is" if 1 in (count.flagged, count.scored) else "are"
    return Text(
        f"{count.flagged:,} of {counted(count.scored, 'sentence')} {are} flagged ({100 * count.share:.1f} %), in "
        f"{count.answers_flagged:,} of {counted(count.answers, 'answer')}, by {detector} at a score of "
        f"{threshold:g} or more."
    )


class FlaggedSentence(NamedTuple):
    """A flagged sentence, and whose it is."""

    answer: str
    """Id of the answer."""
    finding: Finding


def highest_flags(flags: Sequence[FlaggedSentence], detected: DetectedAnswer) -> list[FlaggedSentence]:
    """Those of these flags and of an answer's with the highest scores, the highest first; of equals, the earliest."""
    new = [FlaggedSentence(detected.answer.id, each) for each in detected.flagged]
    return nlargest(_HIGHEST_FLAGS, [*flags, *new], key=lambda each: each.finding.score or 0.0)


def highest_flags_document(flags: Sequence[FlaggedSentence]) -> Document:
    """The flagged sentences with the highest scores, for a reader of a failed check who has not seen any."""
    rows = [
        {"score": _score(finding), "sentence": text(f"{answer}: {beginning(finding.statement.text, _NAMED)}")}
        for answer, finding in flags
    ]
    return document(Text("The highest scores:"), Table("flagged", _COLUMNS, tuple(rows)))


def notes(count: Count, detector: str, printed: int | None, held_out: HeldOut | None = None) -> Iterator[str]:
    """What the share of flags does not say, what was not checked, and which flags are not printed."""
    if count.share is not None and detector not in BASELINES:
        yield (
            f"The share of flags is not the share of unsupported sentences: {detector} misses some and flags some "
            f"wrongly. {_errors(held_out)}"
        )
    if count.unscored:
        yield unscored(count)
    for number, noun, which in (
        (count.small_talk, "sentence", f"without a claim ({SMALL_TALK})"),
        (count.header_rows, "heading or header row", "of tables"),
        (count.no_context, "sentence", "of answers without a context"),
        (
            count.other_script,
            "sentence",
            f"in scripts that {detector} can't compare, since no space separates their words",
        ),
    ):
        if number:
            yield f"Not checked: {counted(number, noun)} {which}."
    if count.empty:
        yield f"Not checked: {counted(count.empty, 'empty answer')}."
    if count.foreign:
        foreign = counted(count.foreign, "answer")
        yield f"Not in English: {foreign}. {detector} reads English, so check what it says of them."
    if count.cut:
        longer = counted(count.cut, "sentence")
        yield f"Of {longer} longer than {COMPARED:,} characters, only so many were compared."
    if count.unplaced:
        yield f"Texts that the detector listed and that stand in no sentence: {count.unplaced:,}."
    if printed is not None and printed < count.answers_flagged:
        yield (
            f"{counted(count.answers_flagged - printed, 'more answer')} with flagged sentences: "
            f"--show {count.answers_flagged} prints them, -o OUT.jsonl writes all."
        )


def _errors(held_out: HeldOut | None) -> str:
    """What is known of a detector's errors, or where that can be learnt."""
    if held_out is None:
        return "How often: voirdire detectors calibrate measures it on your labels; docs/which-detector.md has figures."
    span = f"{held_out.low:.2f} to {held_out.high:.2f}"
    source = f" on {held_out.source}" if held_out.source else ""
    return (
        f"Held out{source}, its model's F1 over words was {held_out.f1:.2f} ({span}); voirdire detectors calibrate "
        "measures it on your labels."
    )


def _score(finding: Finding) -> Cell:
    return Cell(finding.score, "" if finding.score is None else f"{finding.score:.2f}", "warn")


def _sentence(finding: Finding) -> Cell:
    return text("\n".join([beginning(finding.statement.text, _SENTENCE), *finding.reasons]))
