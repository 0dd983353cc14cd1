"""What flagging without looking already gives, beside which the paper's F1 must be read (CogniBench 4.1, Table 3)."""

from __future__ import annotations

from typing import Any, NamedTuple

import pandas as pd

from voirdire.cognibench.dynamics._estimates import Estimate, of_sums, sums_by_group
from voirdire.cognibench.dynamics.rows import CLAIMS, Rows

BASELINES = ("everything", "every cognitive statement", "every turn but the first")


class Baseline(NamedTuple):
    """F1 in [0, 1], counted in words, of a rule that reads nothing."""

    flags: str
    overall: Estimate
    factual: Estimate
    cognitive: Estimate

    def as_dict(self) -> dict[str, Any]:
        """The figures as plain values."""
        return {"flags": self.flags, **{name: getattr(self, name).as_dict() for name in ("overall", *CLAIMS)}}


def baselines(rows: Rows) -> list[Baseline]:
    """Score the trivial rules on the labels.

    F1 = 2 · hit / (flagged + labelled), in words; jackknife-t over groups on the logit scale.
    """
    statements = rows.statements
    flagged = (
        pd.Series(True, index=statements.index),
        statements["type"] == "cognitive",
        statements["turn"] > 0,
    )
    everywhere = pd.Series(True, index=statements.index)
    return [
        Baseline(
            name,
            _f1(statements, marks, everywhere),
            *(_f1(statements, marks, statements["type"] == kind) for kind in CLAIMS),
        )
        for name, marks in zip(BASELINES, flagged, strict=True)
    ]


def _f1(statements: pd.DataFrame, flagged: pd.Series[bool], which: pd.Series[bool]) -> Estimate:
    own, marks = statements[which], flagged[which]
    words, gold = own["words"], own["hallucinated"]
    sums = sums_by_group(own["group"], words * (marks & gold), words * marks, words * gold)
    return of_sums(sums, lambda total: 2 * total[..., 0] / (total[..., 1] + total[..., 2]), n=len(own), scale="logit")
