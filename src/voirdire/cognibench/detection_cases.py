"""What `voirdire detect` tells a CI service: a case for each answer, and one for each limit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from voirdire.cognibench.detection import Count, DetectedAnswer
from voirdire.cognibench.detection_messages import FlagLimits, incomplete_message, limits_on_flags, too_few_message
from voirdire.documents.check_results import TestCase, TestSuite
from voirdire.text.counting import counted
from voirdire.text.shortening import beginning

_QUOTED = 120
"""Characters of a flagged sentence that a failure quotes."""


def case_of(detected: DetectedAnswer) -> TestCase:
    """An answer, which fails where sentences of it are flagged, and is skipped where none has a score."""
    flagged = detected.flagged
    if not flagged:
        scored = detected.statements - detected.unscored
        return TestCase(
            "voirdire.detect", detected.answer.id, skipped="" if scored else "No sentence of it has a score."
        )
    highest = max(flagged, key=lambda each: each.score or 0.0).statement.text
    failure = f"{len(flagged):,} of {counted(detected.statements, 'sentence')} flagged: {beginning(highest, _QUOTED)}"
    lines = ("\n  ".join([f"{each.score or 0.0:.2f}  {each.statement.text}", *each.reasons]) for each in flagged)
    return TestCase("voirdire.detect", detected.answer.id, failure, "\n".join(lines))


def suite_of(name: str, answers: Sequence[TestCase], count: Count, limits: FlagLimits) -> TestSuite:
    """All that was checked. Where limits on flags are kept, no answer fails: what is flagged is there to read.

    Args:
        name: of the file.
        answers: what `case_of` gives.
        count: over all answers.
        limits: that were set.
    """
    is_passed = limits.are_on_flags and not any(message for _, message in limits_on_flags(count, limits))
    cases = (each._replace(failure="") for each in answers) if is_passed else answers
    return TestSuite(name, (*_limit_cases(count, limits), *cases))


def _limit_cases(count: Count, limits: FlagLimits) -> Iterator[TestCase]:
    messages = list(limits_on_flags(count, limits))
    if limits.min_scored is not None:
        messages.append(("--min-scored", too_few_message(count, limits)))
    if limits.are_on_flags:
        messages.append(("complete", incomplete_message(count)))
    for name, message in messages:
        yield TestCase("voirdire.detect.limits", name, message)
