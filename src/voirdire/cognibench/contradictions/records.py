"""What a perturbed sentence is, and what a detector made of many."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple, get_args

Kind = Literal["number", "date", "unit", "name", "negation", "quantifier", "comparison"]

KINDS: tuple[Kind, ...] = get_args(Kind)


@dataclass(frozen=True, slots=True)
class Perturbed:
    """A faithful statement with one thing changed, so that it contradicts its context."""

    answer: str
    """Id of the answer that it stands in."""
    statement: int
    """Its place among the statements of that answer."""
    kind: Kind
    original: str
    text: str


class Count(NamedTuple):
    """How many of how many."""

    flagged: int
    n: int
    missing: int = 0
    """Of `n`, those that the detector gave no score; they count as not flagged."""

    @property
    def rate(self) -> float | None:
        """Share flagged; `None` of none."""
        return self.flagged / self.n if self.n else None


@dataclass(frozen=True, slots=True)
class ContradictionRates:
    """What a detector flags of a suite of contradictions."""

    rates: Mapping[Kind, Count]
    """Of every kind, the perturbed statements that were flagged; higher is better."""
    controls: Count
    """The same statements untouched; lower is better."""
