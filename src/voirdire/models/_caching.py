"""What a provider's prefix cache is told: where the shared beginning of a prompt ends, and which prompts have one.

Nothing here changes a word of what a model reads. What caches serve, and when, stands in `caching`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

from pydantic_ai.messages import CachePoint, UserContent
from pydantic_ai.models import Model

from voirdire.records import WireMessage


def takes_breakpoints(model: Model) -> bool:
    """Whether nothing is cached unless the request says up to where (Anthropic)."""
    return model.system == "anthropic"


def with_breakpoint(message: WireMessage) -> str | list[UserContent]:
    """The content, cut where the beginning that other calls share ends.

    The provider keeps what stands before the cut: schema, system message and this beginning. What is too short for its
    cache it leaves alone, at no price.
    """
    shared, own = message.content[: message.shared], message.content[message.shared :]
    return [shared, CachePoint(), own] if shared.strip() and own.strip() else message.content


def cache_settings(model: Model, messages: Sequence[WireMessage]) -> dict[str, Any]:
    """Settings of pydantic-ai that belong to the provider's cache.

    A conversation at Anthropic has its end marked, since its next turn begins with all of it. OpenAI is told which
    requests share a beginning, and sends them to the same machines.
    """
    if takes_breakpoints(model):
        return {"anthropic_cache": True} if any(message.role == "assistant" for message in messages) else {}
    return {"openai_prompt_cache_key": _routing_key(messages)} if model.system == "openai" else {}


def _routing_key(messages: Sequence[WireMessage]) -> str:
    """The same for requests with the same system message and the same shared beginning of the first user message.

    A first user message without one counts whole: it opens a conversation, whose turns all begin with it.
    """
    digest = hashlib.sha256()
    for message in messages:
        digest.update(f"{message.role}\n{message.content[: message.shared or None]}\n".encode())
        if message.role == "user":
            break
    return f"voirdire-{digest.hexdigest()[:32]}"
