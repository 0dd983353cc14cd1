"""`voirdire.assert_supported`: a test of an application fails where an answer is not supported by its context."""

from __future__ import annotations

from voirdire.adapters.python_api.detection import DetectionResult, Sentence, detect
from voirdire.adapters.python_api.shown import FrontError
from voirdire.data.bounds import share_of
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
    max_flagged: float | str = 0.0,
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
        max_flagged: the share of the scored sentences that may be flagged: "5%" or 0.05. By default none.
        threshold: flag scores from here on, from 0 to 1; the detector's own by default.
        options: how a detector is opened that is given by name.

    Returns:
        What `voirdire.detect` found.

    Raises:
        AssertionError: more is flagged; it lists the flagged sentences and why.
        voirdire.FrontError: a ValueError: there is no context, the answer is empty or in a script that the detector
            can't compare, or the detector gave some sentence no score, so that nothing is asserted; or `max_flagged`
            is no share.
        DetectorError: see `voirdire.detect`.

    Example:
        >>> import voirdire as vd
        >>> vd.assert_supported("The bridge opened in 1907.", "It opened in 1907.")
        0 of 1 sentence flagged by lexical.
    """
    __tracebackhide__ = True  # pytest shows the test's own line, and what follows
    limit = _share(max_flagged)
    found = detect(context, answer, question, detector, threshold=threshold, options=options)
    if found.count.exceeds(limit):
        raise AssertionError(_message(found, limit))
    if not found.count.statements and not _claims_nothing(found):
        raise FrontError(f"No sentence of the answer was checked, so nothing can be asserted: {_unchecked(found)}")
    if found.count.unscored:
        raise FrontError(f"The check is not complete. {found.headline}")
    return found


def _claims_nothing(found: DetectionResult) -> bool:
    """Whether every sentence is small talk or a heading; an empty answer has none."""
    count = found.count
    return bool(count.small_talk + count.header_rows) and not (count.no_context or count.other_script)


def _unchecked(found: DetectionResult) -> str:
    if found.count.no_context:
        return "there is no context."
    if found.count.other_script:
        return f"{found.detector} can't compare its script."
    return "the answer has no sentence."


def _message(found: DetectionResult, limit: float) -> str:
    allowed = f" ({100 * limit:g} % may be)" if limit else ""
    scored = counted(found.count.scored, "sentence")
    lines = [f"{found.count.flagged} of {scored} not supported by the context, by {found.detector}{allowed}:"]
    lines += [_line(each) for each in found.flagged[:_LISTED]]
    if len(found.flagged) > _LISTED:
        lines.append(f"  and {len(found.flagged) - _LISTED} more")
    return "\n".join(lines)


def _line(sentence: Sentence) -> str:
    return "\n      ".join([f"  - {beginning(sentence.text, _SENTENCE)}", *sentence.reasons])


def _share(given: float | str) -> float:
    """A share in [0, 1], from "5%", "0.05" or 0.05."""
    try:
        return share_of(given)
    except ValueError as error:
        raise FrontError(f'max_flagged is the share that may be flagged, such as 0.05 or "5%": {error}') from None
