"""Claims of a publication: what it prints, what its data give, and whether the two agree.

What is printed, where, and every sentence about it are data: a file of `voirdire/data/published` for each publication.
A study adds a function for each claim, which computes and says nothing. `check_claims` brings both together.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Generic, Literal, TypeVar

from voirdire.reason_codes import Param, Reason, declare, reason
from voirdire.stats.intervals import Interval

Study = TypeVar("Study")
Value = float | str | tuple[float, float] | None
Comparison = Literal["number", "bound", "count", "range"]

_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")

declare(
    {
        "papers.own_definition": "By the paper's definition it is {value}: {definition}",
        "papers.both_values": "By the paper {printed}; by its data {value}.",
        "papers.interval": "Interval: {method}.",
        "papers.no_data": "The data hold nothing that this could be computed from.",
        "papers.no_interval": "There is no interval, with so little data or no variation.",
        "papers.part_unknown": "A part of the data can't tell.",
        "papers.part_larger": "A part holds more than the whole.",
        "papers.end_met": "The {end} end is met.",
    }
)


class ClaimVerdict(StrEnum):
    """What the data say of a claim; the value is how it reads."""

    REPRODUCED = "reproduced"
    OTHER_DEFINITION = "reproduced under another definition"
    NOT_REPRODUCED = "not reproduced"
    CONSISTENT = "consistent"
    """With a part of the data that the publication had."""
    NOT_CONSISTENT = "not consistent"
    UNDECIDED = "undecided"
    NOT_CHECKABLE = "not checkable"
    HELD = "held"
    """A prediction, put to data that the publication did not have."""
    BROKEN = "broken"
    OPEN = "cannot be decided at this n"
    UNDECIDABLE = "cannot be decided"
    """Whatever the number of models and concepts."""


@dataclass(frozen=True, slots=True)
class Printed:
    """A number as it is printed."""

    text: str

    @property
    def value(self) -> float:
        """The number."""
        return float(self.text)

    @property
    def decimals(self) -> int:
        """How many decimals are printed."""
        return len(self.text.partition(".")[2])

    @property
    def slack(self) -> float:
        """Half a unit of the last decimal: what rounding may have changed."""
        return float(0.5 * 10**-self.decimals)

    def matches(self, value: Value) -> bool:
        """Whether a number equals this one at the printed precision."""
        return isinstance(value, int | float) and abs(value - self.value) <= self.slack + 1e-9


@dataclass(frozen=True, slots=True)
class Result:
    """What a study's data give for a claim."""

    value: Value
    """`None` where the data can't tell, NaN where it is undefined, two numbers for a range."""
    interval: Interval | None = None
    method: str = ""
    """How the interval was made: a name of the publication's `methods`."""
    n: int | None = None
    """It is a share or mean of so many."""
    verdict: ClaimVerdict | None = None
    """Where the computation itself decides; else the claim's comparison does."""
    part: bool = False
    """The data are only a part of those that the publication had."""
    definition: str = "definition"
    """The name of the sentence that says what was computed."""
    note: str = "note"
    """The name of the sentence to read beside it, if the claim has one of this name. A claim that is not reproduced
    adds its sentence `if_not_reproduced`."""
    params: Mapping[str, Param] = field(default_factory=dict)
    """What both sentences speak of."""
    others: tuple[Result, ...] = ()
    """By other definitions, which count only where this one does not give the printed number."""
    reasons: tuple[Reason, ...] = ()
    """What must be said first."""
    table: tuple[Mapping[str, Any], ...] = ()
    """The same per model, turn, level …"""

    def with_params(self, note: str = "note", **params: Param) -> Result:
        """The same with more to speak of."""
        return replace(self, note=note, params={**self.params, **params})


@dataclass(frozen=True, slots=True)
class Claim(Generic[Study]):
    """What a publication says, and how it is computed and compared."""

    id: str
    section: str
    says: str
    """In our words."""
    printed: str
    """A number, two ("50 to 432"), a bound ("> 0"), or a short text."""
    compare: Comparison = "number"
    words: str = ""
    """Where its sentences are found: the first part of their codes."""
    sentences: frozenset[str] = frozenset()
    """The names of the sentences that it has."""
    methods: str = ""
    compute: Callable[[Study], Result] | None = None
    """`None` where nothing can be computed; the note then says why."""

    @property
    def numbers(self) -> tuple[Printed, ...]:
        """The numbers of what is printed, in order ("-0.95 to -0.42" has two)."""
        return tuple(Printed(number) for number in _NUMBER.findall(self.printed))

    @property
    def number(self) -> float:
        """The first number that is printed."""
        return self.numbers[0].value

    @property
    def published(self) -> float | int | str:
        """What is printed, as a number where it is nothing else."""
        if not _NUMBER.fullmatch(self.printed):
            return self.printed
        return float(self.printed) if "." in self.printed else int(self.printed)

    def sentence(self, name: str, params: Mapping[str, Param]) -> Reason | None:
        """One of its sentences; `None` where it has none of this name."""
        return reason(f"{self.words}.{name}", **params) if name in self.sentences else None


