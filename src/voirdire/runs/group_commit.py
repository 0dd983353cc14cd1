"""Group commit: one thread that writes, and many pieces of work in each transaction."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Sequence
from queue import SimpleQueue
from typing import Any, Generic, NamedTuple, TypeVar

W = TypeVar("W")


class _Waiting(NamedTuple):
    work: Any
    loop: asyncio.AbstractEventLoop
    done: asyncio.Future[Any]


class GroupCommit(Generic[W]):
    """Whatever waits when a transaction ends is written in the next one; nobody goes on before theirs has ended."""

    def __init__(
        self,
        name: str,
        commit: Callable[[list[W]], Sequence[Any]],
        *,
        closed: Callable[[], Exception],
        on_end: Callable[[], None],
    ) -> None:
        """Start the thread.

        Args:
            name: of the thread.
            commit: writes works in one transaction and gives, for each, what to answer: an exception is raised where
                it waits. What it raises itself is raised at all of them.
            closed: the error of whoever comes after the end.
            on_end: called in the thread, last of all.
        """
        self._commit = commit
        self._error_when_closed = closed
        self._on_end = on_end
        self._queue: SimpleQueue[_Waiting | None] = SimpleQueue()
        self._closing = threading.Lock()
        self._closed = False
        # A daemon, so that a second Ctrl-C is not held up: what is not committed was never released.
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    async def write(self, work: W) -> Any:
        """Return once the work is on disk; if the waiting task is cancelled, it is written all the same.

        Raises:
            Exception: what `commit` answered, or the error of a closed writer.
        """
        loop = asyncio.get_running_loop()
        done = loop.create_future()
        with self._closing:  # nothing may be queued behind the end mark
            if self._closed:
                raise self._error_when_closed()
            self._queue.put(_Waiting(work, loop, done))
        return await done

    def close(self, patience: float | None = None) -> None:
        """Write what waits, and end the thread.

        Args:
            patience: seconds to wait for it; then what waits is left to a thread that ends with the process. `None`
                waits to the end.
        """
        with self._closing:
            already, self._closed = self._closed, True
            if not already:
                self._queue.put(None)
        self._thread.join(patience)

    def _run(self) -> None:
        ended = False
        while not ended:
            batch, ended = self._take()
            if batch:
                _answer(batch, self._written([waiting.work for waiting in batch]))
        self._on_end()

    def _written(self, works: list[W]) -> Sequence[Any]:
        try:
            return self._commit(works)
        except Exception as error:  # a thread that died would leave its waiters hanging
            return [error for _ in works]

    def _take(self) -> tuple[list[_Waiting], bool]:
        """Wait for work, then take all there is; the flag says that nothing follows."""
        batch: list[_Waiting] = []
        waiting = self._queue.get()
        while waiting is not None:
            batch.append(waiting)
            if self._queue.empty():  # this thread is the only one that takes
                return batch, False
            waiting = self._queue.get()
        return batch, True


def _answer(batch: list[_Waiting], answers: Sequence[Any]) -> None:
    by_loop: dict[asyncio.AbstractEventLoop, list[tuple[asyncio.Future[Any], Any]]] = {}
    for waiting, answer in zip(batch, answers, strict=True):
        by_loop.setdefault(waiting.loop, []).append((waiting.done, answer))
    for loop, answered in by_loop.items():
        try:
            loop.call_soon_threadsafe(_resolve, answered)
        except RuntimeError:
            continue  # the loop is closed, so nobody waits any more


def _resolve(answered: list[tuple[asyncio.Future[Any], Any]]) -> None:
    for done, answer in answered:
        if done.done():
            continue
        if isinstance(answer, Exception):
            done.set_exception(answer)
        else:
            done.set_result(answer)
