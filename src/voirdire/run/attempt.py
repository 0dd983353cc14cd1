"""One request to a provider: made, timed, and turned into a row, whatever happens to it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from voirdire.models.base import Model, ModelError
from voirdire.records import OutputMode, Reply, Request, WireMessage
from voirdire.run.rows import CallRow, storable


@dataclass(frozen=True, slots=True)
class Call:
    """A call under way: all that its attempts share."""

    key: str
    model: Model
    request: Request
    messages: Sequence[WireMessage]
    output_mode: OutputMode
    seed: int


@dataclass(frozen=True, slots=True)
class Attempt:
    """How one attempt went: it has a reply or an error."""

    started_at: str
    seconds: float
    reply: Reply | None = None
    price_usd: float | None = None
    error: ModelError | None = None


async def make_attempt(call: Call, timeout: float, scrub: Callable[[str], str]) -> Attempt:
    """Ask the model once. Whatever goes wrong becomes a `ModelError` with a text free of secrets."""
    started_at, clock = datetime.now(UTC).isoformat(), time.perf_counter()
    try:
        reply = storable(await _complete(call, timeout))
    except ModelError as error:
        clean = ModelError(error.kind, scrub(str(error)), status=error.status, retry_after=error.retry_after)
        return Attempt(started_at, time.perf_counter() - clock, error=clean)
    return Attempt(started_at, time.perf_counter() - clock, reply, _price(call.model, reply))


def row_of(call: Call, number: int, attempt: Attempt) -> CallRow:
    """The attempt as the journal records it."""
    request, error = call.request, attempt.error
    return CallRow(
        key=call.key,
        attempt=number,
        slot=request.slot,
        identity=call.model.identity,
        messages=call.messages,
        settings=request.settings,
        output_mode=call.output_mode,
        schema=request.schema,
        seed=call.seed,
        started_at=attempt.started_at,
        seconds=attempt.seconds,
        reply=attempt.reply,
        price_usd=attempt.price_usd,
        error_kind=error.kind if error else None,
        error_text=str(error) if error else None,
        retry_after=error.retry_after if error else None,
    )


async def _complete(call: Call, timeout: float) -> Reply:
    request = call.request
    try:
        async with asyncio.timeout(timeout):
            return await call.model.complete(
                call.messages,
                request.settings,
                schema=request.schema,
                seed=call.seed,
                timeout=timeout,
                scene=request.scene,
            )
    except ModelError:
        raise
    except TimeoutError as error:
        raise ModelError("timeout", f"No answer within {timeout:g} seconds.") from error
    except Exception as error:  # a fault in one call must not take the run down
        raise ModelError("unexpected", f"{type(error).__name__}: {error}") from error


def _price(model: Model, reply: Reply) -> float | None:
    try:
        return model.price(reply.usage)
    except Exception:  # a reply that was paid for is not lost over a price list
        return None
