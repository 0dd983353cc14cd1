"""The turns of a cross-examination, as its jury scored them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from voirdire.ddft.crosscheck.records import key_of
from voirdire.ddft.folders import open_examination
from voirdire.ddft.judging import juries_in
from voirdire.ddft.tables import build_tables
from voirdire.raters.machine.records import Machine, Unit, live_items, matched
from voirdire.raters.records import Project, RatersError

if TYPE_CHECKING:
    import pandas as pd

At = tuple[str, int]


def read_turns(project: Project, run: Path, jury: str | None) -> Machine:
    """Every turn of a run that has an answer.

    Raises:
        RatersError: no turn has been judged yet, or no such jury has judged the run.
        RunFolderError: there is no run, or its manifest is damaged.
    """
    with open_examination(run, read_only=True) as folder:
        juries = juries_in(folder.journal)
        tables = build_tables(folder.journal)
    if tables.scores.empty or not juries:
        raise RatersError(f"No turn of {run} has been judged yet; go on with the run first.")
    chosen = next(iter(juries)) if jury is None else jury
    if chosen not in juries:
        raise RatersError(f"No jury {chosen!r} has judged {run}; there are {', '.join(juries)}.")
    scores, verdicts = (frame[frame["jury"] == chosen] for frame in (tables.scores, tables.verdicts))
    units = _units(tables.turns, _consensus(scores), _verdicts(verdicts))
    banner = juries[chosen].get("banner")
    found, unmatched = matched(project, units, {name: name for name in live_items(project)})
    return Machine(
        task="ddft",
        run=run,
        by=chosen,
        judges=tuple(juries[chosen]["judges"]),
        units=found,
        unmatched=unmatched,
        notes=() if banner is None else (banner,),
    )


def _units(
    turns: pd.DataFrame, consensus: Mapping[At, Mapping[str, Any]], judges: Mapping[At, Mapping[str, Any]]
) -> list[Unit]:
    units = []
    for row in turns[turns["answer"].notna()].to_dict("records"):
        at = str(row["dialogue"]), int(row["turn"])
        key = key_of(*at, row["answer"])
        units.append(
            Unit(
                id=key,
                document=key,
                group=row["concept"],
                dialogue=at[0],
                model=row["model"],
                turn=at[1],
                level=float(row["level"]),
                consensus=consensus.get(at),
                judges=judges.get(at, {}),
            )
        )
    return units


def _consensus(scores: pd.DataFrame) -> dict[At, Mapping[str, Any]]:
    rows = scores[scores["unscored"].isna()].to_dict("records")
    return {(str(row["dialogue"]), int(row["turn"])): _value(row) for row in rows}


def _verdicts(verdicts: pd.DataFrame) -> dict[At, dict[str, Mapping[str, Any]]]:
    found: dict[At, dict[str, Mapping[str, Any]]] = {}
    for row in verdicts[verdicts["missing"].isna()].to_dict("records"):
        found.setdefault((str(row["dialogue"]), int(row["turn"])), {})[row["judge"]] = _value(row)
    return found


def _value(row: Mapping[Any, Any]) -> dict[str, Any]:
    """A verdict in the form of the task's ratings."""
    stance = row["stance"]
    return {
        "far": _number(row["far"]),
        "sas": _number(row["sas"]),
        "no_claims": bool(row["no_claims"]),
        "stance": stance if isinstance(stance, str) else None,
    }


def _number(value: Any) -> float | None:
    return None if value is None or math.isnan(value) else float(value)
