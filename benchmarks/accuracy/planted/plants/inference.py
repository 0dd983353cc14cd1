"""What is concluded from the scores."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

from benchmarks.accuracy.planted.comparisons import differences, holm
from benchmarks.accuracy.planted.plants.base import Change, Plant, judge_again, rated, right, say
from benchmarks.accuracy.planted.study import LETTERS, Answer, Item, Study


def clustered(part: float) -> Change:
    """Items of one passage are right or wrong together. `part`: the share of items that follow their passage."""

    def change(study: Study, rng: random.Random) -> None:
        fate: dict[tuple[str, str | None], Answer] = {}
        for answer in study.answers:
            leader = fate.setdefault((answer.model, answer.item.cluster), answer)
            if leader is answer or rng.random() >= part:
                continue
            if study.kind == "judged":
                answer.verdicts = dict(leader.verdicts)
            else:
                right(study, answer, bool(leader.score), rng)
        judge_again(study)

    return change


def one_sided(part: float) -> Change:
    """The second model is the first but for a few items, all lost: the pairs see it, the two errors don't."""

    def change(study: Study, rng: random.Random) -> Sequence[str]:
        first, second = study.models[:2]
        ahead = {(answer.item.key, answer.epoch): answer for answer in study.of(first)}
        mine = [answer for answer in study.of(second) if (answer.item.key, answer.epoch) in ahead]
        won = [answer for answer in mine if ahead[answer.item.key, answer.epoch].score]
        lost = {id(answer) for answer in rng.sample(won, max(11, round(part * len(mine))))}
        for answer in mine:
            leader = ahead[answer.item.key, answer.epoch]
            if id(answer) in lost:
                right(study, answer, False, rng)
            elif study.kind == "choice" and leader.extracted:
                say(study, answer, leader.extracted, rng)
            else:
                right(study, answer, bool(leader.score), rng)
        return [first, second]

    return change


def checkpoints(count: float) -> Change:
    """Many checkpoints of one model, all as good: the best pair stands out by chance, and after Holm none does."""

    def change(study: Study, rng: random.Random) -> Sequence[str]:
        base = study.models[0]
        names = [f"{base}-step-{1000 * step}" for step in range(1, round(count) + 1)]
        origin = study.of(base)
        chances = _chances(study)
        setting = study.settings[base]
        for _ in range(400):
            study.settings = {name: replace(setting) for name in names}
            study.answers = []
            for name in names:
                drift = rng.gauss(0, 0.015)
                for answer in origin:
                    score = float(rng.random() < min(0.97, max(0.03, chances[answer.item.key] + drift)))
                    study.answers.append(replace(answer, model=name, score=score, verdicts=dict(answer.verdicts)))
            values = [each.p for each in differences(study)]
            raw = sum(p < 0.05 for p in values)
            if raw >= 3 and sum(p < 0.05 for p in holm(values)) == 0:
                break
        else:
            raise ValueError("no such draw")
        for answer in study.answers:
            if study.judges:
                noise = rng.gauss(0, 0.05) if study.kind == "pairs" else 0.0
                value = min(1.0, max(0.0, (answer.score or 0.0) + abs(noise) * (1 - 2 * (answer.score or 0.0))))
                answer.verdicts = dict.fromkeys(answer.verdicts, value)
            else:
                right(study, answer, bool(answer.score), rng)
        judge_again(study)
        return names

    return change


def few(count: float) -> Change:
    """Only so many items were run."""

    def change(study: Study, rng: random.Random) -> None:
        study.items = rng.sample(study.items, round(count))
        kept = {item.key for item in study.items}
        study.answers = [answer for answer in study.answers if answer.item.key in kept]

    return change


def at_chance(part: float) -> Change:
    """The models pick at random, but for a small share of the items."""

    def change(study: Study, rng: random.Random) -> Sequence[str]:
        models = study.models if rng.random() < 0.5 else study.models[-1:]
        for model in models:
            for answer in study.of(model):
                letters = LETTERS[: len(answer.item.choices)]
                known = rng.random() < part
                say(study, answer, answer.item.target if known else rng.choice(letters), rng)
        return models

    return change


def one_class(part: float) -> Change:
    """Most keys are one letter, and no model is right more often than who always answers that."""

    def change(study: Study, rng: random.Random) -> None:
        for item in study.items:
            if rng.random() < part:
                _moved(item, "A")
        rate = sum(item.target == "A" for item in study.items) / len(study.items)
        for answer in study.answers:
            right(study, answer, rng.random() < rate - rng.choice([0.02, 0.08]), rng)

    return change


