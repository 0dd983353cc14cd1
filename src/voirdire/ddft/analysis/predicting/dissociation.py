"""Do the fluent part and the verifying part of a model come apart? Predictions on FAR and SAS over levels."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Literal

import numpy as np

from voirdire.ddft._cells import Floats
from voirdire.ddft._uncertainty import default_intervals
from voirdire.ddft.analysis.predicting.findings import (
    BROKEN,
    HELD,
    OPEN,
    UNDECIDABLE,
    Finding,
    Mean,
    Verdict,
    listed,
    mean_over_concepts,
)
from voirdire.ddft.analysis.predicting.measures import Study, cells_of, concept_curves, curves
from voirdire.ddft.analysis.predicting.ranks import known, row_correlations
from voirdire.ddft.metrics import values
from voirdire.stats.intervals import Interval, percentile

TOGETHER = 0.8
"""The digest's break condition of Mechanism 2: FAR and SAS always fall together."""

_ZONE = "danger_zone_pct"
_NONE_TO_SPEAK_OF = 1.0
"""Percent of turns: a model whose danger zone surely holds less shows no dissociation."""
_MIN_LEVELS = 3
_SCORES: tuple[Literal["far", "sas"], ...] = ("far", "sas")


def universal(study: Study) -> Finding:
    """P1: every model gives answers that are fluent and wrong."""
    shares, silent = {}, []
    for model, frame in study.frames.items():
        cell = cells_of(frame)
        estimates = values(cell)
        if estimates["share_answered"].value == 0:
            silent.append(model)
        else:
            shares[model] = Mean(estimates[_ZONE].value, default_intervals(cell, estimates)[0].get(_ZONE))
    lowest = min(
        shares.values(), key=lambda share: math.inf if share.value is None else share.value, default=Mean(None, None)
    )
    verdict, why = _universal(shares)
    if silent:
        why += f" Left out, for no answer claims anything: {listed(silent)}."
    return Finding(
        "P1",
        "Every model gives some answers that are coherent and wrong (the danger zone).",
        "1.5 to 23 % of a model's turns (DDFT 6.3, 8.2.3)",
        lowest.value,
        lowest.interval,
        "the lowest share, in percent of turns; held: for every model the interval lies above 0; broken: for one it "
        f"lies below {_NONE_TO_SPEAK_OF:g} %",
        verdict,
        why,
        tuple({"model": model} | share.as_dict() for model, share in shares.items()),
    )


def together(study: Study) -> Finding:
    """M2, the digest's break condition: FAR and SAS always rise and fall together over the levels."""
    study = _claiming(study)
    far, sas = curves(study, "far"), curves(study, "sas")
    rows = []
    for model in study.models:
        levels = far[model].shape[1]
        r = row_correlations(far[model][:1], sas[model][:1], "pearson")[0] if levels >= _MIN_LEVELS else math.nan
        rows.append({"model": model, "value": known(r), "levels": levels})
    pooled = row_correlations(_within_models(far), _within_models(sas), "pearson")
    value = known(pooled[0]) if any(row["value"] is not None for row in rows) else None
    draws = pooled[1:][~np.isnan(pooled[1:])]
    interval = percentile(draws) if draws.size and value is not None else None
    falls = any(_surely_falls(_mean_over_models(_drops(study, score))) for score in _SCORES)
    verdict, why = _together(value, interval, len(study.levels), falls)
    return Finding(
        "M2",
        "FAR and SAS do not simply fall together as the reference shrinks.",
        "not measured",
        value,
        interval,
        f"held: the correlation of FAR(c) with SAS(c) over levels lies below {TOGETHER:g}; broken: above "
        "(within models, pooled; interval over concepts); undecided: neither falls",
        verdict,
        why,
        tuple(rows),
    )


def verifier_first(study: Study) -> Finding:
    """P2: FAR falls more with compression than SAS does, in the mean of the models; how many show it is counted."""
    study = _claiming(study)
    far, sas = _drops(study, "far"), _drops(study, "sas")
    mean_far, mean_sas = _mean_over_models(far), _mean_over_models(sas)
    difference = mean_over_concepts(mean_far - mean_sas)
    rows = [{"model": model} | _row(far[model], sas[model]) for model in study.models]
    verdict, why = _first(mean_over_concepts(mean_far), mean_over_concepts(mean_sas), difference.interval)
    if len(rows) > 1:
        verdict, why = _model_by_model(verdict, why, far, sas)
    return Finding(
        "P2",
        "As the reference shrinks, accuracy falls more than coherence.",
        "mean SAS 0.89 at c = 0 against 0.84 at c = 1; no figure for FAR (DDFT 6.3)",
        difference.value,
        difference.interval,
        "the fall from the first level to the last along a straight line, FAR's less SAS's, paired by concept, in the "
        "mean of the models; held: above 0; broken: below 0, also where FAR rises; undecided: neither falls, or models "
        "that disagree",
        verdict,
        why,
        tuple([{"model": "all"} | _row(mean_far, mean_sas), *rows] if len(rows) > 1 else rows),
    )


