"""The planted defects, in families."""

from __future__ import annotations

from benchmarks.accuracy.planted.plants import (
    denominators,
    inference,
    judging,
    leaks,
    outputs,
    real,
    repeats,
    rows,
    second_sitting,
)
from benchmarks.accuracy.planted.plants.base import Plant

PLANTS: tuple[Plant, ...] = (
    *denominators.PLANTS,
    *outputs.PLANTS,
    *leaks.PLANTS,
    *judging.PLANTS,
    *repeats.PLANTS,
    *inference.PLANTS,
    *real.PLANTS,
    *rows.PLANTS,
)
"""The first set."""
SECOND = second_sitting.SECOND
"""The second sitting."""
