"""Training `lexical-learned` and `type` on labelled answers, in seconds, and what they are worth on other answers."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from voirdire import __version__
from voirdire.detectors import learned, linear
from voirdire.detectors.calibration import choose_threshold
from voirdire.detectors.records import (
    Answer,
    DetectorError,
    History,
    Passage,
    Require,
    hallucinated,
    passage_of,
    type_of,
    without_headers,
)
from voirdire.detectors.scoring import add_counts, count_words, reaches, score_difference, score_interval
from voirdire.detectors.training.records import TrainedDetector, describe_data
from voirdire.text.counting import counted

FOLDS = 5
REPEATS = 10
"""How often cross-validation deals its folds anew for the model card: one dealing is off by a point or two."""


class Task(NamedTuple):
    """What is learnt from which features."""

    kind: str
    names: tuple[str, ...]
    make: Callable[[Passage], list[list[float]]]
    positive: Callable[[Any, Require], bool]
    """(label, require) -> whether a statement is of the class that is looked for."""
    learns: Callable[[Any], bool]
    """Whether statements of this label are learnt from."""
    threshold: float | None = None
    """`None`: chosen for the word-weighted F1."""


DETECT = Task("lexical-learned", learned.LEXICAL, learned.lexical_features, hallucinated, lambda label: True)
TYPE = Task(
    "type",
    learned.TYPES,
    learned.type_features,
    lambda label, require: type_of(label) == "cognitive",
    lambda label: type_of(label) != "irrelevant",
    threshold=0.5,
)


class Sample(NamedTuple):
    """Labelled statements as a model sees them; n of them."""

    features: linear.Features
    target: linear.Flags
    words: NDArray[np.int64]
    groups: NDArray[np.str_]
    small_talk: NDArray[np.bool_]
    """It is learnt from, but never flagged."""

    def part(self, rows: NDArray[Any]) -> Sample:
        """The statements of these rows."""
        return Sample(*(column[rows] for column in self))

    def threshold(self, scores: NDArray[np.float64]) -> float:
        """The threshold that gives these scores of the statements the highest word-weighted F1."""
        return choose_threshold(np.where(self.small_talk, np.nan, scores), self.target, self.words)

    def flagged(self, scores: NDArray[np.float64], threshold: float) -> linear.Flags:
        """Which statements these scores flag."""
        return reaches(scores, threshold) & ~self.small_talk


class CrossValidation(NamedTuple):
    """What the model is worth on contexts it has not seen; thresholds are chosen without the fold, too."""

    f1_by_fold: tuple[float | None, ...]
    """`None` for a fold without a hallucination in which nothing was flagged."""
    scores: NDArray[np.float64]
    """Shape (n,): each statement's probability by the model that did not see its group."""
    flagged: linear.Flags


def sample_of(
    task: Task, answers: Sequence[Answer], *, require: Require = "grounded", history: History = "none"
) -> Sample:
    """The labelled statements of answers, with their features.

    Raises:
        DetectorError: none carries a label.
    """
    rows = [
        (row, task.positive(statement.label, require), statement.words, answer.group, statement.small_talk)
        for answer in map(without_headers, answers)
        if answer.labelled
        for row, statement in zip(task.make(passage_of(answer, history)), answer.statements, strict=True)
        if statement.label is not None and task.learns(statement.label)
    ]
    if not rows:
        raise DetectorError(
            f"None of {counted(len(answers), 'answer')} has a label, so there is nothing to learn from."
        )
    features, target, words, groups, small_talk = zip(*rows, strict=True)
    return Sample(
        np.array(features, np.float64),
        np.array(target, np.bool_),
        np.array(words),
        np.array(groups),
        np.array(small_talk, np.bool_),
    )


def cross_validate(
    sample: Sample, seed: int = 0, folds: int = FOLDS, *, threshold: float | None = None
) -> CrossValidation:
    """Grouped cross-validation, nested: unless it is given, a fold's threshold comes from the others alone."""
    scores = np.zeros(len(sample.target))
    flagged = np.zeros(len(sample.target), np.bool_)
    f1_by_fold = []
    for train, test in linear.rows_by_fold(sample.groups, seed, folds):
        training = sample.part(train)
        fitted = linear.fit(training.features, training.target, training.groups, seed)
        cut = training.threshold(fitted.held_out) if threshold is None else threshold
        scores[test] = fitted.classifier.probabilities(sample.features[test])
        flagged[test] = sample.part(test).flagged(scores[test], cut)
        score = count_words(flagged[test].tolist(), sample.target[test].tolist(), sample.words[test].tolist()).score
        f1_by_fold.append(score.f1)
    return CrossValidation(tuple(f1_by_fold), scores, flagged)


