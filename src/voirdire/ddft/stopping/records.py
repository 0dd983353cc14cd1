"""What interim analyses of a run saw, and what that means for its intervals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, Self

from voirdire.data.json_values import as_plain
from voirdire.ddft import wording as wording  # what the notes below read like
from voirdire.ddft.aliases import shown_models
from voirdire.ddft.stopping.rule import ON_WHOLE_CONCEPTS, StopRule, parse_rule
from voirdire.reason_codes import Reason, reason

NOTE = "interim_analyses"
"""The kind of the note that keeps a model's interim analyses; it stands under the model's name."""


class NoteReader(Protocol):
    """Where notes are kept: the journal."""

    def note_of(self, dialogue: str, turn: int, kind: str) -> Any:
        """The body of one note, or `None`."""
        ...


class InterimAnalysis(NamedTuple):
    """One analysis of a model while its run goes on."""

    dialogues: int
    """How many it had been asked in, in the order drawn."""
    half_width: float | None
    """Of the metric's interval, corrected for looking; `None` without an interval."""


@dataclass(frozen=True, slots=True)
class InterimAnalyses:
    """All of one model so far."""

    rule: StopRule
    analyses: tuple[InterimAnalysis, ...]
    dialogues: int
    """Of the full grid."""
    once: int
    """How many of these ask about every concept at every level once."""
    first: int
    """At how many dialogues the first one was."""

    @property
    def asked(self) -> int:
        """Dialogues at the last analysis."""
        return self.analyses[-1].dialogues

    @property
    def narrow(self) -> bool:
        """Whether the interval was narrow enough at the last analysis."""
        half_width = self.analyses[-1].half_width
        return half_width is not None and half_width <= self.rule.half_width

    @property
    def ended(self) -> bool:
        """Whether the model is asked no further: the interval is narrow enough, or nothing is left to ask."""
        return self.narrow or self.asked == self.dialogues

    def nominal_level(self, level: float = 0.95) -> float:
        """The level at which to compute intervals that are to hold at `level`."""
        from voirdire.stats.sequential import nominal_level

        return nominal_level(self.asked, self.first, level=level)

    @property
    def withheld(self) -> Mapping[str, Reason]:
        """Metrics that can't be told from what was asked, and why."""
        if self.rule.by_concept or self.asked >= self.once:
            return {}
        return dict.fromkeys(ON_WHOLE_CONCEPTS, reason("stopped_early"))

    @property
    def note(self) -> Reason:
        """What must be said beside the model's numbers."""
        half_width = self.analyses[-1].half_width
        interval_note = (
            reason("interval_missing") if half_width is None else reason("interval_wide", width=2 * half_width)
        )
        code = (
            "note_stopped" if self.asked < self.dialogues else "note_held_narrow" if self.narrow else "note_held_wide"
        )
        return reason(
            code,
            asked=self.asked,
            dialogues=self.dialogues,
            metric=self.rule.metric,
            interval=interval_note,
            wanted=reason("interval_wanted", width=2 * self.rule.half_width, half_width=self.rule.half_width),
            correction=reason("one_analysis")
            if len(self.analyses) == 1
            else reason("many_analyses", analyses=len(self.analyses)),
        )

    def body(self) -> dict[str, Any]:
        """As the journal's note keeps it."""
        return {
            "rule": str(self.rule),
            "analyses": [list(analysis) for analysis in self.analyses],
            "dialogues": self.dialogues,
            "once": self.once,
            "first": self.first,
        }

    @classmethod
    def from_body(cls, body: Mapping[str, Any]) -> Self:
        """From the body of a note."""
        analyses = tuple(InterimAnalysis(*analysis) for analysis in body["analyses"])
        return cls(parse_rule(body["rule"]), analyses, body["dialogues"], body["once"], body["first"])

    def as_dict(self) -> dict[str, Any]:
        """Everything, ready for JSON."""
        return {
            "rule": str(self.rule),
            "asked": self.asked,
            "dialogues": self.dialogues,
            "narrow": self.narrow,
            "nominal_level": self.nominal_level(),
            "interim_analyses": as_plain(self.analyses),
        }


def read_interim_analyses(journal: NoteReader, manifest: Mapping[str, Any]) -> dict[str, InterimAnalyses]:
    """The interim analyses of a run, by model; nothing where the run has no rule to stop by."""
    if "stop_when" not in manifest:
        return {}
    specs = zip(shown_models(manifest), manifest["models"], strict=True)
    bodies = {model: journal.note_of(spec, 0, NOTE) for model, spec in specs}
    return {model: InterimAnalyses.from_body(body) for model, body in bodies.items() if body is not None}
