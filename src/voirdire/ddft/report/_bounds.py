"""Where a score starts to be worth a reader's attention. The danger zone is the profile's own."""

from __future__ import annotations

import pandas as pd

from voirdire.ddft._cells import DANGER_FAR, DANGER_SAS
from voirdire.records import SCORE_DECIMALS

__all__ = ["APART", "DANGER_FAR", "DANGER_SAS", "LOW_FAR", "in_danger_zone"]

APART = 0.3
"""Between two judges' FAR: more than one of the rubric's bands (DDFT B.2)."""

LOW_FAR = 0.5
"""At most this is more wrong than right by the rubric (DDFT B.2)."""


def _rounded(scores: pd.Series) -> pd.Series:
    result: pd.Series = scores.astype("float64").round(SCORE_DECIMALS)
    return result


def in_danger_zone(turns: pd.DataFrame) -> pd.Series:
    """Which turns are fluent and wrong (DDFT 8.2.3); a turn that lacks a score is not."""
    inside: pd.Series = (_rounded(turns["sas"]) > DANGER_SAS) & (_rounded(turns["far"]) < DANGER_FAR)
    return inside
