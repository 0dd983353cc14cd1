"""What the harness itself sees happen, apart from anything that the journal says."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

_ROUNDING = 1e-9
"""USD: sums differ by so little with the order of what is added."""


class Broken(AssertionError):
    """An invariant does not hold."""


@dataclass(eq=False)
class Asked:
    """One request that reached a model."""

    content: str
    needs: tuple[str, int] | None
    """(dialogue, turn) of the answer that it can only be made of."""
    started: int
    ended: int | None = None
    """`None`: it was still under way when the session ended, or was cancelled, by a timeout or by the session's end."""
    answered: bool = False
    """It ended with a reply."""


@dataclass
class Handed:
    """Rows that were handed to the journal's thread together."""

    at: int
    written: bool = False


@dataclass
class Book:
    """What happened in one session."""

    calls_before: int = 0
    cost_before: float = 0.0
    max_calls: int | None = None
    """Of the whole run."""
    max_cost: float | None = None
    asked: list[Asked] = field(default_factory=list)
    handed: list[Handed] = field(default_factory=list)
    committed: list[tuple[int, int]] = field(default_factory=list)
    """(when, highest row number of a call) at each commit."""
    cost: float = 0.0
    price_unknown: bool = False
    fired: Counter[str] = field(default_factory=Counter)
    """Faults that were reached, by kind."""
    broken: list[str] = field(default_factory=list)
    """Invariants that did not hold while calls were made; raised there, they would be taken for a model's failure."""
    _clock: int = 0

    def tick(self) -> int:
        """The next moment."""
        self._clock += 1
        return self._clock

    def ask(self, content: str, needs: tuple[str, int] | None) -> Asked:
        """A call begins; a budget that does not allow it is broken."""
        made_before, spent = self.calls_before + len(self.asked), self.cost_before + self.cost
        if self.max_calls is not None and made_before >= self.max_calls:
            self.broken.append(f"Call {made_before + 1} was made, and {self.max_calls} were allowed.")
        if self.max_cost is not None and self.price_unknown:
            self.broken.append("A call was made after one whose price is unknown, though the cost is limited.")
        if self.max_cost is not None and spent >= self.max_cost + _ROUNDING:
            self.broken.append(f"A call was made after {spent} of {self.max_cost} USD were spent.")
        made = Asked(content, needs, self.tick())
        self.asked.append(made)
        return made

    def answer(self, made: Asked, price: float | None) -> None:
        """A call ends, with a reply that has this price; `None`: the provider counted nonsense."""
        made.ended, made.answered = self.tick(), True
        if price is None:
            self.price_unknown = True
        else:
            self.cost += price

    def fail(self, made: Asked) -> None:
        """A call ends, without a reply."""
        made.ended = self.tick()

    def hand_over(self) -> None:
        """Whatever waits goes to the journal's thread."""
        self.handed.append(Handed(self.tick()))

    def commit(self, last_row: int) -> None:
        """A transaction has ended."""
        self.committed.append((self.tick(), last_row))
        if self.handed:
            self.handed[-1].written = True
