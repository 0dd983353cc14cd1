"""What a run's auditors found, read from its notes: nothing is asked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from voirdire.data.json_values import as_plain
from voirdire.integrity.auditing import RULES, Audit, VoidFinding
from voirdire.integrity.facts import read_facts
from voirdire.integrity.hostile_answers import InjectionSigns, find_injection_signs
from voirdire.integrity.items import Item, read_items
from voirdire.integrity.panel import Decision, by_rules_alone, decide
from voirdire.integrity.records import Violation
from voirdire.integrity.snapshot import saved_plan
from voirdire.integrity.taxonomy import Taxonomy
from voirdire.runs import RunFolder


@dataclass(frozen=True)
class AuditedResponse:
    """A response and the panel's decision on it."""

    item: Item
    decision: Decision

    @property
    def provisional(self) -> bool:
        """Whether only rules have judged: they suggest, they never convict."""
        return by_rules_alone(self.decision.audits)

    @cached_property
    def injection_signs(self) -> InjectionSigns:
        """What the response says to its auditors, and who took it over; rules can't take anything over."""
        return find_injection_signs(
            self.item.response or "", [audit for audit in self.decision.audits if audit.auditor != RULES]
        )

    def as_dict(self) -> dict[str, Any]:
        """One line of output."""
        decision, consensus = self.decision, self.decision.consensus
        scored = {} if consensus is None else consensus.as_dict()
        coverage = decision.audits[0].coverage if len(decision.audits) == 1 else ()
        return {
            "id": self.item.id,
            "score": None if consensus is None else consensus.score,
            "band": None if consensus is None else consensus.band.name,
            "provisional": self.provisional,
            "unscored": decision.unscored,
            "why": decision.why,
            "violations": as_plain(decision.findings),
            "coverage": [dict(each) for each in coverage],
            "holistic": self.item.holistic,
            "detail": {name: value for name, value in scored.items() if name not in ("score", "band", "violations")},
            "remarks": [each.as_dict() for each in decision.remarks],
            "median_score": decision.median,
            "auditors": decision.as_dict()["auditors"],
            "injection_signs": self.injection_signs.as_dict(),
        }


def open_audits(path: Path) -> tuple[Taxonomy, Iterator[AuditedResponse]]:
    """The taxonomy of a run, and its responses as `read_audits` gives them."""
    with RunFolder.open(path, read_only=True) as folder:
        taxonomy = saved_plan(folder).scoring.taxonomy
    return taxonomy, read_audits(path)


def read_audits(path: Path) -> Iterator[AuditedResponse]:
    """Every response of a run that all its auditors have audited, in the order of the file; nothing is asked.

    Raises:
        RunFolderError: there is no run.
        IntegrityError: the run is of another instrument.
    """
    with RunFolder.open(path, read_only=True) as folder:
        plan = saved_plan(folder)
        scoring = plan.scoring
        for item in read_items(plan.responses, read_facts(plan.facts) if plan.facts is not None else []):
            bodies = [folder.journal.note_of(item.id, 0, audit_kind(name)) for name in plan.auditors]
            if all(body is not None for body in bodies):
                audits = [_audit(body) for body in bodies]
                if not plan.omissions:
                    audits = [_without_omissions(audit, scoring.taxonomy) for audit in audits]
                yield AuditedResponse(item, decide(audits, item.facts, item.response, scoring))


def _without_omissions(audit: Audit, taxonomy: Taxonomy) -> Audit:
    remaining = tuple(each for each in audit.violations if taxonomy.type_of(each.type).rung is None)
    return replace(audit, violations=remaining)


def audit_kind(auditor: str) -> str:
    """The kind of the note that holds an auditor's findings on a response."""
    return f"audit/{auditor}"


def audit_body(audit: Audit) -> dict[str, Any]:
    """The note that says what an auditor found."""
    return {
        "auditor": audit.auditor,
        "violations": as_plain(audit.violations),
        "voided": [{"finding": dict(void.finding), "why": void.why} for void in audit.voided],
        "coverage": [dict(each) for each in audit.coverage],
        "missing": audit.missing,
        "call_failed": audit.call_failed,
        "repairs": audit.repairs,
    }


def _audit(body: Mapping[str, Any]) -> Audit:
    return Audit(
        body["auditor"],
        tuple(Violation(**each) for each in body["violations"]),
        tuple(VoidFinding(each["finding"], each["why"]) for each in body["voided"]),
        tuple(body["coverage"]),
        body["missing"],
        body["call_failed"],
        body["repairs"],
    )
