"""How many calls of one model run at once: as many as the user allows, and fewer while its provider says "too many"."""

from __future__ import annotations

import asyncio
import math
from collections import deque
from types import TracebackType
from typing import Self

from voirdire.runs.errors import RunStopped

CONNECTIONS = 20
"""Calls of a hosted model at once, where nobody says how many."""


class Limiter:
    """Lets calls of one model start, first come, first served.

    Each "too many" halves the limit, once for all calls that were started under it; each round of successes then
    adds one, up to the most that is allowed (additive increase, multiplicative decrease).
    """

    def __init__(self, most: int = CONNECTIONS) -> None:
        """Begin with the most that is allowed.

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
    def lowered_to(self) -> int | None:
        """How many calls may run at once while that is fewer than the user allows, else `None`."""
        return self.limit if self.limit < self._most else None

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
