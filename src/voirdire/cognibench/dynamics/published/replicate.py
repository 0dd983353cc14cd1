"""The paper's numbers beside recomputed ones: the abstract, sections 4.2 to 4.7, and tables 1, 2, 3 and 5."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from voirdire.cognibench.dynamics.published import arithmetic, recomputed
from voirdire.cognibench.dynamics.published.paper import Paper, load_paper
from voirdire.cognibench.dynamics.published.trivial import Baseline, baselines
from voirdire.cognibench.dynamics.published.verdicts import RULE, VERDICTS, Claim, uncheckable
from voirdire.cognibench.dynamics.report import Dynamics, examine
from voirdire.cognibench.dynamics.rows import rows_of
from voirdire.data.plain import as_plain
from voirdire.detectors.records import Answer

ASSUMED = "Verdicts hold only where the data given are CogniBench's human-labelled release, or a part of it."

_LACKING = {
    "three-times": "Needs the other data sets; give them beside this one: voirdire cognibench stats DATA DATA2.",
    "table-3-scores": "What the detectors flagged is not released.",
    "table-3-sentence-level": "What the detectors flagged is not released; the two definitions can't both hold.",
    "log-linear": "The figure prints no numbers, and CogniDet's training is not released.",
    "gemini-cognitive": "Gemini-Pro's answers are not released.",
    "gemini-rate": "Gemini-Pro's answers are not released, and of which statements it is the rate is not said.",
    "claude-rate": (
        "Claude's answers are not released. The same paper finds fewer factual hallucinations, 13.9 %, in GPT-4's "
        "answers (4.4), though by human labels."
    ),
}


@dataclass(frozen=True, slots=True)
class Replication:
    """What recomputing gives."""

    claims: tuple[Claim, ...]
    """In the order of the packaged record of the paper."""
    table_3: tuple[dict[str, Any], ...]
    """Each row with the mean of its types, and the weight of the cognitive that its overall needs."""
    baselines: tuple[Baseline, ...]
    labelled: int
    """Labelled responses in the data."""
    found: Dynamics

    @property
    def counts(self) -> dict[str, int]:
        """How many claims got each verdict."""
        counts = Counter(claim.verdict for claim in self.claims)
        return {verdict: counts[verdict] for verdict in VERDICTS}

    def as_dict(self) -> dict[str, Any]:
        """Everything as plain values that JSON can hold: `None` for what is undefined, never NaN."""
        return {
            "claims": as_plain(self.claims),
            "counts": self.counts,
            "rule": RULE,
            "assumed": ASSUMED,
            "table_3": list(self.table_3),
            "trivial_baselines": as_plain(self.baselines),
            "labelled_responses": self.labelled,
            "cautions": self.found.cautions,
        }


def replicate(answers: Sequence[Answer]) -> Replication:
    """Put every claim of the paper to its own numbers and to these answers, with "grounded" as the requirement (4.4).

    Args:
        answers: CogniBench's release, or a part of it.

    Raises:
        CognibenchError: nothing is labelled.
    """
    paper = load_paper()
    rows, found = rows_of(answers), examine({"data": answers})
    data = recomputed.Data(answers, rows, found, paper)
    by_id = {claim.said.id: claim for claim in _claims(data, paper)}
    return Replication(
        claims=tuple(by_id[name] for name in paper.claims),
        table_3=tuple(_table_3(paper)),
        baselines=tuple(baselines(rows)),
        labelled=len(rows.answers),
        found=found,
    )


def _claims(data: recomputed.Data, paper: Paper) -> Iterator[Claim]:
    yield from arithmetic.claims(paper)
    yield from recomputed.claims(data)
    for name, why in _LACKING.items():
        yield uncheckable(paper.claims[name], why)


def _table_3(paper: Paper) -> Iterator[dict[str, Any]]:
    for row in paper.tables["3"]:
        printed = {kind: float(row[kind]) for kind in arithmetic.KINDS}
        yield {
            "method": row["method"],
            **printed,
            "macro": arithmetic.macro(row),
            "cognitive_weight": arithmetic.cognitive_weight(*(printed[kind] for kind in arithmetic.KINDS)),
        }
