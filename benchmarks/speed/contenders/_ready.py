"""Models within the process that answer at once, as long and as different as real ones: provider `ready/…`."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks.speed.contenders import _workload as work
from voirdire.models import ModelOptions, register
from voirdire.records import ModelIdentity, OutputMode, Reply, Scene, Settings, Usage, WireMessage

PROVIDER = "ready"
_ANSWER = work.text(1600)
_REASON = work.text(330)
_STANCES = ("rejected", "questioned", "accepted")


class ReadyModel:
    """A text, or a verdict, that depends on the seed. What went over the wire is given as a hosted model would."""

    def __init__(self, name: str) -> None:
        self.identity = ModelIdentity(f"{PROVIDER}/{name}", PROVIDER, name)

    def output_mode(self, schema: Mapping[str, Any] | None) -> OutputMode:
        """As hosted ones have it."""
        return "text" if schema is None else "json_schema"

    def price(self, usage: Usage) -> float | None:
        """Nothing."""
        return 0.0

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
        """Answer."""
        text = f"Answer {seed}. {_ANSWER}" if schema is None else _verdict(seed, "stance" in schema["properties"])
        name = self.identity.name
        said = [{"role": message.role, "content": message.content} for message in messages]
        sent = {"model": name, "messages": said, "max_tokens": settings.max_tokens, "seed": seed}
        received = {"id": str(seed), "model": name, "choices": [{"message": {"content": text}}]}
        usage = Usage(1500, len(text) // 4)
        return Reply(text, "stop", usage, name, sent=json.dumps(sent), received=json.dumps(received))

    async def aclose(self) -> None:
        """Nothing is open."""


def install() -> None:
    """Make `ready/…` known in this process."""

    def opener(name: str, _options: ModelOptions) -> ReadyModel:
        return ReadyModel(name)

    register(PROVIDER, opener)


def _verdict(seed: int, with_stance: bool) -> str:
    verdict: dict[str, Any] = {
        "justification": f"{seed}: {_REASON}",
        "no_claims": False,
        "far": seed % 101 / 100,
        "sas": seed % 97 / 96,
    }
    if with_stance:
        verdict["stance"] = _STANCES[seed % 3]
    return json.dumps(verdict)
