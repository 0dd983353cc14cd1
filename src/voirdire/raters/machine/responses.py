"""Responses as the auditors of a run, or the judges of scored trials, scored them."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from voirdire.integrity import IntegrityError
from voirdire.integrity.results import Audited, open_audits
from voirdire.integrity.scoring import IntegrityScore
from voirdire.integrity.summary import case_groups
from voirdire.integrity.trial_items import DIMENSION, RUBRIC
from voirdire.integrity.trials import Trial, read_trials
from voirdire.raters.machine.records import Machine, Unit, items_of_responses, matched
from voirdire.raters.records import Project, RatersError

PROVISIONAL = "Only rules have judged this run: they suggest, they never convict."


def read_responses(project: Project, run: Path) -> Machine:
    """Every response that all auditors of a run have audited. Its group is its case: the facts it had to respect.

    Raises:
        RatersError: nothing is audited yet.
        RunFolderError, IntegrityError: there is no run, or it holds no audits of responses.
    """
    taxonomy, audits = open_audits(run)
    audited = list(audits)
    if not audited:
        raise RatersError(f"No response of {run} has been audited yet; go on with the run first.")
    units = [_unit(each, f"case {case}") for each, case in zip(audited, case_groups(audited), strict=True)]
    found, unmatched = matched(project, units, items_of_responses(project))
    auditors = tuple(audit.auditor for audit in audited[0].decision.audits)
    return Machine(
        task="integrity",
        run=run,
        by=", ".join(auditors),
        judges=auditors,
        units=found,
        unmatched=unmatched,
        taxonomy=taxonomy,
        notes=(PROVISIONAL,) if audited[0].provisional else (),
    )


def scored_value(score: IntegrityScore) -> dict[str, Any]:
    """A score in the form of the task's ratings, with the number of severe violations beside."""
    return {
        "score": score.score,
        "band": score.band.name,
        "severe": score.counts["severe"],
        "violations": [
            {
                "type": charge.type.name,
                "sentence": charge.violation.sentence,
                "span": charge.violation.span,
                "fact": charge.violation.fact,
                "severity": charge.type.severity,
                "penalty": charge.penalty,
            }
            for charge in score.charges
            if charge.penalty
        ],
    }


def _unit(audited: Audited, group: str) -> Unit:
    decision = audited.decision
    return Unit(
        id=audited.item.id,
        document=audited.item.id,
        group=group,
        dialogue=audited.item.id,
        consensus=None if decision.consensus is None else scored_value(decision.consensus),
        judges={name: scored_value(score) for name, score in decision.scores.items()},
    )


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
    units = [_trial_unit(trial, trials.evaluators, given) for trial, given in zip(trials.trials, scores, strict=True)]
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


def _trial_unit(trial: Trial, judges: tuple[str, ...], given: NDArray[np.float64]) -> Unit:
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
