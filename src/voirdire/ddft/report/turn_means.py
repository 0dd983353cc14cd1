"""Means of turns' scores with intervals over concepts: the profile's own rule, for parts of a run."""

from __future__ import annotations

from typing import NamedTuple

import pandas as pd

from voirdire.stats.intervals import jackknife_t


class Mean(NamedTuple):
    """A mean of scores."""

    value: float | None
    ends: tuple[float, float] | None
    """95 %, jackknife-t over concepts; `None` below three of them."""
    n: int
    """Turns behind it."""


def mean_score(turns: pd.DataFrame, score: str) -> Mean:
    """The mean of a score over turns that have one.

    Args:
        turns: one row per turn, with the columns concept and `score`.
        score: "far" or "sas".
    """
    known = turns[["concept", score]].dropna()
    if known.empty:
        return Mean(None, None, 0)
    sums = known.groupby("concept")[score].agg(["sum", "count"])
    total, n = float(sums["sum"].sum()), int(sums["count"].sum())
    return Mean(total / n, _ends(sums, total, n), n)


def _ends(sums: pd.DataFrame, total: float, n: int) -> tuple[float, float] | None:
    if len(sums) < 2:
        return None
    left_out = ((total - sums["sum"]) / (n - sums["count"])).to_numpy()
    try:
        interval = jackknife_t(total / n, left_out, scale="logit", trials=float(n))
    except ValueError:  # fewer than three concepts
        return None
    return interval.low, interval.high
