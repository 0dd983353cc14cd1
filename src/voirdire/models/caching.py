"""Prompt caches of providers: what they serve again, and what our requests say to be served so."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from voirdire.models.specs import parse_spec
from voirdire.records import WireMessage

if TYPE_CHECKING:
    from pydantic_ai.messages import UserContent
    from pydantic_ai.models import Model


def takes_breakpoints(model: Model) -> bool:
    """Whether nothing is cached unless the request says up to where (Anthropic)."""
    return model.system == "anthropic"


def with_breakpoint(message: WireMessage) -> str | list[UserContent]:
    """The content, cut where the beginning that other calls share ends.

    The provider keeps what stands before the cut: schema, system message and this beginning. What is too short for its
    cache it leaves alone, at no price.
    """
    from pydantic_ai.messages import CachePoint

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


@dataclass(frozen=True, slots=True)
class CacheRules:
    """When the beginning of a prompt is served from a cache."""

    minimum: int
    """Tokens; what is shorter is not kept."""
    step: int = 1
    """What is served is rounded down to a multiple of so many tokens."""
    marked: bool = False
    """Only what a request marks is kept, and keeping it has a price of its own (Anthropic)."""

    def served(self, tokens: float) -> int:
        """Tokens served of a beginning of this length that was sent before."""
        return int(tokens // self.step) * self.step if tokens >= self.minimum else 0


_OPENAI = CacheRules(1_024, 128)
_RULES: Mapping[str, tuple[tuple[str, CacheRules | None], ...]] = {
    # Reported of gpt-5.6: nothing is kept of calls with a strict schema, which judges' calls are.
    "openai": ((r"gpt-(5\.[6-9]|[6-9])", None), ("", _OPENAI)),
    "azure": (("", _OPENAI),),
    "anthropic": (
        (r"opus-4-(0|1|2025)|sonnet-4-(0|5|2025)|3-[57]-sonnet", CacheRules(1_024, marked=True)),
        (r"haiku-3|3-5-haiku|sonnet-4-6", CacheRules(2_048, marked=True)),
        ("", CacheRules(4_096, marked=True)),
    ),
    "google": ((r"gemini-[12]\.0|gemini-1", None), (r"gemini-2\.5", CacheRules(2_048)), ("", CacheRules(4_096))),
    "deepseek": (("", CacheRules(64, 64)),),
}
"""By provider, the first pattern that is found in the model's name."""

_ALIKE = {"openai-responses": "openai", "azure-responses": "azure", "google-cloud": "google"}


def cache_rules(spec: str) -> CacheRules | None:
    """The rules of a model's provider; `None` where there is no cache, or none whose rules are known.

    Raises:
        SpecError: no model spec.
    """
    parsed = parse_spec(spec)
    rules = _RULES.get(_ALIKE.get(parsed.provider, parsed.provider), ())
    return next((known for pattern, known in rules if re.search(pattern, parsed.name)), None)


class Prompt(NamedTuple):
    """All that a model reads of one call, in the order in which providers read it."""

    text: str
    """Schema, system message, the others."""
    ends: tuple[int, ...]
    """Where a beginning of it may be marked to be kept: after each message of a conversation, or before the first
    fence of a single question."""


def prompt_of(messages: Sequence[WireMessage], schema: Mapping[str, Any] | str | None = None) -> Prompt:
    """The prompt of one call."""
    text, ends = str(schema or ""), []
    chat = any(message.role == "assistant" for message in messages)
    for message in messages:
        start = len(text) + len(message.role)
        text += message.role + message.content
        if chat or message.shared:
            ends.append(len(text) if chat else start + message.shared)
    return Prompt(text, tuple(ends))


class CacheUse(NamedTuple):
    """What a cache did with one call, in tokens."""

    read: int
    written: int = 0
    """At a price of its own; 0 where keeping is free."""


class PrefixCache:
    """The cache of one model that forgets nothing: shown calls in order, it says what it would have served of each.

    Beginnings are compared in blocks of `block` characters, which makes a beginning up to so much shorter.
    """

    def __init__(self, rules: CacheRules, characters_per_token: float, block: int = 32) -> None:
        self._rules = rules
        self._per_token = characters_per_token
        self._block = block
        self._known: set[int] = set()

    def ask(self, prompt: Prompt) -> CacheUse:
        """Show one call."""
        return self._marked(prompt) if self._rules.marked else self._longest(prompt)

    def _longest(self, prompt: Prompt) -> CacheUse:
        chain, characters, missed = 0, 0, False
        for start in range(0, len(prompt.text) - self._block + 1, self._block):
            chain = hash((chain, prompt.text[start : start + self._block]))
            missed = missed or chain not in self._known
            characters += 0 if missed else self._block
            self._known.add(chain)
        return CacheUse(self._rules.served(characters / self._per_token))

    def _marked(self, prompt: Prompt) -> CacheUse:
        lengths = {end: end / self._per_token for end in prompt.ends}
        ends = [end for end, tokens in lengths.items() if tokens >= self._rules.minimum]
        read = max((end for end in ends if hash(prompt.text[:end]) in self._known), default=0)
        write = max(ends, default=0)
        self._known.add(hash(prompt.text[:write]))
        return CacheUse(round(read / self._per_token), round((write - read) / self._per_token))
