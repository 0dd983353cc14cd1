"""The paper's numbers beside recomputed ones: the abstract, sections 4.2 to 4.7, and tables 1, 2, 3 and 5."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import pandas as pd

from voirdire.cognibench.dynamics.estimates import (
    CLAIMS,
    DynamicsEstimate,
    Rows,
    estimate_from_sums,
    rows_of,
    sums_by_group,
)
from voirdire.cognibench.dynamics.report import Dynamics, examine
from voirdire.data.json_values import as_plain
from voirdire.detectors.records import Answer
from voirdire.papers.claims import ClaimOutcome, ClaimVerdict, bind, check_claims, count_verdicts
from voirdire.papers.cognibench import arithmetic, labelled
from voirdire.papers.cognibench.study import KINDS, Paper, Study, load_paper

VERDICTS = (
    ClaimVerdict.NOT_REPRODUCED,
    ClaimVerdict.NOT_CONSISTENT,
    ClaimVerdict.UNDECIDED,
    ClaimVerdict.NOT_CHECKABLE,
    ClaimVerdict.OTHER_DEFINITION,
    ClaimVerdict.CONSISTENT,
    ClaimVerdict.REPRODUCED,
)
BASELINES = ("everything", "every cognitive statement", "every turn but the first")


class Baseline(NamedTuple):
    """F1 in [0, 1], counted in words, of a rule that reads nothing: the paper's F1 must be read beside it (4.1)."""

    flags: str
    overall: DynamicsEstimate
    factual: DynamicsEstimate
    cognitive: DynamicsEstimate

    def as_dict(self) -> dict[str, Any]:
        """The figures as plain values."""
        return {"flags": self.flags, **{name: getattr(self, name).as_dict() for name in ("overall", *CLAIMS)}}


@dataclass(frozen=True, slots=True)
class Replication:
    """What recomputing gives."""

    claims: tuple[ClaimOutcome[Study], ...]
    """In the order of the packaged record of the paper."""
    table_3: tuple[dict[str, Any], ...]
    """Each row with the mean of its types, and the weight of the cognitive that its overall needs."""
    baselines: tuple[Baseline, ...]
    labelled: int
    """Labelled responses in the data."""
    dynamics: Dynamics
    paper: Paper

    @property
    def counts(self) -> dict[str, int]:
        """How many claims got each verdict."""
        return count_verdicts(self.claims, VERDICTS)

    def as_dict(self) -> dict[str, Any]:
        """Everything as plain values that JSON can hold: `None` for what is undefined, never NaN."""
        return {
            "claims": as_plain(self.claims),
            "counts": self.counts,
            "rule": self.paper.rule,
            "assumed": self.paper.assumed,
            "table_3": list(self.table_3),
            "trivial_baselines": as_plain(self.baselines),
            "labelled_responses": self.labelled,
            "cautions": self.dynamics.cautions,
        }


def replicate(answers: Sequence[Answer]) -> Replication:
    """Put every claim of the paper to its own numbers and to these answers, with "grounded" as the requirement (4.4).

    Args:
        answers: CogniBench's release, or a part of it.

    Raises:
        CognibenchError: nothing is labelled.
    """
    paper, rows, dynamics = load_paper(), rows_of(answers), examine({"data": answers})
    study = Study(answers, rows, dynamics, paper)
    claims = bind(paper.claims, {**arithmetic.RESULTS, **labelled.RESULTS})
    return Replication(
        claims=check_claims(claims, study),
        table_3=tuple(_table_3(paper)),
        baselines=tuple(baselines(rows)),
        labelled=len(rows.answers),
        dynamics=dynamics,
        paper=paper,
    )


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


def _f1(statements: pd.DataFrame, flagged: pd.Series[bool], which: pd.Series[bool]) -> DynamicsEstimate:
    own, marks = statements[which], flagged[which]
    words, gold = own["words"], own["hallucinated"]
    sums = sums_by_group(own["group"], words * (marks & gold), words * marks, words * gold)
    return estimate_from_sums(
        sums, lambda total: 2 * total[..., 0] / (total[..., 1] + total[..., 2]), n=len(own), scale="logit"
    )


def _table_3(paper: Paper) -> Iterator[dict[str, Any]]:
    for row in paper.tables["3"]:
        printed = {kind: float(row[kind]) for kind in KINDS}
        yield {
            "method": row["method"],
            **printed,
            "macro": arithmetic.macro(row),
            "cognitive_weight": arithmetic.cognitive_weight(*(printed[kind] for kind in KINDS)),
        }
