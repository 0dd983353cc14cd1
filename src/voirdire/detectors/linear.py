"""Small linear models over features: fitted in seconds, calibrated, saved as numbers in a JSON file."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from voirdire.data import untrusted
from voirdire.detectors.calibration import OTHER_FOLDS
from voirdire.detectors.records import DetectorError
from voirdire.text.counting import counted

META_FILE = "voirdire.json"
PENALTY = 0.01
"""Inverse strength of the L2 penalty: half a thousand statements do not bear much fitting."""
_MAX_META = 10_000_000
_LARGEST = 1e9
"""Of a model's numbers: its sums stay finite."""

Features = NDArray[np.float64]
"""Shape (statements, features)."""
Flags = NDArray[np.bool_]


_PLACES = 12
"""Decimals of a probability: the last digits depend on what else is computed in the same call."""


class Classifier(NamedTuple):
    """A calibrated logistic regression over standardised features."""

    means: NDArray[np.float64]
    """Of the features it was fitted on; shape (features,), as the two that follow."""
    scales: NDArray[np.float64]
    """Their standard deviations."""
    weights: NDArray[np.float64]
    """Of standardised features, before calibration."""
    intercept: float
    slope: float
    """Of the calibrated log-odds, by those before calibration."""
    offset: float

    def decisions(self, features: Features) -> NDArray[np.float64]:
        """Log-odds before calibration, one for each row."""
        decisions: NDArray[np.float64] = (features - self.means) / self.scales @ self.weights + self.intercept
        return decisions

    def probabilities(self, features: Features) -> NDArray[np.float64]:
        """The probability of the positive class, one for each row."""
        return _shares(self.slope * self.decisions(features) + self.offset)


@dataclass(frozen=True, slots=True)
class LinearModel:
    """A classifier, and what is known of it."""

    classifier: Classifier
    meta: dict[str, Any]

    def probabilities(self, rows: Sequence[Sequence[float]]) -> list[float]:
        """The probability of the positive class, one for each row."""
        if not rows:
            return []
        positive = self.classifier.probabilities(np.asarray(rows, np.float64))
        return [round(float(p), _PLACES) for p in positive]

    def probabilities_of_many(self, tables: Sequence[Sequence[Sequence[float]]]) -> list[list[float]]:
        """The same for the rows of several answers, in one call of the classifier."""
        probabilities = iter(self.probabilities([row for table in tables for row in table]))
        return [[next(probabilities) for _ in table] for table in tables]


class FittedModel(NamedTuple):
    """A classifier, and what it would have said of each statement without having seen its group."""

    classifier: Classifier
    held_out: NDArray[np.float64]
    """Shape (n,), probabilities."""


def fit(features: Features, target: Flags, groups: NDArray[Any], seed: int = 0) -> FittedModel:
    """Fit a logistic regression on standardised features, its probabilities calibrated on groups left out.

    Raises:
        DetectorError: there are fewer than three groups, or only one class.
    """
    from voirdire.stats import logistic

    splits = rows_by_fold(groups, seed)
    if target.all() or not target.any():
        raise DetectorError("There is nothing to learn: the labelled statements are all of one kind.")
    if not all(len(set(target[train].tolist())) == 2 for train, _ in splits):
        raise DetectorError(f"There is too little to learn from: the {OTHER_FOLDS} are all of one kind.")
    decisions = np.empty(len(target))
    for train, test in splits:
        decisions[test] = _uncalibrated(features[train], target[train]).decisions(features[test])
    sigmoid = logistic.sigmoid(decisions, target)
    classifier = _uncalibrated(features, target)._replace(slope=float(sigmoid.weights[0]), offset=sigmoid.intercept)
    return FittedModel(classifier, _shares(classifier.slope * decisions + classifier.offset))


def _uncalibrated(features: Features, target: Flags) -> Classifier:
    from voirdire.stats import logistic

    means, deviations = features.mean(axis=0), features.std(axis=0)
    constant = deviations <= len(features) * np.finfo(np.float64).eps * np.abs(means)
    scales = np.where(constant, 1.0, deviations)
    line = logistic.logistic_regression((features - means) / scales, target, PENALTY)
    return Classifier(means, scales, *line, slope=1.0, offset=0.0)


