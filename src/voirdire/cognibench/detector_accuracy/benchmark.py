"""Detectors measured on labelled answers, always beside the baselines that look at nothing (CogniBench 4.6)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path

import numpy as np

from voirdire.cognibench.detector_accuracy.detectors import (
    MODEL_CALLS,
    DetectorTrial,
    Scores,
    learned_out_of_fold,
    trial_of_baseline,
    trial_of_scores,
    try_detector,
    type_out_of_fold,
)
from voirdire.cognibench.detector_accuracy.records import (
    COGNITIVE_GOLD,
    LATER_TURNS,
    Bench,
    BenchRow,
    BenchSettings,
    DetectorFigure,
    DetectorPair,
    ResampledScores,
    difference,
    interval_of,
    resample,
)
from voirdire.cognibench.formats import read_data
from voirdire.cognibench.labelling.records import prompt_groups, read_labelled
from voirdire.cognibench.records import CognibenchError
from voirdire.cognibench.scoring import ENDS, FIGURES, PREDICTED, Floats, Marks, Truth, false_alarms, truth_of
from voirdire.data.bounds import as_people_write
from voirdire.detectors.base import Detector, DetectorOptions, open_detector
from voirdire.detectors.records import (
    Answer,
    DetectorError,
    Require,
    hallucinated,
    labelled_headers,
    passage_of,
    without_headers,
)
from voirdire.detectors.scoring import reaches
from voirdire.stats import bootstrap_weights
from voirdire.text.counting import counted

CHANCE = "chance"
BASELINES = ("everything", COGNITIVE_GOLD, "type", LATER_TURNS, CHANCE)
"""In every result. `cognitive (gold)` knows the type on each label; `type` predicts it."""


def bench(
    answers: Sequence[Answer],
    detectors: Sequence[Detector],
    settings: BenchSettings | None = None,
    *,
    classifier: Detector | None = None,
    scores_by_name: Mapping[str, Scores] | None = None,
    progress: Callable[[str], None] | None = None,
) -> Bench:
    """Measure detectors on labelled answers.

    Args:
        answers: with labels; statements without one are shown to the detectors, but don't count.
        detectors: opened. One that is a baseline anyway stands among the baselines only.
        settings: how they are compared.
        classifier: the detector `type`: what it flags is predicted to be cognitive. Without it there are no figures
            by predicted type, and no such baseline.
        scores_by_name: scores for each of `scored_answers` in that order. Under the name of a detector they are out of
            fold, and stand in for its own; any other name gets a row of its own, with threshold 0.5.
        progress: told the name of each detector before its turn.

    Raises:
        CognibenchError: nothing is labelled, or a detector gives other than one score a statement.
    """
    settings = settings or BenchSettings()
    scored = scored_answers(answers, settings.exclude)
    truth = truth_of(scored, settings.require, cognitive=_cognitive(classifier, scored, settings, scores_by_name or {}))
    tried = _try_all(detectors, classifier, scored, truth, settings, scores_by_name or {}, progress)
    weights = _draws(truth, settings)
    bounds = {name: _bounds(each, truth) for name, each in tried.items() if each.unlabelled}
    resampled = {
        each.name: resample(truth, each.marks.flagged, weights) for each in chain(tried.values(), *bounds.values())
    }
    names = list(tried)
    return Bench(
        rows=tuple(_row(each, resampled, truth, settings, bounds.get(name)) for name, each in tried.items()),
        pairs=tuple(
            _pair(one, other, resampled, bounds, settings)
            for place, one in enumerate(names)
            if one not in BASELINES
            for other in names[place + 1 :]
        ),
        settings=settings,
        n_statements=len(truth.labels),
        n_dialogues=len({answer.dialogue for answer in scored}),
        n_answers=len(scored),
        n_groups=len(truth.groups),
        n_excluded=len(scored_answers(answers)) - len(scored),
        n_small_talk=int(truth.small_talk.sum()),
        n_header_rows=labelled_headers([answer for answer in answers if answer.group not in settings.exclude]),
        labels=dict(Counter(truth.labels)),
        hallucinated_words=_hallucinated_words(truth),
    )


def _hallucinated_words(truth: Truth) -> float:
    """Of the words of statements that claim something, the share in hallucinated ones."""
    claims = ~truth.small_talk
    words = int(truth.words[claims].sum())
    return float(truth.words[truth.gold & claims].sum() / words) if words else 0.0


def scored_answers(answers: Sequence[Answer], exclude: Collection[str] = ()) -> list[Answer]:
    """The answers that a benchmark scores: labelled ones of groups that are not excluded, header rows without a label.

    Raises:
        CognibenchError: there are none.
    """
    labelled = [answer for answer in map(without_headers, answers) if answer.labelled]
    included = [answer for answer in labelled if answer.group not in exclude]
    if not included:
        excluded = f"; {counted(len(labelled), 'labelled one is', 'labelled ones are')} excluded" if labelled else ""
        raise CognibenchError(
            f"None of {counted(len(answers), 'answer')} is labelled{excluded}: a benchmark needs labelled answers."
        )
    return included


def _try_all(
    detectors: Sequence[Detector],
    classifier: Detector | None,
    answers: Sequence[Answer],
    truth: Truth,
    settings: BenchSettings,
    scores_by_name: Mapping[str, Scores],
    progress: Callable[[str], None] | None,
) -> dict[str, DetectorTrial]:
    """The named detectors, then the baselines, in the table's order."""
    named = {each.name: each for each in detectors if each.name not in BASELINES}
    trivial = [open_detector("everything"), open_detector(LATER_TURNS), *([] if classifier is None else [classifier])]
    tried: dict[str, DetectorTrial] = {}
    for detector in chain(named.values(), trivial):
        if progress is not None:
            progress(detector.name)
        tried[detector.name] = try_detector(detector, answers, truth, settings, scores_by_name.get(detector.name))
    others = {
        name: trial_of_scores(name, scores, truth) for name, scores in scores_by_name.items() if name not in tried
    }
    tried |= others
    cognitive = truth.parts["cognitive"].astype(np.float64)
    tried[COGNITIVE_GOLD] = trial_of_baseline(COGNITIVE_GOLD, cognitive, 0.0, truth, tried["everything"])
    tried[CHANCE] = trial_of_baseline(CHANCE, np.full(truth.words.shape, 0.5), 0.5, truth, tried["everything"])
    return {name: tried[name] for name in (*named, *others, *BASELINES) if name in tried}


