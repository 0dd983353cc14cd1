"""Several auditors: what a majority of them finds, and how far their scores lie apart."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from voirdire.data.json_values import as_plain
from voirdire.integrity.auditing import RULES, Audit
from voirdire.integrity.records import EstablishedFact, Violation
from voirdire.integrity.scoring import Charge, Critical, IntegrityScore, score
from voirdire.integrity.taxonomy import Taxonomy, ViolationType
from voirdire.integrity.unanswered import Unanswered, unanswered_reason
from voirdire.reason_codes import Reason, declare, reason
from voirdire.text.counting import counted

Finding = tuple[int | None, str | None, str]
"""Sentence, fact, family: auditors who agree on these have found the same."""
Unscored = Literal["rules_alone", "few_auditors"] | Unanswered
"""Why a response has no score."""

declare(
    {
        "findings_left_out": "{hits} of {present} auditors ({names:label}) found something; the panel's rule leaves "
        "it out, as no majority shares it",
        "empty_seats": "{missing} of {seats} auditors ({names:label}) gave no audit",
    }
)


@dataclass(frozen=True, slots=True)
class Scoring:
    """How a score is made: the taxonomy, and what the guide leaves open."""

    taxonomy: Taxonomy
    critical: Critical = "sum"
    editorializing: int = 0

    def score(
        self, violations: Sequence[Violation], facts: Sequence[EstablishedFact], response: str | None
    ) -> IntegrityScore:
        """Score a response (see `integrity.score`)."""
        return score(
            violations,
            facts,
            response=response,
            taxonomy=self.taxonomy,
            critical=self.critical,
            editorializing=self.editorializing,
        )


@dataclass(frozen=True, slots=True)
class Decision:
    """What a panel decided on one response."""

    audits: tuple[Audit, ...]
    scores: Mapping[str, IntegrityScore]
    """By auditor, of those that are present; none where the response can't be judged, or rules alone have looked."""
    consensus: IntegrityScore | None
    """By the violations that a majority of those present found; `None` where there is no score."""
    unscored: Unscored | None = None
    """Why there is none."""
    findings: tuple[Charge, ...] = ()
    """What was found, with a score or without one: by rules alone they are suggestions, and nothing is subtracted."""
    left_out: Mapping[str, int] = field(default_factory=dict)
    """By auditor: how many of its findings no majority shares, so that they cost nothing."""

    @property
    def requested_audits(self) -> tuple[Audit, ...]:
        """Audits that were asked for: none of a response that is empty or declines to answer."""
        return () if self.unscored in ("empty", "refusal") else self.audits

    def finding_counts(self, auditor: str) -> tuple[int, int]:
        """What an auditor found that costs points: how many violations without omissions, and how many omissions.

        All that a response leaves out is one omission. Where rules alone have looked, it is what they suggest.
        """
        own = self.scores.get(auditor)
        charges = self.findings if self.unscored == "rules_alone" else () if own is None else own.charges
        omissions = [charge.type.rung is not None for charge in charges if charge.penalty]
        return omissions.count(False), omissions.count(True)

    @property
    def remarks(self) -> tuple[Reason, ...]:
        """What must be said beside the score: auditors who found more than is charged, and empty seats."""
        if self.consensus is None:
            return ()
        finders = tuple(self.left_out)
        missing = tuple(audit.auditor for audit in self.audits if audit.missing is not None)
        seats = len(self.audits)
        reasons = []
        if finders:
            present = seats - len(missing)
            reasons.append(reason("findings_left_out", hits=len(finders), present=present, names=finders))
        if missing:
            reasons.append(reason("empty_seats", missing=len(missing), seats=seats, names=missing))
        return tuple(reasons)

    @property
    def why(self) -> str:
        """Why there is no score, in words; empty where there is one."""
        if self.unscored is None:
            return ""
        present = sum(audit.missing is None for audit in self.audits)
        return {
            "empty": "the response is empty",
            "refusal": "the response declines to answer",
            "rules_alone": "not judged: only rules have looked",
            "few_auditors": f"{present} of {counted(len(self.audits), 'auditor')} gave an audit",
        }[self.unscored]

    @property
    def median(self) -> float | None:
        """Of the auditors' own scores: the consensus by score, beside that by violations."""
        values = [each.score for each in self.scores.values()]
        return float(statistics.median(values)) if values and self.consensus is not None else None

    def as_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "consensus": as_plain(self.consensus),
            "median_score": self.median,
            "unscored": self.unscored,
            "why": self.why,
            "remarks": [each.as_dict() for each in self.remarks],
            "auditors": [
                {
                    "auditor": audit.auditor,
                    "score": self.scores[audit.auditor].score if audit.auditor in self.scores else None,
                    "violations": self.finding_counts(audit.auditor)[0],
                    "omissions": self.finding_counts(audit.auditor)[1],
                    "left_out": self.left_out.get(audit.auditor, 0),
                    "voided": [{"finding": dict(void.finding), "why": void.why} for void in audit.voided],
                    "missing": audit.missing,
                    "repairs": audit.repairs,
                }
                for audit in self.requested_audits
            ],
        }


