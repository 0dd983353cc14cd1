"""Small linear models over features: fitted in seconds, calibrated, saved without pickle.

skops refuses what it does not trust by itself, but it trusts all of scikit-learn, and what it trusts grows with its
versions; a detector of this package needs a dozen types.
"""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from voirdire.data import untrusted
from voirdire.detectors.calibration import OTHER_FOLDS
from voirdire.detectors.records import DetectorError
from voirdire.text.counting import counted

MAX_BYTES = 10_000_000
"""Of the file, and of all that is in it, unpacked; a detector has 10 kB."""
MAX_MEMBERS = 200
_SCHEMA = "schema.json"
_MEMBER = re.compile(r"[0-9]{1,24}\.npy|schema\.json")
_NAMES = ("__module__", "__class__", "__loader__")
_TRUSTED_TYPES = frozenset(
    {
        *(("builtins", name, "JsonNode") for name in ("str", "int", "float", "bool", "NoneType")),
        ("builtins", "str", "TypeNode"),
        ("builtins", "dict", "DictNode"),
        ("builtins", "list", "ListNode"),
        ("builtins", "tuple", "TupleNode"),
        ("numpy", "dtype", "DTypeNode"),
        *(("numpy", name, "NdArrayNode") for name in ("ndarray", "float64", "float32", "int64", "int32", "bool")),
        ("sklearn.pipeline", "Pipeline", "ObjectNode"),
        ("sklearn.preprocessing._data", "StandardScaler", "ObjectNode"),
        ("sklearn.linear_model._logistic", "LogisticRegression", "ObjectNode"),
        ("sklearn.calibration", "CalibratedClassifierCV", "ObjectNode"),
        ("sklearn.calibration", "_CalibratedClassifier", "ObjectNode"),
        ("sklearn.calibration", "_SigmoidCalibration", "ObjectNode"),
    }
)
"""(module, class, what skops reads it with)."""
_SHOWN = 100


def check_skops(path: Path) -> None:
    """Make sure that a skops file holds a detector of ours and nothing else.

    Raises:
        UntrustedError: it is too large, no archive of ours, or holds a type that no detector has.
    """
    untrusted.read_bytes(path, MAX_BYTES)
    try:
        with zipfile.ZipFile(path) as archive:
            _check_members(archive.infolist())
            with archive.open(_SCHEMA) as file:
                schema = untrusted.json_of(untrusted.text_of(file.read(MAX_BYTES)))
    except untrusted.UntrustedError:
        raise
    except Exception as error:  # zipfile has many ways to end on a damaged archive
        raise untrusted.UntrustedError(f"is no archive of skops ({type(error).__name__}: {error})") from None
    for node in _nodes(schema):
        class_name = tuple(node.get(place) for place in _NAMES)
        if not all(isinstance(each, str) for each in class_name) or class_name not in _TRUSTED_TYPES:
            name = ".".join(map(str, class_name[:2]))[:_SHOWN]
            raise untrusted.UntrustedError(f"holds a {name!r}, which no detector of voirdire is made of")


def _check_members(members: list[zipfile.ZipInfo]) -> None:
    if len(members) > MAX_MEMBERS:
        raise untrusted.UntrustedError(f"holds {len(members):,} files; at most {MAX_MEMBERS} are read")
    for member in members:
        if not _MEMBER.fullmatch(member.filename):
            raise untrusted.UntrustedError(f"holds the file {member.filename[:_SHOWN]!r}, which no detector has")
    size = sum(member.file_size for member in members)
    if size > MAX_BYTES:
        raise untrusted.UntrustedError(f"unpacks to {size:,} bytes; at most {MAX_BYTES:,} are read")
    if len({member.filename for member in members}) < len(members):
        raise untrusted.UntrustedError("holds a file twice")


def _nodes(value: Any) -> Iterator[dict[str, Any]]:
    """Every object that names a class, at any depth."""
    if isinstance(value, dict):
        if any(place in value for place in _NAMES):
            yield value
        for each in value.values():
            yield from _nodes(each)
    elif isinstance(value, list):
        for each in value:
            yield from _nodes(each)


MODEL_FILE = "model.skops"
META_FILE = "voirdire.json"
PENALTY = 0.01
"""Inverse strength of the L2 penalty: half a thousand statements do not bear much fitting."""
_MAX_META = 10_000_000
_TRUSTED = [
    "sklearn.calibration._CalibratedClassifier",
    "sklearn.calibration._SigmoidCalibration",
]

Features = NDArray[np.float64]
"""Shape (statements, features)."""
Flags = NDArray[np.bool_]


