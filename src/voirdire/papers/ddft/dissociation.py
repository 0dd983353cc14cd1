"""Do the fluent part and the verifying part of a model come apart? Predictions on FAR and SAS over levels."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from voirdire.ddft.analysis.measures import ResampledScores, cells_of, concept_curves, curves, known, row_correlations
from voirdire.ddft.concept_sums import Floats
from voirdire.ddft.metric_intervals import MIN_CONCEPTS, default_intervals
from voirdire.ddft.metrics import values
from voirdire.ddft.won_by_silence import FEW_ANSWERED, measure_with_intervals
from voirdire.papers.claims import ClaimVerdict, Result
from voirdire.papers.ddft.decisions import (
    MIN_MODELS,
    Decision,
    Mean,
    TestedRuns,
    because,
    listed,
    mean_over_concepts,
    nothing_known,
    result_of,
)
from voirdire.reason_codes import Reason
from voirdire.stats.intervals import Interval, percentile

TOGETHER = 0.8
"""The digest's break condition of Mechanism 2: FAR and SAS always fall together."""

_ZONE = "danger_zone_pct"
_NONE_TO_SPEAK_OF = 1.0
"""Percent of turns: a model whose danger zone surely holds less shows no dissociation."""
_MIN_LEVELS = 3
LEVEL = 0.95
_SCORES: tuple[Literal["far", "sas"], ...] = ("far", "sas")


def universal(tested: TestedRuns) -> Result:
    """P1: every model gives answers that are fluent and wrong.

    A model that answers little has few of its turns in the danger zone; it is shown, and decides nothing.
    """
    shares: dict[str, Mean] = {}
    rows: list[dict[str, Any]] = []
    left_out: dict[str, list[str]] = {"P1.left_out_few": [], "P1.left_out": [], "P1.left_out_unscored": []}
    for model, frame in tested.study.frames.items():
        cell = cells_of(frame)
        estimates = values(cell)
        answered = estimates["share_answered"].value
        if answered is None:
            left_out["P1.left_out_unscored"].append(model)
            continue
        if answered == 0:
            left_out["P1.left_out"].append(model)
            continue
        share = Mean(estimates[_ZONE].value, default_intervals(cell, estimates)[0].get(_ZONE))
        of_fluent = measure_with_intervals(cell, _ZONE, LEVEL)[0][_ZONE].value
        rows.append({"model": model} | share.as_dict() | {"of_fluent": of_fluent})
        if answered < FEW_ANSWERED:
            left_out["P1.left_out_few"].append(model)
        else:
            shares[model] = share
    nothing = nothing_known(tested.study)
    if nothing is not None:
        return result_of(None, None, (ClaimVerdict.OPEN, (nothing,)))
    lowest = min(
        shares.values(), key=lambda share: math.inf if share.value is None else share.value, default=Mean(None, None)
    )
    verdict, reasons = _universal(shares)
    reasons = (*reasons, *(because(code, models=listed(models)) for code, models in left_out.items() if models))
    return result_of(lowest.value, lowest.interval, (verdict, reasons), rows)


def together(tested: TestedRuns) -> Result:
    """M2, the digest's break condition: FAR and SAS always rise and fall together over the levels."""
    study = _claiming(tested.study)
    far, sas = curves(study, "far"), curves(study, "sas")
    rows = []
    undefined: dict[str, list[str]] = {}
    for model in study.models:
        levels = far[model].shape[1]
        r = row_correlations(far[model][:1], sas[model][:1], "pearson")[0] if levels >= _MIN_LEVELS else math.nan
        rows.append({"model": model, "value": known(r), "levels": levels})
        if math.isnan(r):
            undefined.setdefault(_undefined(far[model][0], sas[model][0]), []).append(model)
    pooled = row_correlations(_within_models(far), _within_models(sas), "pearson")
    value = known(pooled[0]) if any(row["value"] is not None for row in rows) else None
    draws = pooled[1:][~np.isnan(pooled[1:])]
    interval = percentile(draws) if draws.size and value is not None else None
    falls = any(_surely_falls(_mean_over_models(list(_drops(study, score).values()))) for score in _SCORES)
    if value is None:
        nothing = nothing_known(study)
        why = (nothing,) if nothing else tuple(_why_undefined(code, models) for code, models in undefined.items())
        return result_of(None, None, (ClaimVerdict.OPEN, why), rows)
    return result_of(value, interval, _together(interval, len(study.levels), falls), rows)


