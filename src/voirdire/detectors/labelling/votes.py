"""From votes to labels: pure rules (CogniBench 3.2, A.9)."""

from __future__ import annotations

from collections.abc import Sequence

from voirdire.detectors.labelling.records import Vote
from voirdire.detectors.records import Label, Require, StatementType

LADDER: tuple[Label, ...] = ("misleading", "speculative", "reliable", "irrefutable")
"""Cognitive labels by the number of criteria that are met."""
_LOWEST_ALLOWED: dict[Require, int] = {"rational": 1, "grounded": 2, "irrefutable": 3}


def is_hallucinated(votes: Sequence[Vote | None], threshold: int) -> bool | None:
    """Whether a sentence is a hallucination by its votes.

    Args:
        votes: one a sample; `None` is missing, and neither side's.
        threshold: how many votes make it one.

    Returns:
        True when at least `threshold` votes say so; False when they would not even if every missing vote did; `None`
        when the missing votes could decide it either way.
    """
    against = sum(vote == "hallu" for vote in votes)
    if against >= threshold:
        return True
    return False if against + sum(vote is None for vote in votes) < threshold else None


def is_irrelevant(votes: Sequence[Vote | None]) -> bool:
    """Whether more than half of the votes that are there call a sentence irrelevant."""
    there = [vote for vote in votes if vote is not None]
    return 2 * sum(vote == "irrelevant" for vote in there) > len(there)


def first_stage(votes: Sequence[Vote | None], threshold: int) -> Vote | None:
    """What the first stage says of a sentence: hallucination before irrelevance, irrelevance before faithfulness."""
    found = is_hallucinated(votes, threshold)
    if found is None:
        return None
    if found:
        return "hallu"
    return "irrelevant" if is_irrelevant(votes) else "faithful"


def rung(rational: bool | None, grounded: bool | None, irrefutable: bool | None) -> Label | None:
    """The label at which the ladder's questions, asked in order, end; `None` where one that matters has no answer."""
    for met, answered in enumerate((rational, grounded, irrefutable)):
        if answered is None:
            return None
        if not answered:
            return LADDER[met]
    return LADDER[3]


def median_rung(tiers: Sequence[Label | None]) -> Label | None:
    """The middle of several gradings, the stricter one of two; `None` unless more than half of them are there."""
    there = sorted(LADDER.index(tier) for tier in tiers if tier is not None)
    return LADDER[there[(len(there) - 1) // 2]] if 2 * len(there) > len(tiers) else None


def border_rung(hallucinated: bool, require: Require) -> Label:
    """The cognitive label on either side of a requirement: what is known without a second stage."""
    lowest = _LOWEST_ALLOWED[require]
    return LADDER[lowest - 1] if hallucinated else LADDER[lowest]


def final_label(
    first: Vote | None, kind: StatementType | None, tier: Label | None, *, tiers: bool, require: Require
) -> tuple[Label | None, str]:
    """The label of a sentence after both stages, and why there is none.

    Args:
        first: what the first stage says.
        kind: factual or cognitive; `None` where that is not known.
        tier: what the second stage says.
        tiers: whether there is a second stage; it settles cognitive statements, whatever the first said.
        require: of the first stage.
    """
    if first == "irrelevant":
        return "irrelevant", ""
    if kind is None:
        return None, "its type is not known"
    if kind == "cognitive" and tiers:
        return tier, "" if tier else "it was not graded"
    if first is None:
        return None, "too many votes are missing"
    if kind == "cognitive":
        return border_rung(first == "hallu", require), ""
    return ("invented" if first == "hallu" else "faithful"), ""
