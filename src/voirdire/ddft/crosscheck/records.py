"""What a person is given to check, and what comes back."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from voirdire.records import Stance


class CrosscheckError(ValueError):
    """A sheet that can't be made or read: one sentence says where, what is wrong, and what is expected."""


@dataclass(frozen=True, slots=True)
class SampledTurn:
    """A turn as a person sees it: without the subject's name, the level and the jury's scores."""

    key: str
    """Names the turn and the very answer, without telling whose it is."""
    concept: str
    turn: int
    reference: str
    earlier: str
    """The questions and answers before it."""
    question: str
    answer: str
    fabricated: str
    """At turns 4 and 5: the item that does not exist; "" elsewhere."""


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
