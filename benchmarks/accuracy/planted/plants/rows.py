"""Scores of another scale, and outputs in another item's row."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from benchmarks.accuracy.planted.plants.base import Change, Plant, judge_again, pick, rated, variants
from benchmarks.accuracy.planted.study import Study


def rescaled(scale: Callable[[float], float]) -> Change:
    """One model was scored by a tool with another scale, and the tables were joined."""

    def change(study: Study, rng: random.Random) -> Sequence[str]:
        model = pick(study, rng)
        for answer in study.of(model):
            answer.verdicts = {judge: _of(scale, value) for judge, value in answer.verdicts.items()}
            answer.score = _of(scale, answer.score)
        if study.judges:
            judge_again(study)
        return [model]

    return change


def shifted(part: float) -> Change:
    """From some row on, each output is that of the row above: a line was lost when the columns were joined."""

    def change(study: Study, rng: random.Random) -> Sequence[str]:
        model = pick(study, rng)
        answers = study.of(model)
        tail = answers[round(len(answers) * (1 - part)) :]
        outputs = [answer.output for answer in tail]
        for answer, output in zip(tail, [outputs[-1], *outputs[:-1]], strict=True):
            answer.output = output
        return [model]

    return change


def exchanged(part: float) -> Change:
    """Requests that went out together came back in another order: pairs of neighbours have each other's output."""

    def change(study: Study, rng: random.Random) -> Sequence[str]:
        model = pick(study, rng)
        answers = study.of(model)
        starts = [place for place in range(0, len(answers) - 1, 2) if rng.random() < part]
        for place in starts:
            first, second = answers[place], answers[place + 1]
            first.output, second.output = second.output, first.output
        return [model]

    return change


def sorted_apart(study: Study, rng: random.Random) -> Sequence[str]:
    """The column of outputs was sorted by itself."""
    model = pick(study, rng)
    answers = study.of(model)
    for answer, output in zip(answers, sorted(answer.output for answer in answers), strict=True):
        answer.output = output
    return [model]


def _of(scale: Callable[[float], float], value: float | None) -> float | None:
    return None if value is None else round(scale(value), 10)


PLANTS: tuple[Plant, ...] = (
    *variants("different_scales", "percent", rescaled(lambda value: 100 * value), "csv-scores csv-choice csv-judges"),
    *variants(
        "different_scales", "percent", rescaled(lambda value: 100 * value), "jsonl-short jsonl-judged eee-judged"
    ),
    *variants(
        "different_scales", "of ten", rescaled(lambda value: 10 * value), "csv-panel csv-families parquet-scores"
    ),
    *variants("different_scales", "of ten", rescaled(lambda value: 10 * value), "jsonl-judged csv-documents"),
    *variants(
        "different_scales", "1 to 5", rescaled(lambda value: 1 + 4 * value), "csv-judges csv-scores jsonl-judged"
    ),
    *rated("swapped_outputs", "shifted", shifted, "csv-judges:1 jsonl-judged:0.5 eee-judged:0.5 alpaca-made:1"),
    *rated("swapped_outputs", "shifted", shifted, "inspect-judged:0.5 deepeval-judged:1 promptfoo-judged:0.5"),
    *rated("swapped_outputs", "exchanged", exchanged, "csv-panel:0.3 csv-families:0.5 inspect-judges:0.3"),
    *rated("swapped_outputs", "exchanged", exchanged, "alpaca-made:0.2 deepeval-judges:0.5"),
    *variants("swapped_outputs", "sorted", sorted_apart, "csv-judges jsonl-judged eee-judged promptfoo-judged"),
)
