"""Designs of a comparison: how much each asks, what it costs, what it can tell apart."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any, NamedTuple

from voirdire.data.json_values import as_object
from voirdire.ddft.analysis.planning.components import Components
from voirdire.ddft.analysis.planning.material import Layout
from voirdire.ddft.plan import TRIES_PER_QUESTION, estimate
from voirdire.ddft.presets import Preset
from voirdire.ddft.questions import LAST_TURN
from voirdire.ddft.study import SCRIPTED, StudyPlan
from voirdire.jury import REFERENCE, calls_per_turn
from voirdire.stats.power import clusters_for_swaps, clusters_needed, paired_power, simulated_power

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
    judged: bool = True
    """Whether calls and money hold those of judges."""


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
        minutes = None if self.minutes is None else dialogues * self.minutes
        return Cost(dialogues, round(calls), usd, minutes, self.judge_calls > 0)


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
        StudyError, SpecError: the plan can't be run as it is.
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


MOST_CONCEPTS = 10_000

_HAMPERED = 8
"""So many concepts above the fewest with which a swap test can decide, it has the interval's power."""

_STUDIES = 1000


@dataclass(frozen=True, slots=True)
class Aim:
    """What is to be told apart, and how surely."""

    detect: float
    """In the metric's unit."""
    power: float
    alpha: float
    """Of one pair: already divided by the number of pairs."""


@dataclass(frozen=True, slots=True)
class Design:
    """A layout that reaches the power with as few concepts as it can, or the one asked for."""

    layout: Layout
    cost: Cost
    power: float
    reached: bool
    supported: bool
    """Whether the source tells what such a layout is worth, or it was asked for."""

    @property
    def price(self) -> tuple[float, int]:
        """What is to be small: money where it is known and not nothing, else calls; then concepts."""
        return (self.cost.usd or float(self.cost.calls), self.layout.concepts)

    def as_dict(self) -> dict[str, Any]:
        """Plain values that JSON can hold."""
        return {
            **as_object(self.layout),
            **as_object(self.cost),
            "power": self.power,
            "reached": self.reached,
            "supported": self.supported,
        }


def designs(
    components: Components,
    aim: Aim,
    rates: Rates,
    *,
    levels: Sequence[int],
    samples: Sequence[int],
    judges: Sequence[int],
    concepts: int | None,
    supported: Callable[[Layout], bool],
) -> list[Design]:
    """For each number of levels, samples and judges, the fewest concepts that reach the power.

    Args:
        components: of the source.
        aim: what is to be told apart.
        rates: what a dialogue costs.
        levels: numbers to try.
        samples: numbers to try.
        judges: numbers to try.
        concepts: keep to this number, reached or not; `None` for as many as are needed.
        supported: whether the source tells what a layout is worth.
    """
    result = []
    for level, sample, judge in product(levels, samples, judges):
        layout = Layout(concepts or 1, level, sample, judge)
        variance = components.variance(layout)
        layout = replace(layout, concepts=concepts or _fewest(aim, variance))
        power = float(paired_power(aim.detect, variance, layout.concepts, alpha=aim.alpha))
        result.append(Design(layout, rates.cost(layout), power, power >= aim.power, supported(layout)))
    return sorted(result, key=lambda design: design.price)


def _fewest(aim: Aim, variance: float) -> int:
    """Concepts with which the interval has the power, and, where few concepts hamper it, the swap test too."""
    needed = clusters_needed(aim.detect, variance, power=aim.power, alpha=aim.alpha, most=MOST_CONCEPTS)
    possible = clusters_for_swaps(aim.alpha)
    number = max(needed or MOST_CONCEPTS, possible)
    while number < possible + _HAMPERED and _by_swaps(aim, variance, number) < aim.power:
        number += 1
    return number


def _by_swaps(aim: Aim, variance: float, concepts: int) -> float:
    return simulated_power(aim.detect, (variance,), (concepts,), alpha=aim.alpha, studies=_STUDIES).swap_test


def recommended_design(designs: Sequence[Design]) -> Design | None:
    """The cheapest design that reaches the power by what the source supports."""
    return next((design for design in designs if design.reached and design.supported), None)


def efficient_designs(designs: Sequence[Design]) -> list[Design]:
    """Designs that no other beats in both price and number of concepts; the cheapest first."""
    front: list[Design] = []
    for design in designs:
        if design.reached and (not front or design.layout.concepts < front[-1].layout.concepts):
            front.append(design)
    return front
