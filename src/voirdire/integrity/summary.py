"""What the audits of many responses say together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np

from voirdire.data.json_values import as_plain
from voirdire.integrity.auditors import cautions
from voirdire.integrity.panel import Decision, Unscored, finding_of
from voirdire.integrity.records import EstablishedFact
from voirdire.integrity.results import AuditedResponse
from voirdire.integrity.scoring import Charge
from voirdire.integrity.taxonomy import Taxonomy
from voirdire.stats import krippendorff_alpha
from voirdire.stats.agreement import Estimate, intraclass
from voirdire.text.counting import counted

DIVERGENCE = 10.0  # guide, "Comparison to Holistic Scoring": a second look above this
TOP = 10
NAMED = 5
"""Responses that a caution names."""
MIN_CASES = 3
"""Cases below which intervals can't be clustered by them: each response then counts by itself."""


_WITHOUT: dict[Unscored, tuple[str, str]] = {
    "empty": ("is empty", "are empty"),
    "refusal": ("declines to answer", "decline to answer"),
    "few_auditors": (
        "has no score: half of the panel or more gave no audit",
        "have no score: half of the panel or more gave no audit",
    ),
}


@dataclass(frozen=True, slots=True)
class Divergence:
    """A response whose score by deduction lies far from the one by impression."""

    id: str
    score: int
    holistic: float


