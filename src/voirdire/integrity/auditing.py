"""What an auditor finds in a response, and checking it against the text: a quote that is not there is no evidence."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from voirdire.integrity.records import EstablishedFact, IntegrityError, Violation
from voirdire.integrity.taxonomy import Taxonomy
from voirdire.runs.prompt_fence import restore_control_tokens

RULES = "rules"
"""The name under which the rules are asked for and recorded."""

UNSPACED = "the rules can't compare this script, since no space separates its words"
"""Why they audit no response in Chinese, Japanese, Thai, Lao, Burmese or Khmer, nor one to facts in these."""

_SIGNS = str.maketrans({"“": '"', "”": '"', "„": '"', "’": "'", "‘": "'", "–": "-", "—": "-", "‑": "-", "\u00a0": " "})


class VoidFinding(NamedTuple):
    """A finding that can't stand, and why: a fault of the auditor."""

    finding: Mapping[str, Any]
    why: str


@dataclass(frozen=True, slots=True)
class Audit:
    """One auditor's findings on one response."""

    auditor: str
    violations: tuple[Violation, ...] = ()
    """Those that stand, omissions included."""
    voided: tuple[VoidFinding, ...] = ()
    coverage: tuple[Mapping[str, Any], ...] = ()
    """What became of each fact, as the auditor sees it: fact, status ("stated", "missing" …), sentence, evidence."""
    missing: str | None = None
    """Why there is no audit; then there are no findings either, and none may be assumed."""
    call_failed: bool = False
    """Whether it is missing because a call failed: such a call is made again later; a reply, whatever it is, stands."""
    repairs: int = 0


def verify_findings(
    findings: Sequence[Mapping[str, Any]],
    sentences: Sequence[str],
    facts: Sequence[EstablishedFact],
    taxonomy: Taxonomy,
    auditor: str,
) -> tuple[list[Violation], list[VoidFinding]]:
    """Check each finding against the response: the violations that hold, and the findings that are void.

    A finding is void when its words are not in the response, its fact or its type does not exist, or its type is one
    that is not for auditors to give (omissions are judged from what is covered). A quote from another sentence than the
    one named is moved to where it stands.

    Args:
        findings: each with sentence (from 1), quote, type, fact and reason.
        sentences: of the response.
        facts: established.
        taxonomy: whose types count.
        auditor: recorded as the source.
    """
    texts = [_plain(sentence) for sentence in sentences]
    known = {fact.id for fact in facts}
    valid: list[Violation] = []
    voided: list[VoidFinding] = []
    for finding in findings:
        outcome = _check_finding(finding, sentences, texts, known, taxonomy, auditor)
        if isinstance(outcome, Violation):
            valid.append(outcome)
        else:
            voided.append(VoidFinding(finding, outcome))
    return valid, voided


def omissions(facts: Sequence[EstablishedFact], covered: frozenset[str], auditor: str) -> list[Violation]:
    """A violation for every relevant fact that is not covered; the rung is settled when the response is scored.

    A compound fact is covered when it is itself or all of its parts are; its parts are when it is.
    """
    parents = {fact.parent for fact in facts if fact.parent is not None}
    return [
        Violation("omission", fact=fact.id, reason="nothing in the response refers to it", source=auditor)
        for fact in facts
        if fact.relevant and fact.id not in parents and not {fact.id, fact.parent} & covered
    ]


def _check_finding(
    finding: Mapping[str, Any],
    sentences: Sequence[str],
    texts: Sequence[str],
    known: set[str],
    taxonomy: Taxonomy,
    auditor: str,
) -> Violation | str:
    try:
        kind = taxonomy.type_of(finding["type"])
    except IntegrityError:
        return "there is no such type of violation"
    if kind.rung is not None or kind.severity == "critical":
        return f"{kind.name} is settled by rule, from what is covered and found"
    fact = finding["fact"]
    if fact is not None and fact not in known:
        return "there is no such fact"
    place = _sentence_of_quote(_plain(finding["quote"]), texts, finding["sentence"] - 1)
    if place is None:
        return "the quoted words are not in the response"
    span = _as_written(finding["quote"], sentences[place])
    return Violation(kind.name, place, span, fact, finding["reason"], auditor)


def _sentence_of_quote(quote: str, texts: Sequence[str], named: int) -> int | None:
    """Which sentence holds the quote: the one that was named, if it does."""
    if not quote:
        return None
    if 0 <= named < len(texts) and quote in texts[named]:
        return named
    return next((place for place, text in enumerate(texts) if quote in text), None)


def _as_written(quote: str, sentence: str) -> str:
    """The quoted words as they stand in the sentence."""
    for words in (restore_control_tokens(quote).translate(_SIGNS).split(), _plain(quote).split()):
        pattern = r"\s+".join(re.escape(word) for word in words)
        match = re.search(pattern, sentence.translate(_SIGNS), re.IGNORECASE)
        if match:
            return sentence[match.start() : match.end()]
    return quote


def _plain(text: str) -> str:
    """For comparison: one kind of quotation mark and dash, single spaces, no case, no quotation marks around it."""
    return " ".join(restore_control_tokens(text).translate(_SIGNS).casefold().split()).strip(" \"'.…")
