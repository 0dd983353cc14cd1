"""Structured replies of judges and auditors: asking until one can be read, and reading it strictly."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from voirdire.data.json_text import JsonError, NoNumber, RepeatedKey, parse_json
from voirdire.records import CallFailure, FinishReason, Reply, Request
from voirdire.text.counting import counted

T = TypeVar("T")

MAX_REPLY = 50_000
"""Characters; a longer reply is a fault. Five turns in one call stay far below it."""

_CODE_FENCE = re.compile(r"\A```[a-zA-Z]*[ \t]*\n(.*)\n[ \t]*```\Z", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Missing:
    """Why there is no verdict, audit or other structured reply."""

    why: str
    """No sentence, since more may follow."""
    call_failed: bool = False
    """Whether no reply came back: such a call is made again later; a reply, whatever it is, stands."""


def failed(failure: CallFailure) -> Missing:
    """What is missing because a call failed."""
    return Missing(f"the call failed ({failure.kind}): {failure.message.rstrip('.')}", call_failed=True)


def join_missing(missing: Sequence[Missing]) -> Missing:
    """Several as one, each reason once."""
    return Missing("; ".join(dict.fromkeys(each.why for each in missing)), any(each.call_failed for each in missing))


@dataclass(frozen=True, slots=True)
class ParseFault:
    """Why a reply is no verdict, in a sentence."""

    problem: str


class Unusable(Exception):
    """Carries the sentence of a fault to the function that returns it."""


class Asks(Protocol):
    """Whoever makes calls: the runner, or a script in tests."""

    async def ask(self, spec: str, request: Request, /) -> Reply | CallFailure:
        """Make one call to the model of this spec."""
        ...


async def ask_until_parsed(
    asker: Asks,
    spec: str,
    request: Request,
    read: Callable[[str], T | ParseFault],
    mend: Callable[[Request, str, str, int], Request],
    *,
    repairs: int,
    who: str,
    what: str,
) -> tuple[T | Missing, int]:
    """Ask until the reply can be read.

    A refusal, a failed call or a reply cut at the limit ends it; nothing is ever put in their place.

    Args:
        asker: makes the calls.
        spec: of the model.
        request: what to ask.
        read: what the reply says, or what is wrong with it.
        mend: (request, reply, problem, number) -> the same request once more, with what was wrong.
        repairs: how often to ask again.
        who: for the reasons: "judge", "auditor".
        what: they were asked for: "verdict", "audit".

    Returns:
        What was read, or why nothing was; and the number of repairs.
    """
    attempt, problem = request, ""
    for repair in range(repairs + 1):
        reply = await asker.ask(spec, attempt)
        if isinstance(reply, CallFailure):
            return failed(reply), repair
        if reply.finish_reason in _ENDED:
            return Missing(_ENDED[reply.finish_reason].format(who=who)), repair
        outcome = read(reply.text)
        if not isinstance(outcome, ParseFault):
            return outcome, repair
        problem = outcome.problem
        attempt = mend(request, reply.text, problem, repair + 1)
    return Missing(f"no usable {what} after {counted(repairs, 'repair')}: {problem}"), repairs


_ENDED: dict[FinishReason, str] = {
    "refusal": "the {who} refused",
    "length": "the {who}'s reply was cut at the limit of tokens",
}


def field_of(fields: Mapping[str, Any], name: str) -> Any:
    """A field of a reply.

    Raises:
        Unusable: it is missing.
    """
    if name not in fields:
        raise Unusable(f"the field {name} is missing")
    return fields[name]


def only_object(text: str) -> dict[str, Any]:
    """The one JSON object that a reply consists of, alone or in one code fence.

    Raises:
        Unusable: anything else; a field given twice; NaN, infinities and numbers beyond floats.
    """
    if len(text) > MAX_REPLY:
        raise Unusable(f"the reply is longer than {MAX_REPLY} characters")
    stripped = text.strip()
    if not stripped:
        raise Unusable("the reply is empty")
    fenced = _CODE_FENCE.match(stripped)
    value = _parse(fenced.group(1) if fenced else stripped)
    if not isinstance(value, dict):
        raise Unusable("the reply must be one JSON object")
    return value


def _parse(text: str) -> Any:
    try:
        # An escape can bring half a character in that the text of the reply did not have.
        return parse_json(text, halves="replace")
    except RepeatedKey as error:
        raise Unusable("a field is given twice") from error
    except NoNumber as error:
        raise Unusable("a number is NaN, infinite, or too large") from error
    except JsonError as error:
        raise Unusable("the reply must be one JSON object and nothing else, with no text before or after it") from error
