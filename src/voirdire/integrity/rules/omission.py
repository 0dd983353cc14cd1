"""Omissions: one rung for the whole response, each missing fact named."""

from __future__ import annotations

from collections.abc import Sequence

from voirdire.integrity.omission import omission_rung
from voirdire.integrity.records import EstablishedFact, Violation
from voirdire.integrity.rules.coverage import Coverage
from voirdire.text.counting import counted

_TYPES = {1: "single_omission", 2: "omission_moderate", 3: "systematic_omission"}
_CONFIDENCE = 0.5  # a paraphrase without a shared word passes for an omission


def omission_violations(facts: Sequence[EstablishedFact], coverage: Sequence[Coverage]) -> list[Violation]:
    """One violation for each relevant fact that is missing, all of the rung that they make together."""
    irrelevant = {fact.id for fact in facts if not fact.relevant}
    missing = [each for each in coverage if each.status == "missing" and each.fact not in irrelevant]
    rung = omission_rung(facts, [each.fact for each in missing])
    if rung == 0:
        return []
    judged = sum(each.fact not in irrelevant for each in coverage)
    verb = "is" if len(missing) == 1 else "are"
    reason = f"{len(missing)} of {counted(judged, 'relevant fact')} {verb} nowhere in the response"
    return [
        Violation(_TYPES[rung], None, None, each.fact, f"{reason}; this one: {each.evidence}.", "rules", _CONFIDENCE)
        for each in missing
    ]
