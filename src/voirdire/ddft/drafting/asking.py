"""How the drafting model is asked: fenced data, structured replies, and another try for what can't stand."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cache
from string import Template
from typing import Any, TypeVar

from voirdire import data
from voirdire.data import load_prompt
from voirdire.ddft.concepts.checking.kinds import dates_written
from voirdire.ddft.drafting.records import Brief, DraftError, Refusals
from voirdire.jury import Asks, ParseFault
from voirdire.jury.structured import Missing, settle
from voirdire.records import Fenced, Message, Request, Settings, Slot
from voirdire.run import Progress

T = TypeVar("T")

REPAIRS = 2
MAX_TOKENS = 4_000
_MAX_QUOTED_REPLY = 4_000
_PROMPTS = ("facts", "names", "reference", "wrong", "again", "repair")


@dataclass(frozen=True, slots=True)
class Drafter:
    """Who drafts what, and what was refused on the way."""

    asker: Asks
    spec: str
    brief: Brief
    refusals: Refusals
    progress: Progress

    async def settle(self, request: Request, read: Callable[[str], T | ParseFault], what: str) -> T:
        """Ask until the reply can be read.

        Raises:
            DraftError: it never could.
        """
        outcome, _ = await settle(
            self.asker, self.spec, request, read, _mended, repairs=REPAIRS, who="model", what=what
        )
        if isinstance(outcome, Missing):
            raise DraftError(f"{self.spec} drafted no {what}: {outcome.why.rstrip('.')}.")
        return outcome

    def told(self, step: str) -> str:
        """What the model is told of the kind of concept at this step ("facts", "reference", "wrong")."""
        as_of = self.brief.as_of
        written = dates_written(date.fromisoformat(as_of))[1] if as_of else ""
        return Template(_kinds()[step][self.brief.kind]).substitute(as_of=as_of, as_of_written=written)


def step_request(step: str, part: int, schema: Mapping[str, Any], /, **values: str | Fenced) -> Request:
    """The call of one step ("facts" …) for one part of the document, 0 for the whole."""
    messages = load_prompt(f"draft_{step}").messages(**values)
    settings = Settings(max_tokens=MAX_TOKENS, temperature=0.0)
    return Request(Slot("draft", part, "drafter", agent=step), messages, settings, schema)


def asked_again(request: Request, refused: Sequence[str]) -> Request:
    """The same request with what was refused, as a call of its own."""
    listed = Fenced("refused", "\n".join(f"- {each}" for each in refused))
    slot = replace(request.slot, agent=f"{request.slot.agent}-again")
    return replace(_with(request, "draft_again", refused=listed), slot=slot)


async def gathered(steps: Sequence[Coroutine[Any, Any, T]]) -> list[T]:
    """The outcomes of steps that run at once; the first failure is raised when every one has ended."""
    outcomes = await asyncio.gather(*steps, return_exceptions=True)
    for outcome in outcomes:
        if isinstance(outcome, BaseException):
            raise outcome
    return [outcome for outcome in outcomes if not isinstance(outcome, BaseException)]


def prompt_hashes() -> dict[str, str]:
    """SHA-256 of the drafting prompts, for the run's identity."""
    kinds = hashlib.sha256(data.read_text("prompts/draft_kinds.yaml").encode()).hexdigest()
    return {f"draft_{name}": load_prompt(f"draft_{name}").sha256 for name in _PROMPTS} | {"draft_kinds": kinds}


def _mended(request: Request, reply: str, problem: str, number: int) -> Request:
    """The same request with the reply that could not be used."""
    quoted = Fenced("your earlier reply", reply[:_MAX_QUOTED_REPLY] or "(nothing)")
    slot = replace(request.slot, repair=number)
    wrong = Fenced("problem", problem)  # it may name what the reply names, and so the document
    return replace(_with(request, "draft_repair", problem=wrong, reply=quoted), slot=slot)


def _with(request: Request, prompt: str, **values: str | Fenced) -> Request:
    """The request with a prompt's words at the end of its last message."""
    (added,) = load_prompt(prompt).messages(**values)
    *before, last = request.messages
    return replace(request, messages=(*before, Message(last.role, (*last.parts, "\n\n", *added.parts))))


@cache
def _kinds() -> Mapping[str, Mapping[str, str]]:
    import yaml

    loaded: Mapping[str, Mapping[str, str]] = yaml.safe_load(data.read_text("prompts/draft_kinds.yaml"))
    return loaded
