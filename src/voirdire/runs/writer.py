"""The one thread that writes to the journal: many rows in each transaction."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping
from typing import Any

from voirdire.runs.chain import Chain, NoteRow
from voirdire.runs.errors import JournalError, UnwritableRow
from voirdire.runs.group_commit import GroupCommit
from voirdire.runs.rows import EncodedCall, TextStore, complete_row
from voirdire.runs.schema import INSERT_CALL, INSERT_TEXT, UPSERT_NOTE

_OF_A_VALUE = (sqlite3.DataError, sqlite3.InterfaceError, sqlite3.ProgrammingError)
"""What SQLite raises where a value is of no type that it knows, or is too long."""


class GroupWriter:
    """Writes calls and notes, as many in each transaction as wait for it."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        explain: Callable[[sqlite3.Error], JournalError],
        committed: Callable[[list[tuple[str, int]]], None],
        about: Mapping[str, Any],
    ) -> None:
        """Start the thread, which from now on is the only one to use the connection.

        Args:
            connection: to the journal, in autocommit mode.
            explain: what an error of SQLite means to the user.
            committed: told key and row number of new replies, in the writer's thread, before their waiters go on.
            about: what the next link of the journal's chain says of who writes.

        Raises:
            sqlite3.Error: the journal can't be read.
        """
        self._connection = connection
        self._explain = explain
        self._committed = committed
        self._changes_before = connection.total_changes
        self._next_call = _next_id(connection, "calls")
        self._texts = TextStore(_next_id(connection, "texts"))
        self._chain = Chain.resume(connection, about)
        self._group: GroupCommit[EncodedCall | NoteRow] = GroupCommit(
            "voirdire-journal", self._write, closed=_closed, on_end=connection.close
        )

    @property
    def changes(self) -> int:
        """How many rows have been added or have changed."""
        return self._connection.total_changes - self._changes_before

    async def write(self, item: EncodedCall | NoteRow) -> None:
        """Return once the item is on disk; if the waiting task is cancelled, it is written all the same.

        Raises:
            JournalError: the transaction failed, or the writer is closed.
        """
        await self._group.write(item)

    def close(self) -> None:
        """Write what waits, end the thread and close the connection."""
        self._group.close()

    def _write(self, batch: list[EncodedCall | NoteRow]) -> list[JournalError | None]:
        """One transaction. A failure is for those who wait for this batch; the next one may succeed.

        Where one row can't be written, each gets a transaction of its own: the others are not lost over it.
        """
        calls = [item for item in batch if isinstance(item, EncodedCall)]
        notes = [item for item in batch if not isinstance(item, EncodedCall)]
        first_text = self._texts.next_id
        try:
            self._transaction(calls, notes)
        except Exception as error:  # a thread that died would leave its waiters hanging
            self._texts = TextStore(first_text)  # what it remembers may not be there
            meaning = self._meaning(error)
            if isinstance(meaning, UnwritableRow) and len(batch) > 1:
                return [outcome for item in batch for outcome in self._write([item])]
            return [meaning for _ in batch]
        self._committed([(call.key, number) for number, call in enumerate(calls, self._next_call) if call.ok])
        self._next_call += len(calls)
        return [None for _ in batch]

    def _meaning(self, error: Exception) -> JournalError:
        if isinstance(error, sqlite3.Error) and not isinstance(error, _OF_A_VALUE):
            return self._explain(error)
        return unwritable(error)

    def _transaction(self, calls: list[EncodedCall], notes: list[NoteRow]) -> None:
        execute, execute_many = self._connection.execute, self._connection.executemany
        rows = [(number, *complete_row(call, self._texts)) for number, call in enumerate(calls, self._next_call)]
        before = self._connection.total_changes
        link = None
        try:
            execute("BEGIN IMMEDIATE")
            execute_many(INSERT_TEXT, self._texts.new)
            execute_many(INSERT_CALL, rows)
            execute_many(UPSERT_NOTE, notes)
            if self._connection.total_changes > before:  # a note that says the same again changes nothing
                link = self._chain.link(self._texts.new, rows, notes)
                self._chain.add(self._connection, link)
            execute("COMMIT")
        except BaseException:
            if self._connection.in_transaction:
                execute("ROLLBACK")
            raise
        if link is not None:
            self._chain.advance(link)
        self._texts.new.clear()


def unwritable(error: Exception) -> UnwritableRow:
    """What it means that a row's values can't be encoded, or not be bound."""
    return UnwritableRow(f"The journal can't take a row: {type(error).__name__}: {error}.")


def _next_id(connection: sqlite3.Connection, table: str) -> int:
    (last,) = connection.execute(f"SELECT max(id) FROM {table}").fetchone()  # noqa: S608 - one of our tables
    return (last or 0) + 1


def _closed() -> JournalError:
    return JournalError("The journal is closed: nothing more can be written to it.")
