"""What a comparison with a context finds, and the error of what can't be compared."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from voirdire.errors import InputError

ContradictionKind = Literal["number", "date", "unit", "name", "negation", "quantifier", "comparison"]


class EvidenceError(InputError):
    """A context or a sentence that is no text: what was given, and what is expected."""


@dataclass(frozen=True, slots=True)
class Contradiction:
    """A place where a sentence says something else than the context."""

    kind: ContradictionKind
    claim: str
    """What the sentence says."""
    evidence: str
    """What the context says instead; empty where it is the bare absence of a word (a negation)."""
    context_sentence: str
    confidence: float
    """How much of the rest of the sentence that context sentence has, mapped to [0.6, 1]."""
    about: str = ""
    """The name of which the context says it, where the sentence has a figure of another name; else empty."""
    is_calculated: bool = False
    """Whether the sentence calculates the figure, which then neither stands in the context nor follows from it."""
    sure: bool = False
    """Whether its kind, at its confidence, was hardly ever found in right sentences (docs/contradictions.md)."""


SURE = 0.85
"""The confidence from which changed amounts, times, shares and dates are sure."""
SURE_NEGATION = 0.95
"""That of negations."""
SURE_WORDS = 0.8
"""That of changed bounds and quantifiers."""


def confidence(share: float) -> float:
    """The confidence of a contradiction with a context sentence that has this share of the rest, in [0, 1]."""
    return 0.6 + 0.4 * min(1.0, share)
