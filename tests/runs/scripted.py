"""Models, requests and rows for the tests of a run."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from voirdire.records import (
    Message,
    ModelIdentity,
    OutputMode,
    Reply,
    Request,
    Scene,
    Settings,
    Slot,
    Usage,
    WireMessage,
)
from voirdire.runs import CallRow

SPEC = "test/scripted"
SETTINGS = Settings(max_tokens=100, temperature=0.0)
IDENTITY = ModelIdentity(SPEC, "https://models.test", "scripted")
ON_THIS_MACHINE = ModelIdentity(SPEC, "local", "scripted")


class ScriptedModel:
    """Plays its script, one entry a call: a reply, an exception to raise, or text; after the end it says "done"."""

    def __init__(
        self, *script: Reply | BaseException | str, price: float | None = 0.01, hold: asyncio.Event | None = None
    ) -> None:
        self.identity = IDENTITY
        self.calls: list[Sequence[WireMessage]] = []
        self.seeds: list[int] = []
        self.started_at: list[float] = []
        self.running = 0
        self.most_running = 0
        self._script = list(script)
        self._price = price
        self._hold = hold

    def output_mode(self, schema: Mapping[str, Any] | None) -> OutputMode:
        return "json_schema" if schema else "text"

    def price(self, usage: Usage) -> float | None:
        return self._price

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
        self.calls.append(messages)
        self.seeds.append(seed)
        self.started_at.append(asyncio.get_running_loop().time())
        entry = self._script.pop(0) if self._script else "done"
        self.running += 1
        self.most_running = max(self.most_running, self.running)
        try:
            await (self._hold.wait() if self._hold else asyncio.sleep(0))
        finally:
            self.running -= 1
        if isinstance(entry, BaseException):
            raise entry
        return Reply(entry, "stop", Usage(10, 5)) if isinstance(entry, str) else entry

    async def aclose(self) -> None:
        return None


async def until(condition: Callable[[], bool]) -> None:
    """Wait for something that is about to happen."""
    while not condition():
        await asyncio.sleep(0.001)


def request(dialogue: str = "d", turn: int = 1, text: str = "Well?", agent: str = "") -> Request:
    return Request(Slot(dialogue, turn, "subject", agent), (Message.of("user", text),), SETTINGS)


def row(key: str, reply: Reply | None = None, **changes: Any) -> CallRow:
    """An answered attempt, unless `reply=None` comes with an error."""
    fields: dict[str, Any] = {
        "attempt": 1,
        "slot": Slot("d", 1, "subject"),
        "identity": IDENTITY,
        "messages": (WireMessage("user", "Well?"),),
        "settings": SETTINGS,
        "output_mode": "text",
        "schema": None,
        "seed": 7,
        "started_at": "2026-01-01T00:00:00+00:00",
        "seconds": 0.5,
        "reply": reply if reply or "error_kind" in changes else Reply(f"reply to {key}", "stop", Usage(10, 5)),
        "price_usd": None if "error_kind" in changes else 0.01,
    }
    return CallRow(key, **(fields | changes))
