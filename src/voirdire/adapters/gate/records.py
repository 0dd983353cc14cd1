"""Limits, figures, and what came of holding one against the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from voirdire.data.plain import as_plain
from voirdire.errors import InputError
from voirdire.instruments.figures import Checked, Figure, Side, Subject


class GateError(InputError):
    """A gate that can't be held: one sentence says what was given and what is expected."""


@dataclass(frozen=True, slots=True)
class Limit:
    """A floor or a ceiling for a metric."""

    metric: str
    side: Side
    value: float

    @property
    def number(self) -> str:
        """The limit in full, as it was given: 0.5, 10, 0.9232510493547886."""
        return repr(self.value).removesuffix(".0")

    def __str__(self) -> str:
        return f"{self.metric} {'>=' if self.side == 'min' else '<='} {self.number}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What a gate asks for."""

    limits: tuple[Limit, ...]
    bound: bool = False
    """Whether the unfavourable end of the interval counts, and not the value."""
    sound: bool = False
    """Whether a failed validity check fails the gate."""
    allow_incomplete: bool = False
    """Whether a run that is not complete may pass."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """One limit held against one subject."""

    subject: Subject
    limit: Limit
    passed: bool
    sentence: str
    """What was found, and why that passes or fails."""
    caution: str = ""
    """Of a limit that is kept: why that may mean little, and what to do."""

    @property
    def figure(self) -> Figure:
        """What was held against the limit."""
        return self.subject.figures[self.limit.metric]

    def as_dict(self) -> dict[str, Any]:
        """As JSON."""
        interval = self.figure.interval
        return {
            "metric": self.limit.metric,
            self.limit.side: self.limit.value,
            "value": self.figure.value,
            "interval": as_plain(interval),
            "passed": self.passed,
            "sentence": self.sentence,
            "caution": self.caution or None,
        }


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came of a gate."""

    asked: Limits
    runs: tuple[Checked, ...]
    outcomes: tuple[Outcome, ...]
    unsound: tuple[tuple[Path, str, str], ...] = field(default=())
    """Run, validity check and what it found, of those that fail the gate."""
    notes: tuple[str, ...] = ()
    """What is odd about the limits."""

    @property
    def passed(self) -> bool:
        """Whether every limit is kept, every run complete (or allowed not to be), and no check fails the gate."""
        return not self.failures

    @property
    def remarks(self) -> list[str]:
        """What must be known of the limits, and of the runs, each with its run's name."""
        return [*self.notes, *(f"{checked.run}: {warning}" for checked in self.runs for warning in self.told(checked))]

    @property
    def warnings(self) -> list[str]:
        """The remarks, and the cautions about limits that are kept."""
        cautions = [f"{each.subject.run}: {each.caution}" for each in self.outcomes if each.caution]
        return [*self.remarks, *cautions]

    @property
    def failures(self) -> list[str]:
        """A sentence for everything that fails."""
        limits = [outcome.sentence for outcome in self.outcomes if not outcome.passed]
        incomplete = [f"{checked.run}: {self.incomplete(checked)}" for checked in self.runs if self.incomplete(checked)]
        unsound = [f"{run}: the validity check {check} fails: {found}" for run, check, found in self.unsound]
        return limits + incomplete + unsound

    def incomplete(self, checked: Checked) -> str | None:
        """Why a run fails for not being complete; `None` if it does not."""
        return None if self.asked.allow_incomplete else checked.missing

    def told(self, checked: Checked) -> Sequence[str]:
        """What must be known of a run and does not fail it."""
        allowed = checked.missing if self.asked.allow_incomplete else None
        return checked.warnings if allowed is None else (allowed, *checked.warnings)

    def of(self, subject: Subject) -> Sequence[Outcome]:
        """The outcomes of one subject."""
        return [outcome for outcome in self.outcomes if outcome.subject is subject]

    def as_dict(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "passed": self.passed,
            "bound": self.asked.bound,
            "sound": self.asked.sound,
            "allow_incomplete": self.asked.allow_incomplete,
            "warnings": self.warnings,
            "failures": self.failures,
            "runs": [
                {
                    "run": str(checked.run),
                    "instrument": checked.instrument,
                    "complete": checked.missing is None,
                    "missing": checked.missing,
                    "failed_checks": [check for check, _ in checked.failed_checks],
                }
                for checked in self.runs
            ],
            "models": [
                {
                    "model": subject.model,
                    "run": str(checked.run),
                    "passed": all(outcome.passed for outcome in self.of(subject)),
                    "limits": as_plain(self.of(subject)),
                }
                for checked in self.runs
                for subject in checked.subjects
            ],
        }
