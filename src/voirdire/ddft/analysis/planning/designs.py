"""Designs of a comparison: how much each asks, what it costs, what it can tell apart."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import product
from typing import Any

from voirdire.ddft.analysis.planning.components import Components
from voirdire.ddft.analysis.planning.costs import Cost, Rates
from voirdire.ddft.analysis.planning.material import Layout
from voirdire.stats.power import clusters_for_swaps, clusters_needed, paired_power, simulated_power

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
            **asdict(self.layout),
            **self.cost._asdict(),
            "power": self.power,
            "reached": self.reached,
            "supported": self.supported,
        }


def designs(
    found: Components,
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
        found: of the source.
        aim: what is to be told apart.
        rates: what a dialogue costs.
        levels: numbers to try.
        samples: numbers to try.
        judges: numbers to try.
        concepts: keep to this number, reached or not; `None` for as many as are needed.
        supported: whether the source tells what a layout is worth.
    """
    made = []
    for level, sample, judge in product(levels, samples, judges):
        layout = Layout(concepts or 1, level, sample, judge)
        variance = found.variance(layout)
        layout = replace(layout, concepts=concepts or _fewest(aim, variance))
        power = float(paired_power(aim.detect, variance, layout.concepts, alpha=aim.alpha))
        made.append(Design(layout, rates.cost(layout), power, power >= aim.power, supported(layout)))
    return sorted(made, key=lambda design: design.price)


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


def recommended(made: Sequence[Design]) -> Design | None:
    """The cheapest design that reaches the power by what the source supports."""
    return next((design for design in made if design.reached and design.supported), None)


def efficient(made: Sequence[Design]) -> list[Design]:
    """Designs that no other beats in both price and number of concepts; the cheapest first."""
    front: list[Design] = []
    for design in made:
        if design.reached and (not front or design.layout.concepts < front[-1].layout.concepts):
            front.append(design)
    return front
