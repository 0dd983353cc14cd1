"""A claim of the paper beside what was recomputed, and the rules that decide between them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, get_args

from voirdire.cognibench.dynamics._estimates import Estimate
from voirdire.cognibench.dynamics.published.paper import Said

Verdict = Literal[
    "not reproduced",
    "not consistent",
    "undecided",
    "not checkable",
    "reproduced under another definition",
    "consistent",
    "reproduced",
]
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)

RULE = (
    "Reproduced: what the paper's own printed numbers give, or all of its 264 labelled responses, equals the printed "
    "number to its decimals; not reproduced: it does not. From a part of the responses no number can be reproduced: "
    "consistent means that the printed number lies within the 95 % interval of the part, not consistent that it lies "
    "outside. A direction is consistent when the whole interval lies on its side of 0, not consistent when on the "
    "other, else undecided. The part is taken as a random one; the interval is that for ever more data, which is wider "
    "than for the rest of 264 responses, so that not consistent is said too rarely rather than too often."
)

_PERCENT = 100.0


@dataclass(frozen=True, slots=True)
class Claim:
    """What the paper says, what was recomputed, and whether the two agree."""

    said: Said
    recomputed: float | str | None
    interval: tuple[float, float] | None
    n: int | None
    """What was recomputed is a share or mean of so many."""
    definition: str
    """How it was recomputed; empty where it was not."""
    verdict: Verdict
    note: str
    """Why, where the numbers don't tell; of a claim not checkable, what is lacking."""

    def as_dict(self) -> dict[str, Any]:
        """The claim as plain values that JSON can hold."""
        return {
            "id": self.said.id,
            "section": self.said.section,
            "claim": self.said.claim,
            "published": self.said.published,
            "recomputed": self.recomputed,
            "interval": None if self.interval is None else list(self.interval),
            "n": self.n,
            "definition": self.definition,
            "verdict": self.verdict,
            "note": self.note,
        }


def equal(said: Said, value: float, definition: str, *, note: str = "") -> Claim:
    """A number computed from what the paper prints elsewhere, or from all of its data."""
    verdict: Verdict = "reproduced" if said.matches(value) else "not reproduced"
    return Claim(said, value, None, None, definition, verdict, note)


def held(said: Said, holds: bool, shown: float | str, definition: str, *, note: str = "") -> Claim:
    """A statement that holds in the paper's own numbers, or does not."""
    return Claim(said, shown, None, None, definition, "reproduced" if holds else "not reproduced", note)


def elsewise(said: Said, shown: float | str, definition: str, note: str) -> Claim:
    """What holds, but only by another definition than the paper's words."""
    return Claim(said, shown, None, None, definition, "reproduced under another definition", note)


def sampled(
    said: Said, found: Estimate, definition: str, *, whole: bool, percent: bool = False, note: str = ""
) -> Claim:
    """A printed figure beside its estimate.

    Args:
        said: prints one number.
        found: the estimate from the data at hand.
        definition: how it was made.
        whole: the data are all that the paper had, so that equality is asked for.
        percent: the estimate is a share and the printed number a percentage.
        note: what a reader should know besides.
    """
    scale = _PERCENT if percent else 1.0
    if found.value is None:
        return uncheckable(said, _and("The data hold nothing that this could be computed from.", note))
    value, interval = found.value * scale, _ends(found, scale)
    if whole:
        verdict: Verdict = "reproduced" if said.matches(value) else "not reproduced"
    elif interval is None:
        verdict, note = "not checkable", _and("There is no interval, with so little data or no variation.", note)
    else:
        # The printed number is rounded: what it may have been before counts.
        slack = 0.5 * 10**-said.decimals
        inside = interval[0] - slack <= said.number <= interval[1] + slack
        verdict = "consistent" if inside else "not consistent"
    return Claim(said, value, interval, found.n, definition, verdict, note)


def directed(
    said: Said, found: Estimate, definition: str, *, whole: bool, percent: bool = False, note: str = ""
) -> Claim:
    """A change of which the paper gives only the direction: "> 0" or "< 0"."""
    scale = _PERCENT if percent else 1.0
    if found.value is None:
        return uncheckable(said, _and("The data hold nothing that this could be computed from.", note))
    side = 1 if said.printed.startswith(">") else -1
    interval = _ends(found, scale)
    verdict: Verdict = "undecided"
    if whole:
        verdict = "reproduced" if side * found.value > 0 else "not reproduced"
    elif interval is not None and min(side * end for end in interval) > 0:
        verdict = "consistent"
    elif interval is not None and max(side * end for end in interval) < 0:
        verdict = "not consistent"
    return Claim(said, found.value * scale, interval, found.n, definition, verdict, note)


def counted(said: Said, found: int, definition: str, *, whole: bool, note: str = "") -> Claim:
    """A count: a part of the data can contradict it only by being larger."""
    if whole:
        return equal(said, found, definition, note=note)
    verdict: Verdict = "not consistent" if found > said.number else "not checkable"
    told = "A part of the data can't tell." if verdict == "not checkable" else "A part holds more than the whole."
    return Claim(said, found, None, None, definition, verdict, _and(told, note))


def ranged(said: Said, low: int, high: int, definition: str, *, whole: bool, note: str = "") -> Claim:
    """Fewest to most: a part of the data must lie within."""
    least, most = said.numbers
    shown = f"{low} to {high}"
    if whole:
        return held(said, (low, high) == (least, most), shown, definition, note=note)
    verdict: Verdict = "consistent" if least <= low <= high <= most else "not consistent"
    ends = [name for name, same in (("lower", low == least), ("upper", high == most)) if same]
    met = f"The {' and the '.join(ends)} end is met." if ends else ""
    return Claim(said, shown, None, None, definition, verdict, _and(met, note))


def uncheckable(said: Said, why: str) -> Claim:
    """A claim that neither the data nor the paper's other numbers can decide."""
    return Claim(said, None, None, None, "", "not checkable", why)


def _ends(found: Estimate, scale: float) -> tuple[float, float] | None:
    return None if found.interval is None else (found.interval.low * scale, found.interval.high * scale)


def _and(*sentences: str) -> str:
    return " ".join(sentence for sentence in sentences if sentence)
