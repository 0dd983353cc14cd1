"""Run all rules on a response."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from voirdire.data.json_values import as_plain
from voirdire.integrity.records import EstablishedFact, Side, Violation
from voirdire.integrity.rules.coverage import (
    Coverage,
    balance_violations,
    coverage_of,
    omission_violations,
    words_by_side,
)
from voirdire.integrity.rules.doubt import doubt_violations
from voirdire.integrity.rules.entailment import EntailmentJudge, contradiction_violations
from voirdire.integrity.rules.figures import figure_violations
from voirdire.integrity.rules.matched_response import match_response
from voirdire.integrity.rules.names import (
    code_violations,
    name_violations,
    swapped_code_violations,
    swapped_name_violations,
)
from voirdire.integrity.rules.passage import MOST_FINDS, sentences_of
from voirdire.integrity.rules.polarity import polarity_violations
from voirdire.integrity.rules.prepared_facts import PreparedFacts
from voirdire.integrity.rules.wording import contrary_words, framing_violations, wording_violations

_SENTENCE_RULES = (
    figure_violations,
    doubt_violations,
    contrary_words,
    polarity_violations,
    framing_violations,
    wording_violations,
    name_violations,
    code_violations,
    swapped_code_violations,
    swapped_name_violations,
)
_GRAVITY = {"fact_denial": 3, "fact_invention": 3, "unsupported_caveat": 2, "reframing": 2, "selective_emphasis": 2}


@dataclass(frozen=True, slots=True)
class Inspection:
    """What the rules suggest about a response: a provisional finding, never a verdict."""

    sentences: tuple[str, ...]
    violations: list[Violation]
    """By sentence; those of the whole response last."""
    coverage: list[Coverage]
    """For each fact that is judged (of a split fact its parts)."""
    balance: dict[Side, int]
    """Words on facts for and against the conclusion; 0 where no fact has a side."""

    def as_dict(self) -> dict[str, Any]:
        """Coverage and balance, ready for JSON; violations are scored elsewhere."""
        return {
            "sentences": list(self.sentences),
            "coverage": as_plain(self.coverage),
            "balance": dict(self.balance),
        }


def inspect_response(
    response: str,
    facts: Sequence[EstablishedFact] | PreparedFacts,
    *,
    omissions: bool = True,
    context: str = "",
    model: EntailmentJudge | None = None,
) -> Inspection:
    """Look for violations by rule.

    Args:
        response: any text.
        facts: as given, or from `expand` (best: compound facts are then judged part by part); or made ready once with
            `PreparedFacts.of`, for many responses to one case.
        omissions: whether to judge what is left out, and the balance; False for a sentence or phrase by itself.
        context: the question or scenario, whose figures and names are no inventions (for facts not yet prepared).
        model: the entailment model, which reads what the rules find nothing in; without it they are alone.
    """
    prepared = facts if isinstance(facts, PreparedFacts) else PreparedFacts.of(facts, context)
    sentences = sentences_of(response, prepared.named)
    matched = match_response(prepared, sentences)
    violations = _without_repeats([each for rule in _SENTENCE_RULES for each in rule(matched)])
    if model is not None:
        violations = sorted(
            [*violations, *contradiction_violations(matched, violations, model)], key=lambda each: each.sentence or 0
        )
    coverage = coverage_of(matched, violations)
    balance = words_by_side(matched)
    if omissions:
        violations += [*balance_violations(matched, balance), *omission_violations(prepared.facts, coverage)]
    return Inspection(tuple(sentence.text for sentence in sentences), violations, coverage, balance)


def _without_repeats(violations: Iterable[Violation]) -> list[Violation]:
    """Drop what says the same: of one sentence and fact each type once, and no minor one beside a graver."""
    by_sentence: dict[int | None, list[Violation]] = {}
    for each in sorted(violations, key=_weight, reverse=True):
        of_sentence = by_sentence.setdefault(each.sentence, [])
        if len(of_sentence) < MOST_FINDS and not any(_covers(other, each) for other in of_sentence):
            of_sentence.append(each)
    return sorted(
        (each for of_sentence in by_sentence.values() for each in of_sentence), key=lambda each: each.sentence or 0
    )


def _covers(other: Violation, each: Violation) -> bool:
    """Whether a suggestion is already made by one that weighs as much or more."""
    overlap = _within(other.span or "", each.span or "")
    if other.fact != each.fact:
        return overlap and (other.fact is None or each.fact is None or other.type == each.type == "fact_denial")
    if each.fact is None:
        return overlap
    return other.type == each.type or overlap or _weight(each)[0] == 1


def _within(one: str, other: str) -> bool:
    return one in other or other in one


def _weight(each: Violation) -> tuple[int, float]:
    return _GRAVITY.get(each.type, 1), each.confidence or 0.0
