"""How a run is held: what may be spent on it, how fast it asks, who is told."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from voirdire.data.bounds import MAX_CONNECTIONS, MAX_SECONDS, check_bounds
from voirdire.models import Pace
from voirdire.runs.budget import Budget
from voirdire.runs.errors import PaceError
from voirdire.runs.limits import CONNECTIONS
from voirdire.runs.progress import NullProgress, Progress

HOSTED_TIMEOUT = 120.0


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions:
    """How a run is held, made where a command or a function is called, and passed on whole.

    Whoever holds a run takes one, and makes none of its own; only `progress` is put in later, once its length is known.
    Nothing here changes what is asked, so that a run may be continued with other options. What does change it (models,
    seed, whether local models repeat their replies exactly) is part of a plan, and stands in `run.json`.

    Raises:
        BudgetError: a limit that is no limit, such as NaN.
        PaceError: a number of connections or a timeout that can't be meant.
    """

    max_cost: float | None = None
    """USD for the whole run, earlier sessions included."""
    max_calls: int | None = None
    """Attempts (requests that reach a provider) for the whole run, earlier sessions included."""
    connections: int = CONNECTIONS
    """Calls at once of each hosted model."""
    timeout: float = HOSTED_TIMEOUT
    """Seconds an attempt at a hosted model may take."""
    batch: Pace | None = None
    """Ask judges by their providers' batch endpoints, this patiently."""
    cache: Path | None = None
    """Folder of replies that runs share; `None`: every run asks for itself."""
    partial: bool = False
    """Whether an interrupted run gives a result of what there is, as one does that a limit stopped."""
    progress: Progress = field(default_factory=NullProgress)
    """Told of every call and dialogue."""

    def __post_init__(self) -> None:
        self.budget()
        check_bounds("connections", self.connections, 1, MAX_CONNECTIONS, PaceError, whole=True)
        check_bounds("timeout", self.timeout, 0, MAX_SECONDS, PaceError)

    def budget(self) -> Budget:
        """What a session counts by; a new one for each."""
        return Budget(self.max_cost, self.max_calls)


DEFAULTS = RunOptions()
