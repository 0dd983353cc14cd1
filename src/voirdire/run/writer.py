"""The one thread that writes to the journal: many rows in each transaction."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import NamedTuple

from voirdire.run.errors import JournalError
from voirdire.run.rows import EncodedCall, complete_row
from voirdire.run.schema import INSERT_CALL, INSERT_TEXT, UPSERT_NOTE
from voirdire.run.texts import Texts

Note = tuple[str, int, str, str]
"""(dialogue, turn, kind, body as JSON)."""


class _Work(NamedTuple):
    item: EncodedCall | Note
    loop: asyncio.AbstractEventLoop
    done: asyncio.Future[None]


class GroupWriter:
    """Group commit: whatever waits when a transaction ends is written in the next one."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        explain: Callable[[sqlite3.Error], JournalError],
        committed: Callable[[list[tuple[str, int]]], None],
    ) -> None:
        """Start the thread, which from now on is the only one to use the connection.

        Args:
            connection: to the journal, in autocommit mode.
            explain: what an error of SQLite means to the user.
            committed: told key and row number of new replies, in the writer's thread, before their waiters go on.

        Raises:
            sqlite3.Error: the journal can't be read.
        """
        self._connection = connection
        self._explain = explain
        self._committed = committed
        self._queue: SimpleQueue[_Work | None] = SimpleQueue()
        self._next_call = _next_id(connection, "calls")
        self._texts = Texts(_next_id(connection, "texts"))
        self._closing = threading.Lock()
        self._closed = False
        # A daemon, so that a second Ctrl-C is not held up: what is not committed was never released.
        self._thread = threading.Thread(target=self._run, name="voirdire-journal", daemon=True)
        self._thread.start()

    async def write(self, item: EncodedCall | Note) -> None:
        """Return once the item is on disk; if the waiting task is cancelled, it is written all the same.

        Raises:
            JournalError: the transaction failed, or the writer is closed.
        """
        loop = asyncio.get_running_loop()
        done = loop.create_future()
        with self._closing:  # nothing may be queued behind the end mark
            if self._closed:
                raise JournalError("The journal is closed: nothing more can be written to it.")
            self._queue.put(_Work(item, loop, done))
        await done

    def close(self) -> None:
        """Write what waits, end the thread and close the connection."""
        with self._closing:
            already, self._closed = self._closed, True
            if not already:
                self._queue.put(None)
        self._thread.join()

    def _run(self) -> None:
        ended = False
        while not ended:
            batch, ended = self._take()
            if batch:
                _answer(batch, self._write(batch))
        self._connection.close()

    def _take(self) -> tuple[list[_Work], bool]:
        """Wait for work, then take all there is; the flag says that nothing follows."""
        batch: list[_Work] = []
        work = self._queue.get()
        while work is not None:
            batch.append(work)
            if self._queue.empty():  # this thread is the only one that takes
                return batch, False
            work = self._queue.get()
        return batch, True

    def _write(self, batch: list[_Work]) -> JournalError | None:
        """One transaction. A failure is for those who wait for this batch; the next one may succeed."""
        calls = [work.item for work in batch if isinstance(work.item, EncodedCall)]
        notes = [work.item for work in batch if not isinstance(work.item, EncodedCall)]
        first_text = self._texts.next_id
        try:
            self._transaction(calls, notes)
        except Exception as error:  # a thread that died would leave its waiters hanging
            self._texts = Texts(first_text)  # what it remembers may not be there
            if isinstance(error, sqlite3.Error):
                return self._explain(error)
            return JournalError(f"The journal can't take a row: {type(error).__name__}: {error}.")
        self._committed([(call.key, number) for number, call in enumerate(calls, self._next_call) if call.ok])
        self._next_call += len(calls)
        return None

    def _transaction(self, calls: list[EncodedCall], notes: list[Note]) -> None:
        execute, execute_many = self._connection.execute, self._connection.executemany
        rows = [(number, *complete_row(call, self._texts)) for number, call in enumerate(calls, self._next_call)]
        try:
            execute("BEGIN IMMEDIATE")
            execute_many(INSERT_TEXT, self._texts.new)
            execute_many(INSERT_CALL, rows)
            execute_many(UPSERT_NOTE, notes)
            execute("COMMIT")
        except BaseException:
            if self._connection.in_transaction:
                execute("ROLLBACK")
            raise
        self._texts.new.clear()


def _next_id(connection: sqlite3.Connection, table: str) -> int:
    (last,) = connection.execute(f"SELECT max(id) FROM {table}").fetchone()  # noqa: S608 - one of our tables
    return (last or 0) + 1


def _answer(batch: list[_Work], error: JournalError | None) -> None:
    by_loop: dict[asyncio.AbstractEventLoop, list[asyncio.Future[None]]] = {}
    for work in batch:
        by_loop.setdefault(work.loop, []).append(work.done)
    for loop, waiting in by_loop.items():
        try:
            loop.call_soon_threadsafe(_resolve, waiting, error)
        except RuntimeError:
            continue  # the loop is closed, so nobody waits any more


def _resolve(waiting: list[asyncio.Future[None]], error: JournalError | None) -> None:
    for done in waiting:
        if done.done():
            continue
        if error is None:
            done.set_result(None)
        else:
            done.set_exception(JournalError(*error.args))
