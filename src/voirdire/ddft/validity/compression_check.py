"""Does the level do anything? The check `compression_effect`."""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass

import numpy as np
import pandas as pd

from voirdire.ddft.concept_sums import Floats, ScoredTurns, read_answers
from voirdire.ddft.metric_intervals import MIN_CONCEPTS
from voirdire.ddft.validity.records import Check, RunRecord, Status
from voirdire.reason_codes import Reason, reason
from voirdire.stats import Interval, jackknife_t

CONFIDENCE = 0.95

SMALL_FALL = 0.10
"""Of FAR, from the first level to the last. Where the run can't rule out that much, too little was asked to say that no
model moves."""

_DECIMALS = 2
"""Of falls, as they are printed: less is none."""

LEVEL_TURNS = slice(0, 3)
"""Turns 1 to 3: at 4 and 5 the score is about the trap, not about what the reference says."""


@dataclass(frozen=True, slots=True)
class _Movement:
    """How far a model's scores fall from the first level to the last, by concept."""

    model: str
    concepts: tuple[str, ...]
    far: Floats
    """Shape (concepts,); NaN where a concept has scores at fewer than two levels."""
    sas: Floats
    silent: bool
    """Whether none of its scored answers makes a claim."""

    def measured(self) -> bool:
        return max(int(np.isfinite(falls).sum()) for falls in (self.far, self.sas)) >= MIN_CONCEPTS

    def moves(self, confidence: float) -> bool:
        """Whether FAR or SAS falls: its interval lies above 0, with the decimals that are printed."""
        intervals = (_mean_and_interval(falls, confidence)[1] for falls in (self.far, self.sas))
        return any(interval is not None and round(interval.low, _DECIMALS) > 0 for interval in intervals)

    def may_fall(self, confidence: float) -> bool:
        """Whether its FAR may fall by as much as matters, as far as its turns can tell."""
        interval = _mean_and_interval(self.far, confidence)[1]
        return interval is None or interval.high >= SMALL_FALL

    def seems_to_fall(self) -> bool:
        """Whether its FAR falls by as much as matters, chance left aside."""
        return _mean_and_interval(self.far, CONFIDENCE)[0] >= SMALL_FALL

    def evidence(self, confidence: float) -> Reason:
        far, sas = (_mean_evidence(*_mean_and_interval(falls, confidence)) for falls in (self.far, self.sas))
        if self.moves(confidence):
            return reason("model_moves", model=self.model, far=far, sas=sas)
        code = "model_may_move" if self.may_fall(confidence) else "model_does_not_move"
        return reason(code, model=self.model, far=far, sas=sas, fall=SMALL_FALL)


def compression_effect(record: RunRecord) -> Check:
    """Does FAR (or SAS) fall as the reference is taken away?"""
    everyone = [_movement(model, read_answers(rows)) for model, rows in record.scores_by_model()]
    movements = [each for each in everyone if not each.silent]
    silent = [reason("model_without_claims", model=each.model) for each in everyone if each.silent]
    measured = [each for each in movements if each.measured()]
    value, interval = _mean_and_interval(_over_models(measured), CONFIDENCE)
    known, ends = None if math.isnan(value) else value, None if interval is None else (interval.low, interval.high)
    if not measured:
        few = [reason("too_few_levels", concepts=MIN_CONCEPTS)] if movements or not silent else []
        return Check("compression_effect", "not measured", known, ends, (*few, *silent))
    # Each model has two chances to move by accident: all of them together get 5 %.
    apart = 1 - (1 - CONFIDENCE) / (2 * len(measured))
    moving = [each for each in measured if each.moves(apart)]
    together = interval is None or interval.high >= SMALL_FALL
    may_fall = together or any(each.seems_to_fall() for each in measured)
    status, why = _verdict(len(moving), len(measured), may_fall)
    evidence = [
        reason("models_that_move", hits=len(moving), of=len(measured)),
        *(each.evidence(apart) for each in measured),
        *why,
    ]
    if len(measured) < len(movements):
        rest = tuple(each.model for each in movements if not each.measured())
        evidence.append(reason("too_few_scores", models=rest))
    return Check("compression_effect", status, known, ends, (*evidence, *silent))


