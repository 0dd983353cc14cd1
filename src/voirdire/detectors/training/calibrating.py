"""One detector calibrated on labelled answers: what `voirdire detectors calibrate` reports."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from voirdire.data.json_values import as_object, as_plain
from voirdire.detectors.base import Detector
from voirdire.detectors.calibration import OTHER_FOLDS, Objective, ScoredSample, calibrate, score_answers
from voirdire.detectors.records import Answer, DetectorError, History, Require, labelled_headers
from voirdire.detectors.training.splits import assign_folds
from voirdire.stats import logistic, special
from voirdire.text.counting import counted, tenths

Method = Literal["isotonic", "platt"]
METHODS: tuple[Method, ...] = ("isotonic", "platt")
Floats = NDArray[np.float64]
_FOLDS = 5
_NO_PENALTY = 1e6


class Bin(NamedTuple):
    """Statements whose probabilities lie close together."""

    low: float
    high: float
    n: int
    predicted: float | None
    """Their mean probability; `None` for an empty bin."""
    observed: float | None
    """The share of them that is hallucinated."""


class Reliability(NamedTuple):
    """How probabilities agree with what was found; every statement counts the same."""

    error: float
    """Expected calibration error: the mean distance of `predicted` and `observed`, weighted by n."""
    bins: list[Bin]


class ProbabilityMap(NamedTuple):
    """A growing function from scores to probabilities: straight between its knots, level beyond them."""

    method: Method
    scores: list[float]
    probabilities: list[float]

    def apply(self, scores: ArrayLike) -> Floats:
        """Probabilities of scores; NaN stays NaN."""
        return np.interp(np.asarray(scores, np.float64), self.scores, self.probabilities)


class Probabilities(NamedTuple):
    """Scores as probabilities, judged on groups that the map was not fitted on."""

    fitted: ProbabilityMap
    """On all statements."""
    before: Reliability
    """Of the scores as they are."""
    after: Reliability
    """Of the mapped ones, cross-validated by group."""

    @property
    def better(self) -> bool:
        """Whether the map brings the scores nearer to what is found, on groups it was not fitted on."""
        return self.after.error < self.before.error

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "better": self.better,
            "map": as_object(self.fitted),
            **{
                name: {"error": table.error, "bins": as_plain(table.bins)}
                for name, table in (("before", self.before), ("after", self.after))
            },
        }


def reliability(probabilities: ArrayLike, gold: ArrayLike, bins: int = 10) -> Reliability:
    """Compare probabilities with what was found, in bins of equal width.

    Args:
        probabilities: shape (n,), in [0, 1]; NaN is left out.
        gold: shape (n,), whether each came true.
        bins: how many.

    Raises:
        DetectorError: a probability outside [0, 1], or none at all.
    """
    predicted, hallucinated = np.asarray(probabilities, np.float64), np.asarray(gold, np.bool_)
    scored = ~np.isnan(predicted)
    predicted, hallucinated = predicted[scored], hallucinated[scored]
    if not predicted.size or predicted.min() < 0 or predicted.max() > 1:
        raise DetectorError("A reliability table needs probabilities between 0 and 1, one or more.")
    place = np.minimum((predicted * bins).astype(int), bins - 1)
    rows = []
    for i in range(bins):
        inside = place == i
        n = int(inside.sum())
        means = (float(predicted[inside].mean()), float(hallucinated[inside].mean())) if n else (None, None)
        rows.append(Bin(i / bins, (i + 1) / bins, n, *means))
    gaps = [
        row.n * abs(row.predicted - row.observed)
        for row in rows
        if row.predicted is not None and row.observed is not None
    ]
    return Reliability(sum(gaps) / predicted.size, rows)


def fit_probabilities(
    scores: ArrayLike, gold: ArrayLike, method: Method = "isotonic", *, what: str = "labelled sentences"
) -> ProbabilityMap:
    """Fit a growing function from scores to probabilities.

    Args:
        scores: shape (n,), in [0, 1]; NaN is left out.
        gold: shape (n,), whether each statement is a hallucination; both kinds must occur.
        method: "isotonic" (a staircase; wants hundreds of statements) or "platt" (a logistic curve of the score).
        what: the statements are, for an error's sentence.

    Raises:
        DetectorError: statements of one kind only.
    """
    score, true = np.asarray(scores, np.float64), np.asarray(gold, np.bool_)
    score, true = score[~np.isnan(score)], true[~np.isnan(score)]
    if true.all() or not true.any():
        raise DetectorError(f"Probabilities need hallucinated and other sentences; the {what} are of one kind only.")
    if method == "isotonic":
        steps = logistic.isotonic(score, true)
        return ProbabilityMap(method, steps.x.tolist(), steps.y.tolist())
    curve = logistic.logistic_regression(score[:, None], true, _NO_PENALTY)
    if curve.weights[0] < 0:
        raise DetectorError("Higher scores go with fewer hallucinations here; such scores make no probabilities.")
    knots = np.linspace(0.0, 1.0, 101)
    return ProbabilityMap(method, knots.tolist(), special.expit(curve.weights * knots + curve.intercept).tolist())


def calibrate_probabilities(sample: ScoredSample, method: Method = "isotonic", *, seed: int = 0) -> Probabilities:
    """Fit a map on all of a sample, and judge it by cross-validation over groups (five folds, or as many as groups).

    Raises:
        DetectorError: see `fit_probabilities`; also where a fold put aside leaves one kind only.
    """
    fitted = fit_probabilities(sample.scores, sample.gold, method)
    sizes = Counter(sample.groups.tolist())
    fold_of = assign_folds(sizes, min(_FOLDS, len(sizes)), seed)
    folds = np.array([fold_of[group] for group in sample.groups.tolist()])
    mapped = np.full(folds.size, np.nan)
    for fold in set(fold_of.values()):
        aside = folds == fold
        fold_map = fit_probabilities(sample.scores[~aside], sample.gold[~aside], method, what=OTHER_FOLDS)
        mapped[aside] = fold_map.apply(sample.scores[aside])
    return Probabilities(fitted, reliability(sample.scores, sample.gold), reliability(mapped, sample.gold))


def calibrate_detector(
    detector: Detector,
    answers: Sequence[Answer],
    objective: Objective | str = "f1",
    *,
    probabilities: str = "none",
    require: Require = "grounded",
    history: History = "none",
    seed: int = 0,
) -> dict[str, Any]:
    """Score labelled answers, choose the threshold, and say what must be known of it; for JSON.

    Args:
        detector: opened with a threshold of its own, which is reported beside the chosen one.
        answers: labelled ones; the others are left out.
        objective: see `choose_threshold`.
        probabilities: "isotonic" or "platt" to map scores to probabilities as well, or "none".
        require: what counts as a hallucination.
        history: what counts as evidence.
        seed: of the folds.

    Raises:
        DetectorError: too little data, or an unknown objective or map.
    """
    method = next((known for known in METHODS if known == probabilities), None)
    if method is None and probabilities != "none":
        raise DetectorError(
            f"Probabilities can be had by {' or '.join(METHODS)}, or none; {probabilities!r} was given."
        )
    sample = score_answers(detector, answers, require=require, history=history)
    calibration = calibrate(sample, objective, own_threshold=detector.threshold, seed=seed)
    return {
        "detector": detector.name,
        "require": require,
        "history": history,
        **calibration.as_dict(),
        "n_header_rows": labelled_headers(answers),
        "probabilities": None if method is None else calibrate_probabilities(sample, method, seed=seed).as_dict(),
        "remarks": _remarks(sample, calibration.as_dict()),
    }


def _remarks(sample: ScoredSample, calibration: dict[str, Any]) -> list[str]:
    """What must be read first."""
    remarks = []
    if calibration["n_groups"] < _FEW:
        remarks.append(
            f"Only {counted(calibration['n_groups'], 'context')}: another sample may well give another threshold."
        )
    if calibration["n_hallucinated"] > _MANY_WRONG * calibration["n_statements"]:
        remarks.append(
            f"{tenths(calibration['n_hallucinated'] / calibration['n_statements'])} of these sentences are wrong. "
            "Where fewer are, as in most products, a threshold chosen on them flags too much: label a random sample."
        )
    if not calibration["chosen"]["reached"]:
        remarks.append(f"No threshold reaches {calibration['objective']} on these answers.")
    if len(set(sample.scores.tolist())) <= 2:
        remarks.append("This detector says yes or no: its threshold decides nothing between.")
    if calibration["n_unscored"]:
        remarks.append(f"Without a score: {counted(calibration['n_unscored'], 'sentence')}, taken as not flagged.")
    if calibration["interval"] is None:
        remarks.append("No interval: the F1 is 0 or 1, or rests on too few contexts.")
    return remarks


_FEW = 30
"""Contexts below which a threshold hardly settles."""
_MANY_WRONG = 0.25
"""Share of wrong sentences above which a sample is unlike a product's."""
