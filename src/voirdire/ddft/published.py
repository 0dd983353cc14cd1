"""The scores of the published study, as the package holds them (the texts it does not hold)."""

from __future__ import annotations

from functools import cache
from io import StringIO

import pandas as pd

from voirdire.data import packaged_files

JUDGES = ("gpt-5.1", "deepseek-v3.1", "claude-opus-4-1")  # DDFT 4.4, in the paper's order
CELL = ["model", "concept", "level", "turn"]


@cache
def _table() -> pd.DataFrame:
    return pd.read_csv(StringIO(packaged_files.read_text("published/ddft_turns.csv")), dtype={"giveaway": "str"})


def published_turns() -> pd.DataFrame:
    """One row per turn of the 1,800: model, concept, level, turn; `far_JUDGE` and `sas_JUDGE` of three judges; the
    published consensus `far` and `sas`; and of the texts `question_words`, `names_concept`, `giveaway` (the word that
    gives the trap away, NaN where there is none; turns 4 and 5), `says_fictional`, `answer_chars` and `asks` (what is
    meant, by rule).
    """  # noqa: D205
    return _table().copy()


def published_scores() -> pd.DataFrame:
    """The published consensus, as `profiles` takes it: no stances are known, and no answer counts as without claims."""
    return scores_of(published_turns())


def scores_of(turns: pd.DataFrame) -> pd.DataFrame:
    """The consensus of a table like `published_turns`, as `profiles` takes it."""
    unscored = turns["sas"].isna().map({True: "the release has no consensus", False: None}).astype("object")
    known = {"sample": 0, "no_claims": False, "stance": None, "unscored": unscored.where(turns["sas"].isna(), None)}
    return turns[[*CELL, "far", "sas"]].assign(**known)


def published_verdicts() -> pd.DataFrame:
    """One row per turn and judge: model, concept, level, sample, turn, judge, far, sas (NaN where missing)."""
    turns = published_turns()
    per_judge = [
        turns[CELL].assign(sample=0, judge=judge, far=turns[f"far_{judge}"], sas=turns[f"sas_{judge}"])
        for judge in JUDGES
    ]
    return pd.concat(per_judge).sort_values([*CELL, "judge"]).reset_index(drop=True)