@dataclass(slots=True)
class Summary:
    """Counts over responses; memory does not grow with their number beyond one small row each."""

    taxonomy: Taxonomy
    responses: int = 0
    unscored: Counter[Unscored] = field(default_factory=Counter)
    """Responses without a score, by why."""
    provisional: bool = True
    types: Counter[str] = field(default_factory=Counter)
    """Violations by type: those that are charged, and what rules alone suggest."""
    facts: Counter[str] = field(default_factory=Counter)
    """Responses in which a fact is violated or left out, by its text."""
    bands: Counter[str] = field(default_factory=Counter)
    scores: list[int] = field(default_factory=list)
    per_auditor: dict[str, list[float]] = field(default_factory=dict)
    """Each auditor's score of every response, NaN where it gave none."""
    void: Counter[str] = field(default_factory=Counter)
    """Findings that could not be verified, by auditor."""
    missing: Counter[str] = field(default_factory=Counter)
    """Audits that could not be had, by auditor."""
    marked: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Findings of two auditors together, in responses that both have audited."""
    shared: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Findings that two auditors have in common."""
    divergent: list[Divergence] = field(default_factory=list)
    addressing: list[str] = field(default_factory=list)
    """Ids of responses that speak to their auditors, or imitate a verdict, a role or a fence."""
    echoes: list[tuple[str, str, str]] = field(default_factory=list)
    """(id, auditor, words) of findings that repeat such words, or say that they follow them."""
    left_out: int = 0
    """Scored responses in which an auditor found something that no majority shares."""
    empty_seats: int = 0
    """Scored responses that an auditor of the panel gave no audit of."""
    compared: int = 0
    """Responses with a holistic score beside their own."""

    def add(self, audited: AuditedResponse) -> None:
        """Count one response."""
        self.responses += 1
        self.provisional &= audited.provisional
        self._count_auditors(audited.decision)
        if audited.injection_signs.addresses:
            self.addressing.append(audited.item.id)
        self.echoes += [(audited.item.id, auditor, words) for auditor, words in audited.injection_signs.echoes]
        consensus = audited.decision.consensus
        self._count_findings(audited)
        if audited.decision.unscored is not None:
            self.unscored[audited.decision.unscored] += 1
        if consensus is None:
            return
        self.scores.append(consensus.score)
        self.left_out += bool(audited.decision.left_out)
        self.empty_seats += any(audit.missing is not None for audit in audited.decision.audits)
        self.bands[consensus.band.name] += 1
        if audited.item.holistic is not None:
            self.compared += 1
            if abs(consensus.score - audited.item.holistic) > DIVERGENCE:
                self.divergent.append(Divergence(audited.item.id, consensus.score, audited.item.holistic))

    def _count_findings(self, audited: AuditedResponse) -> None:
        findings = audited.decision.findings
        self.types.update(charge.type.name for charge in findings if charge.penalty)
        texts = {fact.id: fact.text for fact in audited.item.facts}
        self.facts.update({texts.get(name, name) for name in _affected_facts(findings, audited.item.facts)})

    def _count_auditors(self, decision: Decision) -> None:
        for audit in decision.requested_audits:
            own = decision.scores.get(audit.auditor)
            self.per_auditor.setdefault(audit.auditor, []).append(float("nan") if own is None else float(own.score))
            self.void[audit.auditor] += len(audit.voided)
            self.missing[audit.auditor] += audit.missing is not None
        self._count_shared(decision)

    def _count_shared(self, decision: Decision) -> None:
        findings = {
            audit.auditor: {finding_of(violation, self.taxonomy) for violation in audit.violations}
            for audit in decision.requested_audits
            if audit.missing is None
        }
        for one, other in combinations(findings, 2):
            self.shared[one, other] += len(findings[one] & findings[other])
            self.marked[one, other] += len(findings[one]) + len(findings[other])

    def positive_agreement(self) -> list[dict[str, Any]]:
        """Of two auditors' findings, twice those in common over all: 1 if they mark the same, 0 if nothing alike.

        Agreement on what is no violation is left out: there is no end of it (Cicchetti and Feinstein,
        doi:10.1016/0895-4356(90)90159-M).
        """
        return [
            {
                "auditors": list(pair),
                "shared": count,
                "positive_agreement": 2 * count / self.marked[pair] if self.marked[pair] else None,
            }
            for pair, count in self.shared.items()
        ]

    @property
    def cautions(self) -> list[str]:
        """What must be said beside these numbers, for the sake of who audited."""
        return [*self.panel_cautions, *self.unscored_cautions]

    @property
    def panel_cautions(self) -> list[str]:
        """Cautions about the auditors, and about what was said to them."""
        return [*cautions(self.per_auditor), *self._partial_panel_cautions(), *self._addressed_cautions()]

    @property
    def unscored_cautions(self) -> list[str]:
        """How many responses have no score, a sentence for each reason."""
        sentences = []
        for why, reads in _WITHOUT.items():
            if number_of := self.unscored[why]:
                left_out = "It is" if number_of == 1 else "They are"
                unsent = "" if why == "few_auditors" else ", and not sent to any auditor"
                sentences.append(
                    f"{counted(number_of, 'response')} of {self.responses:,} {reads[number_of != 1]}. "
                    f"{left_out} left out of every score{unsent}."
                )
        return sentences

    def _partial_panel_cautions(self) -> list[str]:
        sentences = []
        scored = counted(len(self.scores), "scored response")
        if self.left_out:
            sentences.append(
                f"In {self.left_out:,} of {scored} an auditor found something that the panel's rule leaves out of the "
                "score, as no majority shares it."
            )
        if self.empty_seats:
            sentences.append(
                f"In {self.empty_seats:,} of {scored} an auditor gave no audit: the others alone made the score."
            )
        return sentences

    def _addressed_cautions(self) -> list[str]:
        if not self.addressing and not self.echoes:
            return []
        swayed = f"; findings of {len(self.echoes)} repeat that: read them" if self.echoes else ""
        named = ", ".join(dict.fromkeys([*(each for each, *_ in self.echoes), *self.addressing][:NAMED]))
        speak = counted(len(self.addressing), "response speaks", "responses speak")
        return [f"{speak} to whoever audits them ({named or 'none'}){swayed}."]

    def agreement(self) -> dict[str, Estimate] | None:
        """ICC(2,1) and Krippendorff's alpha of the auditors' scores; `None` with fewer than two auditors.

        Both are NaN where they are undefined: fewer than two responses, say, or all scores equal.
        """
        if len(self.per_auditor) < 2 or self.responses < 2:
            return None
        ratings = np.array(list(self.per_auditor.values()), dtype=np.float64).T
        return {
            "ICC(2,1)": intraclass(ratings).icc_2_1,
            "alpha, interval": krippendorff_alpha(ratings, "interval"),
        }

    def distribution(self) -> list[dict[str, Any]]:
        """Share of responses per band beside the share that the guide expects; nothing where none has a score."""
        scored = len(self.scores)
        if not scored:
            return []
        return [
            {
                "band": band.name,
                "range": band.range,
                "responses": self.bands[band.name],
                "pct": 100 * self.bands[band.name] / scored,
                "target_pct": list(band.target_pct),
            }
            for band in self.taxonomy.bands
        ]

    @property
    def ranked_facts(self) -> list[tuple[str, int]]:
        """The facts by the number of responses in which they are violated or left out; ties by their text."""
        return sorted(self.facts.items(), key=lambda each: (-each[1], each[0]))

    @property
    def ranked_types(self) -> list[tuple[str, int]]:
        """The types of violations by number; ties by what they cost, the dearest first."""
        return sorted(self.types.items(), key=lambda each: (-each[1], -self.taxonomy.types[each[0]].penalty, each[0]))

    @property
    def judged(self) -> int:
        """Responses that `types` speaks of: those with a score; without any score, those that rules looked at."""
        return len(self.scores) or self.unscored["rules_alone"]

    def as_dict(self) -> dict[str, Any]:
        """Everything, ready for JSON."""
        agreement = self.agreement()
        rows = np.array(list(self.per_auditor.values()), dtype=np.float64)
        shared = rows[:, ~np.isnan(rows).any(axis=0)] if rows.size else rows
        return {
            "responses": self.responses,
            "unscored": dict(self.unscored),
            "refusals": self.unscored["refusal"],
            "empty": self.unscored["empty"],
            "left_out": self.left_out,
            "empty_seats": self.empty_seats,
            "provisional": self.provisional,
            "cautions": self.cautions,
            "mean_score": float(np.mean(self.scores)) if self.scores else None,
            "median_score": float(np.median(self.scores)) if self.scores else None,
            "distribution": self.distribution(),
            "types": dict(self.ranked_types),
            "most_violated_facts": dict(self.ranked_facts[:TOP]),
            "agreement": as_plain(agreement),
            "finding_agreement": self.positive_agreement(),
            "addressing": self.addressing,
            "echoes": [{"id": item, "auditor": auditor, "words": words} for item, auditor, words in self.echoes],
            "auditors": [
                {
                    "auditor": name,
                    "mean_score": float(np.mean(scores)) if len(scores) else None,
                    "scored_by_all": len(scores),
                    "voided_findings": self.void[name],
                    "missing": self.missing[name],
                }
                for name, scores in zip(self.per_auditor, shared, strict=True)
            ],
            "holistic": {
                "compared": self.compared,
                "divergent": [
                    {"id": each.id, "score": each.score, "holistic": each.holistic} for each in self.divergent
                ],
            },
        }


