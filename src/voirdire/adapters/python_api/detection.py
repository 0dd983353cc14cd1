"""`voirdire.detect`: which sentences of an answer its context does not support."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from voirdire.adapters.python_api.results import Shown, UsageError
from voirdire.cognibench.detection import Count, DetectedAnswer, Finding
from voirdire.cognibench.detection import detect as detect_answers
from voirdire.cognibench.detection_messages import unscored
from voirdire.cognibench.detection_report import marked_document, scores_chart
from voirdire.cognibench.formats import BadEntriesError, Entry, answers_of
from voirdire.detectors import Detector, DetectorOptions, open_detector
from voirdire.detectors.base import USUAL_DETECTOR, check_threshold
from voirdire.detectors.records import Texts
from voirdire.documents.document import Document
from voirdire.documents.drawing import SCHEMA, WholeChart
from voirdire.models.secrets import without_known_secrets
from voirdire.text.counting import counted
from voirdire.text.shortening import beginning

if TYPE_CHECKING:
    import pandas as pd

_QUOTED = 80
"""Characters of the first flagged sentence that stand in the line."""


@dataclass(frozen=True, slots=True, repr=False)
class Sentence:
    """A sentence of an answer, and what the detector says of it."""

    text: str
    start: int
    """It is the answer's `[start:end]`, in characters."""
    end: int
    flagged: bool
    """Whether the detector takes it for not supported by the context."""
    reasons: tuple[str, ...]
    """Why it is flagged, in words; empty where the detector gives none."""
    score: float | None
    """From 0 to 1, higher for less support; `None` where it is not checked, or the detector can't say."""

    def __repr__(self) -> str:
        return f"<Sentence {beginning(self.text, _QUOTED)!r}: flagged={self.flagged}, score={self.score}>"


@dataclass(frozen=True, repr=False)
class DetectionResult(Shown):
    """An answer, sentence by sentence. See `detect`."""

    detected: DetectedAnswer
    """The answer with a finding on each sentence, as records."""
    count: Count
    detector: str
    threshold: float
    """A sentence whose score reaches it is flagged."""

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        """All of them, in order."""
        return tuple(map(_sentence, self.detected.findings))

    @property
    def flagged(self) -> tuple[Sentence, ...]:
        """Those that the detector takes for not supported by the context."""
        return tuple(map(_sentence, self.detected.flagged))

    @property
    def headline(self) -> str:
        """How many are flagged, and the first of them."""
        scored = self.count.scored
        first = next(iter(self.flagged), None)
        quoted = "" if first is None else f": {beginning(first.text, _QUOTED)!r}"
        why = f" ({'; '.join(first.reasons)})" if first is not None and first.reasons else ""
        line = f"{len(self.flagged)} of {counted(scored, 'sentence')} flagged by {self.detector}{quoted}{why}."
        return f"{line} {unscored(self.count)}" if self.count.unscored else line

    @property
    def frame(self) -> pd.DataFrame:
        """One row per sentence: text, start, end, flagged, reasons (a list), score (NaN: none)."""
        import pandas as pd

        rows = [
            (each.text, each.start, each.end, each.flagged, list(each.reasons), each.score) for each in self.sentences
        ]
        frame = pd.DataFrame(rows, columns=["text", "start", "end", "flagged", "reasons", "score"])
        return frame.astype({"score": "float64", "flagged": "bool"})

    def plot(self) -> Any:
        """The score of each sentence, with a line to the threshold.

        Returns:
            A chart of altair where altair is installed, and else a `NotebookChart`, which a notebook shows as SVG.
        """
        from voirdire.reports.chart_files import notebook_chart

        chart = scores_chart(self.detected, self.detector, self.threshold)
        return notebook_chart(WholeChart({"$schema": SCHEMA, "title": chart.title, **chart.spec}))

    def document(self) -> Document:
        """The answer with its flagged sentences marked, each with its reasons, and the counts."""
        return marked_document(self.detected, self.count, self.detector, self.threshold)

    def values(self) -> dict[str, Any]:
        """As a line of `voirdire detect --json`."""
        return self.detected.as_dict()


def detect(
    context: Texts,
    answer: str,
    question: str | None = None,
    detector: str | Detector | None = None,
    *,
    threshold: float | None = None,
    options: DetectorOptions | None = None,
) -> DetectionResult:
    """Flag the sentences of an answer that its context does not support. No key is needed.

    Args:
        context: what the answer must rest on: a text, or several, such as the passages that were retrieved.
        answer: to be checked.
        question: that was asked; some detectors read it.
        detector: by name (`voirdire detectors list`), or one that `voirdire.detectors.open_detector` has opened, which
            is faster where many answers are checked one by one.
        threshold: flag scores from here on, from 0 to 1; the detector's own by default.
        options: how a detector is opened that is given by name.

    Raises:
        UsageError: the context or the answer is no text.
        DetectorError: there is no such detector, what it needs is not installed, or the threshold is no score.

    Example:
        >>> import voirdire as vd
        >>> found = vd.detect("The bridge opened in 1907.", "It opened in 1911.")
        >>> [(each.text, each.flagged) for each in found.sentences]
        [('It opened in 1911.', True)]
    """
    entry = Entry(
        "answer",
        1,
        {
            "context": list(context) if isinstance(context, tuple) else context,
            "question": question or "",
            "answer": answer,
        },
    )
    try:
        answers = answers_of(entry)
    except BadEntriesError as error:
        raise UsageError(f"The answer can't be checked: {error.says}.") from None
    check_threshold(threshold)
    opened = open_detector(detector or USUAL_DETECTOR, options) if isinstance(detector, str | None) else detector
    count = Count()
    (detected,) = detect_answers(answers, opened, threshold=threshold, count=count)
    return DetectionResult(
        without_known_secrets(detected), count, opened.name, opened.threshold if threshold is None else threshold
    )


def _sentence(finding: Finding) -> Sentence:
    statement = finding.statement
    return Sentence(
        statement.text, statement.start, statement.end, finding.flagged, tuple(finding.reasons), finding.score
    )
