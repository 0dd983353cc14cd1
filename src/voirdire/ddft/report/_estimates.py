"""Estimates with their intervals, as columns and cells."""

from __future__ import annotations

import math
from dataclasses import replace

from voirdire.ddft.report._shown import Ends, number, number_cell, text_cell
from voirdire.documents.document import Cell, Column
from voirdire.jury.reliability import ScoreName
from voirdire.stats.agreement import Estimate

SCORES: tuple[ScoreName, ...] = ("FAR", "SAS")


def with_ends(key: str, label: str) -> list[Column]:
    """Columns of an estimate and of its interval."""
    return [
        Column(key, label, numeric=True, with_ends=True),
        Column(f"{key}_interval", "95 % interval", numeric=True),
    ]


def estimate_cells(key: str, each: Estimate, *, signed: bool = False) -> dict[str, Cell]:
    """Their cells."""
    ends = ends_of(each)
    shown = "" if ends is None else " to ".join(number(end, signed=signed) for end in ends)
    cell = number_cell(each.value, signed=signed)
    return {key: replace(cell, ends=ends), f"{key}_interval": text_cell(shown)}


def ends_of(each: Estimate) -> Ends:
    """The interval; `None` where there is none."""
    return None if math.isnan(each.value) or math.isnan(each.low) else (each.low, each.high)
