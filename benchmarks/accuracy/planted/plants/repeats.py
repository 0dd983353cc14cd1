"""Several attempts at one item."""

from __future__ import annotations

import random
from collections.abc import Sequence

from benchmarks.accuracy.planted import texts
from benchmarks.accuracy.planted.plants.base import Change, Plant, pick, rated, right, share, variants
from benchmarks.accuracy.planted.study import Answer, Study


def reduced(reducer: str) -> Change:
    """The epochs of an item count by the best of them."""

    def change(study: Study, rng: random.Random) -> None:
        study.reducer = reducer

    return change


def best_of(count: float) -> Change:
    """The model was asked several times in one call, and the best reply was taken."""

    def change(study: Study, rng: random.Random) -> Sequence[str]:
        model = pick(study, rng)
        times = round(count)
        study.settings[model].best_of = times
        study.settings[model].temperature = 0.8
        study.extra["filter"] = "take_best"
        pool = [item.target for item in study.items]
        for answer in study.of(model):
            lucky = any(rng.random() < 0.25 for _ in range(times - 1))
            if lucky and not answer.score:
                right(study, answer, True, rng)
            if study.kind == "short":
                said = [answer.item.target if rng.random() < 0.4 else texts.other_answer(answer.item, rng, pool)]
                said += [texts.other_answer(answer.item, rng, pool) for _ in range(times - 2)]
                answer.others = tuple(texts.short_output(answer.item, each, rng, 0) for each in said)
        return [model]

    return change


def attempts(count: float) -> Change:
    """An agent may hand in several times and is told when it was wrong."""

    def change(study: Study, rng: random.Random) -> Sequence[str]:
        model = pick(study, rng)
        study.settings[model].max_attempts = round(count)
        for answer in study.of(model):
            if not answer.score and rng.random() < 0.5 and study.kind != "judged":
                right(study, answer, True, rng)
        return [model]

    return change


def retried(part: float) -> Change:
    """Samples were run again after they had failed, and the log keeps how often."""

    def change(study: Study, rng: random.Random) -> Sequence[str]:
        model = pick(study, rng)
        for answer in share(study, model, part, rng):
            answer.attempts = rng.choice([2, 3, 4])
        return [model]

    return change


def until_right(study: Study, rng: random.Random) -> Sequence[str]:
    """Items were run again until they were right: an item's epochs end with the first success."""
    model = pick(study, rng)
    done: set[str] = set()
    kept: list[Answer] = []
    for answer in study.answers:
        if answer.model == model:
            if answer.item.key in done:
                continue
            if answer.score:
                done.add(answer.item.key)
        kept.append(answer)
    study.answers = kept
    return [model]


def identical(part: float) -> Change:
    """Every epoch of a share of the items is a copy of the first: a cache, or no sampling."""

    def change(study: Study, rng: random.Random) -> None:
        first: dict[tuple[str, str], Answer] = {}
        chosen = {item.key for item in study.items if rng.random() < part}
        for answer in study.answers:
            origin = first.setdefault((answer.model, answer.item.key), answer)
            if answer.item.key in chosen:
                answer.output, answer.extracted, answer.score = origin.output, origin.extracted, origin.score

    return change


PLANTS: tuple[Plant, ...] = (
    *variants("best_of", "max", reduced("max"), "inspect-epochs inspect-exam-epochs"),
    *variants("best_of", "at least one", reduced("at_least_1"), "inspect-epochs"),
    *variants("best_of", "pass at 3", reduced("pass_at_3"), "inspect-exam-epochs"),
    *rated(
        "best_of", "replies", best_of, "inspect-choice:8 lm-eval-short:4 lm-eval-short:16 helm-short:5 eee-choice:5"
    ),
    *rated("best_of", "attempts", attempts, "inspect-short:3 eee-short:3 inspect-judged:5"),
    *rated("best_of", "retried", retried, "inspect-short:0.3 inspect-choice:0.15"),
    *variants("best_of", "until right", until_right, "csv-epochs jsonl-epochs"),
    *rated(
        "repeated_identical",
        "copies",
        identical,
        "inspect-epochs:1 inspect-epochs:0.8 inspect-epochs:0.6 inspect-exam-epochs:1 inspect-exam-epochs:0.7 "
        "csv-epochs:1 csv-epochs:0.7 promptfoo-repeats:1 promptfoo-repeats:0.8 eee-epochs:1 eee-epochs:0.75 "
        "jsonl-epochs:1 jsonl-epochs:0.8",
    ),
)
"""The plants on attempts."""
