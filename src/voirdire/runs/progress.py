"""Who is told how a run is doing, and what they are told."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from voirdire.runs.model_counts import ModelCounts


@dataclass(frozen=True, slots=True)
class Workload:
    """Dialogues that are worked off one after another, beside those of other queues: those of one subject."""

    queue: str
    dialogues: int
    calls: Mapping[str, float] = field(default_factory=dict)
    """How many calls of each model one dialogue takes, by spec."""


class Progress(Protocol):
    """What the runner and the study tell whoever watches."""

    def begin(self, models: Sequence[ModelCounts]) -> None:
        """A session begins. The runner keeps counting in `models`, which hold what earlier sessions used."""
        ...

    def call_done(self) -> None:
        """An attempt is on record, and counted."""
        ...

    def replies_unusable(self, number: int) -> None:
        """So many replies came back and could not be used."""
        ...

    def expect(
        self, work: Sequence[Workload], *, names: Mapping[str, str] | None = None, estimated: Collection[str] = ()
    ) -> None:
        """What there is to do, queue by queue, where several are worked off side by side.

        Args:
            work: those queues.
            names: what to show in place of a spec.
            estimated: specs of the models whose number of calls can differ from what is expected.
        """
        ...

    def dialogue_done(self, queue: str = "", *, failed: bool = False) -> None:
        """A dialogue has ended; `failed`: an answer is missing."""
        ...

    def dialogues_spared(self, number: int, queue: str = "") -> None:
        """So many dialogues of the run need not be held."""
        ...

    def say(self, text: str) -> None:
        """Tell the user something at once."""
        ...

    def stopping(self, text: str) -> bool:
        """The run was interrupted, and this becomes of its calls; whether the display shows that itself."""
        ...


class NullProgress:
    """Shows nothing."""

    def begin(self, models: Sequence[ModelCounts]) -> None:
        """Ignore it."""

    def call_done(self) -> None:
        """Ignore it."""

    def replies_unusable(self, number: int) -> None:
        """Ignore it."""

    def expect(
        self, work: Sequence[Workload], *, names: Mapping[str, str] | None = None, estimated: Collection[str] = ()
    ) -> None:
        """Ignore it."""

    def dialogue_done(self, queue: str = "", *, failed: bool = False) -> None:
        """Ignore it."""

    def dialogues_spared(self, number: int, queue: str = "") -> None:
        """Ignore it."""

    def say(self, text: str) -> None:
        """Ignore it."""

    def stopping(self, text: str) -> bool:
        """Show nothing."""
        return False
