"""One detector calibrated on labelled answers: what `voirdire detectors calibrate` reports."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from voirdire.detectors.base import Detector
from voirdire.detectors.calibration import Objective, Sample, calibrate, score_answers
from voirdire.detectors.records import Answer, DetectorError, History, Require, labelled_headers
from voirdire.detectors.training.probabilities import METHODS, calibrate_probabilities
from voirdire.text.counting import counted


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
    found = calibrate(sample, objective, own_threshold=detector.threshold, seed=seed)
    return {
        "detector": detector.name,
        "require": require,
        "history": history,
        **found.as_dict(),
        "n_header_rows": labelled_headers(answers),
        "probabilities": None if method is None else calibrate_probabilities(sample, method, seed=seed).as_dict(),
        "remarks": _remarks(sample, found.as_dict()),
    }


def _remarks(sample: Sample, found: dict[str, Any]) -> list[str]:
    """What must be read first."""
    said = []
    if found["n_groups"] < _FEW:
        said.append(f"Only {counted(found['n_groups'], 'context')}: another sample may well give another threshold.")
    if not found["chosen"]["reached"]:
        said.append(f"No threshold reaches {found['objective']} on these answers; this one comes nearest.")
    if len(set(sample.scores.tolist())) <= 2:
        said.append("This detector says yes or no: its threshold decides nothing between.")
    if found["n_unscored"]:
        said.append(f"Without a score: {counted(found['n_unscored'], 'sentence')}, taken as not flagged.")
    if found["interval"] is None:
        said.append("No interval: the F1 is 0 or 1, or rests on too few contexts.")
    return said


_FEW = 30
"""Contexts below which a threshold hardly settles."""
