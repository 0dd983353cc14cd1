"""What can be said of a machine beside people, in sentences."""

from __future__ import annotations

from collections.abc import Sequence

from voirdire.raters.agreement.messages import with_ends
from voirdire.raters.comparing.closeness import Closeness
from voirdire.raters.comparing.scores import ScoreComparison

LEADING = {"ICC(2,1)", "kappa", "positive agreement"}
"""The coefficients that sentences are made of; the others stand in the tables."""
_FIRST = ("label", "hallucinated (grounded required)", "score", "FAR", "SAS", "findings")
"""The scales that sentences are made of."""


def reading(closeness: Sequence[Closeness], scores: Sequence[ScoreComparison]) -> tuple[str, ...]:
    """Whether the consensus is as close to people as they are to each other, and on which side of them it is.

    Args:
        closeness: of a comparison.
        scores: likewise.
    """
    chosen = [each for each in closeness if each.consensus and each.coefficient in LEADING and each.scale in _FIRST]
    if any(each.scale == _FIRST[0] for each in chosen):
        chosen = [each for each in chosen if each.scale != _FIRST[1]]
    biases = [each for each in scores if each.consensus and not each.people]
    return (*map(_of_closeness, chosen), *map(_of_bias, biases))


def _of_closeness(each: Closeness) -> str:
    name = _named(each.scale)
    if each.people.value is None or each.with_machine.value is None:
        reason = each.people.reason or each.with_machine.reason or "it is undefined."
        return f"{name}: whether the machine is as close to people as they are to each other can't be told: " + (
            reason[0].lower() + reason[1:]
        )
    return (
        f"{name}: people agree with each other at {with_ends(each.people)}, with the machine at "
        f"{with_ends(each.with_machine)} ({each.coefficient}, the same {each.items:,} items); {_difference(each)}."
    )


def _difference(each: Closeness) -> str:
    low, high = each.difference.low, each.difference.high
    if low is None or high is None:
        return "the difference has no interval"
    if high < 0:
        return f"the machine is farther from people than they are from each other, by {-high:.2f} to {-low:.2f}"
    if low > 0:
        return f"the machine is closer to people than they are to each other, by {low:.2f} to {high:.2f}"
    return f"no difference is shown; it may be as much as {-low:.2f} farther from them, or {high:.2f} closer"


def _of_bias(each: ScoreComparison) -> str:
    bias = each.bias
    if bias.value is None or bias.low is None or bias.high is None:
        reason = (bias.reason or "there is no interval.").lower()
        return f"{_named(each.scale)}: whether the machine is lenient can't be told: {reason}"
    if bias.low > 0 or bias.high < 0:
        side = "more lenient" if bias.value > 0 else "stricter"
        least, most = sorted((abs(bias.low), abs(bias.high)))
        return f"{_named(each.scale)}: the machine is {side} than people, by {least:.2g} to {most:.2g}."
    reach = max(abs(bias.low), abs(bias.high))
    return f"{_named(each.scale)}: the machine is not shown to be lenient or strict; up to {reach:.2g} is possible."


def _named(scale: str) -> str:
    return scale[0].upper() + scale[1:]
