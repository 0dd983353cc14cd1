"""Models within the process that answer at once, as long and as different as real ones: provider `ready/…`."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks.speed._instant import InstantModel
from benchmarks.speed.contenders import _workload as work
from voirdire.models import ModelOptions, register
from voirdire.records import Reply, Settings, Usage, WireMessage

PROVIDER = "ready"
_ANSWER = work.text(1600)
_REASON = work.text(330)
_STANCES = ("rejected", "questioned", "accepted")


def _ready(name: str) -> InstantModel:
    """A text, or a verdict, that depends on the seed. What went over the wire is given as a hosted model would."""

    def answer(
        messages: Sequence[WireMessage], schema: Mapping[str, Any] | None, settings: Settings, seed: int
    ) -> Reply:
        text = f"Answer {seed}. {_ANSWER}" if schema is None else _verdict(seed, "stance" in schema["properties"])
        sent_messages = [{"role": message.role, "content": message.content} for message in messages]
        sent = {"model": name, "messages": sent_messages, "max_tokens": settings.max_tokens, "seed": seed}
        received = {"id": str(seed), "model": name, "choices": [{"message": {"content": text}}]}
        usage = Usage(1500, len(text) // 4)
        return Reply(text, "stop", usage, name, sent=json.dumps(sent), received=json.dumps(received))

    return InstantModel(f"{PROVIDER}/{name}", answer)


def install() -> None:
    """Make `ready/…` known in this process."""

    def opener(name: str, _options: ModelOptions) -> InstantModel:
        return _ready(name)

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
