"""What a labeller is asked to do, and what it found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from voirdire.data.bounds import MAX_SAMPLES, bounds_text, in_bounds
from voirdire.detectors.contrastive import Contrast
from voirdire.detectors.records import (
    HISTORIES,
    REQUIREMENTS,
    Answer,
    DetectorError,
    History,
    Label,
    Require,
    StatementType,
)

Vote = Literal["faithful", "hallu", "irrelevant"]
TypeSource = Literal["classifier", "model"]
Form = Literal["marks", "numbers"]

FORMS: tuple[Form, ...] = ("marks", "numbers")
TYPE_SOURCES: tuple[TypeSource, ...] = ("classifier", "model")
SEVERAL_TEMPERATURE = 0.7
"""Of several votes, which must be able to differ; CogniBench names none. A single one is asked for at 0."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelPlan:
    """How an answer is labelled. The defaults are the paper's (CogniBench 3.1, 3.2, A.9)."""

    votes: int = 5
    """Of the labeller, on each sentence."""
    min_votes: int | None = None
    """Votes that make a sentence a hallucination; `None`: more than half."""
    require: Require = "grounded"
    history: History = "none"
    """Which earlier turns count as evidence beside the context."""
    contrastive: bool = True
    """Whether the prompt has contrastive and worked examples; without them it is the "-CFP" of Table 5."""
    contrasts: tuple[Contrast, ...] = ()
    """Contrastive examples in place of the packaged ones."""
    types: TypeSource = "classifier"
    tiers: bool = True
    """Whether a second stage grades cognitive statements."""
    tier_votes: int = 1
    retrieve: int | None = None
    """Show only the so many best-matching sentences of the evidence for each sentence; `None` shows all of it."""
    sentences_per_call: int | None = None
    form: Form = "marks"
    """How votes are given: each sentence back between its tags, as in the paper, or a numbered line for each."""
    temperature: float | None = None
    """`None`: 0 for a single vote, else `SEVERAL_TEMPERATURE`."""

    def __post_init__(self) -> None:
        for name, count in (("votes", self.votes), ("tier_votes", self.tier_votes)):
            if not in_bounds(count, 1, MAX_SAMPLES, whole=True):
                raise DetectorError(f"{name} is {count!r}; it must be {bounds_text(1, MAX_SAMPLES, whole=True)}.")
        for name, value in (
            ("retrieve", self.retrieve),
            ("sentences_per_call", self.sentences_per_call),
        ):
            if value is not None and value < 1:
                raise DetectorError(f"{name} is {value}; it must be 1 or more.")
        if not 1 <= self.votes_needed <= self.votes:
            raise DetectorError(
                f"min_votes is {self.votes_needed}, of {self.votes} votes; it must be from 1 to {self.votes}."
            )
        for name, choice, known in (
            ("require", self.require, REQUIREMENTS),
            ("history", self.history, HISTORIES),
            ("types", self.types, TYPE_SOURCES),
            ("form", self.form, FORMS),
        ):
            if choice not in known:
                raise DetectorError(f"{name} is {choice!r}; it must be one of {', '.join(known)}.")
        if self.temperature is not None and not 0 <= self.temperature <= 2:
            raise DetectorError(f"The temperature is {self.temperature:g}; it must lie between 0 and 2.")

    @property
    def votes_needed(self) -> int:
        """Votes that make a sentence a hallucination."""
        return self.votes // 2 + 1 if self.min_votes is None else self.min_votes

    def temperature_of(self, votes: int) -> float:
        """The temperature at which so many votes are asked for."""
        if self.temperature is not None:
            return self.temperature
        return 0.0 if votes == 1 else SEVERAL_TEMPERATURE


@dataclass(frozen=True, slots=True)
class JudgedStatement:
    """The votes on one sentence, and the label that they come to."""

    votes: tuple[Vote | None, ...]
    """One a sample; `None` where that sample has none."""
    hallucinated: bool | None
    """What the votes of the first stage decide; `None`: votes are missing that could decide either way."""
    label: Label | None
    """After both stages; `None`: undecided."""
    type: StatementType | None = None
    cognitive: float | None = None
    """Probability of being cognitive, where the classifier said it."""
    tiers: tuple[Label | None, ...] = ()
    """One a sample of the second stage; empty where it was not asked."""
    why: str = ""
    """Why there is no label."""

    def as_dict(self) -> dict[str, Any]:
        """Ready for JSON; `of_dict` reads it again."""
        return {name: getattr(self, name) for name in self.__slots__}

    @classmethod
    def of_dict(cls, fields: dict[str, Any]) -> JudgedStatement:
        """The reverse of `as_dict`; lists become tuples."""
        return cls(**(fields | {"votes": tuple(fields["votes"]), "tiers": tuple(fields["tiers"])}))


@dataclass(frozen=True, slots=True)
class AnswerLabels:
    """An answer with the labels that a labeller gave its sentences."""

    answer: Answer
    judged: tuple[JudgedStatement, ...]
    """One a statement, in order."""
    repairs: int = 0
    """How often sentences were asked for again."""
    reasons: tuple[str, ...] = ()
    """Why votes or tiers are missing, each reason once."""
    failed_calls: int = 0
    """Calls that failed and may succeed another time."""
    addresses: tuple[int, ...] = ()
    """Positions of statements that speak to whoever labels them, or imitate a label, a role or a fence."""
    echoes: tuple[str, ...] = ()
    """Samples whose reply repeats such words beside its votes, or says that it follows them; the words in brief."""

    @property
    def undecided(self) -> tuple[int, ...]:
        """Positions of the statements without a label."""
        return tuple(place for place, each in enumerate(self.judged) if each.label is None)