def mean_of_folds(f1_by_fold: Sequence[float | None]) -> float:
    """The mean F1 of the folds that have one: some fold does, since learning needs a hallucination."""
    return float(np.mean([f1 for f1 in f1_by_fold if f1 is not None]))


def train(
    answers: Sequence[Answer],
    out: Path,
    *,
    seed: int = 0,
    require: Require = "grounded",
    history: History = "none",
    task: Task = DETECT,
    source: str = "",
) -> TrainedDetector:
    """Fit on all labelled answers, judge by grouped cross-validation, and save with a model card.

    Raises:
        DetectorError: too few labels, or all of one kind.
    """
    started = time.perf_counter()
    sample = sample_of(task, answers, require=require, history=history)
    classifier, held_out = linear.fit(sample.features, sample.target, sample.groups, seed)
    threshold = task.threshold
    if threshold is None:
        threshold = sample.threshold(held_out)
    figures = _figures(sample, seed, task.threshold)
    data = {**describe_data(answers, require), "source": source, "require": require, "history": history}
    meta = {
        "kind": task.kind,
        "features": list(task.names),
        "threshold": threshold,
        "figures": figures,
        "data": data,
        "trained_on": sorted({fingerprint(answer.context) for answer in answers if answer.labelled}),
        "versions": {"voirdire": __version__},
    }
    linear.save(linear.LinearModel(classifier, meta), out)
    trained = TrainedDetector(
        task.kind, out, "logistic regression", threshold, figures, (), data, round(time.perf_counter() - started, 1)
    )
    (out / "README.md").write_text(
        _card(trained, dict(zip(task.names, classifier.weights.tolist(), strict=True))), encoding="utf-8"
    )
    return trained


def fingerprint(context: str) -> str:
    """What tells a context again without holding it."""
    return hashlib.sha256(context.encode()).hexdigest()[:16]


def _figures(sample: Sample, seed: int, threshold: float | None) -> dict[str, Any]:
    names = np.unique(sample.groups)
    folds = min(FOLDS, len(names))
    dealings = REPEATS if len(names) > folds else 1  # a fold for each group: there is one way to deal them
    repeats = [cross_validate(sample, seed + repeat, threshold=threshold) for repeat in range(dealings)]
    means = np.array([mean_of_folds(each.f1_by_fold) for each in repeats], np.float64)
    first = repeats[0]
    counts, everything = (
        [
            count_words(*(column[sample.groups == name].tolist() for column in (flagged, sample.target, sample.words)))
            for name in names
        ]
        for flagged in (first.flagged, ~sample.small_talk)
    )
    interval = score_interval(counts)
    pooled, base = (add_counts(each).score.f1 or 0.0 for each in (counts, everything))
    gain = score_difference(counts, everything)
    return {
        "f1_mean_of_folds": float(means.mean()),
        "f1_lowest_dealing": float(means.min()),
        "f1_highest_dealing": float(means.max()),
        "f1_pooled": pooled,
        "interval": None if interval is None else [interval.low, interval.high],
        "accuracy": float(np.mean((first.scores >= 0.5) == sample.target)),
        "f1_everything": base,
        "gain": pooled - base,
        "gain_interval": [gain.low, gain.high],
        "folds": folds,
        "dealings": dealings,
    }


def _card(trained: TrainedDetector, learnt: dict[str, float]) -> str:
    from voirdire.data.packaged_files import read_text

    figures, data = trained.figures or {}, trained.data
    interval = figures["interval"]
    return read_text(f"detectors/card_{trained.kind}.md").format(
        weights="\n".join(f"| {name} | {weight:+.3f} |" for name, weight in learnt.items()),
        interval="undefined" if interval is None else f"{interval[0]:.3f} to {interval[1]:.3f}",
        spread=(
            f" ({figures['f1_lowest_dealing']:.3f} to {figures['f1_highest_dealing']:.3f} over {figures['dealings']} "
            "dealings of the folds)"
            if figures["dealings"] > 1
            else ""
        ),
        gain_interval="{:+.3f} to {:+.3f}".format(*figures["gain_interval"]),
        threshold=trained.threshold,
        **{name: value for name, value in figures.items() if not name.endswith("interval")},
        **{f"n_{name}": data[name] for name in ("answers", "groups", "statements", "hallucinated")},
        source=data["source"] or "unnamed",
        require=data["require"],
        history=data["history"],
    )
