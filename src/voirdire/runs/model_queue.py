"""A model in a session: its limits, what is known of its failures, and what the user has been told of them."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field

from voirdire.models.base import Model
from voirdire.records import CallFailure, ErrorKind
from voirdire.runs.attempt import Attempt
from voirdire.runs.limits import Limiter, Permit
from voirdire.runs.model_counts import ModelCounts
from voirdire.runs.progress import Progress
from voirdire.runs.retry import RetryPolicy

_HOPELESS: frozenset[ErrorKind] = frozenset({"auth", "not_found"})
_HOPELESS_AFTER = 3
"""So many refusals in a row, and no success between them, and a model is not called again in this session."""
_HERE = ("local", "simulated")
"""Endpoints of models that this process runs."""
_NOTICE_SECONDS = 15.0
"""Seconds: of a wait that long the user is told, since nothing else moves."""


@dataclass(slots=True)
class ModelQueue:
    """A model and what is known of it in this session."""

    model: Model
    counts: ModelCounts
    limiter: Limiter
    retry: RetryPolicy
    batched: bool = False
    """Asked by batch: at a stop its calls are left to the provider, not awaited."""
    refusals: int = 0
    """`auth` and `not_found` failures since its last success."""
    last_refusal: CallFailure | None = None
    reported: set[ErrorKind] = field(default_factory=set)
    """Of which failures the user has heard that calls are given up for them."""
    paused_until: float = 0.0
    """On the loop's clock: up to when the user has heard that the provider asks to wait."""

    @property
    def on_this_machine(self) -> bool:
        """Whether its calls cost nothing but this machine's time: at a stop nobody needs to await them for long."""
        return self.model.identity.endpoint in _HERE

    @property
    def is_paid(self) -> bool:
        """Whether a provider may bill a call that nobody awaits any more."""
        return not (self.on_this_machine or self.batched)

    @property
    def hopeless(self) -> CallFailure | None:
        """The refusal after which the model is not called again; `None` where it is."""
        return self.last_refusal if self.refusals >= _HOPELESS_AFTER else None

    def learn(self, permit: Permit, attempt: Attempt, progress: Progress) -> None:
        """Let the limits learn from an attempt, and tell of a long wait that the provider asks for."""
        error = attempt.error
        if error is None:
            permit.succeeded()
        elif error.kind == "rate_limit":
            permit.rate_limited()
            self.counts.rate_limits += 1
        self.counts.at_once = self.limiter.lowered_to
        if error is None:
            return
        wait = self.retry.requested_wait(error.retry_after)
        self.limiter.pause(wait)
        self.counts.paused(time.monotonic() + wait)
        now = asyncio.get_running_loop().time()
        if wait >= _NOTICE_SECONDS and now + wait > self.paused_until + _NOTICE_SECONDS:
            self.paused_until = now + wait
            request = f"asks for a wait of {error.retry_after:,.0f} s"
            progress.say(f"{self.model.identity.spec}: its provider {request}; the next call is in {wait:,.0f} s.")

    def count_refusal(self, failure: CallFailure, progress: Progress) -> None:
        """Count a failure that waiting does not mend, and say so when it is one too many."""
        if failure.kind not in _HOPELESS:
            return
        self.refusals += 1
        self.last_refusal = failure
        if self.refusals == _HOPELESS_AFTER:
            progress.say(f"{self.model.identity.spec} is not called again: {failure.message}")

    def give_up(self, failure: CallFailure, progress: Progress) -> None:
        """Count a call that fails, and say why: each kind once for a model, all the others stand in the journal."""
        self.counts.failed += 1
        if failure.kind in self.reported or self.hopeless is not None:
            return
        self.reported.add(failure.kind)
        times = f"{failure.attempts} attempts" if failure.attempts > 1 else "an attempt"
        progress.say(f"A call failed after {times}: {failure.message}")


def skipped_call(refusal: CallFailure, attempts: int) -> CallFailure:
    """What whoever asks a hopeless model is told."""
    text = f"Not tried, after {_HOPELESS_AFTER} refusals of this model in a row: {refusal.message}"
    return CallFailure(refusal.kind, text, attempts)
