"""Makes the calls of a run: looks them up, limits, retries and records them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime
from random import Random
from typing import Self, TypeVar, cast

from voirdire.models.base import Model
from voirdire.records import CallFailure, Reply, Request
from voirdire.runs.attempt import (
    Attempt,
    Call,
    cached_attempt,
    interrupted_attempt,
    make_attempt,
    row_of,
    without_reply,
)
from voirdire.runs.budget import Budget
from voirdire.runs.cache import ReplyCache
from voirdire.runs.errors import CacheError, JournalError, RunStopped, UnwritableRow
from voirdire.runs.journal import Journal
from voirdire.runs.keys import call_key, seed_of
from voirdire.runs.limits import CONNECTIONS, Limiter
from voirdire.runs.model_counts import ModelCounts, summed
from voirdire.runs.model_queue import ModelQueue, skipped_call
from voirdire.runs.progress import NullProgress, Progress
from voirdire.runs.prompt_fence import apply_fences
from voirdire.runs.retry import RetryPolicy
from voirdire.runs.rows import FROM_CACHE, Totals, without_wire_bodies
from voirdire.runs.scrub import Scrubber
from voirdire.runs.tracing import call_span

T = TypeVar("T", int, RetryPolicy)


class Runner:
    """Answers requests, each from the journal if it can, and otherwise by a call that it records.

    Use it as an async context manager: leaving waits for the calls in flight, so that what was paid for is kept.
    The models and the journal stay their owner's to close.
    """

    def __init__(
        self,
        journal: Journal,
        models: Mapping[str, Model],
        *,
        seed: int = 0,
        connections: int | Mapping[str, int] | None = None,
        retry: RetryPolicy | Mapping[str, RetryPolicy] | None = None,
        budget: Budget | None = None,
        progress: Progress | None = None,
        secret_names: Sequence[str] = (),
        batched: Collection[str] = (),
        fence_secret: bytes | None = None,
        cache: ReplyCache | None = None,
    ) -> None:
        """Get ready to call.

        Args:
            journal: where calls are recorded and looked up.
            models: by the spec that `ask` is given.
            seed: of the run; the seed of each call derives from it and the call's slot.
            connections: most calls at once of each model, or by spec (the default for those not named).
            retry: how long an attempt may take and when it is repeated, for each model, or by spec (the default for
                those not named).
            budget: what may be spent, earlier sessions included.
            progress: who is told.
            secret_names: environment variables that hold keys and have unusual names.
            batched: specs of the models that are asked by batch. Their calls may take a day: a stop does not await
                them, and the next session finds them where they are.
            fence_secret: what fences are made with; the journal's own secret by default.
            cache: replies that other runs have had to the same calls; closed when this is left.

        Raises:
            BudgetError: the budget can't be held to.
        """
        self._journal = journal
        by_model = journal.totals_by_model()
        self._lines = {
            spec: ModelQueue(
                model,
                ModelCounts(spec, by_model.get(model.identity.spec, Totals())),
                Limiter(_setting_of(spec, connections) or CONNECTIONS),
                _setting_of(spec, retry) or RetryPolicy(),
                spec in batched,
            )
            for spec, model in models.items()
        }
        self._seed = seed
        self._budget = budget or Budget()
        self._progress = progress or NullProgress()
        self._scrub = Scrubber(secret_names)
        self._fence_secret = fence_secret or journal.secret
        self._cache = cache
        self._under_way: dict[str, tuple[asyncio.Task[Reply | CallFailure], ModelQueue]] = {}
        self._stopping = asyncio.Event()
        self._stop_reason = ""
        self._room_seen = False
        self._left = False
        self.interrupted = False
        """Whether the user has asked to stop."""
        self.ends_interrupted = False
        """Whether the session then ends in `Interrupted`, not in a result of what there is."""
        interrupted_usd = sum(each.interrupted_usd for each in by_model.values())
        self._budget.begin(models, summed(by_model.values()), journal.longest_replies(), interrupted_usd)
        self._progress.begin([line.counts for line in self._lines.values()])

    @property
    def stopped(self) -> str | None:
        """Why no further call is made, or `None`."""
        return self._stop_reason if self._stopping.is_set() else None

    @property
    def leaves_calls(self) -> bool:
        """Whether a stop leaves calls to the provider, as they were asked by batch."""
        return any(line.batched for line in self._lines.values())

    @property
    def longest_wait(self) -> float:
        """Seconds that calls in flight at a provider may still take: the longest time-out among them; 0 for none."""
        lines = (each for each in self._lines.values() if each.is_paid)
        return max((each.retry.timeout for each in lines if each.counts.in_flight), default=0.0)

    @property
    def paid_in_flight(self) -> int:
        """Calls in flight at a provider, which may bill them though nobody awaits them."""
        return sum(each.counts.in_flight for each in self._lines.values() if each.is_paid)

    @property
    def waits_for_this_machine(self) -> bool:
        """Whether calls are in flight that this machine answers."""
        return any(each.counts.in_flight and each.on_this_machine for each in self._lines.values())

    async def ask(self, spec: str, request: Request) -> Reply | CallFailure:
        """The reply to a request, once it is on record.

        A recorded reply is never asked for again; equal requests at the same time become one call; a failure is
        tried again by the next session. Whoever is cancelled while waiting leaves the call to the others.

        Raises:
            KeyError: there is no such model.
            RunStopped: a call would have to be made, but the budget is used up or a stop was requested.
            JournalError: the reply could not be recorded.
        """
        line = self._lines[spec]
        model = line.model
        mode = model.output_mode(request.schema)
        key = call_key(request.slot, model.identity, request.settings, mode, request.schema, request.messages)
        recorded = self._journal.lookup(key)
        if recorded is not None:
            return recorded
        task, _ = self._under_way.get(key, (None, line))
        if task is None:
            self._refuse_when_stopped()
            messages = self._scrub.messages(apply_fences(request.messages, self._fence_secret, request.slot))
            call = Call(key, model, request, messages, mode, seed_of(request.slot, self._seed))
            task = asyncio.create_task(self._make(call, line))
            self._under_way[key] = task, line
            task.add_done_callback(lambda done: self._forget(key, done))
        return await asyncio.shield(task)

    def request_stop(self, reason: str = "stopped on request.") -> None:
        """Start no further call; whoever waits to start gets `RunStopped`.

        Calls in flight end and are recorded. Those asked by batch are left to the provider, and whoever waits for one
        gets `RunStopped` too.
        """
        if self._stopping.is_set():
            return
        self._stop_reason = reason
        self._stopping.set()
        for line in self._lines.values():
            line.limiter.stop(reason)
            line.counts.stopped = True
        for task, line in self._under_way.values():
            if line.batched:
                task.cancel()
        self._budget.stop(reason)

    def show_stopping(self, text: str) -> bool:
        """Tell whoever watches that the run is stopping; whether they show it."""
        return self._progress.stopping(text)

    def interrupt(self, *, partial: bool = False) -> None:
        """Stop, as the user wants to; with `partial` the session still makes a result of what there is."""
        self.interrupted = True
        self.ends_interrupted = not partial
        self.request_stop("interrupted.")

    def leave(self) -> None:
        """Before the loop ends without awaiting anything: calls that it cancels are cancelled, and no more is said."""
        self._left = True

    def abandon_calls(self, *, paid: bool = True) -> None:
        """After a stop: await the calls in flight no longer. Whoever waits for one gets `RunStopped`.

        Args:
            paid: those at a provider too, not only those that this machine answers.
        """
        for task, line in self._under_way.values():
            if paid or line.on_this_machine:
                task.cancel()

    async def drain(self) -> None:
        """Wait until no call is in flight."""
        while self._under_way:
            await asyncio.wait([task for task, _ in self._under_way.values()])

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        self.request_stop("the run has ended.")
        await self.drain()
        if self._cache is not None:
            self._cache.close()

    async def _make(self, call: Call, line: ModelQueue) -> Reply | CallFailure:
        """Attempt a call until it is answered, or fails for good."""
        line.counts.under_way += 1
        try:
            return await self._cached(call, line) or await self._attempts(call, line)
        except asyncio.CancelledError:
            if not self._left:
                self._refuse_when_stopped()
            raise
        finally:
            line.counts.under_way -= 1

    async def _cached(self, call: Call, line: ModelQueue) -> Reply | None:
        """The reply that another run has had, once it is on record: nothing is sent, and nothing is charged."""
        if self._cache is None:
            return None
        try:
            reply = self._cache.get(call.key, call.seed)
            if reply is not None:
                await self._journal.commit(row_of(call, FROM_CACHE, cached_attempt(reply)))
                line.counts.count_cached()
        except (CacheError, JournalError) as error:
            self.request_stop(str(error))
            raise
        return reply

    async def _attempts(self, call: Call, line: ModelQueue) -> Reply | CallFailure:
        attempt = 0
        while True:
            attempt += 1
            outcome = await self._attempt(call, line, attempt)
            if isinstance(outcome, Reply):
                return outcome
            failure, retryable = outcome
            if not retryable or attempt >= line.retry.attempts:
                line.give_up(failure, self._progress)
                return failure
            spread = Random(f"{call.key}/{attempt}")  # noqa: S311 - guards nothing; repeatable, for tests
            await self._wait(line.retry.delay(attempt, spread), line.counts)
            line.counts.retries += 1

    async def _attempt(self, call: Call, line: ModelQueue, number: int) -> Reply | tuple[CallFailure, bool]:
        """One request to the provider, recorded. A failure comes with whether it may be tried again."""
        async with line.limiter.slot() as permit:
            if line.hopeless is not None:
                return skipped_call(line.hopeless, number - 1), False
            self._see_room()
            attempt = await self._paid_attempt(call, line, number)
            line.learn(permit, attempt, self._progress)
        attempt = await self._record(call, number, attempt)  # the place is already free for the next call
        line.counts.count(attempt.reply.usage if attempt.reply else None, attempt.price_usd)
        self._progress.call_done()
        if attempt.error is not None:
            failure = CallFailure(attempt.error.kind, str(attempt.error), number)
            line.count_refusal(failure, self._progress)
            return failure, attempt.error.retryable
        line.refusals = 0
        self._share(call, attempt)
        return without_wire_bodies(cast(Reply, attempt.reply))

    async def _record(self, call: Call, number: int, attempt: Attempt) -> Attempt:
        """The attempt as it is on record: a failure, where its reply is nothing that the journal can hold."""
        try:
            await self._journal.commit(row_of(call, number, attempt))
        except JournalError as error:
            if isinstance(error, UnwritableRow) and attempt.reply is not None:
                return await self._record(call, number, without_reply(call, attempt, error))
            self.request_stop(str(error))  # replies that can't be recorded must not be paid for
            raise
        return attempt

    def _share(self, call: Call, attempt: Attempt) -> None:
        """Let other runs have a reply, which is on record already."""
        if self._cache is None:
            return
        try:
            self._cache.put(call.key, call.seed, cast(Reply, attempt.reply))
        except CacheError as error:
            self.request_stop(str(error))
            raise

    def _see_room(self) -> None:
        """A reply that can't be recorded must not be paid for."""
        try:
            if not self._room_seen:
                self._journal.check_room()
                self._room_seen = True
            self._journal.check_disk()
        except JournalError as error:
            self.request_stop(str(error))
            raise

    async def _paid_attempt(self, call: Call, line: ModelQueue, number: int) -> Attempt:
        """One request, within the budget."""
        try:
            reserved = await self._budget.reserve(call)
        except RunStopped as stop:
            self.request_stop(str(stop))
            raise
        attempt = None
        try:
            self._refuse_when_stopped()  # it may have waited
            started_at, clock = datetime.now(UTC).isoformat(), time.perf_counter()
            line.counts.in_flight += 1
            try:
                with call_span(call, number) as tell:
                    attempt = await make_attempt(call, line.retry.timeout, self._scrub)
                    tell(attempt)
            except asyncio.CancelledError:
                if line.is_paid:
                    broken_off = interrupted_attempt(call, started_at, time.perf_counter() - clock)
                    await self._record(call, number, broken_off)
                    line.counts.count_interrupted()
                raise
            finally:
                line.counts.in_flight -= 1
            return attempt
        finally:
            self._budget.settle(call, attempt, reserved)

    async def _wait(self, seconds: float, counts: ModelCounts) -> None:
        """Sleep before a call is tried again, unless a stop is requested."""
        counts.retry_at = max(counts.retry_at, time.monotonic() + seconds)
        counts.retrying += 1
        try:
            await asyncio.wait_for(self._stopping.wait(), seconds)
        except TimeoutError:
            return
        finally:
            counts.retrying -= 1
        self._refuse_when_stopped()

    def _refuse_when_stopped(self) -> None:
        if self._stopping.is_set():
            raise RunStopped(self._stop_reason)

    def _forget(self, key: str, task: asyncio.Task[Reply | CallFailure]) -> None:
        del self._under_way[key]
        if not task.cancelled():
            task.exception()  # seen: whoever waited for it has been told


def _setting_of(spec: str, given: T | Mapping[str, T] | None) -> T | None:
    """What was given for a model: for each one, or by spec."""
    return given.get(spec) if isinstance(given, Mapping) else given
