"""Do longer outputs get better scores, whoever wrote them?"""

from __future__ import annotations

import math

import numpy as np

from voirdire.evaluation.checks.check import Check, Quote, Status, first_quotes, not_measured, quote
from voirdire.evaluation.comparison import length_sways
from voirdire.evaluation.length import adjusted_for_length, length_differences, output_lengths, scores_differ
from voirdire.evaluation.records import Evaluation, Floats
from voirdire.reasons import reason

FAIL_ODDS = 1.5
"""Odds ratio from which it fails; it warns from `comparison.WARN_ODDS`."""


def length_association(evaluation: Evaluation) -> Check:
    """Odds ratio of a long output over a short one to the same item by the same model. Value: that ratio.

    Whether it is sure, `comparison.length_sways` says. Where no judge scored, length can't have swayed one: the check
    then warns at most.
    """
    id = "length_association"
    found, differences = adjusted_for_length(evaluation), length_differences(evaluation)
    if found is None or differences is None:
        alike = evaluation.has("score") and not scores_differ(evaluation)
        return not_measured(id, evaluation, "evaluation_scores_alike" if alike else "evaluation_no_lengths")
    odds = found.odds
    twice = _at_twice_the_length(evaluation, found.slope, differences)
    mean_lengths = {
        model: float(np.nanmean(row))
        for model, row in zip(evaluation.models, differences, strict=True)
        if not np.isnan(row).all()
    }
    status = _status(evaluation, odds)
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


def _status(evaluation: Evaluation, odds: float) -> Status:
    if not length_sways(evaluation):
        return "pass"
    return "fail" if evaluation.judges and max(odds, 1 / odds) >= FAIL_ODDS else "warn"


def _longest_that_win(evaluation: Evaluation) -> tuple[Quote, ...]:
    """The longest outputs of those with the highest scores."""
    rows = evaluation.rows
    lengths = np.fromiter((len(text) if text else 0 for text in rows["output"].to_numpy()), np.float64, len(rows))
    high = rows["score"].to_numpy() >= np.nanquantile(rows["score"].to_numpy(), 0.9)
    order = np.argsort(-np.where(high, lengths, -1), kind="stable")
    return first_quotes(quote(evaluation, int(row)) for row in order)
