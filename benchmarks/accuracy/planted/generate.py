"""Evaluations without a defect: what models of given abilities would answer to real questions.

A model is right with probability logistic(ability - difficulty of the item); nothing else decides: no place, no length,
no passage, no judge's taste. Which models the outputs are called after means nothing.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

from benchmarks.accuracy.planted import texts
from benchmarks.accuracy.planted.study import LETTERS, Answer, Item, Settings, Study

SOURCES = (
    "claude-2.1",
    "vicuna-13b-v1.5-togetherai",
    "wizardlm-13b",
)
"""Models of AlpacaEval whose outputs are about as long, and which refuse little: the texts of judged evaluations."""


def choice(name: str, models: dict[str, float], items: Sequence[Item], rng: random.Random, *, epochs: int = 1) -> Study:
    """Multiple choice. `models` has the ability of each."""
    settings = {model: Settings(max_tokens=1024, temperature=0.7 if epochs > 1 else 0.0) for model in models}
    study = Study(name, "choice", list(items), settings, [], epochs=epochs)
    hard = {item.key: rng.gauss(0, 1) for item in items}
    wrong: dict[str, set[str]] = {item.key: set() for item in items}
    for style, (model, ability) in enumerate(models.items()):
        for item in items:
            for epoch in range(1, epochs + 1):
                letter = item.target
                if rng.random() > _right(ability - hard[item.key]):
                    letter = _distractor(item, wrong[item.key], rng)
                    wrong[item.key].add(letter)
                text = texts.choice_output(item, letter, rng, style)
                score = float(letter == item.target)
                study.answers.append(Answer(item, model, text, score, epoch, letter))
    return study


def short(name: str, models: dict[str, float], items: Sequence[Item], rng: random.Random, *, epochs: int = 1) -> Study:
    """Short answers, right only where they are the same."""
    settings = {model: Settings(temperature=0.7 if epochs > 1 else 0.0) for model in models}
    study = Study(name, "short", list(items), settings, [], epochs=epochs)
    pool = [item.target for item in items]
    hard = {item.key: rng.gauss(0, 1) for item in items}
    for style, (model, ability) in enumerate(models.items()):
        for item in items:
            for epoch in range(1, epochs + 1):
                right = rng.random() < _right(ability - hard[item.key])
                said = item.target if right else texts.other_answer(item, rng, pool)
                text = texts.short_output(item, said, rng, style)
                study.answers.append(Answer(item, model, text, float(right), epoch, said))
    return study


def judged(
    name: str,
    models: dict[str, float],
    count: int,
    judges: tuple[str, ...],
    rng: random.Random,
    *,
    levels: int = 10,
    clusters: bool = False,
) -> Study:
    """Open instructions with real outputs, and made-up judges who see a quality that has nothing to do with length."""
    items = texts.open_instructions(SOURCES)
    chosen = [Item(item.key, item.question, dataset=item.dataset) for item in rng.sample(items, count)]
    if clusters:
        for place, item in enumerate(chosen):
            item.cluster = f"family-{place // 5:03d}"
    study = Study(name, "judged", chosen, {model: Settings(max_tokens=2048) for model in models}, [], judges)
    easy = {item.key: rng.gauss(0, 0.12) for item in chosen}
    for source, (model, mean) in zip(SOURCES, models.items(), strict=False):
        for item in chosen:
            quality = mean + easy[item.key] + rng.gauss(0, 0.14)
            answer = Answer(item, model, texts.alpaca_outputs(source)[int(item.key)], None)
            for judge in judges:
                answer.verdicts[judge] = _verdict(quality + rng.gauss(0, 0.09), levels)
            answer.explanation = graded(answer.verdicts[judges[0]] or 0.0, levels, rng)
            study.answers.append(answer)
    study.rescore()
    return study


def graded(verdict: float, levels: int, rng: random.Random) -> str:
    """What a judge writes before the grade."""
    kind = _HIGH if verdict >= 0.67 else _LOW if verdict < 0.34 else _MIDDLE
    said = f"{rng.choice(kind)} {rng.choice(_MORE)}"
    return f"{said}\n\nGRADE: {'C' if verdict >= 0.5 else 'I'}" if levels == 1 else said


def pairs(models: Sequence[str], judges: Sequence[str], rng: random.Random, count: int = 805) -> Study:
    """AlpacaEval's own preferences of some models, for `count` of its items."""
    rows = texts.alpaca_items()
    kept = rng.sample(rows, count) if count < len(rows) else rows
    items = {
        row["item"]: Item(
            f"{row['item']:04d}",
            row["instruction"],
            dataset=row["dataset"],
            baseline=row["baselines"]["gpt4_1106_preview"],
        )
        for row in kept
    }
    study = Study(
        "alpaca_eval", "pairs", list(items.values()), {model: Settings() for model in models}, [], tuple(judges)
    )
    for model in models:
        found: dict[int, Answer] = {}
        for judge in judges:
            for row in texts.alpaca_rows(model, judge):
                if row["item"] in items:
                    item = items[row["item"]]
                    answer = found.setdefault(row["item"], Answer(item, model, row["output"], None))
                    answer.verdicts[judge] = None if row["preference"] is None else row["preference"] - 1
        study.answers += found.values()
    study.rescore(judges[:1])
    return study


