"""What a dialogue costs, from what a whole run would take."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

from voirdire.ddft.analysis.planning.material import Layout
from voirdire.ddft.plan import TRIES_PER_QUESTION, estimate
from voirdire.ddft.presets import Preset
from voirdire.ddft.questions import LAST_TURN
from voirdire.ddft.study import SCRIPTED, StudyPlan
from voirdire.jury import REFERENCE, calls_per_turn

_SOME_JUDGE = "json:openai/gpt-5.1"
"""Stands for any judge asked for its scores as JSON, where none is named."""


class Cost(NamedTuple):
    """Of a design."""

    dialogues: int
    calls: int
    usd: float | None
    """`None`: not asked for, or a price is unknown."""
    minutes: float | None
    """`None`: no model is named."""


@dataclass(frozen=True, slots=True)
class Rates:
    """What one dialogue of one model takes, without judges, and what each judge adds."""

    models: int
    """How many models each design examines."""
    calls: float
    judge_calls: float
    usd: float | None = None
    judge_usd: float | None = None
    minutes: float | None = None
    """With the jury that was named; a design of more dialogues takes in proportion."""

    def cost(self, layout: Layout) -> Cost:
        """Of examining all models under a layout."""
        dialogues = self.models * layout.concepts * layout.levels * layout.samples
        calls = dialogues * (self.calls + layout.judges * self.judge_calls)
        priced = self.usd is not None and self.judge_usd is not None
        usd = dialogues * ((self.usd or 0.0) + layout.judges * (self.judge_usd or 0.0)) if priced else None
        return Cost(dialogues, round(calls), usd, None if self.minutes is None else dialogues * self.minutes)


def unpriced_rates(preset: Preset, interviewer: str, models: int) -> Rates:
    """Calls alone, of models and judges that are not named yet."""
    asking = 0.0 if interviewer == SCRIPTED else TRIES_PER_QUESTION
    return Rates(models, LAST_TURN * (1 + asking), LAST_TURN * calls_per_turn(_SOME_JUDGE, preset.jury))


def priced_rates(plan: StudyPlan, connections: int) -> Rates:
    """Calls, money and time of the models and judges named.

    Args:
        plan: what would be held; a judge costs the mean of those in its jury, the reference panel nothing.
        connections: calls at once per hosted model.

    Raises:
        StudyError, SpecError: the plan can't be held as it is.
    """
    whole = estimate(plan, connections)
    unjudged = estimate(replace(plan, jury=(REFERENCE,)), connections)
    judges = len(plan.jury)
    judging = None if whole.usd is None or unjudged.usd is None else (whole.usd - unjudged.usd) / judges
    return Rates(
        models=len(plan.models),
        calls=unjudged.calls / unjudged.dialogues,
        judge_calls=(whole.calls - unjudged.calls) / judges / whole.dialogues,
        usd=None if unjudged.usd is None else unjudged.usd / unjudged.dialogues,
        judge_usd=None if judging is None else judging / whole.dialogues,
        minutes=whole.minutes / whole.dialogues,
    )
