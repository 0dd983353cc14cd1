"""Do longer outputs get better scores, whoever wrote them?"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from voirdire.evaluation.checks.check import Check, Quote, Status, first_quotes, not_measured, quote
from voirdire.evaluation.comparison import FAIL_ODDS, SURE, WARN_ODDS, length_sways, unlike_lengths
from voirdire.evaluation.length import (
    FEWEST_OTHERS,
    AtEqualLength,
    Lengths,
    adjusted_for_length,
    are_alike,
    are_bare,
    compared_lengths,
    other_scores,
)
from voirdire.evaluation.records import Evaluation
from voirdire.reason_codes import reason

_TWICE = 1.95
_MUCH = 0.15
"""Beyond an even chance: so much is no little, and where it is not sure, nothing is known."""
"""Times as long, from which one says twice."""


def length_association(evaluation: Evaluation) -> Check:
    """Odds ratio of a long output over a short one to the same item by the same model. Value: that ratio.

    Whether it is sure, `comparison.length_sways` says. Where no judge scored, length can't have swayed one: the check
    then warns at most. Judges whom length surely sways more than the others are named, and it warns at least. Where
    lengths hardly overlap and what length does may be much or nothing, it is not measured.
    """
    id = "length_association"
    result, lengths = adjusted_for_length(evaluation), compared_lengths(evaluation)
    if result is None or lengths is None:
        return not_measured(id, evaluation, _missing(evaluation, lengths))
    odds, apart, sways = result.odds, unlike_lengths(evaluation), length_sways(evaluation)
    if apart is not None and not sways:
        return Check(id, "not_measured", evaluation.name, apart)
    if not sways and abs(result.chance - 0.5) > _MUCH:
        too_few = reason("evaluation_too_few_for_length", chance=result.chance, times=_times(result.times))
        return Check(id, "not_measured", evaluation.name, too_few)
    differences = lengths.differences
    mean_lengths = {
        model: float(np.nanmean(row))
        for model, row in zip(evaluation.models, differences, strict=True)
        if not np.isnan(row).all()
    }
    status = _status(evaluation, odds) if sways else "pass"
    code = _code(evaluation, status, odds)
    why = reason(code, chance=result.chance, times=_times(result.times))
    alone = _judges_swayed(evaluation)
    if alone:
        words = [reason("evaluation_length_of_judge", judge=each, chance=of.chance) for each, of in alone.items()]
        why = reason("evaluation_length_of_judges", why=why, judges=tuple(words))
        status = "warn" if status == "pass" else status
    means = zip(evaluation.models, np.where(result.measured, result.means, np.nan), strict=True)
    return Check(
        id,
        status,
        evaluation.name,
        why,
        odds,
        int((~np.isnan(differences)).sum()),
        quotes=() if status == "pass" else _longest_that_win(evaluation),
        details={
            "slope": result.slope,
            "se": result.se,
            "times_as_long": result.times,
            "chance_if_so_long": result.chance,
            "mean_length_difference": mean_lengths,
            "sways_the_mean": sways,
            "odds_by_judge_alone": {judge: each.odds for judge, each in alone.items()},
            "adjusted": {model: float(mean) if np.isfinite(mean) else None for model, mean in means},
        },
    )


CHECKS = (length_association,)


def _judges_swayed(evaluation: Evaluation) -> Mapping[str, AtEqualLength]:
    """Judges whose scores length surely sways, and surely more than those of the others: not all of them.

    A mean over judges hides them.
    """
    if len(evaluation.judges) < 2:
        return {}
    swayed = {}
    for judge in evaluation.judges:
        own, others = (adjusted_for_length(part(judge)) for part in (evaluation.of_judge, evaluation.without_judge))
        if own is None or others is None or max(own.odds, 1 / own.odds) < WARN_ODDS:
            continue
        apart = abs(own.slope - others.slope) / math.hypot(own.se, others.se)
        if abs(own.slope) / own.se >= SURE and apart >= SURE and abs(own.slope) > abs(others.slope):
            swayed[judge] = own
    return swayed if len(swayed) < len(evaluation.judges) else {}


def _missing(evaluation: Evaluation, lengths: Lengths | None) -> str:
    """Why length tells nothing, of an evaluation with scores or without, whose lengths may be known."""
    others = other_scores(evaluation)
    if evaluation.has("score") and not others:
        return "evaluation_scores_alike"
    if lengths is not None and others < FEWEST_OTHERS:
        return "evaluation_few_other_scores"
    if lengths is not None and are_alike(lengths):
        return "evaluation_lengths_alike"
    return "evaluation_bare_outputs" if are_bare(evaluation) else "evaluation_no_lengths"


def _times(times: float) -> str:
    return "twice" if times > _TWICE else f"{times:.2g} times" if times >= 1.1 else f"{times:.2f} times"


def _code(evaluation: Evaluation, status: Status, odds: float) -> str:
    which = "even" if status == "pass" else "longer" if odds >= 1 else "shorter"
    return f"evaluation_{which}_{'wins' if evaluation.has('baseline_output') else 'scores'}"


def _status(evaluation: Evaluation, odds: float) -> Status:
    return "fail" if evaluation.judges and max(odds, 1 / odds) >= FAIL_ODDS else "warn"


def _longest_that_win(evaluation: Evaluation) -> tuple[Quote, ...]:
    """The longest outputs of those with the highest scores."""
    rows = evaluation.rows
    lengths = np.fromiter((len(text) if text else 0 for text in rows["output"].to_numpy()), np.float64, len(rows))
    high = rows["score"].to_numpy() >= np.nanquantile(rows["score"].to_numpy(), 0.9)
    order = np.argsort(-np.where(high, lengths, -1), kind="stable")
    return first_quotes(quote(evaluation, int(row)) for row in order)
