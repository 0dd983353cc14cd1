"""What is to be planned, and whether it can be."""

from __future__ import annotations

import difflib
from dataclasses import dataclass

import numpy as np

from voirdire.ddft.analysis.planning.material import PowerError
from voirdire.ddft.analysis.planning.sources import PUBLISHED, Source
from voirdire.ddft.labels import in_words
from voirdire.ddft.metrics import BY_NAME

WITHOUT_ER = "K"
"""What is planned for where no stances are known: accuracy, the part of ER that needs none."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is to be planned. `None` leaves a number open."""

    detect: float
    """The difference, in the metric's unit."""
    power: float = 0.8
    alpha: float = 0.05
    metric: str | None = None
    """ER where stances are known, else K."""
    models: int = 2
    """How many are compared: with more than two, Holm's correction over their pairs."""
    concepts: int | None = None
    levels: int | None = None
    samples: int | None = None
    judges: int | None = None

    @property
    def pairs(self) -> int:
        """Of the models to be compared."""
        return self.models * (self.models - 1) // 2


def checked_metric(question: Question, source: Source) -> str:
    """The metric to plan for.

    Raises:
        PowerError: no such metric, or one that the published scores can't have.
    """
    if question.metric is None:
        estimates, _ = source.material.estimates("ER")
        return "ER" if np.isfinite(estimates).any() else WITHOUT_ER
    if question.metric not in BY_NAME:
        near = difflib.get_close_matches(question.metric, BY_NAME, n=1, cutoff=0.4)
        hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(BY_NAME)}."
        raise PowerError(f"There is no metric {question.metric!r} to plan for: {hint}")
    estimates, _ = source.material.estimates(question.metric)
    if source.name == PUBLISHED and np.isnan(estimates).all():
        raise PowerError(
            f"{in_words(question.metric)} needs the stance towards each trap, which the published scores do not hold: "
            "give --pilot RUN or --assume PARAMETERS, or plan for another metric."
        )
    return question.metric


def check(question: Question, metric: str) -> None:
    """Refuse what can't be planned.

    Raises:
        PowerError: a number out of its range.
    """
    largest = BY_NAME[metric].unit if BY_NAME[metric].kind != "ratio" else np.inf
    if not 0 < question.detect < largest:
        limit = "" if largest == np.inf else f" and below {largest:g}"
        raise PowerError(f"detect: {question.detect:g} is no difference in {metric}; give a number above 0{limit}.")
    if not 0 < question.alpha <= 0.2:
        raise PowerError(f"alpha: {question.alpha:g} is not possible; give a number above 0, at most 0.2.")
    if not question.alpha < question.power <= 0.99:
        raise PowerError(
            f"power: {question.power:g} is not possible; give a number above {question.alpha:g} (alpha), at most 0.99."
        )
    if question.models < 2:
        raise PowerError(f"models: {question.models} can't be compared; give 2 or more.")
    if question.concepts is not None and question.concepts < 3:
        raise PowerError(f"concepts: {question.concepts} give no interval; name three or more.")