@dataclass(frozen=True, slots=True)
class ClaimOutcome(Generic[Study]):
    """A claim beside what its data give."""

    claim: Claim[Study]
    verdict: ClaimVerdict
    result: Result
    """By the definition that decided."""
    reasons: tuple[Reason, ...]
    """Why, where the numbers don't tell, and what to know besides."""

    @property
    def value(self) -> float | str | None:
        """What was recomputed; `None` where it is undefined or unknown."""
        value = self.result.value
        if isinstance(value, tuple):
            return " to ".join(f"{end:.{self.claim.numbers[0].decimals}f}" for end in value)
        return None if _undefined(value) else value

    @property
    def interval(self) -> tuple[float, float] | None:
        """The ends of its 95 % interval, where it has one."""
        return ends(self.result.interval)

    @property
    def definition(self) -> str:
        """What exactly was computed, and how the interval was made; empty where nothing was computed."""
        if self.result.value is None:
            return ""
        parts = [self.claim.sentence(self.result.definition, self.result.params)]
        if self.interval is not None and self.result.method:
            parts.append(reason("papers.interval", method=reason(f"{self.claim.methods}.{self.result.method}")))
        return value_in_words(parts)

    @property
    def note(self) -> str:
        """Its reasons in words."""
        return value_in_words(self.reasons)

    @property
    def why(self) -> str:
        """Why the verdict is what it is; for a claim not reproduced, also what is printed and what the data give."""
        if self.verdict is not ClaimVerdict.NOT_REPRODUCED or self.value is None:
            return self.note
        both = reason("papers.both_values", printed=self.claim.printed, value=_short(self.value))
        return value_in_words([both, *self.reasons])

    def as_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {
            "id": self.claim.id,
            "section": self.claim.section,
            "claim": self.claim.says,
            "published": self.claim.published,
            "recomputed": self.value,
            "interval": None if self.interval is None else list(self.interval),
            "n": self.result.n,
            "definition": self.definition,
            "verdict": self.verdict.value,
            "note": self.note,
            "why": self.why,
        }


def check_claims(claims: Iterable[Claim[Study]], study: Study) -> tuple[ClaimOutcome[Study], ...]:
    """Compute every claim from a study and compare it with what is printed.

    A number is reproduced when it equals the printed one to the printed decimals (half a unit of the last one is
    allowed), a bound when the value lies on its side. A part of the data can only be consistent with what is printed:
    when the interval holds a number, lies on the side of a bound, or a count or range is not exceeded.
    """
    return tuple(compare(claim, Result(None) if claim.compute is None else claim.compute(study)) for claim in claims)


def compare(claim: Claim[Study], result: Result) -> ClaimOutcome[Study]:
    """Decide one claim."""
    verdict, because = (result.verdict, ()) if result.verdict else _decide(claim, result)
    notes = [claim.sentence(result.note, result.params)]
    if verdict is ClaimVerdict.NOT_REPRODUCED:
        notes.append(claim.sentence("if_not_reproduced", result.params))
    reasons = (*because, *result.reasons, *(note for note in notes if note is not None))
    other = next((each for each in result.others if _equal(claim, each)), None)
    if verdict is ClaimVerdict.NOT_REPRODUCED and other is not None:
        return ClaimOutcome(claim, ClaimVerdict.OTHER_DEFINITION, other, (*_own(claim, result), *reasons))
    return ClaimOutcome(claim, verdict, result, reasons)


def reproduced_if(condition: bool) -> ClaimVerdict:
    """The verdict on a statement in words, an order, or anything else that the computation decides itself."""
    return ClaimVerdict.REPRODUCED if condition else ClaimVerdict.NOT_REPRODUCED


def read_claims(name: str, source: Mapping[str, Any], more: Sequence[Mapping[str, Any]] = ()) -> dict[str, Claim[Any]]:
    """The claims of a publication by id, not yet bound to functions; its sentences are declared.

    Args:
        name: of the publication, the first part of the codes of its sentences.
        source: the file's `claims` (id, section, claim, printed, and, where they are not the default, compare and
            words), `words` (by claim or kind of claim, sentences by name) and `methods` of intervals.
        more: claims that are made of the file's tables.
    """
    words: Mapping[str, Mapping[str, str]] = source["words"]
    declare({f"{name}.{kind}.{each}": text for kind, texts in words.items() for each, text in texts.items()})
    declare({f"{name}.methods.{each}": text for each, text in source.get("methods", {}).items()})
    claims: dict[str, Claim[Any]] = {}
    for entry in (*source["claims"], *more):
        kind = entry.get("words", entry["id"])
        claims[entry["id"]] = Claim(
            entry["id"],
            entry["section"],
            entry["claim"],
            entry["printed"],
            entry.get("compare", "number"),
            f"{name}.{kind}",
            frozenset(words.get(kind, ())),
            f"{name}.methods",
        )
    return claims