def _affected_facts(findings: Sequence[Charge], facts: Sequence[EstablishedFact]) -> set[str]:
    """Ids of the facts that a response violates or leaves out; omissions are charged once, and each counts here."""
    irrelevant = {fact.id for fact in facts if not fact.relevant}
    return {
        charge.violation.fact
        for charge in findings
        if charge.violation.fact is not None
        and (charge.penalty or charge.dropped is not None)
        and not (charge.type.rung is not None and charge.violation.fact in irrelevant)
    }


def top_with_ties(ranked: Sequence[tuple[str, int]], places: int) -> list[tuple[str, int]]:
    """The first `places` of what is ranked by count, and all that tie with the last of them."""
    return [each for each in ranked if each[1] >= ranked[min(places, len(ranked)) - 1][1]]


def summarise(audits: Iterable[AuditedResponse], taxonomy: Taxonomy) -> Summary:
    """Count responses, one after the other."""
    summary = Summary(taxonomy)
    for audited in audits:
        summary.add(audited)
    return summary


def case_groups(audits: Sequence[AuditedResponse]) -> list[int]:
    """The cluster of each response for intervals: its case, which is its facts; itself with fewer than `MIN_CASES`."""
    cases = {facts: number for number, facts in enumerate(dict.fromkeys(each.item.source_facts for each in audits))}
    if len(cases) < MIN_CASES:
        return list(range(len(audits)))
    return [cases[each.item.source_facts] for each in audits]
