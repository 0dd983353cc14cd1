"""What answers are made of: types and tiers of statements, as shares and as counts per answer (CogniBench 4.3, 4.4)."""

from __future__ import annotations

import numpy as np
import pandas as pd

from voirdire.cognibench.dynamics._estimates import Estimate, mean, share
from voirdire.cognibench.dynamics.rows import CLAIMS, TYPES, Rows
from voirdire.detectors.records import LABELS, type_of

POSITION_BINS = 5


def type_shares(rows: Rows) -> dict[str, Estimate]:
    """Share of each type among all labelled statements."""
    return {kind: share(rows.statements["type"] == kind, rows.statements["group"]) for kind in TYPES}


def cognitive_share(rows: Rows) -> Estimate:
    """Share of cognitive statements among the factual and cognitive ones: the base of the paper's figures (4.7)."""
    claims = rows.statements[rows.statements["type"].isin(CLAIMS)]
    return share(claims["type"] == "cognitive", claims["group"])


def tier_shares(rows: Rows) -> dict[str, Estimate]:
    """Share of each label among the statements of its type: invented among factual, and so on."""
    found: dict[str, Estimate] = {}
    for label in LABELS:
        if type_of(label) in CLAIMS:
            own = rows.statements[rows.statements["type"] == type_of(label)]
            found[label] = share(own["label"] == label, own["group"])
    return found


def per_answer(rows: Rows) -> dict[str, Estimate]:
    """Average number of factual and of cognitive statements in an answer (CogniBench, Fig. 5)."""
    return {kind: average(rows, rows.statements["type"] == kind) for kind in CLAIMS}


def average(rows: Rows, which: pd.Series[bool]) -> Estimate:
    """Average number of these statements in an answer; answers without any count as 0."""
    return mean(counted(rows, which), rows.answers["group"])


def counted(rows: Rows, which: pd.Series[bool]) -> pd.Series[int]:
    """How many of these statements each answer has, in the order of `rows.answers`."""
    counts = rows.statements[which].groupby("answer").size()
    return counts.reindex(rows.answers["answer"], fill_value=0)


def by_position(rows: Rows, bins: int = POSITION_BINS) -> list[tuple[float, float, Rows]]:
    """Cut answers into equal parts by relative position: start, end in [0, 1], and the statements there.

    A statement lies where its middle does: (place + 1/2) / number of sentences. All answers stay in every part, so
    that averages per answer are of all of them.
    """
    where = np.minimum((rows.statements["position"] * bins).astype(int), bins - 1)
    return [
        (part / bins, (part + 1) / bins, Rows(rows.statements[where == part], rows.answers)) for part in range(bins)
    ]
