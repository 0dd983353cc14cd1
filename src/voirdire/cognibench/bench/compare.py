"""From opened detectors to figures: the benchmark itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import chain

import numpy as np

from voirdire.cognibench.bench.detect import Scores, Tried, as_given, by_definition, try_detector
from voirdire.cognibench.bench.intervals import Resampled, difference, interval_of, resample
from voirdire.cognibench.bench.records import Bench, BenchSettings, Figure, Pair, Row
from voirdire.cognibench.records import CognibenchError
from voirdire.cognibench.scoring import FIGURES, PREDICTED, Floats, Truth, false_alarms, truth_of
from voirdire.detectors.base import Detector, open_detector
from voirdire.detectors.records import Answer, labelled_headers, passage_of, without_headers
from voirdire.detectors.scoring import reaches
from voirdire.stats import bootstrap_weights
from voirdire.text.counting import counted

COGNITIVE_GOLD = "cognitive (gold)"
CHANCE = "chance"
BASELINES = ("everything", COGNITIVE_GOLD, "type", "later-turns", CHANCE)
"""Always in the table. `cognitive (gold)` knows the type on each label; `type` predicts it."""


def bench(
    answers: Sequence[Answer],
    detectors: Sequence[Detector],
    settings: BenchSettings | None = None,
    *,
    classifier: Detector | None = None,
    given: Mapping[str, Scores] | None = None,
    progress: Callable[[str], None] | None = None,
) -> Bench:
    """Measure detectors on labelled answers.

    Args:
        answers: with labels; statements without one are shown to the detectors, but don't count.
        detectors: opened. One that is a baseline anyway stands among the baselines only.
        settings: how they are compared.
        classifier: the detector `type`: what it flags is predicted to be cognitive. Without it there are no figures
            by predicted type, and no such baseline.
        given: scores by name, for each of `scored_answers` in that order. Under the name of a detector they are out of
            fold, and stand in for its own; any other name gets a row of its own, with threshold 0.5.
        progress: told the name of each detector before its turn.

    Raises:
        CognibenchError: nothing is labelled, or a detector gives other than one score a statement.
    """
    settings = settings or BenchSettings()
    scored = scored_answers(answers, settings.exclude)
    truth = truth_of(scored, settings.require, cognitive=_cognitive(classifier, scored, settings, given or {}))
    tried = _try_all(detectors, classifier, scored, truth, settings, given or {}, progress)
    weights = _draws(truth, settings)
    of = {name: resample(truth, each.marks.flagged, weights) for name, each in tried.items()}
    names = list(tried)
    return Bench(
        rows=tuple(_row(each, of[name], truth, settings) for name, each in tried.items()),
        pairs=tuple(
            _pair(one, other, of, settings)
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
        hallucinated_words=float(truth.words[truth.gold].sum() / truth.words.sum()),
    )


def scored_answers(answers: Sequence[Answer], exclude: Collection[str] = ()) -> list[Answer]:
    """The answers that a benchmark scores: labelled ones of groups that are not excluded, header rows without a label.

    Raises:
        CognibenchError: there are none.
    """
    labelled = [answer for answer in map(without_headers, answers) if answer.labelled]
    kept = [answer for answer in labelled if answer.group not in exclude]
    if not kept:
        left = f"; {counted(len(labelled), 'labelled one is', 'labelled ones are')} excluded" if labelled else ""
        raise CognibenchError(
            f"None of {counted(len(answers), 'answer')} is labelled{left}: a benchmark needs labelled answers."
        )
    return kept


def _try_all(
    detectors: Sequence[Detector],
    classifier: Detector | None,
    answers: Sequence[Answer],
    truth: Truth,
    settings: BenchSettings,
    given: Mapping[str, Scores],
    progress: Callable[[str], None] | None,
) -> dict[str, Tried]:
    """The named detectors, then the baselines, in the table's order."""
    named = {each.name: each for each in detectors if each.name not in BASELINES}
    trivial = [open_detector("everything"), open_detector("later-turns"), *([] if classifier is None else [classifier])]
    tried: dict[str, Tried] = {}
    for detector in chain(named.values(), trivial):
        if progress is not None:
            progress(detector.name)
        tried[detector.name] = try_detector(detector, answers, truth, settings, given.get(detector.name))
    others = {name: as_given(name, scores, truth) for name, scores in given.items() if name not in tried}
    tried |= others
    cognitive = truth.parts["cognitive"].astype(np.float64)
    tried[COGNITIVE_GOLD] = by_definition(COGNITIVE_GOLD, cognitive, 0.0, truth, tried["everything"])
    tried[CHANCE] = by_definition(CHANCE, np.full(truth.words.shape, 0.5), 0.5, truth, tried["everything"])
    return {name: tried[name] for name in (*named, *others, *BASELINES) if name in tried}


def _cognitive(
    classifier: Detector | None, answers: Sequence[Answer], settings: BenchSettings, given: Mapping[str, Scores]
) -> list[list[bool]] | None:
    """Which statements the classifier takes for cognitive."""
    if classifier is None:
        return None
    scores = given.get(classifier.name)
    if scores is None:
        scores = classifier.flag_many([passage_of(answer, settings.history) for answer in answers])
    return [reaches(row, classifier.threshold).tolist() for row in scores]


def _draws(truth: Truth, settings: BenchSettings) -> Floats | None:
    """The same bootstrap draws for every detector, so that differences are paired; none where none are needed."""
    if settings.method == "jackknife-t":
        return None
    return bootstrap_weights(len(truth.groups), settings.draws, np.random.default_rng(settings.seed))


def _row(tried: Tried, of: Resampled, truth: Truth, settings: BenchSettings) -> Row:
    figures = {name: Figure(of.scores[name], interval_of(name, of, settings.method)) for name in of.scores}
    return Row(
        name=tried.name,
        baseline=tried.name in BASELINES,
        figures={name: figures[name] for name in FIGURES},
        by_predicted={name.removeprefix("predicted "): figures[name] for name in PREDICTED if name in figures},
        false_alarms=false_alarms(truth, tried.marks.flagged),
        missing=int(tried.marks.missing.sum()),
        contradiction=tried.contradiction,
        controls=tried.controls,
        sentences_per_s=tried.sentences_per_s,
        threshold=tried.threshold,
        source=tried.source,
        trained_on=tried.trained_on,
    )


def _pair(one: str, other: str, of: Mapping[str, Resampled], settings: BenchSettings) -> Pair:
    figures = {name: difference(name, of[one], of[other], settings.method) for name in FIGURES}
    return Pair(one=one, other=other, figures=figures)