def decide(
    audits: Sequence[Audit], facts: Sequence[EstablishedFact], response: str | None, scoring: Scoring
) -> Decision:
    """The consensus of a panel on one response.

    A violation counts when more than half of the auditors present mark the same sentence, fact and family. A response
    has no score where half of the panel or more is missing, where it is empty or declines to answer, and where rules
    alone have looked: they suggest, and convict nobody.
    """
    present = [audit for audit in audits if audit.missing is None]
    nothing = unanswered_reason(response, facts)
    if nothing is not None:
        return Decision(tuple(audits), {}, None, nothing)
    scores = {audit.auditor: scoring.score(audit.violations, facts, response) for audit in present}
    if 2 * len(present) <= len(audits):
        return Decision(tuple(audits), {} if by_rules_alone(audits) else scores, None, "few_auditors")
    violations = [audit.violations for audit in present]
    agreed = majority(violations, scoring.taxonomy)
    consensus = scoring.score(agreed, facts, response)
    if by_rules_alone(audits):
        return Decision(tuple(audits), {}, None, "rules_alone", consensus.charges)
    alone = zip(present, count_outvoted(violations, scoring.taxonomy), strict=True)
    left_out = {audit.auditor: number for audit, number in alone if number}
    return Decision(tuple(audits), scores, consensus, None, consensus.charges, left_out)


def by_rules_alone(audits: Sequence[Audit]) -> bool:
    """Whether no model sits on the panel."""
    return all(audit.auditor == RULES for audit in audits)


def majority(violations: Sequence[Sequence[Violation]], taxonomy: Taxonomy) -> list[Violation]:
    """Violations that more than half of the auditors found, one for each; in the order in which they come up.

    Auditors who agree on sentence, fact and family may name different types of it (imprecise, vague): the commonest
    stands, of equally common ones the lightest. Where no fact is concerned, as with inventions, the claim takes its
    place: spans that share most of their words are one claim. What an auditor alone found stands as it is.
    """
    if len(violations) == 1:
        return list(violations[0])
    keyed = _with_claim_keys(violations, taxonomy)
    marked = [dict(reversed(each)) for each in keyed]
    agreed = []
    for key in dict.fromkeys(key for each in keyed for key, _ in each):
        same = [each[key] for each in marked if key in each]
        if 2 * len(same) > len(violations):
            agreed.append(_commonest(same, taxonomy))
    return agreed


def count_outvoted(violations: Sequence[Sequence[Violation]], taxonomy: Taxonomy) -> list[int]:
    """How many findings of each auditor `majority` leaves out."""
    if len(violations) == 1:
        return [0]
    marked = [{key for key, _ in each} for each in _with_claim_keys(violations, taxonomy)]
    votes = Counter(key for each in marked for key in each)
    return [sum(2 * votes[key] <= len(violations) for key in each) for each in marked]


def _with_claim_keys(
    violations: Sequence[Sequence[Violation]], taxonomy: Taxonomy
) -> list[list[tuple[tuple[Finding, int], Violation]]]:
    """Each auditor's violations with what makes them the same as another's: the finding, and which claim of it."""
    claims: dict[Finding, list[list[str]]] = {}

    def key(violation: Violation) -> tuple[Finding, int]:
        finding = finding_of(violation, taxonomy)
        if violation.fact is not None or violation.span is None:
            return finding, 0
        known = claims.setdefault(finding, [])
        for number, spans in enumerate(known):
            if any(_same_claim(violation.span, span) for span in spans):
                spans.append(violation.span)
                return finding, number
        known.append([violation.span])
        return finding, len(known) - 1

    return [[(key(violation), violation) for violation in each] for each in violations]


def _same_claim(one: str, other: str) -> bool:
    """Whether two spans of a sentence share at least half the words of the shorter."""
    first, second = set(one.casefold().split()), set(other.casefold().split())
    return 2 * len(first & second) >= min(len(first), len(second))


def finding_of(violation: Violation, taxonomy: Taxonomy) -> Finding:
    """What auditors must agree on to have found the same."""
    return violation.sentence, violation.fact, taxonomy.type_of(violation.type).family


def _commonest(same: Sequence[Violation], taxonomy: Taxonomy) -> Violation:
    named: Counter[str] = Counter(taxonomy.type_of(violation.type).name for violation in same)

    def rank(kind: ViolationType) -> tuple[int, int]:
        return -named[kind.name], kind.penalty

    chosen = min((taxonomy.types[name] for name in named), key=rank)
    return next(violation for violation in same if taxonomy.type_of(violation.type) == chosen)
