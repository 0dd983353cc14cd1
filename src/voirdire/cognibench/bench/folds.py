"""Trained detectors on the data that they are scored on, without having seen it: by models of the other folds."""

from __future__ import annotations

from collections.abc import Sequence

from voirdire.cognibench.bench.detect import Scores
from voirdire.cognibench.bench.records import BenchSettings
from voirdire.detectors.base import Detector
from voirdire.detectors.learning import DETECT, TYPE, Task, cross_validate, sample_of
from voirdire.detectors.lexical import raised
from voirdire.detectors.novelty import comparable
from voirdire.detectors.records import Answer, passage_of

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
    return [raised(row, shown.context, shown.sentences) for row, shown in zip(flags, passages, strict=True)]


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
        comparable(row, [statement.text for statement in answer.statements])
        for answer, row in zip(answers, flags, strict=True)
    ]
