"""A model within the process that answers at once: what a measurement then shows is our own time."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from voirdire.records import ModelIdentity, OutputMode, Reply, Scene, Settings, Usage, WireMessage

Answer = Callable[[Sequence[WireMessage], Mapping[str, Any] | None, Settings, int], Reply]
"""A reply to (messages, schema, settings, seed)."""


class InstantModel:
    """Gives each call to a function, without waiting."""

    def __init__(self, spec: str, answer: Answer, *, structured: bool = True, price: float = 0.0) -> None:
        """Name it as "provider/name".

        Args:
            spec: its name; `ModelIdentity` is made of it.
            answer: what it replies.
            structured: whether it takes a JSON schema, as OpenAI's models do, or gets it as prose.
            price: US dollars a call.
        """
        provider, _, name = spec.partition("/")
        self.identity = ModelIdentity(spec, provider, name)
        self._answer, self._structured, self._price = answer, structured, price

    def output_mode(self, schema: Mapping[str, Any] | None) -> OutputMode:
        """Whether the schema goes with the call."""
        return "json_schema" if schema is not None and self._structured else "text"

    def price(self, usage: Usage) -> float | None:
        """The same for every call."""
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
        """Answer at once."""
        return self._answer(messages, schema, settings, seed)

    async def aclose(self) -> None:
        """Nothing to release."""
