"""An evaluation in memory: items, models, answers and scores, before a format is chosen."""

from __future__ import annotations

import math
import random
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from statistics import fmean, stdev

LETTERS = "ABCDEFGH"


@dataclass(slots=True)
class Item:
    """One question."""

    key: str
    question: str
    target: str = ""
    """The letter of a choice, a short answer, or nothing where a judge decides."""
    choices: tuple[str, ...] = ()
    cluster: str | None = None
    """The passage or family that the item shares with others."""
    dataset: str = ""
    baseline: str = ""
    """The output that a pair is judged against."""
    hint: str = ""
    """What stands in the prompt before the question."""

    @property
    def reference(self) -> str:
        """The right answer as text."""
        return self.choices[LETTERS.index(self.target)] if self.choices else self.target


@dataclass(slots=True)
class Answer:
    """What a model said to an item once, and what it got for it."""

    item: Item
    model: str
    output: str
    score: float | None
    """None where nothing was scored."""
    epoch: int = 1
    extracted: str | None = None
    """What the scorer took for the answer."""
    verdicts: dict[str, float | None] = field(default_factory=dict)
    """Judge to score, where there are judges."""
    explanation: str = ""
    """What the scorer or the judge wrote."""
    error: str | None = None
    stop: str = "stop"
    """"stop", "length" or "content_filter"."""
    attempts: int = 1
    others: tuple[str, ...] = ()
    """Further outputs of the same call, of which the best was scored."""

    def pick(self) -> int:
        """The choice that the model took, by its place."""
        return LETTERS.index(self.extracted) if self.extracted and self.extracted in LETTERS else 0


@dataclass(slots=True)
class Settings:
    """How one model was run."""

    temperature: float = 0.0
    shots: int = 0
    version: int = 1
    max_tokens: int = 512
    limit: int | None = None
    instruction: str = ""
    """An instruction that this model got before each question."""
    best_of: int | None = None
    max_attempts: int | None = None


@dataclass(frozen=True, slots=True)
class Printed:
    """An aggregate as a tool prints it."""

    value: float
    se: float | None
    n: int


@dataclass(slots=True)
class Study:
    """An evaluation of some models on some items."""

    name: str
    kind: str
    """"choice", "short" (an exact answer), "judged" or "pairs" (against a baseline: 0 lost, 1 won)."""
    items: list[Item]
    settings: dict[str, Settings]
    answers: list[Answer]
    judges: tuple[str, ...] = ()
    epochs: int = 1
    reducer: str = "mean"
    printed: dict[str, Printed] = field(default_factory=dict)
    """Aggregates that replace those that follow from the answers."""
    planned: int | None = None
    """Items that were meant to be run, where they are more than those that are there."""
    scale: float = 1.0
    """The highest score of a judge."""
    extra: dict[str, str] = field(default_factory=dict)
    """What only one format can say."""

    @property
    def models(self) -> list[str]:
        """In the order of the settings."""
        return list(self.settings)

    def of(self, model: str) -> list[Answer]:
        """The answers of one model, in the order of the file."""
        return [answer for answer in self.answers if answer.model == model]

    def headline(self, model: str) -> Printed:
        """What the tool prints for a model: the mean over items of what was scored, and its standard error."""
        return self.printed.get(model) or aggregate(self.of(model), self.reducer)

    def copy(self) -> Study:
        """The same, free to be changed."""
        items = {id(item): replace(item) for item in self.items}
        for answer in self.answers:
            items.setdefault(id(answer.item), replace(answer.item))
        return replace(
            self,
            items=[items[id(item)] for item in self.items],
            settings={model: replace(each) for model, each in self.settings.items()},
            answers=[replace(a, item=items[id(a.item)], verdicts=dict(a.verdicts)) for a in self.answers],
            printed=dict(self.printed),
            extra=dict(self.extra),
        )

    def rescore(self, judges: Iterable[str] | None = None) -> None:
        """Scores from the judges' verdicts: their mean."""
        for answer in self.answers:
            given = [v for judge, v in answer.verdicts.items() if v is not None and (not judges or judge in judges)]
            answer.score = fmean(given) if given else None


def aggregate(answers: Sequence[Answer], reducer: str = "mean") -> Printed:
    """Mean over items of the epochs' mean (or best), with the plain standard error."""
    means = item_scores(answers, max if reducer != "mean" else fmean)
    values = list(means.values())
    if not values:
        return Printed(math.nan, None, 0)
    return Printed(fmean(values), stdev(values) / math.sqrt(len(values)) if len(values) > 1 else 0.0, len(values))


def item_scores(answers: Iterable[Answer], reduce: Callable[[Sequence[float]], float] = fmean) -> dict[str, float]:
    """Item to score, those without one left out."""
    found: dict[str, list[float]] = defaultdict(list)
    for answer in answers:
        if answer.score is not None:
            found[answer.item.key].append(answer.score)
    return {key: reduce(scores) for key, scores in found.items()}


def some(answers: Sequence[Answer], share: float, rng: random.Random, *, least: int = 1) -> list[Answer]:
    """A random share of answers."""
    return rng.sample(list(answers), min(len(answers), max(least, round(share * len(answers)))))
