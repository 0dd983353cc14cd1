"""A claim of the paper beside what its data give, and the rules that decide between them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, get_args

from voirdire.ddft.published.paper import Printed, Statement
from voirdire.stats.intervals import Interval

Verdict = Literal["reproduced", "reproduced under another definition", "not reproduced", "not checkable"]
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)

RULE = (
    "A number is reproduced when it equals the printed one to the printed decimals (half a unit of the last decimal "
    "allowed), an inequality or an order when it holds in the data, whatever its p-value."
)


class Found(NamedTuple):
    """A number that the data give."""

    value: float | str
    definition: str
    """Exactly: which turns, which formula, which test."""
    interval: tuple[float, float] | None = None
    method: str = ""
    """How the interval was made."""


@dataclass(frozen=True, slots=True)
class Claim:
    """What the paper says, what its data give, and whether the two agree."""

    said: Statement
    recomputed: float | str | None
    interval: tuple[float, float] | None
    """95 %, where one is possible."""
    definition: str
    """Exactly: which turns, which formula, which test, how the interval was made. Empty where nothing was computed."""
    verdict: Verdict
    note: str
    """Of another definition, what the paper's own gives; of a claim not checkable, why. Else what a reader should know
    besides, or nothing."""

    @property
    def why(self) -> str:
        """Why the verdict is what it is; for a claim not reproduced, what is printed and what the data give."""
        if self.verdict != "not reproduced" or self.recomputed is None:
            return self.note
        return _sentences(f"By the paper {self.said.printed}; by its data {_shown(self.recomputed)}.", self.note)

    def as_dict(self) -> dict[str, Any]:
        """The claim as plain values that JSON can hold."""
        return {
            "id": self.said.id,
            "section": self.said.section,
            "claim": self.said.claim,
            "published": self.said.published,
            "recomputed": self.recomputed,
            "interval": None if self.interval is None else list(self.interval),
            "definition": self.definition,
            "verdict": self.verdict,
            "why": self.why,
        }


def compared(said: Statement, found: Found, *, other: Found | None = None, why: str = "") -> Claim:
    """Compare a printed number with the one that the data give (`RULE`).

    Args:
        said: prints one number.
        found: by the paper's own definition.
        other: by another definition, which counts only where the paper's own does not give the printed number.
        why: what a reader should know besides.
    """
    printed = said.numbers[0]
    if _equals(printed, found):
        return _claim(said, found, "reproduced", why)
    if other is not None and _equals(printed, other):
        own = f"By the paper's definition it is {_shown(found.value)}: {found.definition}"
        return _claim(said, other, "reproduced under another definition", _sentences(own, why))
    return _claim(said, found, "not reproduced", why)


def held(said: Statement, holds: bool, found: Found, *, why: str = "") -> Claim:
    """An inequality, an order or a statement in words that holds in the data or does not."""
    if holds:
        return _claim(said, found, "reproduced", why)
    return _claim(said, found, "not reproduced", why)


def elsewise(said: Statement, found: Found, why: str) -> Claim:
    """What holds, but only by a definition that is not the paper's."""
    return _claim(said, found, "reproduced under another definition", why)


def uncheckable(said: Statement, why: str) -> Claim:
    """A claim that the published data can't decide."""
    return Claim(said, recomputed=None, interval=None, definition="", verdict="not checkable", note=why)


def ends(interval: Interval | None) -> tuple[float, float] | None:
    """The two ends of an interval, if it is there and they are numbers."""
    if interval is None or math.isnan(interval.low) or math.isnan(interval.high):
        return None
    return interval.low, interval.high


def _claim(said: Statement, found: Found, verdict: Verdict, note: str) -> Claim:
    undefined = isinstance(found.value, float) and math.isnan(found.value)
    known = found.interval is not None and not any(math.isnan(end) for end in found.interval)
    return Claim(
        said,
        recomputed=None if undefined else found.value,
        interval=found.interval if known else None,
        definition=_sentences(found.definition, f"Interval: {found.method}." if known and found.method else ""),
        verdict=verdict,
        note=note,
    )


def _equals(printed: Printed, found: Found) -> bool:
    return not isinstance(found.value, str) and not math.isnan(found.value) and printed.matches(found.value)


def _shown(value: float | str) -> str:
    return value if isinstance(value, str) else f"{value:.4g}" if abs(value) < 1000 else f"{value:,.0f}"


def _sentences(*parts: str) -> str:
    return " ".join(part for part in parts if part)
