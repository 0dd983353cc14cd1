"""The turns of a run that a jury has scored, as far as a crosscheck needs them: without profiles and validity."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from voirdire.ddft.crosscheck.records import CrosscheckError, key_of
from voirdire.ddft.folders import open_examination
from voirdire.ddft.judging import juries_in
from voirdire.ddft.kept import kept_concepts
from voirdire.ddft.tables import build_tables
from voirdire.records import Concept

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class JudgedRun:
    """A run under one jury."""

    jury: str
    turns: pd.DataFrame
    """One row per turn that has an answer and a score: question, answer, the score, and the turn's `key`."""
    answered: pd.DataFrame
    """One row per turn that has an answer, scored or not: what was said before a turn."""
    verdicts: pd.DataFrame
    """What each judge said."""
    concepts: Mapping[str, Concept]


def read_judged(path: Path, jury: str | None = None) -> JudgedRun:
    """Read a run, without calling anything.

    Args:
        path: of the run folder.
        jury: the id of the jury; `None` for the one the run was held with.

    Raises:
        CrosscheckError: no such jury has judged it.
        RunFolderError: there is no run, or its manifest is damaged or another instrument's.
    """
    with open_examination(path, read_only=True) as folder:
        juries = list(juries_in(folder.journal))
        tables, concepts = build_tables(folder.journal), kept_concepts(folder)
    if tables.scores.empty:
        raise CrosscheckError(f"No turn of {path} has been judged yet; go on with the run first.")
    chosen = juries[0] if jury is None else jury
    if chosen not in juries:
        raise CrosscheckError(f"No jury {chosen!r} has judged {path}; there are {', '.join(juries)}.")
    scores, verdicts = (frame[frame["jury"] == chosen] for frame in (tables.scores, tables.verdicts))
    answered = tables.turns[tables.turns["answer"].notna()]
    turns = answered.merge(
        scores[["dialogue", "turn", "far", "sas", "no_claims", "stance", "unscored"]], on=["dialogue", "turn"]
    )
    turns = turns[turns["unscored"].isna()].reset_index(drop=True)
    keys = [key_of(*row) for row in turns[["dialogue", "turn", "answer"]].itertuples(index=False)]
    return JudgedRun(chosen, turns.assign(key=keys), answered, verdicts, concepts)
