"""What a plant is, and how answers are changed."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.accuracy.planted import texts
from benchmarks.accuracy.planted.clean import CLEAN, REAL
from benchmarks.accuracy.planted.formats import WRITERS
from benchmarks.accuracy.planted.study import Answer, Study, some

Change = Callable[[Study, random.Random], Sequence[str] | None]
"""Puts a defect into an evaluation, and names the models that have it (none: all)."""
Edit = Callable[[Path, random.Random], None]
"""Puts a defect into a folder of files."""

_REAL = {each.name: each for each in REAL}


@dataclass(frozen=True, slots=True)
class Plant:
    """One defect in a copy of one clean evaluation."""

    check: str
    """The id that must be found."""
    kind: str
    """What was done, in a word or two."""
    clean: str
    change: Change | None = None
    edit: Edit | None = None

    @property
    def name(self) -> str:
        """Check, kind and clean evaluation."""
        return f"{self.check}/{self.kind}/{self.clean}"

    @property
    def format(self) -> str:
        """The format of its files."""
        return CLEAN[self.clean].format if self.clean in CLEAN else _REAL[self.clean].format

    def write(self, folder: Path) -> tuple[str, ...]:
        """Write the files with the defect, the same every time, and return the models that have it (none: all)."""
        rng = random.Random(f"planted/{self.name}")
        if self.edit:
            (_REAL.get(self.clean) or CLEAN[self.clean]).write(folder)
            self.edit(folder, rng)
            return ()
        assert self.change
        study = CLEAN[self.clean].study()
        concerned = self.change(study, rng)
        WRITERS[self.format](study, folder)
        return tuple(concerned or ())


def variants(check: str, kind: str, change: Change, cleans: str) -> list[Plant]:
    """The same change in several clean evaluations."""
    return [Plant(check, kind, clean, change) for clean in cleans.split()]


def rated(check: str, kind: str, change: Callable[[float], Change], cleans: str) -> list[Plant]:
    """The same change in several clean evaluations, as strong as stands behind each: "inspect-short:0.1"."""
    made = []
    for each in cleans.split():
        clean, _, strength = each.partition(":")
        made.append(Plant(check, f"{kind} {strength}", clean, change(float(strength))))
    return made


def pick(study: Study, rng: random.Random) -> str:
    """One of its models."""
    return rng.choice(study.models)


def share(study: Study, model: str, part: float, rng: random.Random) -> list[Answer]:
    """A random share of a model's answers, or all."""
    answers = study.of(model)
    return answers if part >= 1 else some(answers, part, rng, least=3)


def say(study: Study, answer: Answer, said: str, rng: random.Random) -> None:
    """Let a model give another answer, with the output and the score that follow."""
    style = study.models.index(answer.model)
    if study.extra.get("texts") != "no":
        output = texts.choice_output if study.kind == "choice" else texts.short_output
        answer.output = output(answer.item, said, rng, style)
    answer.extracted = said
    answer.score = float(said == answer.item.target)


def right(study: Study, answer: Answer, yes: bool, rng: random.Random) -> None:
    """Let a model be right or wrong."""
    if study.extra.get("texts") == "no" or study.kind in ("judged", "pairs"):
        answer.score = float(yes)
        return
    if yes:
        say(study, answer, answer.item.target, rng)
    elif study.kind == "choice":
        others = [letter for letter in "ABCDEFGH"[: len(answer.item.choices)] if letter != answer.item.target]
        say(study, answer, rng.choice(others), rng)
    else:
        say(study, answer, texts.other_answer(answer.item, rng, [each.target for each in study.items]), rng)


def fail(study: Study, answer: Answer) -> None:
    """No answer came that could be right: wrong, or the judge's lowest."""
    answer.score = 0.0
    answer.extracted = None
    for judge in answer.verdicts:
        answer.verdicts[judge] = 0.0
    if study.kind == "judged":
        answer.explanation = "The submission does not address the task.\n\nGRADE: I"


def judge_again(study: Study, judges: Iterable[str] | None = None) -> None:
    """Scores from verdicts, where judges give them."""
    if study.judges:
        study.rescore(judges or (study.judges[:1] if study.kind == "pairs" else None))
