"""Show answers to a detector, a few dozen at a time, and say what it flags."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from voirdire.cognibench.records import CognibenchError
from voirdire.detectors.base import Detector
from voirdire.detectors.records import Answer, Exchange, History, Passage, Statement, passage_of
from voirdire.text.sentences import split_sentences

CHUNK = 32
"""Answers that are in memory at a time."""


@runtime_checkable
class Explaining(Protocol):
    """A detector that can say why."""

    def reasons(self, context: str, sentences: Sequence[str], dialogue: Sequence[Exchange] = ()) -> list[list[str]]:
        """For each of these sentences of an answer, what speaks against it, in words for the user."""
        ...


@dataclass(frozen=True, slots=True)
class Finding:
    """What a detector says of a statement."""

    statement: Statement
    score: float | None
    """`None`: the detector could not say."""
    flagged: bool
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Detected:
    """What a detector says of an answer."""

    answer: Answer
    findings: tuple[Finding, ...]

    @property
    def flagged(self) -> tuple[Finding, ...]:
        """The statements that it flags."""
        return tuple(each for each in self.findings if each.flagged)

    def lines(self) -> list[dict[str, Any]]:
        """One JSON object per statement."""
        return [
            {"id": self.answer.id, "turn": self.answer.turn, "sentence": each.statement.text, **_said(each)}
            for each in self.findings
        ]

    def as_dict(self) -> dict[str, Any]:
        """One JSON object for the answer."""
        statements = [{"sentence": each.statement.text, **_said(each)} for each in self.findings]
        return {
            "id": self.answer.id,
            "turn": self.answer.turn,
            "flagged": len(self.flagged),
            "statements": statements,
        }


@dataclass(slots=True)
class Count:
    """What was seen so far."""

    answers: int = 0
    statements: int = 0
    flagged: int = 0
    answers_flagged: int = 0
    unscored: int = 0
    """Statements of which the detector could not say."""
    empty: int = 0
    """Answers without a statement."""
    unplaced: int = 0
    """Texts that a generative detector listed and that stand in no sentence."""
    unreadable: int = 0
    """Replies of a generative detector that could not be read."""

    def add(self, detected: Detected) -> None:
        """Count an answer."""
        flagged = len(detected.flagged)
        self.answers += 1
        self.statements += len(detected.findings)
        self.flagged += flagged
        self.answers_flagged += flagged > 0
        self.unscored += sum(each.score is None for each in detected.findings)
        self.empty += not detected.findings


def detect(
    answers: Iterable[Answer],
    detector: Detector,
    *,
    threshold: float | None = None,
    history: History = "none",
    chunk: int = CHUNK,
    count: Count | None = None,
) -> Iterator[Detected]:
    """Score answers one chunk at a time, in their order.

    Args:
        answers: of any number.
        detector: that scores them.
        threshold: a statement is flagged if its score reaches it; `None` takes the detector's own.
        history: which earlier turns count as evidence beside the context.
        chunk: how many answers are shown to the detector at once.
        count: told of every answer, and of what a generative detector said that could not be used.
    """
    bar = detector.threshold if threshold is None else threshold
    explain = detector.reasons if isinstance(detector, Explaining) else None
    for some in _chunks(answers, chunk):
        passages = [passage_of(answer, history) for answer in some]
        scored = detector.flag_many(passages)
        if count is not None:
            count.unplaced += len(getattr(detector, "unplaced", ()))
            count.unreadable += len(getattr(detector, "faults", ()))
        for answer, passage, scores in zip(some, passages, scored, strict=True):
            detected = Detected(answer, _findings(answer, passage, scores, bar, explain))
            if count is not None:
                count.add(detected)
            yield detected


def cut_at_layout(answer: Answer) -> Answer:
    """The answer cut anew, also where Markdown's layout separates; labels are dropped: they are of other sentences."""
    return replace(answer, statements=tuple(Statement(*each) for each in split_sentences(answer.text, layout=True)))


@contextmanager
def writing(path: Path, source: Path) -> Iterator[Callable[[Detected], None]]:
    """Write a JSON line per statement, answer by answer.

    Args:
        path: of the file to be written.
        source: what is being read.

    Raises:
        CognibenchError: the two are the same, or the file can't be written.
    """
    if path.exists() and source.exists() and path.samefile(source):
        raise CognibenchError(f"{path} is being read: choose another file to write to.")
    try:
        with path.open("w", encoding="utf-8") as file:

            def write(detected: Detected) -> None:
                for line in detected.lines():
                    file.write(json.dumps(line, ensure_ascii=False, allow_nan=False) + "\n")

            yield write
    except OSError as error:
        raise CognibenchError(f"{path} can't be written: {error.strerror}.") from error


def _findings(
    answer: Answer,
    passage: Passage,
    scores: Sequence[float],
    bar: float,
    explain: Callable[..., list[list[str]]] | None,
) -> tuple[Finding, ...]:
    flagged = [score >= bar for score in scores]  # NaN reaches nothing
    shown = [sentence for sentence, hit in zip(passage.sentences, flagged, strict=True) if hit]
    reasons = iter(explain(passage.context, shown, passage.dialogue) if explain is not None and shown else [])
    return tuple(
        Finding(statement, None if math.isnan(score) else float(score), hit, tuple(next(reasons, ())) if hit else ())
        for statement, score, hit in zip(answer.statements, scores, flagged, strict=True)
    )


def _said(finding: Finding) -> dict[str, Any]:
    return {
        "start": finding.statement.start,
        "end": finding.statement.end,
        "score": finding.score,
        "flagged": finding.flagged,
        "reasons": list(finding.reasons),
    }


def _chunks(answers: Iterable[Answer], size: int) -> Iterator[list[Answer]]:
    rest = iter(answers)
    while some := list(islice(rest, size)):
        yield some
