"""Does the headline follow from the items, and its error? What was left out of it?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from voirdire.evaluation.checks.check import MOST_QUOTES, Check, Quote, graded, not_measured, quote
from voirdire.evaluation.headline import ENOUGH_CLUSTERS, Headline, headlines
from voirdire.evaluation.records import Evaluation, Printed
from voirdire.reasons import reason

SAME_VALUE = 1e-4
"""0.01 of a percentage point: a printed headline this near, or within its own rounding, is the recomputed one."""
SAME_ERROR = 0.05
"""Of the printed standard error: bootstrapped ones differ by a few percent."""
WARN_DROPPED, FAIL_DROPPED = 0.01, 0.05
WARN_RATIO, FAIL_RATIO = 1.2, 1.5
"""Clustered over printed standard error."""


def headline_recomputed(evaluation: Evaluation) -> Check:
    """Whether the printed value and error of each model follow from its items. Value: the largest gap."""
    id = "headline_recomputed"
    found = headlines(evaluation)
    printed = [each for each in evaluation.printed if each.model in found and found[each.model].value is not None]
    if not printed:
        return not_measured(id, evaluation, "evaluation_nothing_printed")
    wrong = [each for each in printed if _gap(each, found) > _tolerance(each, evaluation)]
    wrong_error = [each for each in printed if each not in wrong and not _error_follows(each, found[each.model])]
    worst = max(_gap(each, found) for each in printed)
    concerned = sorted(wrong or wrong_error, key=lambda each: -_gap(each, found))
    code = (
        "evaluation_headline_differs" if wrong else "evaluation_error_differs" if wrong_error else "evaluation_follows"
    )
    return Check(
        id,
        "fail" if concerned else "pass",
        evaluation.name,
        reason(code, models=len(concerned), of=len(printed), gap=worst),
        worst,
        len(printed),
        tuple(each.model for each in concerned),
        tuple(_said(each, found[each.model]) for each in concerned[:MOST_QUOTES]),
    )


def dropped_items(evaluation: Evaluation) -> Check:
    """Items without a score, which the mean leaves out. Value: their share in the model that has most of them."""
    id, scores = "dropped_items", evaluation.item_scores
    rows = evaluation.rows
    asked = np.zeros(scores.values.shape, dtype=bool)
    asked[rows["model"].cat.codes, rows["item"].cat.codes] = True
    dropped = asked & np.isnan(scores.values)
    shares = dropped.sum(axis=1) / np.maximum(asked.sum(axis=1), 1)
    worst = float(shares.max())
    order = [int(place) for place in np.argsort(-shares, kind="stable") if shares[place] > 0]
    unscored = np.flatnonzero(rows["score"].isna().to_numpy())
    return Check(
        id,
        graded(worst, WARN_DROPPED, FAIL_DROPPED),
        evaluation.name,
        reason("evaluation_dropped", items=int(dropped.sum()), of=int(asked.sum()), models=len(order))
        if order
        else reason("evaluation_none_dropped", of=int(asked.sum())),
        worst,
        int(asked.sum()),
        tuple(scores.models[place] for place in order if shares[place] >= WARN_DROPPED),
        tuple(_unscored(evaluation, int(row)) for row in unscored[:MOST_QUOTES]),
        {"bounds": {scores.models[place]: _bounds(evaluation, place, int(dropped[place].sum())) for place in order}},
    )


def unclustered_error(evaluation: Evaluation) -> Check:
    """The clustered standard error beside the printed one. Value: their ratio, the median over models."""
    id, scores = "unclustered_error", evaluation.item_scores
    if not scores.clustered:
        return not_measured(id, evaluation, "evaluation_no_clusters")
    printed = {each.model: each.se for each in evaluation.printed if each.se}
    ratios = {
        model: each.clustered_se / beside
        for model, each in headlines(evaluation).items()
        if each.clustered_se is not None and (beside := printed.get(model) or each.se)
    }
    if not ratios:
        return not_measured(id, evaluation, "evaluation_few_clusters")
    ratio, clusters = float(np.median(list(ratios.values()))), len(scores.cluster_names)
    status = graded(ratio, WARN_RATIO, FAIL_RATIO)
    if status == "fail" and clusters < ENOUGH_CLUSTERS:
        status = "warn"
    return Check(
        id,
        status,
        evaluation.name,
        reason("evaluation_clusters", ratio=ratio, clusters=clusters, beside="printed" if printed else "plain"),
        ratio,
        len(ratios),
        tuple(sorted((model for model in ratios if ratios[model] >= WARN_RATIO), key=lambda model: -ratios[model])),
        details={"ratios": ratios},
    )


CHECKS = (headline_recomputed, dropped_items, unclustered_error)


def _gap(printed: Printed, found: Mapping[str, Headline]) -> float:
    value = found[printed.model].value
    return 0.0 if value is None else abs(printed.value - value)


def _tolerance(printed: Printed, evaluation: Evaluation) -> float:
    low, high = evaluation.bounds or (0.0, 1.0)
    return max(SAME_VALUE * (high - low), 0.5000001 * 10.0**-printed.decimals)


def _error_follows(printed: Printed, found: Headline) -> bool:
    if printed.se is None or found.se is None:
        return True
    known = [
        found.se,
        found.se * np.sqrt((found.n - 1) / found.n),
        *([found.clustered_se] if found.clustered_se else []),
    ]
    return any(abs(printed.se - each) <= max(SAME_ERROR * each, SAME_VALUE) for each in known)


def _said(printed: Printed, found: Headline) -> Quote:
    error = (
        ""
        if printed.se is None or found.se is None
        else f"; standard error {printed.se:.4f}, recomputed {found.se:.4f}"
    )
    return Quote("", printed.model, f"{printed.source}: {printed.value:.4f}, recomputed {found.value:.4f}{error}")


def _unscored(evaluation: Evaluation, row: int) -> Quote:
    error = quote(evaluation, row, "error")
    return error if error.text else error._replace(text=str(evaluation.rows["status"].iloc[row]))


def _bounds(evaluation: Evaluation, place: int, dropped: int) -> Sequence[float] | None:
    """The mean if all dropped items had the lowest score, and if they had the highest."""
    if evaluation.bounds is None:
        return None
    values = evaluation.item_scores.values[place]
    known = values[~np.isnan(values)]
    return [float((known.sum() + dropped * end) / (known.size + dropped)) for end in evaluation.bounds]