def _universal(shares: Mapping[str, Mean]) -> tuple[Verdict, str]:
    found = {model: share.interval for model, share in shares.items() if share.interval is not None}
    if not shares:
        return OPEN, "No model gives an answer that claims something."
    without = [model for model in shares if model not in found]
    if without:
        return OPEN, f"Without an interval, for want of concepts: {listed(without)}."
    none = {model: interval for model, interval in found.items() if interval.low <= 0}
    never = [model for model, interval in none.items() if interval.high < _NONE_TO_SPEAK_OF]
    if never:
        return BROKEN, f"{listed(never)}: not one such answer, and surely fewer than {_NONE_TO_SPEAK_OF:g} %."
    if none:
        most = max(interval.high for interval in none.values())
        return OPEN, f"{listed(list(none))}: not one such answer, though up to {most:.1f} % are possible."
    return HELD, "Each model has some; an erring judge makes such answers too."


def _together(value: float | None, interval: Interval | None, levels: int, falls: bool) -> tuple[Verdict, str]:
    if value is None:
        return OPEN, f"A correlation over levels needs {_MIN_LEVELS} of them, and scores that differ."
    if interval is None:
        return OPEN, "Too few concepts for an interval."
    if not falls:
        return OPEN, "Neither FAR nor SAS surely falls: what correlates over the levels is noise."
    few = f"{levels} levels per model decide little"
    if interval.low > TOGETHER:
        return BROKEN, f"They move together; {few}."
    if interval.high < TOGETHER:
        return HELD, f"They move together less closely than that; {few}."
    return OPEN, f"The interval holds {TOGETHER:g}; {few}."


def _surely_falls(drops: Floats) -> bool:
    interval = mean_over_concepts(drops).interval
    return interval is not None and interval.low > 0


def _first(far: Mean, sas: Mean, difference: Interval | None) -> tuple[Verdict, str]:
    if far.interval is None or sas.interval is None or difference is None:
        return OPEN, "No interval: fewer than three concepts, one level only, or scores that never differ."
    moved = f"FAR falls by {far}, SAS by {sas}"
    if far.interval.high < 0 and difference.high < 0:
        return BROKEN, f"{moved}: accuracy rises."
    if far.interval.low <= 0 and sas.interval.low <= 0:
        return OPEN, f"{moved}: neither surely falls, so that there is no load to compare them under."
    if difference.low > 0:
        return HELD, f"{moved}."
    return (BROKEN if difference.high < 0 else OPEN), f"{moved}."


def _model_by_model(
    verdict: Verdict, why: str, far: Mapping[str, Floats], sas: Mapping[str, Floats]
) -> tuple[Verdict, str]:
    """The verdict on the mean beside how many models show the same alone; none where models go surely either way."""
    alone = [
        _first(
            mean_over_concepts(far[model]),
            mean_over_concepts(sas[model]),
            mean_over_concepts(far[model] - sas[model]).interval,
        )[0]
        for model in far
    ]
    held, broken = alone.count(HELD), alone.count(BROKEN)
    if held and broken:
        verdict = UNDECIDABLE
        why = f"The models disagree. {why}"
    rest = len(alone) - held - broken
    return verdict, (
        f"{why} That is the mean of {len(alone)} models; alone, it holds in {held} of them, is broken in {broken}, and "
        f"is undecided in {rest}."
    )


def _claiming(study: Study) -> Study:
    """The models that claim anything: the others have no FAR to set beside their SAS. All, where none does."""
    claiming = [model for model, frame in study.frames.items() if frame["far"].notna().any()]
    return study.only(claiming or study.models)


def _drops(study: Study, score: Literal["far", "sas"]) -> dict[str, Floats]:
    """By model, how far FAR or SAS falls from the first to the last level, by concept; shape (concepts,)."""
    return {
        model: -_slopes(levels, curve) * (levels[-1] - levels[0])
        for model, (levels, curve) in concept_curves(study, score).items()
    }


def _slopes(levels: Floats, curve: Floats) -> Floats:
    """Least-squares slope of each row over the levels it has; NaN with fewer than two."""
    there = ~np.isnan(curve)
    n = np.maximum(there.sum(axis=1, keepdims=True), 1)
    x = np.where(there, levels - (there * levels).sum(axis=1, keepdims=True) / n, 0.0)
    spread = (x**2).sum(axis=1)
    rise = (x * np.nan_to_num(curve)).sum(axis=1)
    return np.asarray(np.divide(rise, spread, out=np.full(len(curve), np.nan), where=spread > 0), dtype=np.float64)


def _mean_over_models(drops: Mapping[str, Floats]) -> Floats:
    stacked = np.stack(list(drops.values()))
    n = (~np.isnan(stacked)).sum(axis=0)
    total = np.nansum(stacked, axis=0)
    return np.asarray(np.divide(total, n, out=np.full(total.shape, np.nan), where=n > 0), dtype=np.float64)


def _row(far: Floats, sas: Floats) -> dict[str, Any]:
    columns = (("FAR_falls", far), ("SAS_falls", sas), ("difference", far - sas))
    return {key: value for name, drops in columns for key, value in mean_over_concepts(drops).as_dict(name).items()}


def _within_models(by_model: Mapping[str, Floats]) -> Floats:
    """All models' curves side by side, each less its mean; shape (1 + draws, models and levels)."""
    return np.concatenate([curve - curve.mean(axis=1, keepdims=True) for curve in by_model.values()], axis=1)