_PLACES = 12
"""Decimals of a probability: the last digits depend on what else is computed in the same call."""


@dataclass(frozen=True, slots=True)
class LinearModel:
    """A calibrated logistic regression, and what is known of it."""

    classifier: Any
    meta: dict[str, Any]

    def probabilities(self, rows: Sequence[Sequence[float]]) -> list[float]:
        """The probability of the positive class, one for each row."""
        if not rows:
            return []
        positive = self.classifier.predict_proba(np.asarray(rows, np.float64))[:, 1]
        return [round(float(p), _PLACES) for p in positive]

    def probabilities_of_many(self, tables: Sequence[Sequence[Sequence[float]]]) -> list[list[float]]:
        """The same for the rows of several answers, in one call of the classifier."""
        probabilities = iter(self.probabilities([row for table in tables for row in table]))
        return [[next(probabilities) for _ in table] for table in tables]


class FittedModel(NamedTuple):
    """A classifier, and what it would have said of each statement without having seen its group."""

    classifier: Any
    held_out: NDArray[np.float64]
    """Shape (n,), probabilities."""


def fit(features: Features, target: Flags, groups: NDArray[Any], seed: int = 0) -> FittedModel:
    """Fit a logistic regression on standardised features, its probabilities calibrated on groups left out.

    Raises:
        DetectorError: there are fewer than three groups, or only one class.
    """
    from sklearn.calibration import CalibratedClassifierCV
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import cross_val_predict
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from threadpoolctl import threadpool_limits

    splits = rows_by_fold(groups, seed)
    if target.all() or not target.any():
        raise DetectorError("There is nothing to learn: the labelled statements are all of one kind.")
    if not all(len(set(target[train].tolist())) == 2 for train, _ in splits):
        raise DetectorError(f"There is too little to learn from: the {OTHER_FOLDS} are all of one kind.")
    model = make_pipeline(StandardScaler(), LogisticRegression(C=PENALTY, max_iter=1000))
    with threadpool_limits(1):  # small matrices: threads only wait for one another
        unseen = cross_val_predict(model, features, target, cv=splits, method="decision_function")
        calibrated = CalibratedClassifierCV(model, method="sigmoid", cv=splits, ensemble=False).fit(features, target)
    (inner,) = calibrated.calibrated_classifiers_
    (sigmoid,) = inner.calibrators
    # The rows of each fold are no part of what is saved.
    return FittedModel(calibrated.set_params(cv=None), np.asarray(sigmoid.predict(unseen), np.float64))


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
    """Write `model.skops` and `voirdire.json`."""
    import zipfile

    import skops.io

    folder.mkdir(parents=True, exist_ok=True)
    skops.io.dump(model.classifier, folder / MODEL_FILE, compression=zipfile.ZIP_DEFLATED, compresslevel=9)
    meta = json.dumps(model.meta, indent=2, ensure_ascii=False, allow_nan=False)
    (folder / META_FILE).write_text(meta + "\n", encoding="utf-8")


def load(folder: Path, kind: str, features: Sequence[str]) -> LinearModel:
    """Read a model; nothing but scikit-learn's own classes of this sort is ever built from the file.

    Raises:
        DetectorError: there is none, it is another kind, or it holds what is not trusted.
    """
    import skops.io

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
    place = folder / MODEL_FILE
    try:
        check_skops(place)
        model = LinearModel(skops.io.load(place, trusted=_TRUSTED), meta)
        _check_answers(model, len(features))
    except untrusted.UntrustedError as error:
        raise DetectorError(f"{error.of(str(place)).rstrip('.')}, and is not loaded.") from error
    except Exception as error:  # skops has many ways to refuse a file, and scikit-learn to end on a model in pieces
        raise DetectorError(f"{place} can't be loaded as a trusted model: {_first_line(error)}") from error
    return model


def _check_meta(place: Path, meta: Mapping[str, Any]) -> None:
    threshold, trained_on = meta.get("threshold", 0.5), meta.get("trained_on", [])
    if isinstance(threshold, bool) or not isinstance(threshold, int | float) or not 0 <= threshold <= 1:
        raise DetectorError(f"The file {place} must give threshold as a number from 0 to 1.")
    if not isinstance(trained_on, list) or not all(isinstance(each, str) for each in trained_on):
        raise DetectorError(f"The file {place} must give trained_on as a list of texts.")


def _check_answers(model: LinearModel, features: int) -> None:
    """Ask the model once: what it is made of may be right, and how it is put together wrong."""
    (probability,) = model.probabilities([[0.0] * features])
    if not 0 <= probability <= 1:
        raise DetectorError("it gives no probabilities")


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]
