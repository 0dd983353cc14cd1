"""Do longer outputs get better scores, whoever wrote them?"""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np

from voirdire.evaluation.checks.check import Check, Quote, Status, first_quotes, not_measured, quote
from voirdire.evaluation.comparison import compare
from voirdire.evaluation.length import adjusted_for_length, length_differences, output_lengths, scores_differ
from voirdire.evaluation.records import Evaluation, Floats
from voirdire.reasons import reason

WARN_ODDS, FAIL_ODDS = 1.2, 1.5
"""Odds of a point for an output one standard deviation longer, over those of one as much shorter."""
SURE = 3.0
"""Standard errors that the slope must lie from 0."""
SURE_OF_ORDER = 1.96
"""The same where the order changes at equal length: the slope's 95 % interval leaves 0 out."""


def length_association(evaluation: Evaluation) -> Check:
    """Odds ratio of a long output over a short one to the same item by the same model. Value: that ratio.

    Where models that differ for sure change their order at equal length, less certainty of it is enough.
    Where no judge scored, length can't have swayed one: the check then warns at most.
    """
    id = "length_association"
    found, differences = adjusted_for_length(evaluation), length_differences(evaluation)
    if found is None or differences is None:
        alike = evaluation.has("score") and not scores_differ(evaluation)
        return not_measured(id, evaluation, "evaluation_scores_alike" if alike else "evaluation_no_lengths")
    odds = math.exp(2 * math.tanh(1.0) * found.slope)
    twice = _at_twice_the_length(evaluation, found.slope, differences)
    mean_lengths = {
        model: float(np.nanmean(row))
        for model, row in zip(evaluation.models, differences, strict=True)
        if not np.isnan(row).all()
    }
    sure = SURE_OF_ORDER if _changes_order(evaluation) else SURE
    status = _status(odds, abs(found.slope) / found.se >= sure, judged=bool(evaluation.judges))
    means = zip(evaluation.models, found.means, strict=True)
    return Check(
        id,
        status,
        evaluation.name,
        reason(_code(evaluation, status, odds), chance=twice),
        odds,
        int((~np.isnan(differences)).sum()),
        quotes=() if status == "pass" else _longest_that_win(evaluation),
        details={
            "slope": found.slope,
            "se": found.se,
            "at_twice_the_length": twice,
            "mean_length_difference": mean_lengths,
            "adjusted": {model: float(mean) if np.isfinite(mean) else None for model, mean in means},
        },
    )


CHECKS = (length_association,)


def _at_twice_the_length(evaluation: Evaluation, slope: float, differences: Floats) -> float:
    """What an output gets that is twice as long as the other, where it would get half of the points at equal length."""
    usual = float(
        np.nanmean(output_lengths(evaluation, "baseline_output" if evaluation.has("baseline_output") else "output"))
    )
    return 1 / (1 + math.exp(-slope * math.tanh(usual / float(np.nanstd(differences)))))


def _code(evaluation: Evaluation, status: Status, odds: float) -> str:
    which = "even" if status == "pass" else "longer" if odds >= 1 else "shorter"
    return f"evaluation_{which}_{'wins' if evaluation.has('baseline_output') else 'scores'}"


def _changes_order(evaluation: Evaluation) -> bool:
    """Whether two models whose places are sure to differ have the opposite order at equal length."""
    placed = [each for each in compare(evaluation).placed if each.length_adjusted is not None]
    return any(
        first.worst < second.best and (first.length_adjusted_place or 0) > (second.length_adjusted_place or 0)
        for first, second in combinations(placed, 2)
    )


def _status(odds: float, sure: bool, *, judged: bool) -> Status:
    strength = max(odds, 1 / odds)
    if not sure or strength < WARN_ODDS:
        return "pass"
    return "fail" if judged and strength >= FAIL_ODDS else "warn"


def _longest_that_win(evaluation: Evaluation) -> tuple[Quote, ...]:
    """The longest outputs of those with the highest scores."""
    rows = evaluation.rows
    lengths = np.fromiter((len(text) if text else 0 for text in rows["output"].to_numpy()), np.float64, len(rows))
    high = rows["score"].to_numpy() >= np.nanquantile(rows["score"].to_numpy(), 0.9)
    order = np.argsort(-np.where(high, lengths, -1), kind="stable")
    return first_quotes(quote(evaluation, int(row)) for row in order)
