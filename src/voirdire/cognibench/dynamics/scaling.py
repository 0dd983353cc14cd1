"""How a detector gains from more training data (CogniBench A.11, Fig. 12)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from voirdire.cognibench.records import CognibenchError
from voirdire.data.json_values import as_object, as_plain
from voirdire.detectors.records import Answer, DetectorError, Require
from voirdire.detectors.training.splits import SHARES, Curve, Trainer, learning_curve

SCALABLE = ("lexical-learned",)
"""Detectors that are trained in seconds, so that a curve of them can be drawn."""

REPEATS = 10


class Step(NamedTuple):
    """All trainings on one share of the data."""

    share: float
    """Of the contexts that were not put aside."""
    statements: float
    """Learnt from, on average."""
    f1: float | None
    """Mean over the trainings that gave one."""
    lowest: float | None
    highest: float | None
    trainings: int
    undefined: int
    """Of these, those without an F1: too little to learn from."""


@dataclass(frozen=True, slots=True)
class Scaling:
    """A learning curve."""

    detector: str
    require: Require
    steps: list[Step]
    curve: Curve

    def as_dict(self) -> dict[str, Any]:
        """The curve as plain values."""
        fit = self.curve.fit
        interval = None if fit is None or fit.interval is None else as_object(fit.interval)
        return {
            "detector": self.detector,
            "require": self.require,
            "steps": as_plain(self.steps),
            "points": as_plain(self.curve.points),
            "fit": None if fit is None else {"intercept": fit.intercept, "slope": fit.slope, "interval": interval},
        }


def scale(
    detector: str,
    answers: Sequence[Answer],
    require: Require = "grounded",
    *,
    shares: Sequence[float] = SHARES,
    repeats: int = REPEATS,
    seed: int = 0,
) -> Scaling:
    """Train a detector on growing shares of the contexts, and judge it on others that stay put aside.

    Args:
        detector: one of `SCALABLE`.
        answers: labelled ones; the others are left out.
        require: what a cognitive statement must be.
        shares: of the contexts to learn from.
        repeats: how often other contexts are put aside.
        seed: of the drawings.

    Raises:
        CognibenchError: this detector can't be trained here, or nothing is labelled.
        DetectorError: there are too few contexts.
    """
    if detector not in SCALABLE:
        raise CognibenchError(
            f"A learning curve can be drawn of {', '.join(SCALABLE)}; {detector!r} was given. Others are trained with "
            "voirdire detectors train, on as much data as you give."
        )
    curve = learning_curve(_lexical_learned(answers, require, seed), answers, shares, seed, repeats=repeats)
    return Scaling(detector, require, [_step(curve, share) for share in sorted(shares)], curve)


def _lexical_learned(answers: Sequence[Answer], require: Require, seed: int) -> Trainer:
    from voirdire.detectors import linear
    from voirdire.detectors.learning import DETECT, sample_of
    from voirdire.detectors.scoring import word_score

    # Features are made once; a training takes the rows of its answers.
    labelled = [answer for answer in answers if answer.labelled]
    sample = sample_of(DETECT, labelled, require=require)
    owner = np.array([answer.id for answer in labelled for each in answer.statements if each.label is not None])

    def train(answers: Sequence[Answer], aside: Sequence[Answer]) -> float | None:
        """F1 of a model and threshold that have seen only the known answers."""
        learnt, test = (sample.part(np.isin(owner, [answer.id for answer in part])) for part in (answers, aside))
        try:
            fitted = linear.fit(learnt.features, learnt.target, learnt.groups, seed)
        except DetectorError:  # too few contexts, or all of one kind
            return None
        scores = fitted.classifier.probabilities(test.features)
        flagged = test.flagged(scores, learnt.threshold(fitted.held_out))
        return word_score(flagged.tolist(), test.target.tolist(), test.words.tolist()).f1

    return train


def _step(curve: Curve, share: float) -> Step:
    points = [point for point in curve.points if point.share == share]
    f1s = [point.f1 for point in points if point.f1 is not None]
    return Step(
        share=share,
        statements=sum(point.statements for point in points) / len(points),
        f1=sum(f1s) / len(f1s) if f1s else None,
        lowest=min(f1s, default=None),
        highest=max(f1s, default=None),
        trainings=len(points),
        undefined=len(points) - len(f1s),
    )
