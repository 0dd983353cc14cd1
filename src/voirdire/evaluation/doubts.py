"""Which places a check that fails puts in doubt, and which are then to be believed."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from voirdire.evaluation.checks import Check
from voirdire.evaluation.comparison import SURE_OF_ORDER, EvaluationComparison

_UNEARNED = frozenset(
    {
        "dropped_items",
        "missing_scored",
        "different_items",
        "swapped_outputs",
        "constant_output",
        "empty_output",
        "truncated",
        "unparsed",
        "leaked_template",
        "output_addresses_judge",
        "best_of",
    }
)
"""Checks that fail where a model's score is not what it earned: its place is then not to be believed either."""
PRINTED = "headline_recomputed"
"""It fails in a way that puts places in doubt where another place follows from what is printed."""
SCALES = "different_scales"
"""It fails where nothing can be compared."""
_LONE = "lone_judge"
"""It fails where other judges see another model ahead of the first one."""


def believed_places(comparison: EvaluationComparison, failed: Sequence[Check]) -> list[int]:
    """Places, from 1, that one model alone can have and that no check puts in doubt."""
    if any(check.id == SCALES for check in failed):
        return []
    doubted = frozenset().union(*doubts_of(comparison, failed).values())
    return [each.place for each in comparison.sure if each.model not in doubted]


def doubts_of(comparison: EvaluationComparison, failed: Sequence[Check]) -> Mapping[str, frozenset[str]]:
    """By check that fails and puts a place in doubt: whose."""
    placed = frozenset(each.model for each in comparison.placed)
    results = {}
    dropped = (check for check in failed if check.id == "dropped_items")
    bounds: Mapping[str, Any] = next((check.details.get("bounds", {}) for check in dropped), {})
    for check in failed:
        models = placed & {*check.models} if check.models else placed
        if check.id == PRINTED:
            models = placed & {*check.details.get("other_places", ())}
        elif check.id == "self_judging":
            models = placed & {*check.details.get("moved", ())}
        elif check.id == "dropped_items" or (bounds and check.finding.code == "evaluation_other_items"):
            models -= _surely_different(comparison, bounds)
        elif check.id not in (*_UNEARNED, _LONE):
            continue
        if models:
            results[check.id] = models
    refused = next((frozenset(check.models) for check in failed if check.id == "refusals"), frozenset())
    if results.get("constant_output", placed | {""}) <= refused:  # the same words to unlike items: a refusal's
        results["refusals"] = results.pop("constant_output")
    return results


def _surely_different(comparison: EvaluationComparison, bounds: Mapping[str, Sequence[float] | None]) -> frozenset[str]:
    """Models that differ from all others for sure, whatever the missing items of any of them would score."""
    placed = comparison.placed
    ends = [bounds.get(each.model, (each.headline.value or 0.0,) * 2) or (-math.inf, math.inf) for each in placed]
    errors = [math.inf if each.headline.se is None else each.headline.se for each in placed]

    def apart(a: int, b: int) -> bool:
        gap = max(ends[a][0] - ends[b][1], ends[b][0] - ends[a][1])
        return gap > SURE_OF_ORDER * math.sqrt(2) * max(errors[a], errors[b])  # what is missing may vary more

    places = range(len(placed)) if len(placed) > 1 else ()
    return frozenset(placed[a].model for a in places if all(apart(a, b) for b in places if b != a))