def _cognitive(
    classifier: Detector | None,
    answers: Sequence[Answer],
    settings: BenchSettings,
    scores_by_name: Mapping[str, Scores],
) -> list[list[bool]] | None:
    """Which statements the classifier takes for cognitive."""
    if classifier is None:
        return None
    scores = scores_by_name.get(classifier.name)
    if scores is None:
        scores = classifier.flag_many([passage_of(answer, settings.history) for answer in answers])
    return [reaches(row, classifier.threshold).tolist() for row in scores]


def _draws(truth: Truth, settings: BenchSettings) -> Floats | None:
    """The same bootstrap draws for every detector, so that differences are paired; none where none are needed."""
    if settings.method == "jackknife-t":
        return None
    return bootstrap_weights(len(truth.groups), settings.draws, np.random.default_rng(settings.seed))


def _bounds(tried: DetectorTrial, truth: Truth) -> tuple[DetectorTrial, DetectorTrial]:
    """A trial at worst and at best, with labels for all statements."""
    worst, best = (
        DetectorTrial(
            name=f"{tried.name}, {end}",
            marks=Marks(flagged, np.zeros_like(tried.marks.missing)),
            source=tried.source,
        )
        for end, flagged in zip(ENDS, tried.marks.bounds(truth.gold), strict=True)
    )
    return worst, best


def _row(
    tried: DetectorTrial,
    resampled: Mapping[str, ResampledScores],
    truth: Truth,
    settings: BenchSettings,
    bounds: tuple[DetectorTrial, DetectorTrial] | None = None,
) -> BenchRow:
    own = resampled[tried.name]
    figures = {name: DetectorFigure(own.scores[name], interval_of(name, own, settings.method)) for name in own.scores}
    return BenchRow(
        name=tried.name,
        baseline=tried.name in BASELINES,
        figures={name: figures[name] for name in FIGURES},
        by_predicted={name.removeprefix("predicted "): figures[name] for name in PREDICTED if name in figures},
        false_alarms=false_alarms(truth, tried.marks.flagged),
        missing=int(tried.marks.missing.sum()),
        contradiction=tried.contradiction,
        controls=tried.controls,
        cases=tried.cases,
        sentences_per_s=tried.sentences_per_s,
        threshold=tried.threshold,
        source=tried.source,
        trained_on=tried.trained_on,
        separation=tried.separation,
        could_be=bounds and (_row(bounds[0], resampled, truth, settings), _row(bounds[1], resampled, truth, settings)),
    )


