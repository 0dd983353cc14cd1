"""The order in which the cells of a grid are drawn, such that a run can end anywhere and has covered it evenly."""

from __future__ import annotations

import math
import random

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
