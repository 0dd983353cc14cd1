"""`voirdire.assert_supported`: a test of an application fails where an answer is not supported by its context."""

from __future__ import annotations

from voirdire.adapters.python_api.detection import DetectionResult, Sentence, detect
from voirdire.adapters.python_api.results import UsageError
from voirdire.cognibench.detection_messages import too_few_scored
from voirdire.data.bounds import MAX_COUNT, check_bounds, is_count, share_of
from voirdire.detectors import Detector, DetectorOptions
from voirdire.detectors.records import Texts
from voirdire.text.counting import counted
from voirdire.text.shortening import beginning

_SENTENCE = 300
"""Characters of a flagged sentence that the error quotes."""
_LISTED = 20


def assert_supported(
    context: Texts,
    answer: str,
    question: str | None = None,
    detector: str | Detector | None = None,
    *,
    max_flagged: float | str | None = None,
    max_flags: int | None = None,
    min_scored: int | None = None,
    threshold: float | None = None,
    options: DetectorOptions | None = None,
) -> DetectionResult:
    """Fail unless an answer's sentences are supported by its context; for pytest and CI.

    An answer that claims nothing, as a refusal or a greeting, passes: there is nothing that its context must support.
    A flag is no proof, and neither is its absence: choose the detector and the threshold by labelled answers of yours.

    Args:
        context: what the answer must rest on: a text, or several.
        answer: to be checked.
        question: that was asked; some detectors read it.
        detector: by name, or an opened one, which is faster where many answers are checked.
        max_flagged: the share of the scored sentences that may be flagged: "5%" or 0.05.
        max_flags: how many sentences may be flagged, however many are scored. Without either limit none may be.
        min_scored: how many sentences must have a score at least.
        threshold: flag scores from here on, from 0 to 1; the detector's own by default.
        options: how a detector is opened that is given by name.

    Returns:
        What `voirdire.detect` found.

    Raises:
        AssertionError: more is flagged: it lists the flagged sentences and why; or fewer sentences are scored.
        voirdire.UsageError: a ValueError: there is no context, the answer is empty or in a script that the detector
            can't compare, or the detector gave some sentence no score, so that nothing is asserted; or a limit is
            no share or no whole number.
        DetectorError: see `voirdire.detect`.

    Example:
        >>> import voirdire as vd
        >>> vd.assert_supported("The bridge opened in 1907.", "It opened in 1907.")
        0 of 1 sentence flagged by lexical.
    """
    __tracebackhide__ = True  # pytest shows the test's own line, and what follows
    share = None if max_flagged is None else _share(max_flagged)
    check_bounds("max_flags", max_flags, 0, MAX_COUNT, UsageError, whole=True)
    check_bounds("min_scored", min_scored, 1, MAX_COUNT, UsageError, whole=True)
    result = detect(context, answer, question, detector, threshold=threshold, options=options)
    scored = result.count.scored
    if min_scored is not None and scored < min_scored:
        raise AssertionError(too_few_scored(result.count, "min_scored", min_scored))
    if share is not None and result.count.exceeds(share):
        raise AssertionError(_message(result, f"{100 * share:g} %" if share else ""))
    most = 0 if share is None and max_flags is None else max_flags
    if most is not None and result.count.flagged > most:
        raise AssertionError(_message(result, f"{most:,}" if most else ""))
    if not result.count.statements and not _claims_nothing(result):
        raise UsageError(f"No sentence of the answer was checked, so nothing can be asserted: {_unchecked(result)}")
    if result.count.unscored:
        raise UsageError(f"The check is not complete. {result.headline}")
    return result


def _claims_nothing(result: DetectionResult) -> bool:
    """Whether every sentence is small talk or a heading; an empty answer has none."""
    count = result.count
    return bool(count.small_talk + count.header_rows) and not (count.no_context or count.other_script)


def _unchecked(result: DetectionResult) -> str:
    if result.count.no_context:
        return "there is no context."
    if result.count.other_script:
        return f"{result.detector} can't compare its script."
    return "the answer has no sentence."


def _message(result: DetectionResult, limit: str) -> str:
    allowed = f" ({limit} may be)" if limit else ""
    scored = counted(result.count.scored, "sentence")
    lines = [
        f"{result.count.flagged} of {scored} flagged as not supported by the context, by {result.detector}{allowed}:"
    ]
    lines += [_line(each) for each in result.flagged[:_LISTED]]
    if len(result.flagged) > _LISTED:
        lines.append(f"  and {len(result.flagged) - _LISTED} more")
    return "\n".join(lines)


def _line(sentence: Sentence) -> str:
    return "\n      ".join([f"  - {beginning(sentence.text, _SENTENCE)}", *sentence.reasons])


def _share(given: float | str) -> float:
    """A share in [0, 1], from "5%", "0.05" or 0.05."""
    try:
        return share_of(given)
    except ValueError as error:
        number = f" For a number of sentences, use max_flags={given}." if is_count(given) else ""
        raise UsageError(
            f'max_flagged is the share that may be flagged, such as 0.05 or "5%": {error}{number}'
        ) from None