def _pair(
    one: str,
    other: str,
    resampled: Mapping[str, ResampledScores],
    bounds: Mapping[str, tuple[DetectorTrial, DetectorTrial]],
    settings: BenchSettings,
) -> DetectorPair:
    figures = {name: difference(name, resampled[one], resampled[other], settings.method) for name in FIGURES}
    if one in bounds or other in bounds:
        (worst, best), (lowest, highest) = (
            [resampled[each.name] for each in bounds[name]] if name in bounds else [resampled[name]] * 2
            for name in (one, other)
        )
        for name in FIGURES:
            at_worst = difference(name, worst, highest, settings.method)
            at_best = difference(name, best, lowest, settings.method)
            figures[name] = figures[name]._replace(could_be=(at_worst, at_best))
    return DetectorPair(one=one, other=other, figures=figures)


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

    Raises:
        CognibenchError, DetectorError: data, a name or a request that can't be used.
    """
    _check(task)
    settings = replace(task.settings, untimed=task.settings.untimed | _resumable(task))
    settings = replace(settings, exclude=settings.exclude.union(*(prompt_groups(path) for path in task.labelled)))
    runs = {f"labels of {path.name}": _labels_by_id(path, settings.require) for path in task.labelled}
    data = read_data(task.data)
    answers = [each for each in data.answers if all(each.id in run for run in runs.values())]
    scored = scored_answers(answers, settings.exclude)
    detectors = [_open(name, task) for name in task.detectors if name not in BASELINES]
    classifier = _open(_CLASSIFIER, task)
    scores_by_name, skipped = _out_of_fold(scored, classifier, settings, task) if task.cross_validate else ({}, {})
    scores_by_name |= {name: [run[answer.id] for answer in scored] for name, run in runs.items()}
    result = bench(
        answers,
        [each for each in detectors if each.name not in skipped],
        settings,
        classifier=None if classifier.name in skipped else classifier,
        scores_by_name=scores_by_name,
        progress=progress,
    )
    return replace(result, skipped=skipped, notes=tuple(data.cautions))


def parse_threshold(text: str) -> tuple[str, float]:
    """Read NAME=X; a name may hold further equals signs.

    Raises:
        CognibenchError: it is none.
    """
    name, _, value = text.rpartition("=")
    try:
        threshold = float(as_people_write(value)) if name else math.nan
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
    itself = next((path for path in task.labelled if path.resolve() == task.data.resolve()), None)
    if itself is not None:
        raise CognibenchError(
            f"{itself} can't be measured against its own labels; give data with the labels of people, or another run."
        )
    unknown = [name for name in task.thresholds if name not in (*task.detectors, _CLASSIFIER)]
    if unknown:
        raise CognibenchError(
            f"A threshold is given for {unknown[0]!r}, which is not among the detectors: {', '.join(task.detectors)}."
        )


def _out_of_fold(
    answers: Sequence[Answer], classifier: Detector, settings: BenchSettings, task: BenchTask
) -> tuple[dict[str, Scores], dict[str, str]]:
    """Scores by models of the other folds, and of the detectors that can't be trained on these labels, why."""
    learners: dict[str, Callable[[], Scores]] = {
        classifier.name: lambda: type_out_of_fold(answers, settings, classifier)
    }
    if LEARNED in task.detectors:
        learners[LEARNED] = lambda: learned_out_of_fold(answers, settings, task.thresholds.get(LEARNED))
    scores_by_name: dict[str, Scores] = {}
    skipped: dict[str, str] = {}
    for name, learn in learners.items():
        try:
            scores_by_name[name] = learn()
        except DetectorError as error:
            skipped[name] = str(error)
    return scores_by_name, skipped


def _open(name: str, task: BenchTask) -> Detector:
    options = replace(
        task.options,
        threshold=task.thresholds.get(name),
        require=task.settings.require,
        seed=task.settings.seed,
    )
    return open_detector(name, options)


def _resumable(task: BenchTask) -> frozenset[str]:
    """Detectors that may find their calls in the journal of a run folder that is there: that takes no time."""
    there = task.options.folder is not None and task.options.folder.exists()
    return frozenset(name for name in task.detectors if there and name.startswith(MODEL_CALLS))
