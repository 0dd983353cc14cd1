"""Detectors at work: scores, speed, contradictions, what they were trained on; trained ones never on their own data."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from voirdire.cognibench.contradiction_edits import ContradictionRates
from voirdire.cognibench.contradictions import contradiction_rates
from voirdire.cognibench.detector_accuracy.records import BenchSettings, Source
from voirdire.cognibench.detector_accuracy.separation import UNKNOWN, Separation, separation
from voirdire.cognibench.scoring import Floats, Marks, Truth, labelled_values, mark
from voirdire.detectors.base import Detector
from voirdire.detectors.learning import DETECT, TYPE, Task, cross_validate, sample_of
from voirdire.detectors.lexical import raise_contradicted
from voirdire.detectors.novelty import mask_unchecked
from voirdire.detectors.records import Answer, Passage, passage_of

FOLDS = 5


def learned_out_of_fold(answers: Sequence[Answer], settings: BenchSettings, threshold: float | None = None) -> Scores:
    """What `lexical-learned` flags of contexts that it has not seen, and what the contradiction stage adds.

    Args:
        answers: labelled; folds are of whole groups.
        settings: requirement, history and the seed of the folds.
        threshold: for all folds; without it, each fold's is chosen on the others.

    Returns:
        For each answer, 1 for a flagged statement, else the contradiction stage's score; NaN where there is no label.
    """
    nothing = [[float("nan")] * len(answer.statements) for answer in answers]
    flags = _flags(DETECT, answers, settings, threshold, nothing)
    passages = [passage_of(answer, settings.history) for answer in answers]
    return [
        raise_contradicted(row, passage.context, passage.sentences)
        for row, passage in zip(flags, passages, strict=True)
    ]


def type_out_of_fold(answers: Sequence[Answer], settings: BenchSettings, classifier: Detector) -> Scores:
    """1 for statements that `type` takes for cognitive, without having seen their context.

    It does not learn from irrelevant statements; these have the score of the classifier as it was opened.
    """
    own = classifier.flag_many([passage_of(answer, settings.history) for answer in answers])
    return _flags(TYPE, answers, settings, classifier.threshold, own)


def _flags(
    task: Task, answers: Sequence[Answer], settings: BenchSettings, threshold: float | None, others: Scores
) -> list[list[float]]:
    """Flags of the statements that are learnt from and can be compared; `others` has the scores of those not learnt."""
    sample = sample_of(task, answers, require=settings.require, history=settings.history)
    flagged = iter(cross_validate(sample, settings.seed, FOLDS, threshold=threshold).flagged.tolist())
    flags = [
        [
            float(next(flagged)) if statement.label is not None and task.learns(statement.label) else other
            for statement, other in zip(answer.statements, row, strict=True)
        ]
        for answer, row in zip(answers, others, strict=True)
    ]
    return [
        mask_unchecked(row, [statement.text for statement in answer.statements])
        for answer, row in zip(answers, flags, strict=True)
    ]


MODEL_CALLS = "llm:"
"""Detectors that ask a model; they get no warm-up, which would be a call."""

BASELINE_DETECTORS = ("everything", "later-turns")
"""Baselines whose speed says nothing."""

GIVEN_THRESHOLD = 0.5

Scores = Sequence[Sequence[float]]


@dataclass(frozen=True, slots=True, kw_only=True)
class DetectorTrial:
    """The marks of one detector or baseline on the labelled statements, with its speed and its contradiction rates."""

    name: str
    marks: Marks
    source: Source = "detector"
    threshold: float | None = None
    sentences_per_s: float | None = None
    contradiction: Mapping[str, float | None] | None = None
    controls: float | None = None
    cases: Mapping[str, int] | None = None
    """How many statements of each kind of contradiction."""
    trained_on: int = 0
    separation: Separation = UNKNOWN

    @property
    def unlabelled(self) -> bool:
        """Whether a model left statements without a label that it could have labelled either way."""
        by_model = self.source == "given" or self.name.startswith(MODEL_CALLS)
        return by_model and bool(self.marks.missing.any())


def try_detector(
    detector: Detector,
    answers: Sequence[Answer],
    truth: Truth,
    settings: BenchSettings,
    out_of_fold: Scores | None = None,
) -> DetectorTrial:
    """Let a detector score answers, tell how fast it was, and run the contradiction suite.

    Args:
        detector: opened.
        answers: labelled.
        truth: of these answers.
        settings: of the benchmark.
        out_of_fold: scores that stand in for the detector's own; its speed and contradictions stay its own.
    """
    scores, speed = _score(detector, [passage_of(answer, settings.history) for answer in answers])
    used_scores = scores if out_of_fold is None else out_of_fold
    rates = _contradictions(detector, answers, settings)
    marks = mark(truth, used_scores, detector.threshold, name=detector.name).without(truth.small_talk)
    return DetectorTrial(
        name=detector.name,
        marks=marks,
        separation=separation(truth, labelled_values(truth.labelled_masks, used_scores, detector.name), marks.flagged),
        source="detector" if out_of_fold is None else "out-of-fold",
        threshold=detector.threshold,
        sentences_per_s=None if detector.name in (*BASELINE_DETECTORS, *settings.untimed) else speed,
        contradiction=None if rates is None else {kind: count.rate for kind, count in rates.rates.items()},
        controls=None if rates is None else rates.controls.rate,
        cases=None if rates is None else {kind: count.n for kind, count in rates.rates.items()},
        trained_on=count_trained_on(detector, answers),
    )


def trial_of_scores(name: str, scores: Scores, truth: Truth) -> DetectorTrial:
    """The trial of scores that were made elsewhere; 0.5 or more is flagged."""
    marks = mark(truth, scores, GIVEN_THRESHOLD, name=name)
    values = labelled_values(truth.labelled_masks, scores, name)
    return DetectorTrial(name=name, marks=marks, source="given", separation=separation(truth, values, marks.flagged))


def trial_of_baseline(
    name: str, flagged: Floats, of_faithful: float, truth: Truth, suite: DetectorTrial
) -> DetectorTrial:
    """A baseline that needs no detector.

    Args:
        name: of the baseline.
        flagged: shape (statements,).
        of_faithful: which share it flags of faithful statements, touched or not: all that the suite is made of.
        truth: what is labelled.
        suite: a detector that has been tried on the same answers: where the suite has no case for it, it has none here.
    """
    rates = suite.contradiction
    marks = Marks(flagged, np.zeros(flagged.shape, dtype=np.bool_)).without(truth.small_talk)
    return DetectorTrial(
        name=name,
        marks=marks,
        separation=separation(truth, np.zeros(flagged.shape), marks.flagged),
        source="by definition",
        contradiction=None
        if rates is None
        else {kind: None if rate is None else of_faithful for kind, rate in rates.items()},
        controls=None if suite.controls is None else of_faithful,
        cases=suite.cases,
    )


def count_trained_on(detector: Detector, answers: Sequence[Answer]) -> int:
    """How many answers have a context that the detector was trained or tuned on, by its own list.

    A detector that was trained carries `trained_on`: beginnings of the SHA-256, in hexadecimal, of contexts in UTF-8.
    """
    marks: frozenset[str] = getattr(detector, "trained_on", frozenset())
    lengths = {len(mark) for mark in marks}
    digests = [hashlib.sha256(answer.context.encode()).hexdigest() for answer in answers]
    return sum(any(digest[:length] in marks for length in lengths) for digest in digests)


def _contradictions(
    detector: Detector, answers: Sequence[Answer], settings: BenchSettings
) -> ContradictionRates | None:
    if not settings.contradictions:
        return None
    return contradiction_rates(detector, answers, settings.seed, settings.history, settings.suite_limit)


def _score(detector: Detector, passages: list[Passage]) -> tuple[Scores, float | None]:
    """Scores, and sentences by second of wall-clock time, the detector being open and warm.

    Warm: it has scored the first answer before, so that what it loads late isn't counted.
    """
    if not detector.name.startswith(MODEL_CALLS):
        detector.flag_many(passages[:1])
    start = time.perf_counter()
    scores = detector.flag_many(passages)
    seconds = time.perf_counter() - start
    sentences = sum(len(passage.sentences) for passage in passages)
    return scores, sentences / seconds if seconds > 0 else None
