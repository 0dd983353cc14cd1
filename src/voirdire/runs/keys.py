"""The identity of a call, and the seed that belongs to it.

A change to what `call_key` returns throws away every run that was paid for: a test pins its value.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from voirdire.records import Fenced, Message, ModelIdentity, OutputMode, Settings, Slot
from voirdire.runs.prompt_fence import FENCE_VERSION

_CANONICAL = json.JSONEncoder(ensure_ascii=True, allow_nan=False, sort_keys=True, separators=(",", ":"))


def call_key(
    slot: Slot,
    identity: ModelIdentity,
    settings: Settings,
    output_mode: OutputMode,
    schema: Mapping[str, Any] | None,
    messages: Sequence[Message],
) -> str:
    """SHA-256 (hex) of all that decides what is asked of whom, with messages as they are before fencing.

    The model's spec is not part of it: two ways to write the same endpoint and name are the same model.
    """
    body = {
        "fence": FENCE_VERSION,
        "slot": _slot_fields(slot),
        "model": [identity.endpoint, identity.name, identity.sha256],
        "settings": settings_fields(settings),
        "output_mode": output_mode,
        "schema": schema,
        "messages": [[message.role, _canonical_parts(message)] for message in messages],
    }
    return hashlib.sha256(_CANONICAL.encode(body).encode()).hexdigest()


def seed_of(slot: Slot, run_seed: int) -> int:
    """The seed sent with a call: 31 bits, fixed by the slot and the run's seed."""
    digest = hashlib.sha256(_CANONICAL.encode([run_seed, _slot_fields(slot)]).encode()).digest()
    return int.from_bytes(digest[:4], "big") & 0x7FFFFFFF


@lru_cache(maxsize=256)
def settings_fields(settings: Settings) -> Mapping[str, Any]:
    """Settings as plain data. A setting that is `None` is not sent and stays out, so new ones don't change old keys."""
    fields = {
        "max_tokens": settings.max_tokens,
        "temperature": None if settings.temperature is None else float(settings.temperature),
        "top_p": None if settings.top_p is None else float(settings.top_p),
        "logprobs": settings.logprobs,
        "reasoning": settings.reasoning,
    }
    return {name: value for name, value in fields.items() if value is not None}


def _slot_fields(slot: Slot) -> list[str | int]:
    return [slot.dialogue, slot.turn, slot.role, slot.agent, slot.repair]


def _canonical_parts(message: Message) -> list[Any]:
    """Parts with neighbouring plain texts joined: how a text was put together does not matter."""
    parts: list[Any] = []
    for part in message.parts:
        if isinstance(part, Fenced):
            parts.append({"fenced": part.label, "text": part.text})
        elif part and parts and isinstance(parts[-1], str):
            parts[-1] += part
        elif part:
            parts.append(part)
    return parts
