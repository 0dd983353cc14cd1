"""The trials of a file of scored trials, as its panel of judges scored them."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from voirdire.integrity import IntegrityError
from voirdire.integrity.trial_items import DIMENSION, RUBRIC
from voirdire.integrity.trials import Trial, read_trials
from voirdire.raters.machine._matching import items_of_responses, matched
from voirdire.raters.machine.records import Machine, Unit
from voirdire.raters.records import Project, RatersError

SCORES_ONLY = "These judges gave scores and listed no violations: only scores are compared."


def read_scored_trials(project: Project, path: Path) -> Machine:
    """Every trial of a file, with each judge's score of epistemic integrity under the Likert rubric.

    The consensus is the mean of the judges whose reply could be parsed, as `integrity.trial_items` has it. Values hold
    a `score` and nothing else.

    Raises:
        RatersError: the file holds no scored trials, or none under that rubric.
    """
    try:
        trials = read_trials(path)
        scores = trials.scores(RUBRIC)[:, :, trials.dimension(DIMENSION)]
    except IntegrityError as error:
        raise RatersError(f"{error} Name a run folder of integrity, or a file of scored trials.") from error
    units = [_unit(trial, trials.evaluators, given) for trial, given in zip(trials.trials, scores, strict=True)]
    found, unmatched = matched(project, units, items_of_responses(project))
    return Machine(
        task="integrity",
        run=path,
        by=", ".join(trials.evaluators),
        judges=trials.evaluators,
        units=found,
        unmatched=unmatched,
        notes=(SCORES_ONLY, *_missing(scores)),
    )


def texts_of_trials(path: Path) -> dict[str, str]:
    """The responses of a file of scored trials, by id."""
    return {trial.id: trial.response for trial in read_trials(path).trials}


def _unit(trial: Trial, judges: tuple[str, ...], given: NDArray[np.float64]) -> Unit:
    said: dict[str, dict[str, Any]] = {
        judge: {"score": score} for judge, score in zip(judges, given.tolist(), strict=True) if not math.isnan(score)
    }
    known = [value["score"] for value in said.values()]
    return Unit(
        id=trial.id,
        document=trial.id,
        group=trial.scenario,
        dialogue=trial.id,
        model=trial.model,
        consensus={"score": math.fsum(known) / len(known)} if known else None,
        judges=said,
    )


def _missing(scores: NDArray[np.float64]) -> tuple[str, ...]:
    lacking = int(np.isnan(scores).sum())
    if not lacking:
        return ()
    return (f"Scores missing, as the judges' replies could not be parsed: {lacking:,} of {scores.size:,}.",)
