"""Answers that can be learnt from, and the examples made of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

ArmName = Literal["verification", "knowledge"]
Messages = tuple[Mapping[str, str], ...]


@dataclass(frozen=True, slots=True)
class Answered:
    """One answer of a run with all that decides whether it is learnt from."""

    run: str
    model: str
    concept: str
    level: float
    sample: int
    turn: int
    text: str
    """Empty where there is no answer."""
    prompt: Messages
    """What the model was shown before it answered, the question last."""
    trap_kind: str | None
    trap_item: str | None
    stance: str | None
    far: float | None
    no_claims: bool
    finish_reason: str

    @property
    def question(self) -> str:
        """The question it answers."""
        return self.prompt[-1]["content"]

    @property
    def given(self) -> str:
        """What the model was told before the first question; empty for nothing."""
        return self.prompt[0]["content"] if self.prompt[0]["role"] == "system" else ""

    def source(self) -> dict[str, Any]:
        """Where it comes from, for an example's metadata."""
        return {
            "run": self.run,
            "model": self.model,
            "sample": self.sample,
            "far": self.far,
            "stance": self.stance,
        }


@dataclass(frozen=True, slots=True)
class Example:
    """One row of training data."""

    arm: ArmName
    concept: str
    row: Mapping[str, Any]
    """As it is written: what trainers read, and `metadata`."""
    same_prompt: bool = True
    """Of a pair: whether both answers were given to exactly this prompt."""


@dataclass(slots=True)
class Sorted:
    """The answers of one arm: those to learn, those to learn from as the contrary, and why the others are left out."""

    good: list[Answered] = field(default_factory=list)
    bad: list[Answered] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)
    """How many answers, by the reason."""

    @property
    def seen(self) -> int:
        """All answers that were looked at."""
        return len(self.good) + len(self.bad) + self.left_out.total()

    def counts(self, names: tuple[str, str]) -> dict[str, Any]:
        """For the manifest."""
        return {"seen": self.seen, names[0]: len(self.good), names[1]: len(self.bad), "left_out": dict(self.left_out)}