def rows_by_fold(groups: NDArray[Any], seed: int, folds: int = 5) -> list[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Rows to learn from and rows to judge by, for each fold; no group is on both sides.

    Raises:
        DetectorError: there are fewer than three groups.
    """
    from voirdire.detectors.training.splits import assign_folds

    names, sizes = np.unique(groups, return_counts=True)
    if len(names) < 3:
        raise DetectorError(f"The labelled answers rest on {counted(len(names), 'context')}; learning needs 3 or more.")
    fold_of = assign_folds(dict(zip(names.tolist(), sizes.tolist(), strict=True)), min(folds, len(names)), seed)
    fold = np.array([fold_of[name] for name in groups.tolist()])
    return [(np.flatnonzero(fold != each), np.flatnonzero(fold == each)) for each in range(fold.max() + 1)]


def save(model: LinearModel, folder: Path) -> None:
    """Write `voirdire.json`."""
    folder.mkdir(parents=True, exist_ok=True)
    numbers = {name: np.asarray(part).tolist() for name, part in model.classifier._asdict().items()}
    text = json.dumps(model.meta | {"model": numbers}, indent=2, ensure_ascii=False, allow_nan=False)
    (folder / META_FILE).write_text(text + "\n", encoding="utf-8")


def load(folder: Path, kind: str, features: Sequence[str]) -> LinearModel:
    """Read a model: numbers, and what is known of them.

    Raises:
        DetectorError: there is none, it is another kind, or what it holds makes no model.
    """
    try:
        meta = untrusted.json_of(untrusted.read_text(folder / META_FILE, _MAX_META))
    except untrusted.UntrustedError as error:
        raise DetectorError(
            f"{folder} holds no trained detector ({error.of(META_FILE).rstrip('.')}); "
            f"voirdire detectors train {kind} makes one."
        ) from error
    if not isinstance(meta, dict) or meta.get("kind") != kind:
        raise DetectorError(f"{folder} holds no detector of kind {kind}.")
    if meta.get("features") != list(features):
        raise DetectorError(f"{folder} was trained on other features than this version makes; train it again.")
    _check_meta(folder / META_FILE, meta)
    return LinearModel(_classifier(folder / META_FILE, meta.get("model"), len(features)), meta)


def _classifier(place: Path, model: Any, features: int) -> Classifier:
    given = model if isinstance(model, dict) else {}
    means, scales, weights = (_numbers(place, name, given.get(name), features) for name in Classifier._fields[:3])
    rest = (_numbers(place, name, [given.get(name)], 1) for name in Classifier._fields[3:])
    if scales.min() < 1 / _LARGEST:
        raise DetectorError(f"The file {place} must give model.scales as numbers above 0.")
    return Classifier(means, scales, weights, *(float(number[0]) for number in rest))


def _numbers(place: Path, name: str, given: Any, size: int) -> NDArray[np.float64]:
    if not isinstance(given, list) or len(given) != size or not all(map(_is_number, given)):
        raise DetectorError(f"The file {place} must give model.{name} as {counted(size, 'number')}.")
    return np.array(given, np.float64)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= _LARGEST


def _shares(log_odds: NDArray[np.float64]) -> NDArray[np.float64]:
    shares: NDArray[np.float64] = np.exp(-np.logaddexp(0.0, -log_odds))
    return shares


def _check_meta(place: Path, meta: Mapping[str, Any]) -> None:
    threshold, trained_on = meta.get("threshold", 0.5), meta.get("trained_on", [])
    if isinstance(threshold, bool) or not isinstance(threshold, int | float) or not 0 <= threshold <= 1:
        raise DetectorError(f"The file {place} must give threshold as a number from 0 to 1.")
    if not isinstance(trained_on, list) or not all(isinstance(each, str) for each in trained_on):
        raise DetectorError(f"The file {place} must give trained_on as a list of texts.")
