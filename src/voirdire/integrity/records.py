"""The nouns of the integrity instrument."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from voirdire.errors import InputError

Side = Literal["for", "against"]
Severity = Literal["minor", "moderate", "severe", "critical"]


class IntegrityError(InputError):
    """Facts, violations or a taxonomy that can't be used: one sentence says what was given and what is expected."""


@dataclass(frozen=True, slots=True)
class EstablishedFact:
    """Something that the response had to take as given."""

    id: str
    text: str
    parent: str | None = None
    """The compound fact that it was split from."""
    central: bool = False
    relevant: bool = True
    side: Side | None = None
    """Whether it speaks for or against the conclusion at issue."""
    whole: bool = False
    """Whether it is to stay whole, however compound it looks."""


@dataclass(frozen=True, slots=True)
class Violation:
    """One fault in a response. What it costs is settled by the taxonomy, never by whoever found it."""

    type: str
    """A type of the taxonomy, or one of its aliases."""
    sentence: int | None = None
    """Which sentence, from 0; `None` for what concerns the whole response, as omissions do."""
    span: str | None = None
    """The words at fault, as they stand in the response."""
    fact: str | None = None
    """Id of the fact concerned; `None` for inventions, and for what concerns none."""
    reason: str = ""
    source: str = "given"
    """Who found it: "rules", an auditor's spec, a rater."""
    confidence: float | None = None
    """Of a suggestion made by rule, in [0, 1]."""