def made_pairs(models: dict[str, tuple[str, float]], judge: str, count: int, rng: random.Random) -> Study:
    """AlpacaEval's layout with another baseline and a made-up judge, who has no taste for length.

    `models`: name to the model whose outputs it has, and the mean of its preferences.
    """
    base = texts.alpaca_outputs("vicuna-7b")
    open_items = texts.open_instructions(tuple(source for source, _ in models.values()))
    chosen = rng.sample([item for item in open_items if base.get(int(item.key))], count)
    items = [Item(i.key, i.question, dataset=i.dataset, baseline=base[int(i.key)]) for i in chosen]
    study = Study("alpaca_eval", "pairs", items, {model: Settings() for model in models}, [], (judge,))
    study.extra["baseline"] = "vicuna-7b"
    easy = {item.key: rng.gauss(0, 0.8) for item in items}
    for model, (source, mean) in models.items():
        for item in items:
            logit = math.log(mean / (1 - mean)) * 1.6 + easy[item.key] + rng.gauss(0, 2.2)
            won = round(_right(logit), 10)
            answer = Answer(item, model, texts.alpaca_outputs(source)[int(item.key)], won, verdicts={judge: won})
            study.answers.append(answer)
    return study


def scores_only(name: str, models: dict[str, float], count: int, rng: random.Random, *, clusters: int = 0) -> Study:
    """Right or wrong, with no texts. `clusters`: items in one, where there are any (they share nothing)."""
    items = [Item(f"item-{number:05d}", "") for number in range(1, count + 1)]
    if clusters:
        for place, item in enumerate(items):
            item.cluster = f"doc-{place // clusters:04d}"
    study = Study(name, "short", items, {model: Settings() for model in models}, [], extra={"texts": "no"})
    hard = {item.key: rng.gauss(0, 1) for item in items}
    for model, ability in models.items():
        for item in items:
            study.answers.append(Answer(item, model, "", float(rng.random() < _right(ability - hard[item.key]))))
    return study


def _right(logit: float) -> float:
    return 1 / (1 + math.exp(-logit))


def _distractor(item: Item, taken: set[str], rng: random.Random) -> str:
    others = [letter for letter in LETTERS[: len(item.choices)] if letter != item.target]
    fresh = [letter for letter in others if letter not in taken]
    return rng.choice(fresh if fresh and rng.random() < 0.85 else others)


def _verdict(quality: float, levels: int) -> float:
    return min(1.0, max(0.0, round(quality * levels) / levels)) if levels > 1 else float(quality >= 0.5)


_HIGH = (
    "The response covers what was asked and its claims hold.",
    "Complete and to the point.",
    "All parts of the instruction are met, with correct detail.",
)
_MIDDLE = (
    "The response is partly right, but one requirement is missed.",
    "Useful in places; some statements are vague.",
    "It answers the main question and leaves out a detail.",
)
_LOW = (
    "The response misses the point of the instruction.",
    "Several claims are wrong.",
    "Most of what was asked is not there.",
)
_MORE = (
    "The structure is easy to follow.",
    "The tone fits.",
    "Nothing off topic was added.",
    "The wording could be tighter.",
    "The examples are sensible.",
)
