"""What is known of one model's calls in a run: plain counts, kept by the runner and drawn by whoever shows them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from voirdire.records import Usage
from voirdire.runs.rows import Totals


@dataclass(slots=True)
class ModelCounts:
    """One model's calls: those of earlier sessions in `totals`, and what happens to them now."""

    spec: str
    totals: Totals = field(default_factory=Totals)
    under_way: int = 0
    """Calls that somebody waits for: in flight, waiting to be tried again, or for a place."""
    in_flight: int = 0
    """Requests that the provider is answering."""
    retrying: int = 0
    """Calls that wait to be tried again."""
    retries: int = 0
    """Attempts of this session that repeat a failed one."""
    failed: int = 0
    """Calls of this session that were given up."""
    free_at: float = 0.0
    """By the monotonic clock: the provider has asked for no call before."""
    retry_at: float = 0.0
    """By the monotonic clock: when the last of the calls that wait is tried again."""
    rate_limits: int = 0
    """Attempts of this session that the provider refused as too many."""
    at_once: int | None = None
    """Calls that may run at once, where rate limits have lowered their number."""
    stopped: bool = False
    """No further call is made in this session."""

    @property
    def answered(self) -> int:
        """Calls with a reply: of this session, of earlier ones, or from a cache."""
        return self.totals.calls - self.totals.errors + self.totals.cached

    def count(self, usage: Usage | None, price_usd: float | None) -> None:
        """Count an attempt that is on record; `usage` is `None` when it failed."""
        reply, used = usage is not None, usage or Usage()
        unpriced = reply and price_usd is None
        self.totals = summed(
            [
                self.totals,
                Totals(1, not reply, used.input_tokens, used.output_tokens, price_usd or 0.0, unpriced),
            ]
        )

    def count_interrupted(self) -> None:
        """Count an attempt that a stop broke off, once it is on record."""
        self.totals = summed([self.totals, Totals(1, 1, interrupted=1)])

    def count_cached(self) -> None:
        """Count a reply that came from a cache."""
        self.totals = self.totals._replace(cached=self.totals.cached + 1)

    def paused(self, until: float) -> None:
        """The provider asks for no call before `until`, by the monotonic clock."""
        self.free_at = max(self.free_at, until)

    def waiting(self, now: float) -> tuple[int, float]:
        """How many calls wait for a rate limit or to be tried again, and for how many seconds at most."""
        until = max(self.free_at, self.retry_at if self.retrying else 0.0)
        if until <= now:
            return 0, 0.0
        return (self.under_way - self.in_flight if self.free_at > now else self.retrying), until - now


def summed(totals: Iterable[Totals]) -> Totals:
    """The sum over several models, or over sessions."""
    return Totals(*(sum(column) for column in zip(Totals(), *totals, strict=True)))
