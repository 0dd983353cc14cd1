"""How many calls of one model run at once: as many as the user allows, and fewer while its provider says "too many"."""

from __future__ import annotations

import asyncio
import math
from collections import deque
from dataclasses import dataclass, field
from random import Random
from types import TracebackType
from typing import Self

from voirdire.models.base import Model
from voirdire.records import CallFailure, ErrorKind
from voirdire.run.attempt import Attempt
from voirdire.run.errors import RunStopped
from voirdire.run.progress import Progress

CONNECTIONS = 20
"""Calls of a hosted model at once, where nobody says how many."""


class Limiter:
    """Lets calls of one model start, first come, first served.

    Each "too many" halves the limit, once for all calls that were started under it; each round of successes then
    adds one, up to the most that is allowed (additive increase, multiplicative decrease).
    """

    def __init__(self, most: int = CONNECTIONS) -> None:
        """Begin with the most that is allowed.

        Args:
            most: calls at once, at least 1.

        Raises:
            ValueError: fewer.
        """
        if most < 1:
            raise ValueError(f"At least one call must be allowed at a time; {most} were given.")
        self._most = float(most)
        self._limit = self._most
        self._active = 0
        self._epoch = 0
        """How often the limit was halved: tells a fresh "too many" from echoes of the last one."""
        self._resume_at = 0.0
        self._waiters: deque[asyncio.Future[None]] = deque()
        self._stopped: str | None = None

    @property
    def limit(self) -> int:
        """How many calls may run at once now."""
        return int(self._limit)

    @property
    def active(self) -> int:
        """How many calls run now."""
        return self._active

    def slot(self) -> Permit:
        """`async with limiter.slot() as permit:` waits for a place and holds it. Tell the permit how the call went.

        Raises:
            RunStopped: on entering, after `stop`.
        """
        return Permit(self)

    def pause(self, seconds: float) -> None:
        """Start no call before this many seconds have passed (the provider's Retry-After)."""
        if not 0 < seconds < math.inf:
            return
        loop = asyncio.get_running_loop()
        self._resume_at = max(self._resume_at, loop.time() + seconds)
        loop.call_at(self._resume_at, self._wake)

    def stop(self, reason: str) -> None:
        """Let no further call start: whoever waits, or comes later, gets `RunStopped(reason)`."""
        self._stopped = reason
        while self._waiters:
            waiter = self._waiters.popleft()
            if not waiter.done():
                waiter.set_exception(RunStopped(reason))

    async def _acquire(self) -> int:
        if self._stopped is not None:
            raise RunStopped(self._stopped)
        if self._waiters or not self._open():
            await self._wait()
        else:
            self._active += 1
        return self._epoch

    async def _wait(self) -> None:
        waiter = asyncio.get_running_loop().create_future()
        self._waiters.append(waiter)
        try:
            await waiter
        except asyncio.CancelledError:
            granted = waiter.done() and not waiter.cancelled() and waiter.exception() is None
            if granted:
                self._release()
            raise

    def _open(self) -> bool:
        return self._active < self.limit and asyncio.get_running_loop().time() >= self._resume_at

    def _release(self) -> None:
        self._active -= 1
        self._wake()

    def _wake(self) -> None:
        while self._waiters and self._open():
            waiter = self._waiters.popleft()
            if not waiter.done():
                self._active += 1
                waiter.set_result(None)

    def _grow(self) -> None:
        if self._active < self.limit:
            return  # a limit that is not used says nothing about what the provider bears
        self._limit = min(self._most, self._limit + 1.0 / self._limit)

    def _shrink(self, epoch: int) -> None:
        if epoch == self._epoch:
            self._epoch += 1
            self._limit = max(1.0, self._limit / 2)


