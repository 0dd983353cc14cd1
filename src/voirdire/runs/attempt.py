"""One request to a provider: made, timed, and turned into a row, whatever happens to it."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Sequence
from dataclasses import astuple, dataclass, replace
from datetime import UTC, datetime

from voirdire.models.base import MOST_TOKENS, Model, ModelError
from voirdire.records import OutputMode, Reply, Request, Usage, WireMessage
from voirdire.runs.rows import CallRow, storable
from voirdire.runs.scrub import Scrubber

ANY_USAGE = Usage(input_tokens=1000, output_tokens=1000)
"""Of which a model whose price is known has a price."""

_MISCOUNTED = "The reported token counts make no sense and were left out."


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


async def make_attempt(call: Call, timeout: float, scrub: Scrubber) -> Attempt:
    """Ask the model once. Known secrets are taken out of its reply; whatever goes wrong becomes a `ModelError`."""
    started_at, clock = datetime.now(UTC).isoformat(), time.perf_counter()
    try:
        reply = await _complete(call, timeout, scrub)
    except ModelError as error:
        clean = ModelError(error.kind, scrub(str(error)), status=error.status, retry_after=error.retry_after)
        return Attempt(started_at, time.perf_counter() - clock, error=clean)
    return Attempt(started_at, time.perf_counter() - clock, reply, _price(call.model, reply))


def interrupted_attempt(call: Call, started_at: str, seconds: float) -> Attempt:
    """What stands for an attempt that a stop broke off."""
    text = f"{call.model.identity.spec}: the run was stopped before it answered; the provider may bill the call."
    return Attempt(started_at, seconds, error=ModelError("interrupted", text))


def cached_attempt(reply: Reply) -> Attempt:
    """What stands for an attempt where another run's reply serves: no time and no money."""
    return Attempt(datetime.now(UTC).isoformat(), 0.0, reply, 0.0)


def without_reply(call: Call, attempt: Attempt, why: Exception) -> Attempt:
    """The attempt without a reply that can't be recorded: nobody goes on with what a resume would not find."""
    message = f"{call.model.identity.spec}: its reply was left out. {why}"
    return replace(attempt, reply=None, error=ModelError("unexpected", message))


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


async def _complete(call: Call, timeout: float, scrub: Scrubber) -> Reply:
    request, spec = call.request, call.model.identity.spec
    try:
        async with asyncio.timeout(timeout):
            reply = await call.model.complete(
                call.messages,
                request.settings,
                schema=request.schema,
                seed=call.seed,
                timeout=timeout,
                scene=request.scene,
            )
        return scrub.reply(storable(_plausible_usage(reply)))
    except ModelError:
        raise
    except TimeoutError as error:
        raise ModelError("timeout", f"{spec}: no answer within {timeout:g} s.") from error
    except Exception as error:  # a fault in one call must not take the run down
        raise ModelError("unexpected", f"{spec}: the call failed with {type(error).__name__}: {error}") from error


def _plausible_usage(reply: Reply) -> Reply:
    """The reply, without token counts that no call can have: they would poison the sums, or not fit the journal."""
    if all(type(count) is int and 0 <= count <= MOST_TOKENS for count in astuple(reply.usage)):
        return reply
    return replace(reply, usage=Usage(), warnings=(*reply.warnings, _MISCOUNTED))


def _price(model: Model, reply: Reply) -> float | None:
    """USD; `None` is unknown, also where no tokens were reported: such a reply is free of a free model alone."""
    try:
        if reply.usage.input_tokens or reply.usage.output_tokens:
            price = model.price(reply.usage)
        else:
            price = 0.0 if model.price(ANY_USAGE) == 0 else None
        return price if price is not None and math.isfinite(price) and price >= 0 else None
    except Exception:  # a reply that was paid for is not lost over a price list
        return None
