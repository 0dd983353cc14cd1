"""The nouns of faithfulness, sentence by sentence: labels, statements, and the answers that they stand in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple, get_args

from voirdire.errors import InputError

Label = Literal["irrelevant", "faithful", "invented", "misleading", "speculative", "reliable", "irrefutable"]
StatementType = Literal["irrelevant", "factual", "cognitive"]
Require = Literal["rational", "grounded", "irrefutable"]
History = Literal["none", "user", "all"]

LABELS: tuple[Label, ...] = get_args(Label)
REQUIREMENTS: tuple[Require, ...] = get_args(Require)
HISTORIES: tuple[History, ...] = get_args(History)

_TYPES: dict[Label, StatementType] = {
    "irrelevant": "irrelevant",
    "faithful": "factual",
    "invented": "factual",
    "misleading": "cognitive",
    "speculative": "cognitive",
    "reliable": "cognitive",
    "irrefutable": "cognitive",
}
_BELOW: dict[Require, frozenset[Label]] = {
    "rational": frozenset({"invented", "misleading"}),
    "grounded": frozenset({"invented", "misleading", "speculative"}),
    "irrefutable": frozenset({"invented", "misleading", "speculative", "reliable"}),
}


class DetectorError(InputError):
    """A detector, a label or a data set that can't be used: one sentence says what was given and what to do."""


def type_of(label: Label) -> StatementType:
    """Factual statements repeat the context, cognitive ones go beyond it (CogniBench 2.1)."""
    return _TYPES[label]


def hallucinated(label: Label, require: Require = "grounded") -> bool:
    """Whether a statement with this label counts as a hallucination.

    Invented always; misleading under every requirement; speculative under "grounded" (the paper's choice, section
    4.4) and "irrefutable"; reliable under "irrefutable"; faithful, irrefutable and irrelevant never.
    """
    return label in _BELOW[require]


class Exchange(NamedTuple):
    """A user's turn and the assistant's answer to it."""

    user: str
    assistant: str


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence of an answer: `text` is the answer's `[start:end]`."""

    text: str
    start: int
    end: int
    label: Label | None = None
    """`None`: not labelled."""

    @property
    def words(self) -> int:
        """Length in words, the unit in which detectors are scored (CogniBench 4.1)."""
        return len(self.text.split())


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """One turn of a grounded dialogue: what was known, what was asked, what was answered."""

    id: str
    """Unique within a data set: dialogue and turn."""
    dialogue: str
    """Which dialogue it is a turn of."""
    group: str
    """What it shares its context with; intervals and cross-validation are clustered by it."""
    context: str
    question: str
    text: str
    statements: tuple[Statement, ...]
    history: tuple[Exchange, ...] = ()
    """The earlier turns, oldest first."""
    turn: int = 0
    """Position in the dialogue, from 0."""
    topic: str | None = None
    model: str | None = None
    """Who answered, where that is known."""

    @property
    def labelled(self) -> bool:
        """Whether any of its statements carries a label."""
        return any(statement.label is not None for statement in self.statements)


class Passage(NamedTuple):
    """What a detector is shown: evidence, the sentences of one answer, and the dialogue that ends in that answer."""

    context: str
    sentences: tuple[str, ...]
    dialogue: tuple[Exchange, ...] = ()
    """Oldest first; the last one is the answer whose sentences are judged."""


def passage_of(answer: Answer, history: History = "none") -> Passage:
    """An answer as detectors are shown it.

    Args:
        answer: with its statements.
        history: which earlier turns count as evidence beside the context: none, the user's words, or all.
    """
    earlier = [
        part
        for exchange in answer.history
        for part in ((exchange.user,) if history == "user" else exchange)
        if history != "none" and part
    ]
    return Passage(
        "\n\n".join([answer.context, *earlier]),
        tuple(statement.text for statement in answer.statements),
        (*answer.history, Exchange(answer.question, answer.text)),
    )
