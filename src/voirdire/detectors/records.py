"""The nouns of faithfulness, sentence by sentence: labels, statements, and the answers that they stand in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple, get_args

from voirdire.errors import InputError, a_type
from voirdire.text.scripts import count_words

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


Texts = str | Sequence[str]
"""One text, or several in a list or tuple."""


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
    judged_type: StatementType | None = None
    """What a labeller took it for, where it gave no label."""
    human_label: Label | None = None
    """What people labelled it, where `label` is a model's."""

    @property
    def type(self) -> StatementType | None:
        """Its label's type; without a label what a labeller took it for, if any did."""
        return self.judged_type if self.label is None else type_of(self.label)

    @property
    def words(self) -> int:
        """Length in words, the unit in which detectors are scored (CogniBench 4.1)."""
        return count_words(self.text)

    @property
    def small_talk(self) -> bool:
        """Whether it claims nothing (a greeting, a refusal, a farewell): such a sentence is never flagged."""
        from voirdire.text.smalltalk import is_small_talk

        return is_small_talk(self.text)


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
    labelled_by_model: str | None = None
    """The model that gave the labels; `None`: people did, or nobody said."""

    @property
    def labelled(self) -> bool:
        """Whether any of its statements carries a label."""
        return any(statement.label is not None for statement in self.statements)

    def is_header(self, statement: Statement) -> bool:
        """Whether one of its statements is a heading or a table's header row, which names things and claims nothing."""
        from voirdire.text.sentences import is_header

        return is_header(self.text, statement.start, statement.end)


def with_labels_of_people(answer: Answer) -> Answer:
    """The answer with no label of a model: what people labelled, if they did, takes its place."""
    if answer.labelled_by_model is None:
        return answer
    statements = (replace(each, label=each.human_label, human_label=None) for each in answer.statements)
    return replace(answer, statements=tuple(statements), labelled_by_model=None)


def without_headers(answer: Answer) -> Answer:
    """The answer with no label on headings and header rows: detectors are shown them, and nothing is scored there."""
    statements = (replace(each, label=None) if answer.is_header(each) else each for each in answer.statements)
    return replace(answer, statements=tuple(statements))


def labelled_headers(answers: Sequence[Answer]) -> int:
    """How many headings and header rows of tables carry a label, which `without_headers` leaves out."""
    return sum(each.label is not None and answer.is_header(each) for answer in answers for each in answer.statements)


class Passage(NamedTuple):
    """What a detector is shown: evidence, the sentences of one answer, and the dialogue that ends in that answer."""

    context: str
    sentences: tuple[str, ...]
    dialogue: tuple[Exchange, ...] = ()
    """Oldest first; the last one is the answer whose sentences are judged."""


def as_passage(context: Texts, sentences: Texts, dialogue: Sequence[Exchange] = ()) -> Passage:
    """What a caller gives a detector, as detectors are shown it: one text or several, as context and as sentences.

    Raises:
        DetectorError: something else was given.
    """
    return Passage("\n\n".join(texts_of("context", context)), texts_of("sentences", sentences), tuple(dialogue))


def texts_of(name: str, value: Texts) -> tuple[str, ...]:
    """One text or several, as a tuple.

    Raises:
        DetectorError: something else was given; it is called by its name.
    """
    if isinstance(value, str):
        return (value,)
    if not isinstance(value, list | tuple):
        raise DetectorError(f"{name} must be a text or a list of texts, not {a_type(value)}.")
    for place, each in enumerate(value, start=1):
        if not isinstance(each, str):
            raise DetectorError(f"{name} must be a text or a list of texts; number {place} is {a_type(each)}.")
    return tuple(value)


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
