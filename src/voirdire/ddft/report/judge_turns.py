"""Where judges differ: single turns, and turns by their number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import pandas as pd

_TURN = ["run", "dialogue", "turn"]


class Apart(NamedTuple):
    """A turn on which judges are far apart."""

    run: str
    dialogue: str
    model: str
    concept: str
    level: float
    turn: int
    far: float | None
    """Between the highest and the lowest FAR; `None` where fewer than two judges gave one."""
    sas: float | None
    scores: Mapping[str, tuple[float | None, float | None]]
    """FAR and SAS by judge."""


def furthest_apart(verdicts: pd.DataFrame, judges: Sequence[str], most: int) -> list[Apart]:
    """The turns on which the judges' scores lie furthest apart: by the larger of the two ranges, then by their sum.

    Args:
        verdicts: one row per turn and judge, with run and dialogue.
        judges: who counts.
        most: how many turns.
    """
    grouped = verdicts[verdicts["judge"].isin(judges)].groupby(_TURN, sort=False)
    ranges = pd.DataFrame({score: grouped[score].max() - grouped[score].min() for score in ("far", "sas")})
    ranges[grouped[["far", "sas"]].count() < 2] = float("nan")
    known = ranges.dropna(how="all")
    order = pd.DataFrame({"largest": known.max(axis=1), "sum": known.sum(axis=1)}).round(9)
    first = order[order["largest"] > 0].sort_values(["largest", "sum"], ascending=False, kind="stable").index[:most]
    by_turn = verdicts.set_index(_TURN).sort_index()
    return [_apart(at, ranges.loc[at], by_turn.loc[[at]]) for at in first]


def shifts_by_turn(verdicts: pd.DataFrame, judges: Sequence[str], score: str) -> pd.DataFrame:
    """How much higher each judge scores than the mean of the others, by number of the turn.

    Args:
        verdicts: one row per turn and judge, with run and dialogue.
        judges: in order.
        score: "far" or "sas".

    Returns:
        Judges as rows, turns as columns; NaN where a judge shares no turn with another.
    """
    table = verdicts.pivot(index=_TURN, columns="judge", values=score).reindex(columns=list(judges))
    count, total = table.notna().sum(axis=1), table.sum(axis=1)
    others = table.rsub(total, axis=0).div((count - 1).where(count > 1), axis=0)
    return (table - others).groupby(level="turn").mean().T


def _apart(at: Any, ranges: pd.Series, rows: pd.DataFrame) -> Apart:
    first = rows.iloc[0]
    scores = {str(row["judge"]): (_known(row["far"]), _known(row["sas"])) for row in rows.to_dict("records")}
    run, dialogue, turn = at
    return Apart(
        run,
        dialogue,
        first["model"],
        first["concept"],
        float(first["level"]),
        int(turn),
        _known(ranges["far"]),
        _known(ranges["sas"]),
        scores,
    )


def _known(value: Any) -> float | None:
    return None if pd.isna(value) else float(value)