def _verdict(moving: int, models: int, may_fall: bool) -> tuple[Status, tuple[Reason, ...]]:
    """A verdict on the test, and what must be said with it.

    Args:
        moving: models that move.
        models: all that were measured.
        may_fall: whether a fall that matters can't be ruled out: of all models together, or of one that seems to fall.
    """
    if moving == models:
        return "pass", ()
    if moving:
        return "warn", (reason("may_be_robust"),)
    if may_fall:
        return "undecided", (reason("small_fall_possible", fall=SMALL_FALL),)
    return "fail", (reason("no_model_moves"),)


def _movement(model: str, answers: ScoredTurns) -> _Movement:
    far, sas = _falls(answers.far, answers.levels), _falls(answers.sas, answers.levels)
    claims, none = np.isfinite(answers.far[..., LEVEL_TURNS]), answers.no_claims[..., LEVEL_TURNS]
    return _Movement(model, answers.concepts, far, sas, bool(none.any() and not claims.any()))


def _falls(scores: Floats, levels: Floats) -> Floats:
    """How far a least-squares line through each concept's scores of turns 1-3 falls over all levels.

    Args:
        scores: axes concept, level, sample, turn.
        levels: ascending.

    Returns:
        Shape (concepts,), NaN where a concept has scores at fewer than two levels.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # a level without any score is NaN, and left out below
        curves = np.nanmean(scores[..., LEVEL_TURNS], axis=(2, 3))
    falls = np.full(len(curves), np.nan)
    for i, curve in enumerate(curves):
        known = np.isfinite(curve)
        if known.sum() > 1:
            falls[i] = 0.0 - np.polyfit(levels[known], curve[known], 1)[0] * np.ptp(levels)
    return falls


def _mean_and_interval(falls: Floats, confidence: float) -> tuple[float, Interval | None]:
    """The mean over concepts (NaN of none), with the interval of a jackknife over them."""
    known = falls[np.isfinite(falls)]
    if not known.size:
        return math.nan, None
    mean = float(known.mean())
    if known.size < MIN_CONCEPTS:
        return mean, None
    if np.ptp(known) < 1e-12:  # every concept alike: there is no spread, and the mean stands as it is
        return mean, Interval(mean, mean, confidence, "no spread")
    left_out = (known.sum() - known) / (known.size - 1)
    # A fitted fall can exceed 1, a fall of scores can't.
    most = max(1.0, abs(mean))
    return mean, jackknife_t(mean, left_out, level=confidence).within(-most, most)


def _over_models(movements: list[_Movement]) -> Floats:
    """The mean fall of FAR of all models, by concept: models over the same concepts are no further clusters."""
    rows = [dict(zip(each.concepts, each.far, strict=True)) for each in movements]
    return pd.DataFrame(rows).mean(axis=0).to_numpy(dtype=np.float64)


def _mean_evidence(mean: float, interval: Interval | None) -> Reason:
    """A fall, or as a rise one below 0."""
    if math.isnan(mean):
        return reason("fall_unknown")
    what, sign = ("rise", -1) if round(mean, _DECIMALS) < 0 else ("fall", 1)
    if interval is None:
        return reason(what, mean=sign * mean)
    if interval.low <= -1 and interval.high >= 1:
        return reason(f"{what}_anywhere", mean=sign * mean)
    if interval.low == interval.high and round(mean, _DECIMALS) == 0:
        return reason("same_everywhere")
    if interval.low == interval.high:
        return reason(f"{what}_everywhere", mean=sign * mean)
    low, high = sorted((sign * interval.low, sign * interval.high))
    return reason(f"{what}_between", mean=sign * mean, low=low, high=high)
