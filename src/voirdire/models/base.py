"""What every model offers to the rest of the program, and how it fails."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from voirdire.data.bounds import MAX_NUMBER, check_bounds
from voirdire.errors import InputError, UserError
from voirdire.records import (
    ErrorKind,
    ModelIdentity,
    OutputMode,
    Reply,
    Scene,
    Settings,
    Usage,
    WireMessage,
)

_RETRYABLE: frozenset[ErrorKind] = frozenset({"rate_limit", "server", "connection", "timeout"})


MOST_TOKENS = 10**9
"""Of one call: whoever reports more has miscounted."""


class ModelError(UserError):
    """A call that failed: what kind of failure it was, and one sentence for the user, free of secrets."""

    def __init__(
        self, kind: ErrorKind, message: str, *, status: int | None = None, retry_after: float | None = None
    ) -> None:
        super().__init__(message)
        self.kind = kind
        self.status = status
        self.retry_after = retry_after
        """Seconds the provider asked to wait, where it said so."""

    @property
    def retryable(self) -> bool:
        """Whether the same call may succeed later."""
        return self.kind in _RETRYABLE


class SpecError(InputError):
    """A model spec that can't be opened: one sentence says what was given and what is expected."""


@dataclass(frozen=True, slots=True)
class ModelOptions:
    """How to reach a model, beside its spec."""

    base_url: str | None = field(default=None, repr=False)
    """May hold credentials, and is therefore not shown."""
    api_key_env: str | None = None
    """Name of the environment variable that holds the key, where it is not the provider's usual one."""
    price_per_million: tuple[float, float] | None = None
    """USD per million (input, output) tokens: overrides the price list."""
    exact: bool = False
    """For local models: replies repeat exactly (one slot, fixed threads, no prompt cache)."""
    parallel: int = 1
    """For local models: how many calls the in-process server works on at once."""

    def __post_init__(self) -> None:
        for price in self.price_per_million or ():
            check_bounds("price_per_million", price, 0, MAX_NUMBER, SpecError)


class Model(Protocol):
    """A model that can be called. One `complete` is one attempt: waiting and retrying are the runner's."""

    @property
    def identity(self) -> ModelIdentity:
        """What a call's key says about this model."""
        ...

    def output_mode(self, schema: Mapping[str, Any] | None) -> OutputMode:
        """How an answer with this schema is asked for; part of a call's key."""
        ...

    def price(self, usage: Usage) -> float | None:
        """USD for this usage; `None` when the price is unknown."""
        ...

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
        """Make one call.

        Raises:
            ModelError: for every failure, whatever the provider's library raised.
        """
        ...

    async def aclose(self) -> None:
        """Release connections, threads and memory."""
        ...
