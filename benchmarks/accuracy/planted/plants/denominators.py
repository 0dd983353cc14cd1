"""Which items are counted, and what is printed of them."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace

from benchmarks.accuracy.planted.plants.base import Change, Plant, judge_again, pick, rated, share, variants
from benchmarks.accuracy.planted.study import Answer, Item, Study, aggregate

ERRORS = (
    "APIStatusError: Error code: 529 - {'type': 'error', 'error': {'type': 'overloaded_error'}}",
    "RateLimitError: Error code: 429 - rate limit reached for requests",
    "TimeoutError: no reply within 600 seconds",
    "BadRequestError: the prompt is longer than the model's context",
)
UNPARSED = {
    "inspect": (
        "Grade not found in model output: The submission is fine, I would say it is mostly right.",
        "Grade not found in model output: **Verdict**: correct",
        "Grade not found in model output: ",
    ),
    "promptfoo": ("Could not extract JSON from llm-rubric response",),
    "deepeval": ("Evaluation LLM outputted an invalid JSON. Please use a better evaluation model.",),
}
"""What the tools write where a judge's reply could not be read."""


def raised(by: float) -> Change:
    """The printed aggregate is not the mean of the items."""

    def change(study: Study, rng: random.Random) -> Sequence[str]:
        model = pick(study, rng)
        true = study.headline(model)
        study.printed[model] = replace(true, value=min(true.value + by, 1.0))
        return [model]

    return change


def error_times(factor: float) -> Change:
    """The printed standard error is not that of the items: it was divided by the wrong number."""

    def change(study: Study, rng: random.Random) -> Sequence[str]:
        for model in study.models:
            true = study.headline(model)
            study.printed[model] = replace(true, se=(true.se or 0.0) * factor)
        return study.models

    return change


def exchanged(study: Study, rng: random.Random) -> Sequence[str]:
    """The aggregates of two models stand in each other's files."""
    first, second = study.models[:2]
    study.printed = {first: study.headline(second), second: study.headline(first)}
    return [first, second]