class Permit:
    """A place among a model's running calls."""

    def __init__(self, limiter: Limiter) -> None:
        self._limiter = limiter
        self._epoch = 0

    async def __aenter__(self) -> Self:
        self._epoch = await self._limiter._acquire()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._limiter._release()

    def succeeded(self) -> None:
        """The provider answered: it may bear more calls at once."""
        self._limiter._grow()

    def rate_limited(self) -> None:
        """The provider said "too many"."""
        self._limiter._shrink(self._epoch)


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How often, and after what wait, a call that may succeed later is tried again."""

    attempts: int = 6
    """All attempts, the first included."""
    base: float = 1.0
    """Seconds: the longest wait after the first attempt; it doubles with each further one."""
    cap: float = 60.0
    """Seconds: no wait is longer, unless the provider asks for it."""
    longest: float = 3600.0
    """Seconds: what the provider asks for is waited for no longer, then tried all the same."""
    timeout: float = 120.0
    """Seconds that one attempt may take."""

    def __post_init__(self) -> None:
        if self.attempts < 1 or self.base < 0 or self.cap < 0 or self.longest < 0 or self.timeout <= 0:
            raise ValueError(
                "A retry policy needs at least one attempt, waits of zero or more seconds and a timeout above zero, "
                f"not {self}."
            )

    def asked(self, retry_after: float | None) -> float:
        """Seconds of what a provider asked for that are waited; none for what makes no sense."""
        return min(retry_after, self.longest) if retry_after is not None and retry_after > 0 else 0.0

    def delay(self, attempt: int, random: Random) -> float:
        """Seconds to wait after attempt number `attempt` (from 1): full jitter under an exponential ceiling.

        Spreading the whole interval keeps calls that failed together from coming back together.
        """
        ceiling = min(self.cap, self.base * 2.0 ** min(attempt - 1, 60))
        # Spreads retries, guards nothing.
        return random.uniform(0.0, ceiling)  # nosec B311


_HOPELESS: frozenset[ErrorKind] = frozenset({"auth", "not_found"})
_HOPELESS_AFTER = 3
"""So many refusals in a row, and no success between them, and a model is not called again in this session."""
_TOLD_FROM = 15.0
"""Seconds: of a wait that long the user is told, since nothing else moves."""


@dataclass(slots=True)
class ModelQueue:
    """A model and what is known of it in this session."""

    model: Model
    limiter: Limiter
    retry: RetryPolicy
    batched: bool = False
    """Asked by batch: at a stop its calls are left to the provider, not awaited."""
    refusals: int = 0
    """`auth` and `not_found` failures since its last success."""
    last_refusal: CallFailure | None = None
    told: set[ErrorKind] = field(default_factory=set)
    """Of which failures the user has heard that calls are given up for them."""
    paused_until: float = 0.0
    """On the loop's clock: up to when the user has heard that the provider asks to wait."""

    @property
    def hopeless(self) -> CallFailure | None:
        """The refusal after which the model is not called again; `None` where it is."""
        return self.last_refusal if self.refusals >= _HOPELESS_AFTER else None

    def learn(self, permit: Permit, attempt: Attempt, progress: Progress) -> None:
        """Let the limits learn from an attempt, and tell of a long wait that the provider asks for."""
        error = attempt.error
        if error is None:
            permit.succeeded()
            return
        if error.kind == "rate_limit":
            permit.rate_limited()
        wait = self.retry.asked(error.retry_after)
        self.limiter.pause(wait)
        now = asyncio.get_running_loop().time()
        if wait >= _TOLD_FROM and now + wait > self.paused_until + _TOLD_FROM:
            self.paused_until = now + wait
            asked = f"asks for a wait of {error.retry_after:,.0f} s"
            progress.say(f"{self.model.identity.spec}: its provider {asked}; the next call is in {wait:,.0f} s.")

    def count_refusal(self, failure: CallFailure, progress: Progress) -> None:
        """Count a failure that waiting does not mend, and say so when it is one too many."""
        if failure.kind not in _HOPELESS:
            return
        self.refusals += 1
        self.last_refusal = failure
        if self.refusals == _HOPELESS_AFTER:
            progress.say(f"{self.model.identity.spec} is not called again: {failure.message}")

    def give_up(self, failure: CallFailure, progress: Progress) -> None:
        """Say why a call fails: each kind of failure once for a model, all the others stand in the journal."""
        if failure.kind in self.told or self.hopeless is not None:
            return
        self.told.add(failure.kind)
        times = f"{failure.attempts} attempts" if failure.attempts > 1 else "an attempt"
        progress.say(f"A call failed after {times}: {failure.message}")


def not_tried(refusal: CallFailure, attempts: int) -> CallFailure:
    """What whoever asks a hopeless model is told."""
    text = f"Not tried, after {_HOPELESS_AFTER} refusals of this model in a row: {refusal.message}"
    return CallFailure(refusal.kind, text, attempts)