def longest(part: float) -> Change:
    """The right option is the longest, mostly, and no model is right more often than who always takes the longest."""

    def change(study: Study, rng: random.Random) -> None:
        tails = (
            ", as can be seen from what is said in the passage above",
            ", at least by what the text itself tells us",
        )
        for item in study.items:
            if rng.random() < part:
                place = LETTERS.index(item.target)
                choices = list(item.choices)
                choices[place] = f"{choices[place].rstrip('.')}{rng.choice(tails)}."
                item.choices = tuple(choices)
        for answer in study.answers:
            right(study, answer, rng.random() < part - 0.08, rng)

    return change


def rate(value: float) -> Change:
    """All models are right on this share of the items."""

    def change(study: Study, rng: random.Random) -> None:
        for place, model in enumerate(study.models):
            own = value + (0.006 if value < 0.5 else -0.006) * place
            for answer in study.of(model):
                right(study, answer, rng.random() < own, rng)

    return change


def undivided(part: float) -> Change:
    """On a share of the items, all models are right or all are wrong."""

    def change(study: Study, rng: random.Random) -> None:
        alike = {item.key: rng.random() < 0.6 for item in study.items if rng.random() < part}
        for answer in study.answers:
            if answer.item.key in alike:
                right(study, answer, alike[answer.item.key], rng)

    return change


def _moved(item: Item, letter: str) -> None:
    """Put the right choice at another place."""
    choices = list(item.choices)
    here, there = LETTERS.index(item.target), LETTERS.index(letter)
    choices[here], choices[there] = choices[there], choices[here]
    item.choices, item.target = tuple(choices), letter


def _chances(study: Study) -> dict[str, float]:
    """How likely a model is right on each item: by how many of the models were."""
    total: dict[str, float] = {}
    for answer in study.answers:
        total[answer.item.key] = total.get(answer.item.key, 0.0) + (answer.score or 0.0) / len(study.models)
    return {key: 0.2 + 0.6 * value / study.epochs for key, value in total.items()}


PLANTS: tuple[Plant, ...] = (
    *rated(
        "unclustered_error",
        "passages",
        clustered,
        "inspect-passages:0.5 inspect-passages:0.8 inspect-passages:1 lm-eval-passages:0.5 lm-eval-passages:0.75 "
        "lm-eval-passages:1 csv-families:0.6 csv-families:1 csv-documents:0.4 csv-documents:0.7 csv-documents:1 "
        "eee-passages:0.7 eee-passages:1",
    ),
    *rated(
        "unpaired_test",
        "one-sided",
        one_sided,
        "inspect-choice:0.035 inspect-short:0.04 inspect-zip:0.05 lm-eval-choice:0.03 lm-eval-short:0.03 "
        "lm-eval-three:0.03 helm-choice:0.045 helm-short:0.055 eee-choice:0.045 csv-choice:0.035 csv-scores:0.02 "
        "parquet-scores:0.02 promptfoo-short:0.055",
    ),
    *rated(
        "multiple_comparisons",
        "checkpoints",
        checkpoints,
        "csv-scores:12 parquet-scores:10 csv-choice:10 jsonl-short:12 inspect-short:8 lm-eval-short:10 "
        "lm-eval-choice:8 "
        "eee-short:10 helm-short:9 csv-documents:14 promptfoo-short:10 lm-eval-three:9 helm-choice:8",
    ),
    *rated(
        "power",
        "items",
        few,
        "csv-scores:30 csv-scores:15 csv-documents:24 csv-documents:40 csv-families:14 alpaca-real:30 alpaca-real:20 "
        "alpaca-judges:25 csv-judges:12 csv-panel:10 eee-judged:10 deepeval-judged:12 promptfoo-judged:14 "
        "inspect-judges:12 jsonl-judged:10",
    ),
    *rated(
        "baseline",
        "chance but for",
        at_chance,
        "inspect-choice:0 inspect-zip:0.03 lm-eval-choice:0 lm-eval-three:0.02 helm-choice:0 eee-choice:0.03 "
        "csv-choice:0",
    ),
    *rated("baseline", "one class", one_class, "inspect-choice:0.7 lm-eval-choice:0.6 eee-choice:0.75 csv-choice:0.65"),
    *rated("baseline", "longest", longest, "inspect-zip:0.85 lm-eval-three:0.8 helm-choice:0.9"),
    *rated(
        "saturation",
        "all right",
        rate,
        "inspect-short:0.99 inspect-choice:0.985 lm-eval-choice:1 eee-short:0.985 csv-scores:0.99 promptfoo-short:0.99",
    ),
    *rated("saturation", "all wrong", rate, "lm-eval-short:0.004 helm-short:0.0 jsonl-short:0.01 csv-documents:0.005"),
    *rated(
        "saturation",
        "nothing told apart",
        undivided,
        "parquet-scores:0.95 csv-scores:0.93 inspect-passages:0.95 lm-eval-three:0.96",
    ),
)
"""The plants on inference."""
