"""How often, and after what wait, a failed call is tried again; which may be is said in `models.base`."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random


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

    def requested_wait(self, retry_after: float | None) -> float:
        """Seconds of what a provider asked for that are waited; none for what makes no sense."""
        return min(retry_after, self.longest) if retry_after is not None and retry_after > 0 else 0.0

    def delay(self, attempt: int, random: Random) -> float:
        """Seconds to wait after attempt number `attempt` (from 1): full jitter under an exponential ceiling.

        Spreading the whole interval keeps calls that failed together from coming back together.
        """
        ceiling = min(self.cap, self.base * 2.0 ** min(attempt - 1, 60))
        # Spreads retries, guards nothing.
        return random.uniform(0.0, ceiling)  # nosec B311
