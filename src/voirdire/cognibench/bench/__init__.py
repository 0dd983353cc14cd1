"""Detectors measured on labelled answers, always beside the baselines that look at nothing (CogniBench 4.6)."""

from voirdire.cognibench.bench.compare import BASELINES, bench, scored_answers
from voirdire.cognibench.bench.intervals import METHODS, Difference, IntervalMethod
from voirdire.cognibench.bench.records import Bench, BenchSettings, Figure, Pair, Row
from voirdire.cognibench.bench.task import (
    DEFAULT_DETECTORS,
    LEARNED,
    BenchTask,
    labels_as_scores,
    parse_threshold,
    run_bench,
)

__all__ = [
    "BASELINES",
    "DEFAULT_DETECTORS",
    "LEARNED",
    "METHODS",
    "Bench",
    "BenchSettings",
    "BenchTask",
    "Difference",
    "Figure",
    "IntervalMethod",
    "Pair",
    "Row",
    "bench",
    "labels_as_scores",
    "parse_threshold",
    "run_bench",
    "scored_answers",
]
