"""Which rung of omission a response stands on: judged once per response, one rung only."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from voirdire.integrity.records import EstablishedFact

TWO = 2


def omission_rung(facts: Sequence[EstablishedFact], omitted: Iterable[str]) -> int:
    """How far the omission goes: 0 none, 1 one peripheral fact, 2 a central fact or two or more, 3 systematic.

    Systematic is the omission of more than half of the relevant facts (exactly half is not), or of two or more central
    ones. Of a compound fact that was split, the parts count, not the whole; irrelevant facts don't count.
    """
    left_out = set(omitted)
    parents = {fact.parent for fact in facts if fact.parent is not None}
    relevant = [fact for fact in facts if fact.relevant and fact.id not in parents]
    missing = [fact for fact in relevant if fact.id in left_out or fact.parent in left_out]
    if not missing:
        return 0
    central = sum(fact.central for fact in missing)
    if 2 * len(missing) > len(relevant) or central >= TWO:
        return 3
    return 2 if central or len(missing) >= TWO else 1