def stale(study: Study, rng: random.Random) -> Sequence[str]:
    """The aggregate was computed on the first fifth of the items and never again."""
    model = study.models[-1]
    answers = study.of(model)
    study.printed[model] = aggregate(sorted(answers, key=lambda a: -(a.score or 0))[: len(answers) * 4 // 5])
    return [model]


def errors(part: float) -> Change:
    """Samples that ended in an error are left out of the mean: more often the hard ones."""

    def change(study: Study, rng: random.Random) -> Sequence[str]:
        model = pick(study, rng)
        for answer in hard(study, model, part, rng):
            answer.error = rng.choice(ERRORS)
            answer.score, answer.output, answer.extracted = None, "", None
            answer.verdicts = dict.fromkeys(answer.verdicts)
        return [model]

    return change


def unscored(part: float) -> Change:
    """Verdicts are missing and left out of the mean."""

    def change(study: Study, rng: random.Random) -> Sequence[str]:
        model = pick(study, rng)
        for answer in hard(study, model, part, rng):
            answer.score = None
            answer.verdicts = dict.fromkeys(answer.verdicts)
            answer.explanation = ""
        return [model]

    return change


def vanished(part: float) -> Change:
    """The run says that all items were made; the file has fewer."""

    def change(study: Study, rng: random.Random) -> Sequence[str]:
        study.planned = len(study.items)
        lost = {answer.item.key for answer in hard(study, study.models[0], part, rng)}
        study.items = [item for item in study.items if item.key not in lost]
        study.answers = [answer for answer in study.answers if answer.item.key not in lost]
        return study.models

    return change


def filled(value: float) -> Callable[[float], Change]:
    """A judge's reply could not be read, and a default took its place. `value`: the default, as a part of the scale."""

    def strength(part: float) -> Change:
        def change(study: Study, rng: random.Random) -> Sequence[str]:
            model = pick(study, rng)
            for answer in share(study, model, part, rng):
                for judge in answer.verdicts or ():
                    answer.verdicts[judge] = value
                answer.score = value
                answer.explanation = rng.choice(UNPARSED.get(study.extra["format"], ("",)))
            judge_again(study)
            return [model]

        return change

    return strength


def nothing_is_wrong(part: float) -> Change:
    """Calls that failed left no output and were scored as wrong answers."""

    def change(study: Study, rng: random.Random) -> Sequence[str]:
        model = pick(study, rng)
        for answer in share(study, model, part, rng):
            answer.output, answer.extracted, answer.score = "", None, 0.0
            answer.error = rng.choice(ERRORS)
        return [model]

    return change


def fewer(part: float) -> Change:
    """One model was run on a part of the items only."""

    def change(study: Study, rng: random.Random) -> Sequence[str]:
        model = pick(study, rng)
        kept = {item.key for item in study.items[: round(part * len(study.items))]}
        study.answers = [a for a in study.answers if a.model != model or a.item.key in kept]
        study.settings[model].limit = len(kept)
        return [model]

    return change


def elsewhere(part: float) -> Change:
    """A share of the items was put to one model only, and as many others to the rest."""

    def change(study: Study, rng: random.Random) -> Sequence[str]:
        model = pick(study, rng)
        apart: list[Item] = rng.sample(study.items, round(part * len(study.items)))
        ours = {item.key for item in apart[::2]}
        theirs = {item.key for item in apart[1::2]}
        study.answers = [a for a in study.answers if a.item.key not in (theirs if a.model == model else ours)]
        return [model]

    return change


def told(instruction: str) -> Change:
    """One model got another prompt."""

    def change(study: Study, rng: random.Random) -> Sequence[str]:
        model = pick(study, rng)
        study.settings[model].instruction = instruction
        return [model]

    return change


def settings(**values: float) -> Change:
    """One model was run with other settings."""

    def change(study: Study, rng: random.Random) -> Sequence[str]:
        model = pick(study, rng)
        for name, value in values.items():
            setattr(study.settings[model], name, value)
        return [model]

    return change


def repeated(part: float) -> Change:
    """Items stand in the set twice under two names, with the same answers."""
    return _doubled(part, lambda text: text)


def nearly_repeated(part: float) -> Change:
    """Items stand in the set twice, the second time with other spacing, capitals or punctuation."""

    def altered(text: str) -> str:
        return "  " + text.replace(". ", ".  ").rstrip("?.") + " ?" if len(text) % 2 else text.upper()

    return _doubled(part, altered)


def merged_twice(part: float) -> Change:
    """A merge put rows into the table twice."""

    def change(study: Study, rng: random.Random) -> Sequence[str]:
        model = pick(study, rng)
        study.answers += [replace(each, verdicts=dict(each.verdicts)) for each in share(study, model, part, rng)]
        return [model]

    return change


def _doubled(part: float, altered: Callable[[str], str]) -> Change:
    def change(study: Study, rng: random.Random) -> None:
        chosen = {item.key for item in rng.sample(study.items, round(part * len(study.items)))}
        copies = {}
        for item in list(study.items):
            if item.key in chosen:
                copies[item.key] = replace(item, key=f"{item.key}b", question=altered(item.question))
        study.items += copies.values()
        for answer in list(study.answers):
            if answer.item.key in copies:
                again = replace(answer, item=copies[answer.item.key], verdicts=dict(answer.verdicts))
                study.answers.append(again)
        order = {item.key: place for place, item in enumerate(sorted(study.items, key=lambda _: rng.random()))}
        study.items.sort(key=lambda item: order[item.key])
        study.answers.sort(key=lambda a: (study.models.index(a.model), order[a.item.key], a.epoch))

    return change


def hard(study: Study, model: str, part: float, rng: random.Random) -> list[Answer]:
    """A share of a model's answers, three times as often those that scored low."""
    answers = study.of(model)
    order = sorted(answers, key=lambda answer: rng.random() ** (3.0 if (answer.score or 0) < 0.5 else 1.0))
    return order[: max(3, round(part * len(answers)))]


THINK = "Think step by step, check your reasoning, and only then answer."
EXPERT = "You are an expert with decades of experience. Take a deep breath. Answer as briefly as you can."

PLANTS: tuple[Plant, ...] = (
    *rated(
        "headline_recomputed",
        "raised",
        raised,
        "inspect-choice:0.03 inspect-zip:0.06 lm-eval-choice:0.02 lm-eval-short:0.1 helm-short:0.05 eee-short:0.04 "
        "promptfoo-short:0.1 alpaca-made:0.06 deepeval-judged:0.08",
    ),
    *rated(
        "headline_recomputed",
        "standard error times",
        error_times,
        "inspect-short:0.5 lm-eval-three:22.4 eee-choice:0.5 alpaca-real:0.7",
    ),
    *variants("headline_recomputed", "exchanged", exchanged, "lm-eval-passages inspect-judged"),
    *variants("headline_recomputed", "stale", stale, "helm-choice eee-judged"),
    *rated(
        "dropped_items",
        "errors",
        errors,
        "inspect-short:0.12 inspect-zip:0.06 inspect-judged:0.2 inspect-epochs:0.05 promptfoo-short:0.1 "
        "deepeval-judged:0.08 eee-short:0.1 eee-choice:0.07 csv-families:0.08",
    ),
    *rated(
        "dropped_items", "unscored", unscored, "inspect-judges:0.1 alpaca-made:0.07 csv-choice:0.09 jsonl-judged:0.12"
    ),
    *rated(
        "dropped_items", "vanished", vanished, "lm-eval-choice:0.1 inspect-choice:0.12 eee-choice:0.15 helm-short:0.2"
    ),
    *rated(
        "missing_scored",
        "half",
        filled(0.5),
        "alpaca-made:0.1 alpaca-real:0.06 csv-judges:0.25 jsonl-judged:0.3 inspect-judges:0.2 deepeval-judged:0.25",
    ),
    *rated(
        "missing_scored",
        "zero",
        filled(0.0),
        "inspect-judged:0.1 promptfoo-judged:0.12 deepeval-judges:0.15 csv-families:0.15 eee-judged:0.2",
    ),
    *rated("missing_scored", "minus one", filled(-1.0), "csv-panel:0.06 jsonl-judged:0.1"),
    *rated(
        "missing_scored",
        "failed calls are wrong",
        nothing_is_wrong,
        "csv-choice:0.1 jsonl-short:0.15 helm-choice:0.1 helm-short:0.2",
    ),
    *rated(
        "different_items",
        "fewer",
        fewer,
        "inspect-choice:0.5 lm-eval-choice:0.5 csv-scores:0.7 parquet-scores:0.4 eee-choice:0.6 alpaca-made:0.85 "
        "helm-choice:0.5",
    ),
    *rated("different_items", "elsewhere", elsewhere, "csv-choice:0.4 jsonl-judged:0.6 csv-documents:1.0"),
    *variants(
        "different_items", "told to think", told(THINK), "inspect-short promptfoo-short lm-eval-short csv-judges"
    ),
    *variants("different_items", "told to be brief", told(EXPERT), "helm-short deepeval-judged eee-short"),
    *variants("different_items", "five shots", settings(shots=5), "lm-eval-three"),
    *variants("different_items", "version", settings(version=2), "inspect-judged lm-eval-passages"),
    *variants("different_items", "temperature", settings(temperature=1.0), "inspect-zip"),
    *rated(
        "duplicate_items",
        "repeated",
        repeated,
        "inspect-choice:0.1 inspect-short:0.2 lm-eval-choice:0.06 lm-eval-short:0.15 helm-choice:0.1 "
        "promptfoo-short:0.1 "
        "deepeval-judged:0.15 eee-short:0.08 csv-choice:0.12 jsonl-judged:0.1 alpaca-made:0.08",
    ),
    *rated("duplicate_items", "nearly repeated", nearly_repeated, "inspect-zip:0.15 csv-judges:0.15 eee-choice:0.2"),
    *rated("duplicate_items", "merged twice", merged_twice, "csv-scores:0.2 parquet-scores:0.1"),
)
"""The plants on what is counted."""
