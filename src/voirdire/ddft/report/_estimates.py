"""Estimates with their intervals, as columns and cells."""

from __future__ import annotations

import math

from voirdire.ddft.report._shown import Ends, ends_cells, number_cell
from voirdire.documents.document import Cell, Column
from voirdire.jury.reliability import ScoreName
from voirdire.stats.agreement import Estimate

SCORES: tuple[ScoreName, ...] = ("FAR", "SAS")


def with_ends(key: str, label: str) -> list[Column]:
    """Columns of an estimate and the ends of its interval."""
    return [
        Column(key, label, numeric=True),
        Column(f"{key}_low", "From", numeric=True),
        Column(f"{key}_high", "To", numeric=True),
    ]


def estimate_cells(key: str, each: Estimate, *, signed: bool = False) -> dict[str, Cell]:
    """Their cells."""
    value = None if math.isnan(each.value) else each.value
    return {key: number_cell(value, signed=signed), **ends_cells(key, ends_of(each), signed=signed)}


def ends_of(each: Estimate) -> Ends:
    """The interval; `None` where there is none."""
    return None if math.isnan(each.value) or math.isnan(each.low) else (each.low, each.high)
