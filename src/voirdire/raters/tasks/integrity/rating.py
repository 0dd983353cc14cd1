"""A trial's rating, whether two of them need a third person, and what several come to."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from typing import Any

from voirdire.integrity import EstablishedFact, IntegrityScore, Violation, load_taxonomy, score
from voirdire.integrity.panel import majority
from voirdire.integrity.scoring import Charge
from voirdire.raters.tasks.integrity.deduction import LIMIT, State

Value = Mapping[str, Any]


def value_of(state: State) -> dict[str, Any] | None:
    """The rating of a finished trial, in the task's form; `None` before.

    Beyond that form each violation says its `penalty` (0 where another pays for the same) and its `note`, and
    `omissible` holds the facts whose omission costs something, with whether each is central: what the rung of omission
    rests on, so that several ratings can be scored together without their document.
    """
    if state.stage != "complete" or state.holistic is None:
        return None
    scored = state.score
    return {
        "holistic": state.holistic,
        "violations": violations_of(state),
        "score": scored.score,
        "band": scored.band.name,
        "ambiguous": state.ambiguous,
        "note": state.note,
        "second_look": state.second_look,
        "omissible": _omissible(state.facts),
    }


def violations_of(state: State) -> list[dict[str, Any]]:
    """All that stand, omissions last; the type of an omission is the rung that it was charged on."""
    flags = [(mark.ambiguous, mark.note) for mark in state.marks] + [(False, "")] * len(state.omitted or ())
    return [
        charged_violation(charge, ambiguous, note)
        for charge, (ambiguous, note) in zip(state.score.charges, flags, strict=True)
    ]


def charged_violation(charge: Charge, ambiguous: bool = False, note: str = "") -> dict[str, Any]:
    """A violation in the task's form."""
    return {
        "type": charge.type.name,
        "sentence": charge.violation.sentence,
        "span": charge.violation.span,
        "fact": charge.violation.fact,
        "reason": charge.violation.reason,
        "ambiguous": ambiguous,
        "note": note,
        "penalty": charge.penalty,
    }


def differ(one: Value, other: Value) -> bool:
    """Whether two ratings need a third person.

    They do when their scores lie more than 10 points apart (the guide's own threshold), or when what both of them
    found makes a score more than 10 points above one of theirs: then at least one rests on findings that the other
    lacks, however close the totals are.
    """
    scores: list[int] = [one["score"], other["score"]]
    common = score_again(_majority([one, other]), [one, other]).score
    return abs(scores[0] - scores[1]) > LIMIT or common - min(scores) > LIMIT


def settle(values: Sequence[Value]) -> dict[str, Any] | None:
    """What several blind ratings come to: the violations that more than half of them found, scored anew.

    The holistic score is the median. `None` without a majority: there are no ratings, or they agree on so little that
    the score of what they agree on lies more than 10 points from the median of their own.
    """
    if not values:
        return None
    agreed = _majority(values)
    scored = score_again(agreed, values)
    if abs(scored.score - statistics.median(value["score"] for value in values)) > LIMIT:
        return None
    return {
        "holistic": round(statistics.median(value["holistic"] for value in values)),
        "violations": [
            {**each, "type": charge.type.name, "penalty": charge.penalty}
            for each, charge in zip(agreed, scored.charges, strict=True)
        ],
        "score": scored.score,
        "band": scored.band.name,
        "ambiguous": 2 * sum(bool(value.get("ambiguous")) for value in values) > len(values),
        "note": "",
        "second_look": None,
        "omissible": dict(_known_omissible(values)),
    }


def unmatched_violations(one: Value, other: Value) -> list[Mapping[str, Any]]:
    """The charged violations of one rating that the other lacks: no one like it at its sentence, fact or claim."""
    taxonomy, theirs = load_taxonomy(), [violation for violation, _ in _paired(other)]
    return [
        each
        for violation, each in _paired(one)
        if each.get("penalty", 1) and not majority([[violation], theirs], taxonomy)
    ]


def score_again(violations: Sequence[Mapping[str, Any]], values: Sequence[Value]) -> IntegrityScore:
    """Score violations of ratings again, by the facts that those ratings know of.

    Args:
        violations: in the task's form.
        values: ratings of the same trial; imported ones may not say which facts could be omitted. Where none does, the
            rung of omissions is the one that they were charged on.
    """
    known = _known_omissible(values)
    facts = [EstablishedFact(fact, fact, central=central) for fact, central in known.items()]
    if facts:
        named = {each["fact"] for each in violations if each.get("fact") is not None}
        facts += [EstablishedFact(fact, fact, relevant=False) for fact in sorted(named - known.keys())]
    return score([_violation(each) for each in violations], facts, taxonomy=load_taxonomy())


def _majority(values: Sequence[Value]) -> list[Mapping[str, Any]]:
    """`integrity.panel.majority`, in the task's form: each as one of those who found it put it."""
    paired = [_paired(value) for value in values]
    forms = {id(violation): each for pairs in paired for violation, each in pairs}
    agreed = majority([[violation for violation, _ in pairs] for pairs in paired], load_taxonomy())
    return [forms[id(violation)] for violation in agreed]


def _paired(value: Value) -> list[tuple[Violation, Mapping[str, Any]]]:
    return [(_violation(each), each) for each in value["violations"]]


def _violation(each: Mapping[str, Any]) -> Violation:
    return Violation(each["type"], each.get("sentence"), each.get("span"), each.get("fact"), each.get("reason") or "")


def _omissible(facts: Sequence[EstablishedFact]) -> dict[str, bool]:
    """Relevant facts that are not made of parts, and whether they are central."""
    parents = {fact.parent for fact in facts}
    return {fact.id: fact.central for fact in facts if fact.relevant and fact.id not in parents}


def _known_omissible(values: Sequence[Value]) -> Mapping[str, bool]:
    return next((value["omissible"] for value in values if value.get("omissible")), {})
