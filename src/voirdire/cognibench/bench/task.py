"""Detectors measured on labelled answers, always beside the baselines that look at nothing (CogniBench 4.6)."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from voirdire.cognibench.bench.compare import BASELINES, bench, scored_answers
from voirdire.cognibench.bench.detect import MODEL_CALLS, Scores
from voirdire.cognibench.bench.records import Bench, BenchSettings
from voirdire.cognibench.formats import read_answers
from voirdire.cognibench.labelling import prompt_groups, read_labelled
from voirdire.cognibench.records import CognibenchError
from voirdire.detectors.base import Detector, DetectorOptions, open_detector
from voirdire.detectors.records import Answer, DetectorError, Require, hallucinated

LEARNED = "lexical-learned"
DEFAULT_DETECTORS = ("lexical", LEARNED)
_CLASSIFIER = "type"


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchTask:
    """A benchmark as it is asked for: by names and paths."""

    data: Path
    """Anything that `read_answers` reads, with labels."""
    detectors: tuple[str, ...] = DEFAULT_DETECTORS
    """Names, as `open_detector` takes them."""
    options: DetectorOptions = field(default_factory=DetectorOptions)
    """How they are opened; requirement and seed are those of `settings`."""
    thresholds: Mapping[str, float] = field(default_factory=dict)
    """By name, where a detector's own isn't wanted."""
    labelled: tuple[Path, ...] = ()
    """Labelling runs over the same data; each gets a row, and only answers that all of them hold count."""
    cross_validate: bool = False
    """Score `lexical-learned` and `type` by models trained on the data's other folds."""
    settings: BenchSettings = field(default_factory=BenchSettings)


def run_bench(task: BenchTask, *, progress: Callable[[str], None] | None = None) -> Bench:
    """Read the data, open the detectors, and measure them.

    Args:
        task: what is asked for.
        progress: told the name of each detector before its turn.

    Raises:
        CognibenchError, DetectorError: data, a name or a request that can't be used.
    """
    _check(task)
    settings = replace(task.settings, untimed=task.settings.untimed | _continued(task))
    settings = replace(settings, exclude=settings.exclude.union(*(prompt_groups(path) for path in task.labelled)))
    runs = {f"labels of {path.name}": _labels_by_id(path, settings.require) for path in task.labelled}
    answers = [each for each in read_answers(task.data) if all(each.id in run for run in runs.values())]
    scored = scored_answers(answers, settings.exclude)
    detectors = [_open(name, task) for name in task.detectors if name not in BASELINES]
    classifier = _open(_CLASSIFIER, task)
    given, skipped = _out_of_fold(scored, classifier, settings, task) if task.cross_validate else ({}, {})
    given |= {name: [run[answer.id] for answer in scored] for name, run in runs.items()}
    found = bench(
        answers,
        [each for each in detectors if each.name not in skipped],
        settings,
        classifier=None if classifier.name in skipped else classifier,
        given=given,
        progress=progress,
    )
    return replace(found, skipped=skipped)


def parse_threshold(text: str) -> tuple[str, float]:
    """Read NAME=X; a name may hold further equals signs.

    Raises:
        CognibenchError: it is none.
    """
    name, _, value = text.rpartition("=")
    try:
        threshold = float(value) if name else math.nan
    except ValueError:
        threshold = math.nan
    if not 0 <= threshold <= 1:  # which NaN is not
        raise CognibenchError(f"{text!r} is no threshold; expected NAME=X with X from 0 to 1, such as lexical=0.4.")
    return name, threshold


def labels_as_scores(answer: Answer, require: Require = "grounded") -> list[float]:
    """An answer's labels as scores: 1 for a hallucination, 0 for others, NaN where there is no label."""
    labels = [statement.label for statement in answer.statements]
    return [float("nan") if label is None else float(hallucinated(label, require)) for label in labels]


def _labels_by_id(path: Path, require: Require) -> dict[str, list[float]]:
    return {each.answer.id: labels_as_scores(each.answer, require) for each in read_labelled(path)}


def _check(task: BenchTask) -> None:
    unknown = [name for name in task.thresholds if name not in (*task.detectors, _CLASSIFIER)]
    if unknown:
        raise CognibenchError(
            f"A threshold is given for {unknown[0]!r}, which is not among the detectors: {', '.join(task.detectors)}."
        )


def _out_of_fold(
    answers: Sequence[Answer], classifier: Detector, settings: BenchSettings, task: BenchTask
) -> tuple[dict[str, Scores], dict[str, str]]:
    """Scores by models of the other folds, and of the detectors that can't be trained on these labels, why."""
    from voirdire.cognibench.bench.detect import learned_out_of_fold, type_out_of_fold  # needs scikit-learn

    learners: dict[str, Callable[[], Scores]] = {
        classifier.name: lambda: type_out_of_fold(answers, settings, classifier)
    }
    if LEARNED in task.detectors:
        learners[LEARNED] = lambda: learned_out_of_fold(answers, settings, task.thresholds.get(LEARNED))
    found: dict[str, Scores] = {}
    skipped: dict[str, str] = {}
    for name, learn in learners.items():
        try:
            found[name] = learn()
        except DetectorError as error:
            skipped[name] = str(error)
    return found, skipped


def _open(name: str, task: BenchTask) -> Detector:
    options = replace(
        task.options,
        threshold=task.thresholds.get(name),
        require=task.settings.require,
        seed=task.settings.seed,
    )
    return open_detector(name, options)


def _continued(task: BenchTask) -> frozenset[str]:
    """Detectors that may find their calls in the journal of a run folder that is there: that takes no time."""
    there = task.options.folder is not None and task.options.folder.exists()
    return frozenset(name for name in task.detectors if there and name.startswith(MODEL_CALLS))