def verifier_first(tested: TestedRuns) -> Result:
    """P2: FAR falls more with compression than SAS does, in the mean of the models; how many show it is counted."""
    study = _claiming(tested.study)
    far, sas = _paired_drops(study)
    rows = [{"model": model} | _row(far[model], sas[model]) for model in study.models]
    seldom = [model for model in study.models if _seldom_answers(study.frames[model])]
    without = [model for model in study.models if model not in seldom and np.isnan(far[model]).all()]
    valued = [model for model in study.models if model not in {*seldom, *without}]
    left_out = {"P2.left_out_few": seldom, "P2.left_out": without}
    left = tuple(because(code, models=listed(models)) for code, models in left_out.items() if models)
    if not valued:
        nothing = nothing_known(study)
        no_fall = because("P2.one_level" if len(study.levels) == 1 else "P2.no_concept")
        why = (nothing,) if nothing else left if seldom else (no_fall,)
        return result_of(None, None, (ClaimVerdict.OPEN, why), rows)
    mean_far, mean_sas = (_mean_over_models([drops[model] for model in valued]) for drops in (far, sas))
    difference = mean_over_concepts(mean_far - mean_sas)
    verdict, reasons = _first(mean_far, mean_sas)
    if len(valued) > 1:
        alone = [_first(far[model], sas[model])[0] for model in valued]
        verdict, reasons = _model_by_model((verdict, reasons), alone)
        rows = [{"model": "all"} | _row(mean_far, mean_sas), *rows]
    return result_of(difference.value, difference.interval, (verdict, (*reasons, *left)), rows)


def _universal(shares: Mapping[str, Mean]) -> Decision:
    if not shares:
        return ClaimVerdict.OPEN, ()
    intervals = {model: share.interval for model, share in shares.items() if share.interval is not None}
    without = [model for model in shares if model not in intervals]
    if without:
        return ClaimVerdict.OPEN, (because("P1.without_interval", models=listed(without)),)
    none = {model: interval for model, interval in intervals.items() if interval.low <= 0}
    never = [model for model, interval in none.items() if interval.high < _NONE_TO_SPEAK_OF]
    if never:
        return ClaimVerdict.BROKEN, (because("P1.never", models=listed(never), fewer=_NONE_TO_SPEAK_OF),)
    if none:
        most = max(interval.high for interval in none.values())
        return ClaimVerdict.OPEN, (because("P1.none_yet", models=listed(list(none)), most=most),)
    if len(shares) < MIN_MODELS:
        return ClaimVerdict.OPEN, (because("P1.few_models", models=len(shares), needed=MIN_MODELS),)
    return ClaimVerdict.HELD, (because("P1.each_has_some", models=len(shares)),)


def _undefined(far: Floats, sas: Floats) -> str:
    """The code of why a model's FAR(c) and SAS(c) have no correlation."""
    if far.size < _MIN_LEVELS:
        return "M2.too_few_levels"
    return "M2.level_without_score" if np.isnan(far + sas).any() else "M2.scores_alike"


def _why_undefined(code: str, models: list[str]) -> Reason:
    return because(code, needed=_MIN_LEVELS, models=listed(models))


def _together(interval: Interval | None, levels: int, falls: bool) -> Decision:
    if interval is None:
        return ClaimVerdict.OPEN, (because("M2.too_few_concepts"),)
    if not falls:
        return ClaimVerdict.OPEN, (because("M2.neither_falls"),)
    if interval.low > TOGETHER:
        return ClaimVerdict.BROKEN, (because("M2.together", levels=levels),)
    if interval.high < TOGETHER:
        return ClaimVerdict.HELD, (because("M2.apart", levels=levels),)
    return ClaimVerdict.OPEN, (because("M2.either", bound=TOGETHER, levels=levels),)


def _surely_falls(drops: Floats) -> bool:
    interval = mean_over_concepts(drops).interval
    return interval is not None and interval.low > 0


def _first(far_drops: Floats, sas_drops: Floats) -> Decision:
    falls = {"FAR": far_drops, "SAS": sas_drops, "FAR less that of SAS": far_drops - sas_drops}
    far, sas, (_, difference) = map(mean_over_concepts, falls.values())
    if far.interval is None or sas.interval is None or difference is None:
        return ClaimVerdict.OPEN, (_without_interval(falls),)
    moved = {"far": str(far), "sas": str(sas)}
    if far.interval.high < 0 and difference.high < 0:
        return ClaimVerdict.BROKEN, (because("P2.rises", **moved),)
    if far.interval.low <= 0 and sas.interval.low <= 0:
        return ClaimVerdict.OPEN, (because("P2.neither_falls", **moved),)
    verdict = (
        ClaimVerdict.HELD if difference.low > 0 else ClaimVerdict.BROKEN if difference.high < 0 else ClaimVerdict.OPEN
    )
    return verdict, (because("P2.moved", **moved),)


