"""What a detector says of answers: the nouns."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from voirdire.detectors.records import Answer, Statement


@dataclass(frozen=True, slots=True)
class Finding:
    """What a detector says of a statement."""

    statement: Statement
    score: float | None
    """`None`: the detector could not say."""
    flagged: bool
    reasons: tuple[str, ...] = ()
    small_talk: bool = False
    """It claims nothing (a greeting, a refusal, a farewell): it has no score and is never flagged."""
    other_script: bool = False
    """It is in a script that the detector can't compare: it has no score, and was not checked."""

    header_row: bool = False
    """It names the columns of a table: it has no score and is never flagged."""
    no_context: bool = False
    """There is nothing to compare it with: it has no score, and was not checked."""
    cut: bool = False
    """It is longer than any sentence: only its beginning was compared."""

    @property
    def checked(self) -> bool:
        """Whether it claims something, in a script that the detector can compare, and there is a context."""
        return not (self.small_talk or self.other_script or self.header_row or self.no_context)


@dataclass(frozen=True, slots=True)
class Detected:
    """What a detector says of an answer."""

    answer: Answer
    findings: tuple[Finding, ...]

    @property
    def flagged(self) -> tuple[Finding, ...]:
        """The statements that it flags."""
        return tuple(each for each in self.findings if each.flagged)

    @property
    def statements(self) -> int:
        """How many of its sentences are checked."""
        return sum(each.checked for each in self.findings)

    @property
    def unscored(self) -> int:
        """How many of them the detector could not score."""
        return sum(each.checked and each.score is None for each in self.findings)

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
            "scored": self.statements - self.unscored,
            "unscored": self.unscored,
            "small_talk": sum(each.small_talk for each in self.findings),
            "other_script": sum(each.other_script for each in self.findings),
            "header_rows": sum(each.header_row for each in self.findings),
            "no_context": sum(each.no_context for each in self.findings),
            "cut": sum(each.cut for each in self.findings),
            "statements": statements,
        }


@dataclass(slots=True)
class Count:
    """What was seen so far."""

    answers: int = 0
    statements: int = 0
    """Sentences that are to be checked: those with a score, and `unscored`."""
    flagged: int = 0
    answers_flagged: int = 0
    small_talk: int = 0
    """Sentences that claim nothing; they are no statements."""
    other_script: int = 0
    """Sentences in a script that the detector can't compare; they are no statements either."""
    header_rows: int = 0
    """Header rows of tables; they are no statements either."""
    no_context: int = 0
    """Sentences of answers without a context; they are no statements either."""
    cut: int = 0
    """Sentences of which only the beginning was compared."""
    unscored: int = 0
    """Statements that the detector should have scored and could not."""
    fault: str = ""
    """Why the first of them has no score, where the detector says it."""
    empty: int = 0
    """Answers without a statement."""
    unplaced: int = 0
    """Texts that a generative detector listed and that stand in no sentence."""

    @property
    def scored(self) -> int:
        """Statements with a score."""
        return self.statements - self.unscored

    @property
    def share(self) -> float | None:
        """Flagged statements over scored ones; `None` where none has a score."""
        return self.flagged / self.scored if self.scored else None

    def add(self, detected: Detected) -> None:
        """Count an answer."""
        flagged = len(detected.flagged)
        self.answers += 1
        self.statements += detected.statements
        self.small_talk += sum(each.small_talk for each in detected.findings)
        self.other_script += sum(each.other_script for each in detected.findings)
        self.header_rows += sum(each.header_row for each in detected.findings)
        self.no_context += sum(each.no_context for each in detected.findings)
        self.cut += sum(each.cut for each in detected.findings)
        self.flagged += flagged
        self.answers_flagged += flagged > 0
        self.unscored += detected.unscored
        self.empty += not detected.findings

    def merge(self, other: Count) -> None:
        """Count what was counted elsewhere."""
        fault = self.fault or other.fault
        for each in fields(self):
            setattr(self, each.name, getattr(self, each.name) + getattr(other, each.name))
        self.fault = fault


def _said(finding: Finding) -> dict[str, Any]:
    return {
        "start": finding.statement.start,
        "end": finding.statement.end,
        "score": finding.score,
        "flagged": finding.flagged,
        "small_talk": finding.small_talk,
        "other_script": finding.other_script,
        "header_row": finding.header_row,
        "no_context": finding.no_context,
        "cut": finding.cut,
        "reasons": list(finding.reasons),
    }
