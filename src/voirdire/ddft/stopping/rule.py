"""When a run may end early, and the order of dialogues in which any beginning is balanced."""

from __future__ import annotations

import math
import random
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from voirdire.errors import InputError

if TYPE_CHECKING:
    from voirdire.ddft.metrics import Metric

FEWEST_CONCEPTS = 8
"""With fewer, how narrow an interval is says more of luck than of what is known: it rests on too few clusters."""

ON_WHOLE_CONCEPTS = frozenset({"HOC", "HOC_onset", "first_failing_level", "CI_raw"})
"""Metrics that mean something only for a concept that was asked about at every level: they are about the levels."""

_RULE = re.compile(r"\s*([A-Za-z]\w*?)\s*(?:±|\+-|\+/-)\s*([0-9]*\.?[0-9]+)\s*")


class StopRuleError(InputError):
    """A stopping rule that can't be followed: one sentence says what was given and what is expected."""


@dataclass(frozen=True, slots=True)
class StopRule:
    """A model is asked no further when this metric's interval is narrow enough."""

    metric: str
    half_width: float
    """Half of the widest interval that is narrow enough, in the metric's unit."""

    def __str__(self) -> str:
        return f"{self.metric}±{self.half_width:g}"

    @property
    def by_concept(self) -> bool:
        """Whether concepts are drawn whole, as the metric means nothing at single levels."""
        return self.metric in ON_WHOLE_CONCEPTS


def parse_rule(text: str) -> StopRule:
    """Read "ER±0.03" (also "ER+-0.03", "ER+/-0.03").

    Raises:
        StopRuleError: not of that form, not a metric of a single model's profile, no positive width, or one that every
            interval meets.
    """
    from voirdire.ddft.metrics import BY_NAME

    match = _RULE.fullmatch(text)
    if match is None:
        raise StopRuleError(
            f"{text!r} is not a stopping rule; give a metric and half an interval's width: ER±0.03 or ER+-0.03."
        )
    metric, half_width = match[1], float(match[2])
    if metric not in BY_NAME:
        raise StopRuleError(f"{metric!r} is not a metric to stop by; choose one of {', '.join(BY_NAME)}.")
    if half_width <= 0:
        raise StopRuleError(f"No interval is as narrow as ±{half_width:g}; give a width above 0, such as ER±0.03.")
    widest = _widest(BY_NAME[metric])
    if half_width >= widest:
        raise StopRuleError(
            f"Any interval of {metric} is narrower than ±{half_width:g}, as its values lie between 0 and "
            f"{2 * widest:g}; give less than ±{widest:g}, such as {metric}±{widest / 10:g}."
        )
    return StopRule(metric, half_width)


def _widest(metric: Metric) -> float:
    """Half of all values that a metric can have; of a ratio there is no highest."""
    return math.inf if metric.kind == "ratio" else metric.unit / 2


def check_rule(rule: StopRule, concepts: int, trap: str) -> None:
    """See, before anything is asked, that a study can be stopped by a rule.

    Raises:
        StopRuleError: too few concepts, or a metric of traps where none are set.
    """
    from voirdire.ddft.metrics import with_parts

    if concepts < FEWEST_CONCEPTS:
        raise StopRuleError(
            f"Stopping by {rule} needs {FEWEST_CONCEPTS} concepts or more, since with fewer an interval is narrow by "
            f"luck; there are {concepts}: add some with --pack, or leave out --stop-when."
        )
    if trap == "none" and any(each.of_traps for each in with_parts(rule.metric)):
        raise StopRuleError(f"{rule.metric} has no value without fabrications; stop by another metric, such as K±0.03.")


Cell = tuple[int, int, int]
"""(concept, level, sample), by number."""


def drawn_order(concepts: int, levels: int, samples: int, *, seed: int, by_concept: bool = False) -> list[Cell]:
    """Every cell of a grid once, sample after sample.

    Within a sample the n-th cell has concept n mod C and level n mod L, both shuffled; whenever that would come round
    to a cell for the second time, levels move on by one. In any beginning the numbers of cells per concept differ by
    at most one, and those per level too. Concepts are the clusters that intervals rest on: going through all of them
    before any is met again tells most per dialogue (docs/stopping.md measures it against whole concepts).

    Args:
        concepts: how many.
        levels: how many.
        samples: how many.
        seed: of the study; all models are asked in the same order.
        by_concept: draw concepts one by one with all their levels instead.
    """
    rng = random.Random(f"{seed}/stopping/order")  # noqa: S311 - a reproducible order
    ordered: list[Cell] = []
    for sample in range(samples):
        place, at = list(range(concepts)), list(range(levels))
        rng.shuffle(place)
        rng.shuffle(at)
        pairs = _whole(concepts, levels) if by_concept else _rotated(concepts, levels)
        ordered += [(place[concept], at[level], sample) for concept, level in pairs]
    return ordered


def _rotated(concepts: int, levels: int) -> list[tuple[int, int]]:
    round_trip = math.lcm(concepts, levels)
    return [(n % concepts, (n + n // round_trip) % levels) for n in range(concepts * levels)]


def _whole(concepts: int, levels: int) -> list[tuple[int, int]]:
    return [(concept, level) for concept in range(concepts) for level in range(levels)]