def bind(claims: Mapping[str, Claim[Study]], functions: Mapping[str, Callable[[Study], Result]]) -> list[Claim[Study]]:
    """The claims with the functions that compute them.

    Raises:
        KeyError: a function is named after no claim.
    """
    unknown = functions.keys() - claims.keys()
    if unknown:
        raise KeyError(f"no such claims: {', '.join(sorted(unknown))}")
    return [replace(claim, compute=functions.get(name)) for name, claim in claims.items()]


def count_verdicts(outcomes: Iterable[ClaimOutcome[Any]], order: Sequence[ClaimVerdict]) -> dict[str, int]:
    """How many claims got each verdict, in this order."""
    counts = Counter(each.verdict for each in outcomes)
    return {verdict.value: counts[verdict] for verdict in order}


def ends(interval: Interval | None) -> tuple[float, float] | None:
    """The two ends of an interval, if it is there and they are numbers."""
    if interval is None or math.isnan(interval.low) or math.isnan(interval.high):
        return None
    return interval.low, interval.high


def value_in_words(parts: Iterable[Reason | None]) -> str:
    """Sentences in a row."""
    return " ".join(str(part) for part in parts if part is not None)


def _decide(claim: Claim[Study], result: Result) -> tuple[ClaimVerdict, tuple[Reason, ...]]:
    if result.value is None:
        return ClaimVerdict.NOT_CHECKABLE, ()
    if claim.compare == "bound":
        return _bound(claim, result), ()
    if not result.part:
        return reproduced_if(_equal(claim, result)), ()
    if claim.compare == "count":
        return _part_of_count(claim, result.value)
    if claim.compare == "range":
        return _part_of_range(claim, result.value)
    return _part_of_number(claim, result)


def _equal(claim: Claim[Study], result: Result) -> bool:
    values = result.value if isinstance(result.value, tuple) else (result.value,)
    return all(printed.matches(value) for printed, value in zip(claim.numbers, values, strict=False))


def _bound(claim: Claim[Study], result: Result) -> ClaimVerdict:
    side, bound = (1 if claim.printed.startswith(">") else -1), claim.number
    if not result.part:
        return reproduced_if(isinstance(result.value, int | float) and side * (result.value - bound) > 0)
    distances = [side * (end - bound) for end in ends(result.interval) or ()]
    if distances and min(distances) > 0:
        return ClaimVerdict.CONSISTENT
    return ClaimVerdict.NOT_CONSISTENT if distances and max(distances) < 0 else ClaimVerdict.UNDECIDED


def _part_of_number(claim: Claim[Study], result: Result) -> tuple[ClaimVerdict, tuple[Reason, ...]]:
    interval = ends(result.interval)
    if interval is None:
        return ClaimVerdict.NOT_CHECKABLE, (reason("papers.no_interval"),)
    printed = claim.numbers[0]
    inside = interval[0] - printed.slack <= printed.value <= interval[1] + printed.slack
    return (ClaimVerdict.CONSISTENT if inside else ClaimVerdict.NOT_CONSISTENT), ()


def _part_of_count(claim: Claim[Study], value: Value) -> tuple[ClaimVerdict, tuple[Reason, ...]]:
    if isinstance(value, int | float) and value > claim.number:
        return ClaimVerdict.NOT_CONSISTENT, (reason("papers.part_larger"),)
    return ClaimVerdict.NOT_CHECKABLE, (reason("papers.part_unknown"),)


def _part_of_range(claim: Claim[Study], value: Value) -> tuple[ClaimVerdict, tuple[Reason, ...]]:
    if not isinstance(value, tuple):
        return ClaimVerdict.NOT_CHECKABLE, ()
    least, most = (printed.value for printed in claim.numbers)
    met = [name for name, same in (("lower", value[0] == least), ("upper", value[1] == most)) if same]
    verdict = ClaimVerdict.CONSISTENT if least <= value[0] <= value[1] <= most else ClaimVerdict.NOT_CONSISTENT
    return verdict, ((reason("papers.end_met", end=" and the ".join(met)),) if met else ())


def _own(claim: Claim[Study], result: Result) -> tuple[Reason, ...]:
    """What the publication's own definition gives."""
    own = claim.sentence(result.definition, result.params)
    if own is None or not isinstance(result.value, int | float | str):
        return ()
    return (reason("papers.own_definition", value=_short(result.value), definition=own),)


def _undefined(value: Value) -> bool:
    return isinstance(value, float) and math.isnan(value)


def _short(value: float | str) -> str:
    if isinstance(value, str):
        return value
    return f"{value:.4g}" if abs(value) < 1000 else f"{value:,.0f}"
