"""An event loop whose time passes at once, and a queue that hands over to the journal's thread when the loop is idle.

Both make a session repeatable: waits of hours cost nothing, and which rows share a transaction depends on nothing but
the calls. The journal's own thread does the writing; the loop rests while it does.
"""

from __future__ import annotations

import asyncio
import selectors
import threading
from collections import deque
from collections.abc import Callable
from typing import Any

_LONGEST_COMMIT = 60.0
"""Seconds that the journal's thread may really take for one transaction."""


class Hung(AssertionError):
    """Nothing is left that could ever wake the run."""


class Gate:
    """Stands in for the queue of a `GroupCommit`: what is put in waits until the loop lets it through."""

    def __init__(self, released: Callable[[], None]) -> None:
        self._released = released
        self._lock = threading.Condition()
        self._held: list[Any] = []
        self._through: deque[Any] = deque()

    @property
    def holds(self) -> bool:
        return bool(self._held)

    def put(self, item: Any) -> None:
        self._held.append(item)
        if item is None:  # the end: whoever sends it waits for the thread, not for the loop
            self.release()

    def get(self) -> Any:
        with self._lock:
            while not self._through:
                self._lock.wait()
            return self._through.popleft()

    def empty(self) -> bool:
        return not self._through

    def release(self) -> None:
        if any(item is not None for item in self._held):
            self._released()
        with self._lock:
            self._through.extend(self._held)
            self._held.clear()
            self._lock.notify()


class _Selector(selectors.DefaultSelector):  # type: ignore[misc,valid-type]
    """Where the loop would sleep, lets the journal write, or else moves the clock."""

    def __init__(self, eager: bool) -> None:
        super().__init__()
        self.now = 0.0
        self.gates: list[Gate] = []
        self.before: Callable[[], bool] = lambda: False
        self._eager = eager

    def select(self, timeout: float | None = None) -> Any:
        if self.before():
            timeout = 0
        waiting = [gate for gate in self.gates if gate.holds]
        if waiting and (self._eager or timeout != 0):
            for gate in waiting:
                gate.release()
            found = super().select(_LONGEST_COMMIT)
            if not found:
                raise Hung(f"The journal did not answer within {_LONGEST_COMMIT:g} seconds.")
            return found
        found = super().select(0)
        if not found and timeout is None:
            raise Hung("Every task waits, and nothing is under way that could wake one.")
        if not found and timeout:
            self.now += timeout
        return found


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop with a clock of its own.

    Args:
        eager: hand rows over at every turn of the loop (small transactions), not only when it is idle (large ones).
    """

    def __init__(self, eager: bool = False) -> None:
        self._virtual = _Selector(eager)
        super().__init__(self._virtual)

    def time(self) -> float:
        return self._virtual.now

    def jump(self, seconds: float) -> None:
        """Let the clock jump, as that of a laptop that was asleep."""
        self._virtual.now += seconds

    def before_rest(self, look: Callable[[], bool]) -> None:
        """Have something done in the loop's thread whenever a turn of it ends; it says whether it gave tasks work."""
        self._virtual.before = look

    def gate(self, released: Callable[[], None]) -> Gate:
        """A queue that this loop lets through."""
        made = Gate(released)
        self._virtual.gates.append(made)
        return made
