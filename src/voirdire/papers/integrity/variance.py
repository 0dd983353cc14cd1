"""Do models, constitutions, or the two together move the scores? And what a constitution changes against none."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from voirdire.integrity.records import IntegrityError
from voirdire.integrity.trials import Trials
from voirdire.stats import special
from voirdire.stats.comparison import holm
from voirdire.stats.intervals import Floats
from voirdire.stats.two_way_anova import TwoWayAnova, two_way_anova

BASELINE = "no-constitution"
INTERACTION = "model:constitution"


@dataclass(frozen=True, slots=True)
class Variance:
    """Two-way analyses of variance of the mean over judges, per dimension."""

    plain: dict[str, TwoWayAnova]
    """Model, constitution, and their interaction, as published."""
    blocked: dict[str, TwoWayAnova]
    """With the scenario as a block: every cell has the same scenarios, whose differences are no error."""
    holm_plain: dict[str, float]
    """p of the interaction, corrected for there being several dimensions."""
    holm_blocked: dict[str, float]


class TTest(NamedTuple):
    """A mean and its t test against 0; NaN where undefined."""

    mean: float
    t: float
    p: float
    n: int


@dataclass(frozen=True, slots=True)
class Deltas:
    """What constitutions change: a trial's score less the same model's mean without a constitution."""

    all: TTest
    """Of all deltas together: effects of opposite sign cancel, and deltas of one model share a baseline."""
    means: dict[str, float]
    """Mean delta by constitution."""
    paired: dict[str, TTest]
    """By constitution: with against without, same model and scenario."""
    scenarios: TTest
    """Of the scenarios' mean paired differences: scenarios are what could be sampled anew."""


def judge_means(trials: Trials, rubric: str, dimension: str) -> Floats:
    """A trial's mean over judges; unparsed replies are left out. Shape (trials,)."""
    return np.asarray(np.nanmean(trials.scores(rubric)[:, :, trials.dimension(dimension)], axis=1), dtype=np.float64)


def variance(trials: Trials, rubric: str) -> Variance:
    """Analyse every dimension under one rubric.

    Raises:
        IntegrityError: there is no such rubric.
    """
    model, constitution, scenario = (
        np.array([getattr(trial, name) for trial in trials.trials]) for name in ("model", "constitution", "scenario")
    )
    plain, blocked = {}, {}
    for dimension in trials.dimensions:
        values = judge_means(trials, rubric, dimension)
        names = ("model", "constitution", "scenario")
        plain[dimension] = two_way_anova(values, model, constitution, names=names)
        blocked[dimension] = two_way_anova(values, model, constitution, block=scenario, names=names)
    return Variance(plain, blocked, _corrected(plain), _corrected(blocked))


def deltas(trials: Trials, rubric: str, dimension: str) -> Deltas:
    """Compare every constitution with none.

    Raises:
        IntegrityError: no trial is without a constitution, or there is no such rubric or dimension.
    """
    scored = list(zip(trials.trials, judge_means(trials, rubric, dimension).tolist(), strict=True))
    without: dict[str, list[float]] = {}
    same_case: dict[tuple[str, str], float] = {}
    for trial, score in scored:
        if trial.constitution == BASELINE:
            without.setdefault(trial.model, []).append(score)
            same_case[trial.model, trial.scenario] = score
    if set(without) != {trial.model for trial in trials.trials}:
        raise IntegrityError(f"Every model needs trials under {BASELINE!r} to compare constitutions with.")
    baseline = {model: float(np.nanmean(each)) for model, each in without.items()}
    change: dict[str, list[float]] = {}
    paired: dict[str, list[float]] = {}
    by_scenario: dict[str, list[float]] = {}
    for trial, score in scored:
        if trial.constitution != BASELINE:
            change.setdefault(trial.constitution, []).append(score - baseline[trial.model])
            if (trial.model, trial.scenario) in same_case:
                difference = score - same_case[trial.model, trial.scenario]
                paired.setdefault(trial.constitution, []).append(difference)
                by_scenario.setdefault(trial.scenario, []).append(difference)
    return Deltas(
        all=_t_test([each for under in change.values() for each in under]),
        means={name: float(np.nanmean(change[name])) for name in sorted(change)},
        paired={name: _t_test(paired[name]) for name in sorted(paired)},
        scenarios=_t_test([float(np.nanmean(each)) for each in by_scenario.values()]),
    )


def _corrected(analyses: dict[str, TwoWayAnova]) -> dict[str, float]:
    p = holm([each.terms[INTERACTION].p for each in analyses.values()])
    return dict(zip(analyses, map(float, p), strict=True))


def _t_test(values: Sequence[float]) -> TTest:
    """Of the values that are known: nobody's reply on a trial may have been parsed."""
    known = [value for value in values if not math.isnan(value)]
    n = len(known)
    if n < 2 or np.ptp(known) == 0:
        return TTest(float(np.mean(known)) if n else math.nan, math.nan, math.nan, n)
    mean = float(np.mean(known))
    t = mean / (float(np.std(known, ddof=1)) / math.sqrt(n))
    return TTest(mean, t, float(2 * special.stdtr(n - 1, -abs(t))), n)