def _without_interval(falls: Mapping[str, Floats]) -> Reason:
    concepts = min(int((~np.isnan(drops)).sum()) for drops in falls.values())
    if concepts < MIN_CONCEPTS:
        return because("P2.few_concepts", concepts=concepts, needed=MIN_CONCEPTS)
    alike = tuple(name for name, drops in falls.items() if mean_over_concepts(drops).interval is None)
    return because("P2.falls_alike", scores=alike)


def _model_by_model(decision: Decision, alone: Sequence[ClaimVerdict]) -> Decision:
    """The decision on the mean beside how many models show the same alone; none where models go surely either way."""
    confirmed, broken = alone.count(ClaimVerdict.HELD), alone.count(ClaimVerdict.BROKEN)
    verdict, reasons = decision
    if confirmed and broken:
        verdict, reasons = ClaimVerdict.UNDECIDABLE, (because("P2.models_disagree"), *reasons)
    undecided = len(alone) - confirmed - broken
    counts = because("P2.models_alone", models=len(alone), held=confirmed, broken=broken, undecided=undecided)
    return verdict, (*reasons, counts)


def _claiming(study: ResampledScores) -> ResampledScores:
    """The models that claim anything: the others have no FAR to set beside their SAS. All, where none does."""
    claiming = [model for model, frame in study.frames.items() if frame["far"].notna().any()]
    return study.only(claiming or study.models)


def _drops(study: ResampledScores, score: Literal["far", "sas"]) -> dict[str, Floats]:
    """By model, how far FAR or SAS falls from the first to the last level, by concept; shape (concepts,)."""
    return {
        model: -_slopes(levels, curve) * (levels[-1] - levels[0])
        for model, (levels, curve) in concept_curves(study, score).items()
    }


def _paired_drops(study: ResampledScores) -> tuple[dict[str, Floats], dict[str, Floats]]:
    """The falls of FAR and of SAS, over the levels at which a concept has both."""
    far, sas = concept_curves(study, "far"), concept_curves(study, "sas")
    both = {model: ~(np.isnan(far[model][1]) | np.isnan(sas[model][1])) for model in study.models}
    return _falls(far, both), _falls(sas, both)


def _falls(curves: Mapping[str, tuple[Floats, Floats]], there: Mapping[str, NDArray[np.bool_]]) -> dict[str, Floats]:
    return {
        model: -_slopes(levels, np.where(there[model], curve, np.nan)) * (levels[-1] - levels[0])
        for model, (levels, curve) in curves.items()
    }


def _seldom_answers(frame: pd.DataFrame) -> bool:
    answered = values(cells_of(frame))["share_answered"].value
    return answered is not None and answered < FEW_ANSWERED


def _slopes(levels: Floats, curve: Floats) -> Floats:
    """Least-squares slope of each row over the levels it has; NaN with fewer than two."""
    there = ~np.isnan(curve)
    n = np.maximum(there.sum(axis=1, keepdims=True), 1)
    x = np.where(there, levels - (there * levels).sum(axis=1, keepdims=True) / n, 0.0)
    spread = (x**2).sum(axis=1)
    rise = (x * np.nan_to_num(curve)).sum(axis=1)
    return np.asarray(np.divide(rise, spread, out=np.full(len(curve), np.nan), where=spread > 0), dtype=np.float64)


def _mean_over_models(drops: Sequence[Floats]) -> Floats:
    """By concept, so that their mean is the mean of the models' means, whichever concepts each model has.

    A concept is that mean and what it adds to the models' means. Where every model has every concept, it is the mean
    of the models.
    """
    stacked = np.stack(drops)
    there = ~np.isnan(stacked)
    stacked, there = stacked[there.any(axis=1)], there[there.any(axis=1)]
    if not len(stacked):
        return np.full(len(drops[0]), np.nan)
    means = np.nanmean(stacked, axis=1, keepdims=True)
    adds = np.where(there, stacked - means, 0.0) / there.sum(axis=1, keepdims=True)
    known = there.any(axis=0)
    return np.where(known, means.mean() + known.sum() * adds.mean(axis=0), np.nan)


def _row(far: Floats, sas: Floats) -> dict[str, Any]:
    columns = (("FAR_falls", far), ("SAS_falls", sas), ("difference", far - sas))
    return {key: value for name, drops in columns for key, value in mean_over_concepts(drops).as_dict(name).items()}


def _within_models(by_model: Mapping[str, Floats]) -> Floats:
    """All models' curves side by side, each less its mean; shape (1 + draws, models and levels)."""
    return np.concatenate([curve - curve.mean(axis=1, keepdims=True) for curve in by_model.values()], axis=1)
