"""An audit's tables: responses, the violations that stand, and what each auditor said."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from voirdire.integrity.results import AuditedResponse, read_audits
from voirdire.runs import typed_frame

if TYPE_CHECKING:
    import pandas as pd

_RESPONSES = (
    *("id", "context", "response", "score", "band", "provisional", "unscored", "pervasive", "minor", "moderate"),
    *("severe", "deduplicated_score", "per_100_words", "median_score", "holistic", "auditors_left_out", "empty_seats"),
)
_VIOLATIONS = (
    *("id", "type", "severity", "penalty", "sentence", "span", "fact", "reason", "source", "confidence", "dropped"),
)
_AUDITS = ("id", "auditor", "score", "violations", "voided", "missing", "repairs")
TABLES = ("responses", "violations", "audits")


def audit_frames(path: Path) -> dict[str, pd.DataFrame]:
    """The tables of a run, by name."""
    responses: list[dict[str, Any]] = []
    violations: list[dict[str, Any]] = []
    audits: list[dict[str, Any]] = []
    for audited in read_audits(path):
        own = {"id": audited.item.id}
        responses.append(own | _response(audited))
        violations += [own | charge.as_dict() for charge in audited.decision.findings]
        audits += [own | each | {"voided": len(each["voided"])} for each in audited.decision.as_dict()["auditors"]]
    return {
        "responses": typed_frame(responses, _RESPONSES),
        "violations": typed_frame(violations, _VIOLATIONS),
        "audits": typed_frame(audits, _AUDITS),
    }


def _response(audited: AuditedResponse) -> dict[str, Any]:
    item, decision, score = audited.item, audited.decision, audited.decision.consensus
    row = {
        "context": item.context,
        "response": item.response,
        "provisional": audited.provisional,
        "unscored": decision.unscored,
        "median_score": decision.median,
        "holistic": item.holistic,
        "auditors_left_out": len(decision.left_out),
        "empty_seats": sum(audit.missing is not None for audit in decision.audits),
    }
    if score is None:
        return row
    scored = {name: getattr(score, name) for name in ("score", "pervasive", "deduplicated_score", "per_100_words")}
    return row | scored | score.counts | {"band": score.band.name}
