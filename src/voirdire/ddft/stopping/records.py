"""What was seen when a run was looked at, and what that means for its intervals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, Self

from voirdire.ddft.stopping.rule import ON_WHOLE_CONCEPTS, StopRule, parse_rule

NOTE = "looks"
"""The kind of the note that keeps a model's looks; it stands under the model's name."""


class Noted(Protocol):
    """Where notes are kept: the journal."""

    def note_of(self, dialogue: str, turn: int, kind: str) -> Any:
        """The body of one note, or `None`."""
        ...


class Look(NamedTuple):
    """One look at a model."""

    dialogues: int
    """How many it had been asked in, in the order drawn."""
    half_width: float | None
    """Of the metric's interval, corrected for looking; `None` without an interval."""


@dataclass(frozen=True, slots=True)
class Looked:
    """All looks at one model so far."""

    rule: StopRule
    looks: tuple[Look, ...]
    dialogues: int
    """Of the full grid."""
    once: int
    """How many of these ask about every concept at every level once."""
    first: int
    """At how many dialogues was looked first."""

    @property
    def asked(self) -> int:
        """Dialogues at the last look."""
        return self.looks[-1].dialogues

    @property
    def narrow(self) -> bool:
        """Whether the interval was narrow enough at the last look."""
        half_width = self.looks[-1].half_width
        return half_width is not None and half_width <= self.rule.half_width

    @property
    def ended(self) -> bool:
        """Whether the model is asked no further: the interval is narrow enough, or nothing is left to ask."""
        return self.narrow or self.asked == self.dialogues

    def nominal(self, level: float = 0.95) -> float:
        """The level at which to compute intervals that are to hold at `level`."""
        from voirdire.stats.sequential import nominal_level

        return nominal_level(self.asked, self.first, level=level)

    @property
    def withheld(self) -> Mapping[str, str]:
        """Metrics that can't be told from what was asked, and why."""
        if self.rule.by_concept or self.asked >= self.once:
            return {}
        why = "the run was stopped before every concept had been asked about at every level"
        return dict.fromkeys(ON_WHOLE_CONCEPTS, why)

    @property
    def sentence(self) -> str:
        """What must be said beside the model's numbers."""
        half_width = self.looks[-1].half_width
        found = "has no interval" if half_width is None else f"has an interval {2 * half_width:.2g} wide"
        wanted = f"{2 * self.rule.half_width:g} (±{self.rule.half_width:g})"
        corrected = f"intervals are corrected for {len(self.looks)} looks"
        if len(self.looks) == 1:
            corrected = "that was the first look, so that intervals need no correction"
        if self.asked < self.dialogues:
            return (
                f"Stopped after {self.asked:,} of {self.dialogues:,} dialogues: {self.rule.metric} {found}, and "
                f"{wanted} is enough; {corrected}."
            )
        reached = "which is enough" if self.narrow else f"and {wanted} would be enough"
        return f"All {self.dialogues:,} dialogues were held: {self.rule.metric} {found}, {reached}; {corrected}."

    def body(self) -> dict[str, Any]:
        """As the journal's note keeps it."""
        return {
            "rule": str(self.rule),
            "looks": [list(look) for look in self.looks],
            "dialogues": self.dialogues,
            "once": self.once,
            "first": self.first,
        }

    @classmethod
    def of(cls, body: Mapping[str, Any]) -> Self:
        """From the body of a note."""
        looks = tuple(Look(*look) for look in body["looks"])
        return cls(parse_rule(body["rule"]), looks, body["dialogues"], body["once"], body["first"])

    def as_dict(self) -> dict[str, Any]:
        """Everything, ready for JSON."""
        return {
            "rule": str(self.rule),
            "asked": self.asked,
            "dialogues": self.dialogues,
            "narrow": self.narrow,
            "nominal_level": self.nominal(),
            "looks": [look._asdict() for look in self.looks],
        }


def read_looked(journal: Noted, manifest: Mapping[str, Any]) -> dict[str, Looked]:
    """How each model of a run was looked at, by its name; nothing where the run has no rule to stop by."""
    if "stop_when" not in manifest:
        return {}
    bodies = {model: journal.note_of(model, 0, NOTE) for model in manifest["models"]}
    return {model: Looked.of(body) for model, body in bodies.items() if body is not None}
