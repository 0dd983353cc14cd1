"""The ladder: its questions one at a time; the first answer that settles a label ends it (CogniBench 2.2, table 4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from voirdire.detectors.records import LABELS, Label
from voirdire.raters.records import Mode, Row

STEP, REASON = "step", "reason"
"""Kinds of the task's rows."""

LABEL = "label"
"""The only question of the mode "independent": which class?"""

YES, NO = "yes", "no"
_FIRST: dict[Mode, str] = {"sequential": "irrelevant", "independent": LABEL}

# What an answer leads to: another question, or the label that ends the ladder.
_LEADS_TO: dict[tuple[str, str], str] = {
    ("irrelevant", NO): "type",
    ("type", "factual"): "faithful",
    ("type", "cognitive"): "rational",
    ("rational", YES): "grounded",
    ("grounded", YES): "irrefutable",
}
_CLASSES: dict[tuple[str, str], Label] = {(LABEL, label): label for label in LABELS}
_SETTLES: dict[tuple[str, str], Label] = _CLASSES | {
    ("irrelevant", YES): "irrelevant",
    ("faithful", YES): "faithful",
    ("faithful", NO): "invented",
    ("rational", NO): "misleading",
    ("grounded", NO): "speculative",
    ("irrefutable", NO): "reliable",
    ("irrefutable", YES): "irrefutable",
}

CHOICES: Mapping[str, tuple[str, ...]] = {
    "irrelevant": (YES, NO),
    "type": ("factual", "cognitive"),
    "faithful": (YES, NO),
    "rational": (YES, NO),
    "grounded": (YES, NO),
    "irrefutable": (YES, NO),
    LABEL: LABELS,
}
"""The answers that each question takes."""

Path = tuple[tuple[str, str], ...]
"""(question, answer), from the first question on."""


class AnsweredQuestion(NamedTuple):
    """An answered question."""

    question: str
    answer: str
    seq: int
    """Of the row that answered it."""


class LadderState(NamedTuple):
    """How the ladder stands."""

    steps: tuple[AnsweredQuestion, ...]
    question: str | None
    """The next one; `None` once there is a label."""
    label: Label | None
    reason: str
    """As it was last written."""

    @property
    def path(self) -> Path:
        """The steps without their rows."""
        return tuple((step.question, step.answer) for step in self.steps)

    def answered(self, question: str) -> AnsweredQuestion | None:
        """The step that answers a question, if there is one."""
        return next((step for step in self.steps if step.question == question), None)


def state_of(rows: Sequence[Row], mode: Mode = "sequential") -> LadderState:
    """How the ladder stands after these rows.

    Another answer to a question that was answered before drops what came after it; the same one keeps it. A row that
    fits nowhere (of another mode, or to a question that was not asked) changes nothing.

    Args:
        rows: those that stand, oldest first; body of a step: "question", "answer" and, where it was written, "reason".
        mode: the ladder, or the class directly.
    """
    steps: list[AnsweredQuestion] = []
    reason = ""
    for row in rows:
        if row.kind == STEP and _answer(
            steps, AnsweredQuestion(row.body["question"], row.body["answer"], row.seq), mode
        ):
            reason = row.body.get("reason", reason)
        elif row.kind == REASON:
            reason = row.body["reason"]
    question, label = _after(steps, mode)
    return LadderState(tuple(steps), question, label, reason)


def walk(answers: Sequence[str]) -> Path:
    """The path that these answers take up the ladder, from its first question on."""
    path: Path = ()
    question: str | None = _FIRST["sequential"]
    for answer in answers:
        path = (*path, (str(question), answer))
        question = _LEADS_TO.get(path[-1])
    return path


def outcome(question: str, answer: str) -> tuple[str | None, Label | None]:
    """What an answer leads to: (the next question, `None`), or (`None`, the label that it settles)."""
    return _LEADS_TO.get((question, answer)), _SETTLES.get((question, answer))


def first_difference(path: Sequence[Sequence[str]], other: Sequence[Sequence[str]]) -> str | None:
    """The first question that two paths answer differently; `None` where they are equal or share no question."""
    answers = {question: answer for question, answer in other}
    return next((question for question, answer in path if answers.get(question, answer) != answer), None)


def _answer(steps: list[AnsweredQuestion], step: AnsweredQuestion, mode: Mode) -> bool:
    """Take a step in: the next one, or an earlier one anew. Whether it fits."""
    if step.answer not in CHOICES.get(step.question, ()):
        return False
    questions = [each.question for each in steps]
    if step.question in questions:
        place = questions.index(step.question)
        if steps[place].answer == step.answer:
            return True
        del steps[place:]
    elif step.question != _after(steps, mode)[0]:
        return False
    steps.append(step)
    return True


def _after(steps: Sequence[AnsweredQuestion], mode: Mode) -> tuple[str | None, Label | None]:
    """The next question, or the label."""
    return outcome(steps[-1].question, steps[-1].answer) if steps else (_FIRST[mode], None)
