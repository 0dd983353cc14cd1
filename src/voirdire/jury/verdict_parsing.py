"""Reading a judge's reply: its own structured output, or nothing.

Rules, each with a test:

- The whole reply is one JSON object, or one code fence that holds one. With text around it the reply is a fault: a
  judge that quotes an answer could otherwise be taken to have given the verdict which that answer forged.
- Scores are JSON numbers in [0, 1]. Strings ("0.8"), booleans, NaN and infinities are faults; nothing is rounded,
  clipped or defaulted.
- A field given twice is a fault, a field that is missing is a fault, a field that was not asked for is disregarded.
- A fault is a sentence for the repair prompt. It never quotes the reply's text, because that may carry text of the
  answer into a place where instructions stand.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from voirdire.jury.structured_replies import ParseFault, Unusable, field_of, only_object
from voirdire.records import STANCES, Stance

Part = Literal["both", "far", "sas"]
"""What one call asks for: both scores, or FAR (with no_claims and stance) or SAS alone."""


@dataclass(frozen=True, slots=True)
class ParsedVerdict:
    """What a judge's reply says; `None` for what the call did not ask for."""

    far: float | None = None
    """Also `None` where the judge found no claims and the rules leave such answers out of FAR."""
    sas: float | None = None
    no_claims: bool = False
    stance: Stance | None = None
    justification: str = ""


@dataclass(frozen=True, slots=True)
class ParsedDialogue:
    """What a reply on several turns says of each, by turn number."""

    turns: Mapping[int, ParsedVerdict | ParseFault]


def parse_verdict(
    text: str, *, expects_stance: bool, part: Part = "both", far_always: bool = False
) -> ParsedVerdict | ParseFault:
    """The verdict in a judge's reply, or what is wrong with it.

    Args:
        text: the reply, untouched.
        expects_stance: the judge was told of a fabricated item.
        part: what the call asked for.
        far_always: FAR is a number even where the judge found no claims; otherwise it may be null there, and a number
            given there is disregarded.
    """
    try:
        return _verdict(only_object(text), expects_stance, part, far_always)
    except Unusable as fault:
        return ParseFault(str(fault))


def parse_dialogue(
    text: str, *, stance_turns: Sequence[int], turns: Sequence[int], part: Part = "both", far_always: bool = False
) -> ParsedDialogue | ParseFault:
    """The verdicts in a reply on several turns: an object with a member `turn_N` for each; faults are per turn."""
    try:
        whole = only_object(text)
    except Unusable as fault:
        return ParseFault(str(fault))
    verdicts: dict[int, ParsedVerdict | ParseFault] = {}
    for turn in turns:
        try:
            member = field_of(whole, turn_name(turn))
            if not isinstance(member, dict):
                raise Unusable("it must be an object")
            verdicts[turn] = _verdict(member, turn in stance_turns, part, far_always)
        except Unusable as fault:
            verdicts[turn] = ParseFault(f"{turn_name(turn)}: {fault}")
    return ParsedDialogue(verdicts)


def turn_name(turn: int) -> str:
    """The name of a turn's member in a reply on several turns."""
    return f"turn_{turn}"


def _verdict(fields: Mapping[str, Any], stance: bool, part: Part, far_always: bool) -> ParsedVerdict:
    justification = field_of(fields, "justification")
    if not isinstance(justification, str):
        raise Unusable("justification must be a string")
    sas = None if part == "far" else _score(fields, "sas")
    if part == "sas":
        return ParsedVerdict(sas=sas, justification=justification)
    no_claims = field_of(fields, "no_claims")
    if not isinstance(no_claims, bool):
        raise Unusable("no_claims must be true or false")
    far = None if no_claims and not far_always else _score(fields, "far")
    return ParsedVerdict(far, sas, no_claims, _stance(fields) if stance else None, justification)


def _score(fields: Mapping[str, Any], name: str) -> float:
    value = field_of(fields, name)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise Unusable(f"{name} must be a number from 0 to 1, not {_kind(value)}")
    if not 0 <= value <= 1:
        raise Unusable(f"{name} must lie between 0 and 1")
    return float(value)


def _kind(value: object) -> str:
    if value is None:
        return "null (null is for far alone, where no_claims is true)"
    kinds = {bool: "a boolean", str: "a string", list: "a list", dict: "an object"}
    return kinds[type(value)]


def _stance(fields: Mapping[str, Any]) -> Stance:
    value = field_of(fields, "stance")
    for stance in STANCES:
        if value == stance:
            return stance
    raise Unusable(f"stance must be one of {', '.join(STANCES)}")
