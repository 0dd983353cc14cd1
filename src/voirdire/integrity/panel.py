"""Several auditors: what a majority of them finds, and how far their scores lie apart."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from voirdire.integrity.auditing import Audit
from voirdire.integrity.records import EstablishedFact, Violation
from voirdire.integrity.scoring import Critical, IntegrityScore, score
from voirdire.integrity.taxonomy import Taxonomy, ViolationType

Finding = tuple[int | None, str | None, str]
"""Sentence, fact, family: auditors who agree on these have found the same."""


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
    """By auditor, of those that are present."""
    consensus: IntegrityScore | None
    """By the violations that a majority of those present found; `None` below the quorum."""
    unscored: str | None = None
    """Why there is no consensus."""

    @property
    def median(self) -> float | None:
        """Of the auditors' own scores: the consensus by score, beside that by violations."""
        values = [found.score for found in self.scores.values()]
        return float(statistics.median(values)) if values and self.consensus is not None else None

    def as_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "consensus": None if self.consensus is None else self.consensus.as_dict(),
            "median_score": self.median,
            "unscored": self.unscored,
            "auditors": [
                {
                    "auditor": audit.auditor,
                    "score": self.scores[audit.auditor].score if audit.auditor in self.scores else None,
                    "violations": len(audit.violations),
                    "voided": [{"finding": dict(void.finding), "why": void.why} for void in audit.voided],
                    "missing": audit.missing,
                    "repairs": audit.repairs,
                }
                for audit in self.audits
            ],
        }


def decide(
    audits: Sequence[Audit], facts: Sequence[EstablishedFact], response: str | None, scoring: Scoring
) -> Decision:
    """The consensus of a panel on one response.

    A violation counts when more than half of the auditors present mark the same sentence, fact and family. With half of
    the panel missing, or more, the response is unscored.

    Args:
        audits: of every auditor of the panel; missing ones say so.
        facts: established.
        response: for violations per 100 words.
        scoring: taxonomy and options.
    """
    present = [audit for audit in audits if audit.missing is None]
    scores = {audit.auditor: scoring.score(audit.violations, facts, response) for audit in present}
    if 2 * len(present) <= len(audits):
        why = f"{len(present)} of {len(audits)} auditors gave an audit"
        return Decision(tuple(audits), scores, None, why)
    agreed = majority([audit.violations for audit in present], scoring.taxonomy)
    return Decision(tuple(audits), scores, scoring.score(agreed, facts, response))


def majority(found: Sequence[Sequence[Violation]], taxonomy: Taxonomy) -> list[Violation]:
    """Violations that more than half of the auditors found, one for each; in the order in which they come up.

    Auditors who agree on sentence, fact and family may name different types of it (imprecise, vague): the commonest
    stands, of equally common ones the lightest. Where no fact is concerned, as with inventions, the claim takes its
    place: spans that share most of their words are one claim. What an auditor alone found stands as it is.
    """
    if len(found) == 1:
        return list(found[0])
    keyed = _keyed(found, taxonomy)
    marked = [dict(reversed(each)) for each in keyed]
    agreed = []
    for key in dict.fromkeys(key for each in keyed for key, _ in each):
        same = [each[key] for each in marked if key in each]
        if 2 * len(same) > len(found):
            agreed.append(_commonest(same, taxonomy))
    return agreed


def _keyed(
    found: Sequence[Sequence[Violation]], taxonomy: Taxonomy
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

    return [[(key(violation), violation) for violation in each] for each in found]


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
