"""Scored trials as responses to be audited."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from voirdire.integrity.trials import Trials
from voirdire.text.counting import counted

RUBRIC = "likert"
DIMENSION = "epistemic_integrity"


def items_message(path: Path, number: int) -> str:
    """How many responses a file holds, and what audits them."""
    return f"{counted(number, 'response')} in {path}: voirdire integrity audit --responses {path} -o RUN"


def trial_items(trials: Trials) -> Iterator[dict[str, Any]]:
    """One item per trial, as `items.read_items` takes it.

    The context is what the model was told of the case besides the facts. `holistic` is the mean of the judges' scores
    of epistemic integrity under the Likert rubric: scores of models, by impression; no people scored these trials.
    """
    dimension = trials.dimension(DIMENSION)
    scores = trials.scores(RUBRIC)[:, :, dimension]
    for trial, trial_scores in zip(trials.trials, scores, strict=True):
        case = trials.scenarios[trial.scenario]
        known = trial_scores[~np.isnan(trial_scores)]
        yield {
            "id": trial.id,
            "context": "\n".join((case.description, *case.ambiguous, case.decision_point)),
            "facts": list(case.facts),
            "response": trial.response,
            "holistic": float(known.mean()) if known.size else None,
        }
