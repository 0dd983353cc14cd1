"""Detectors at work: their scores, their speed, what they make of contradictions, and what they were trained on."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from voirdire.cognibench.bench.records import BenchSettings, Source
from voirdire.cognibench.contradictions import KINDS, ContradictionRates, contradiction_rates
from voirdire.cognibench.scoring import Floats, Marks, Truth, mark
from voirdire.detectors.base import Detector
from voirdire.detectors.records import Answer, Passage, passage_of

MODEL_CALLS = "llm:"
"""Detectors that ask a model; they get no warm-up, which would be a call."""

LOOKS_AT_NOTHING = ("everything", "later-turns")
"""Baselines whose speed says nothing."""

GIVEN_THRESHOLD = 0.5

Scores = Sequence[Sequence[float]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """What a detector gave."""

    name: str
    marks: Marks
    source: Source = "detector"
    threshold: float | None = None
    sentences_per_s: float | None = None
    contradiction: Mapping[str, float | None] | None = None
    controls: float | None = None
    trained_on: int = 0


def try_detector(
    detector: Detector,
    answers: Sequence[Answer],
    truth: Truth,
    settings: BenchSettings,
    out_of_fold: Scores | None = None,
) -> Tried:
    """Let a detector score answers, tell how fast it was, and run the contradiction suite.

    Args:
        detector: opened.
        answers: labelled.
        truth: of these answers.
        settings: of the benchmark.
        out_of_fold: scores that stand in for the detector's own; its speed and contradictions stay its own.
    """
    scores, speed = _score(detector, [passage_of(answer, settings.history) for answer in answers])
    given = scores if out_of_fold is None else out_of_fold
    rates = _contradictions(detector, answers, settings)
    return Tried(
        name=detector.name,
        marks=mark(truth, given, detector.threshold, name=detector.name).without(truth.small_talk),
        source="detector" if out_of_fold is None else "out-of-fold",
        threshold=detector.threshold,
        sentences_per_s=None if detector.name in (*LOOKS_AT_NOTHING, *settings.untimed) else speed,
        contradiction=None if rates is None else {kind: count.rate for kind, count in rates.rates.items()},
        controls=None if rates is None else rates.controls.rate,
        trained_on=count_trained_on(detector, answers),
    )


def as_given(name: str, scores: Scores, truth: Truth) -> Tried:
    """Scores that were made elsewhere; 0.5 or more is flagged."""
    return Tried(name=name, marks=mark(truth, scores, GIVEN_THRESHOLD, name=name), source="given")


def by_definition(name: str, flagged: Floats, of_faithful: float, truth: Truth, settings: BenchSettings) -> Tried:
    """A baseline that needs no detector.

    Args:
        name: of the baseline.
        flagged: shape (statements,).
        of_faithful: which share it flags of faithful statements, touched or not: all that the suite is made of.
        truth: what is labelled.
        settings: of the benchmark.
    """
    return Tried(
        name=name,
        marks=Marks(flagged, np.zeros(flagged.shape, dtype=np.bool_)).without(truth.small_talk),
        source="by definition",
        contradiction=dict.fromkeys(KINDS, of_faithful) if settings.contradictions else None,
        controls=of_faithful if settings.contradictions else None,
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
