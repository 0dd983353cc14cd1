"""Models in this process that answer as their world says, and fail as the session's plan says."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from tests.faults.stateful.answers import content_of, judge_reply, subject_reply
from tests.faults.stateful.ledger import Book
from tests.faults.stateful.sequence import CALL_EVENTS, Kept, World
from tests.faults.stateful.study import JUDGES, PROVIDER, Place, dialogues, places
from voirdire.models.base import ModelError
from voirdire.records import ModelIdentity, OutputMode, Reply, Scene, Settings, Usage, WireMessage

_RAISED: Mapping[str, tuple[Any, ...]] = {
    "rate_limit": ("rate_limit", "Slow down.", 429, None),
    "rate_limit_soon": ("rate_limit", "Slow down.", 429, 5.0),
    "rate_limit_hour": ("rate_limit", "Slow down.", 429, 3600.0),
    "rate_limit_odd": ("rate_limit", "Slow down.", 429, math.nan),
    "server": ("server", "Bad gateway.", 502, None),
    "connection": ("connection", "Connection reset.", None, None),
    "half": ("connection", "The response broke off.", None, None),
    "timeout": ("timeout", "No answer.", None, None),
    "auth": ("auth", "The key was refused.", 401, None),
    "not_found": ("not_found", "No such model.", 404, None),
    "vanish": ("not_found", "No such model any more.", 404, None),
    "bad_request": ("bad_request", "Refused.", 400, None),
}
_USAGES: Mapping[str, Usage] = {
    "usage_negative": Usage(-50, -7),
    "usage_nan": Usage(math.nan, 3),  # type: ignore[arg-type]
    "usage_none": Usage(None, None),  # type: ignore[arg-type]
    "usage_huge": Usage(2**70, 1),
    "usage_text": Usage("12", 3),  # type: ignore[arg-type]
}
_SLOW = 100.0
"""Seconds: shorter than the runner's patience."""


class Faults:
    """The plan of a session: what happens at which call, counted over all models."""

    def __init__(
        self,
        world: World,
        at_calls: Mapping[int, Sequence[str]],
        event: Callable[[str], None],
        dead: Callable[[], bool],
    ) -> None:
        self.dead = dead
        """Whether the process was killed: what is asked of it then is asked of nobody."""
        self._at_calls = at_calls
        self._event = event
        self._places = places(world.levels, world.granularity)
        names = dialogues(world.levels, world.granularity)
        self._kept = {_place(kept, names): kept for kept in world.kept}
        self._number = 0
        self._gone: set[str] = set()

    def next(self, spec: str, book: Book) -> str | None:
        """What happens to this call; events that are due take place."""
        self._number += 1
        fault = None
        for kind in self._at_calls.get(self._number, ()):
            book.fired[kind] += 1
            if kind in CALL_EVENTS:
                self._event(kind)
            else:
                fault = kind
        if fault == "vanish":
            self._gone.add(spec)
        return "vanish" if spec in self._gone else fault

    def place(self, seed: int) -> Place:
        """Which call this is."""
        return self._places[seed]

    def kept(self, place: Place) -> Kept | None:
        """What is said there instead of an answer, if anything."""
        kept = self._kept.get(place._replace(repair=0))
        return kept if kept is not None and place.repair < kept.repairs else None


class FaultyModel:
    """A subject or a judge."""

    def __init__(self, name: str, faults: Faults, book: Book) -> None:
        self.identity = ModelIdentity(f"{PROVIDER}/{name}", "local", name)
        self._faults = faults
        self._book = book

    def output_mode(self, schema: Mapping[str, Any] | None) -> OutputMode:
        return "text" if schema is None else "json_schema"

    def price(self, usage: Usage) -> float | None:
        return (usage.input_tokens + 3 * usage.output_tokens) / 10_000

    async def complete(
        self,
        messages: Sequence[WireMessage],
        settings: Settings,
        *,
        schema: Mapping[str, Any] | None = None,
        seed: int = 0,
        timeout: float = 120.0,
        scene: Scene | None = None,
    ) -> Reply:
        if self._faults.dead():
            raise ModelError("bad_request", "There is nobody.")
        content = content_of(self.identity.spec, seed, messages)
        made = self._book.ask(content, _needed(self._faults.place(seed)))
        fault = self._faults.next(self.identity.spec, self._book)
        try:
            await asyncio.sleep(_SLOW if fault == "slow" else 0)
            if fault == "hang":
                await asyncio.Event().wait()
            if fault == "unexpected":
                raise RuntimeError("a bug of a provider's library")
            if fault in _RAISED:
                kind, said, status, retry_after = _RAISED[fault]
                raise ModelError(kind, said, status=status, retry_after=retry_after)
            reply = self._reply(content, seed, schema)
        except (ModelError, RuntimeError):
            self._book.fail(made)
            raise
        price: float | None = self.price(reply.usage)
        if fault in _USAGES:
            reply, price = replace(reply, usage=_USAGES[fault]), None
        self._book.answer(made, price)
        return reply

    async def aclose(self) -> None:
        return None

    def _reply(self, content: str, seed: int, schema: Mapping[str, Any] | None) -> Reply:
        place = self._faults.place(seed)
        kept = self._faults.kept(place)
        if place.role == "subject":
            return subject_reply(content, kept)
        return judge_reply(content, schema or {}, kept)


def _needed(place: Place) -> tuple[str, int] | None:
    """The answer that a call can't be made without: the one before it, or the one that is judged."""
    turn = place.turn - 1 if place.role == "subject" else place.turn or 1  # of a dialogue, what there is of it
    return (place.dialogue, turn) if turn else None


def _place(kept: Kept, names: Sequence[str]) -> Place:
    dialogue = names[kept.dialogue % len(names)]
    if kept.role == "subject":
        return Place("subject", "", dialogue, kept.turn, 0)
    return Place("judge", JUDGES[kept.who % len(JUDGES)], dialogue, kept.turn, 0)
