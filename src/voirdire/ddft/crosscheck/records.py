"""What a person is given to check, and what comes back."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from voirdire.errors import InputError
from voirdire.records import ConceptKind, Stance

THRESHOLD = 0.7
"""Of FAR: at or above it a turn counts as accurate (theta, DDFT 5.2.1)."""


class CrosscheckError(InputError):
    """A sheet that can't be made or read: one sentence says where, what is wrong, and what is expected."""


@dataclass(frozen=True, slots=True)
class SampledTurn:
    """A turn as a person sees it: without the subject's name, the level and the jury's scores."""

    key: str
    """Names the turn and the very answer, without telling whose it is."""
    concept: str
    turn: int
    reference: str
    history: tuple[tuple[str, str], ...]
    """The (question, answer) pairs before it."""
    question: str
    answer: str
    fabricated: str
    """At turns 4 and 5: the item that does not exist; "" elsewhere."""
    kind: ConceptKind = "established"
    as_of: str = ""
    """The date (ISO) at which the reference holds, where it names one."""

    @property
    def earlier(self) -> str:
        """The questions and answers before it, as one text."""
        return "\n\n".join(f"Question: {question}\nAnswer: {answer}" for question, answer in self.history)


@dataclass(frozen=True, slots=True)
class DrawnTurn:
    """A turn of a sample, with what a person must not know of it."""

    shown: SampledTurn
    dialogue: str
    """Its name tells the subject and the level."""
    concept: str
    """The concept's id."""
    stratum: str
    """The turn's number, and the side of theta on which the jury's FAR lies."""
    stands_for: int
    """How many scored turns it was drawn from: one over its chance."""


@dataclass(frozen=True, slots=True)
class Rating:
    """What a person says of a turn."""

    key: str
    far: float | None
    sas: float | None
    no_claims: bool
    stance: Stance | None
    comment: str


def key_of(dialogue: str, turn: int, answer: str) -> str:
    """The key of a turn: stays the same as long as its answer does."""
    return hashlib.sha256(f"{dialogue}\n{turn}\n{answer}".encode()).hexdigest()[:12]
