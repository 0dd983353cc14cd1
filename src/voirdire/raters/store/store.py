"""A project's file, open: anybody reads, one thread writes, and nobody is told "saved" before it is on disk."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Self, TypeVar

from voirdire.data.json_values import as_object
from voirdire.data.sqlite import make_durable
from voirdire.raters.records import Document, Item, RatersError, Refused, Role, Settings
from voirdire.raters.store.reader import Reader
from voirdire.raters.store.schema import PROJECT, connect
from voirdire.raters.store.transaction import RaterLink, Transaction, new_secret, to_json
from voirdire.runs.group_commit import GroupCommit

T = TypeVar("T")
Work = Callable[[Transaction], Any]
_OF_THE_FILE = (sqlite3.OperationalError, sqlite3.DatabaseError)
"""Full, locked, damaged: nothing of the transaction can be kept. Their subclasses are about one row."""


class Stale(Refused):
    """The item was changed elsewhere, in another tab say, since the page was made: nothing was saved."""


class NotSaved(RatersError):
    """The file could not be written, or is no longer where it was opened."""


class Store:
    """A project's file, open for writing.

    Other processes may read and write it too: all that holds is in the file, and every piece of work reads it anew
    within its own transaction.
    """

    def __init__(self, path: Path, writing: sqlite3.Connection) -> None:
        """Use `open` or `create`."""
        self.path = path
        self._transaction = Transaction(writing)
        self._connection = writing
        self._opened = _identity(path)
        self._local = threading.local()
        self._reading: list[sqlite3.Connection] = []
        self._group: GroupCommit[Work] = GroupCommit(
            "voirdire-raters", self._commit, closed=_closed, on_end=writing.close
        )

    @classmethod
    def create(
        cls,
        path: Path,
        settings: Settings,
        documents: Sequence[Document],
        items: Sequence[Item],
        raters: Sequence[tuple[str, Role]] = (),
    ) -> None:
        """Make a project: all of it, or nothing is left behind. Its file is for its owner's eyes: it holds the links.

        Raises:
            RatersError: something is there, a name is taken, or it can't be written.
        """

        def begin(connection: sqlite3.Connection) -> None:
            make_durable(connection)
            try:
                _fill(connection, settings, documents, items, raters)
            except UnicodeEncodeError as error:
                raise RatersError(
                    "An id or a name holds half a character (a lone surrogate): mend the data."
                ) from error

        PROJECT.make(path, begin)

    @classmethod
    def open(cls, path: Path) -> Self:
        """Open a project.

        Raises:
            RatersError: it is not there, no project, locked, damaged or of another version.
        """
        return cls(path, connect(path, read_only=False))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self, patience: float | None = None) -> None:
        """Write what waits, then let go of the file. `patience`: seconds to wait for another process that locks it."""
        while self._reading:  # first: only a last connection that may write folds the log into the file
            self._reading.pop().close()
        self._group.close(patience)

    @property
    def read(self) -> Reader:
        """Looks things up as they were last committed; one per thread. Within `write`, read by its transaction."""
        if not hasattr(self._local, "reader"):
            connection = connect(self.path, read_only=True)
            self._reading.append(connection)
            self._local.reader = Reader(connection)
        reader: Reader = self._local.reader
        return reader

    async def write(self, work: Callable[[Transaction], T]) -> T:
        """Have a piece of work done, one after another with all others; return once it is on disk.

        Raises:
            RatersError: whatever the work raised: then nothing of it was written.
            NotSaved: the file could not be written.
        """
        answer: T = await self._group.write(work)
        return answer

    def links(self) -> list[RaterLink]:
        """All raters with their secrets."""
        return [RaterLink(rater, secret) for rater, secret in self.read.raters_with_secrets()]

    def check_there(self) -> None:
        """See that the path still leads to the file that is open: what is written to another is lost when it closes.

        Raises:
            NotSaved: it was moved, removed or replaced.
        """
        if self._opened is None or _identity(self.path) != self._opened:
            raise NotSaved(
                f"The file of the project {self.path} was moved, removed or replaced while it was open, so nothing "
                "more is saved: put it back, or stop the server and start it anew."
            )

    def _commit(self, batch: list[Work]) -> list[Any]:
        """One transaction; a work that raises takes only itself back."""
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            answers = [self._do(work) for work in batch]
            self.check_there()
            self._connection.execute("COMMIT")
        except (sqlite3.Error, NotSaved) as error:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            return [_unsaved(self.path, error) for _ in batch]
        return answers

    def _do(self, work: Work) -> Any:
        """What a work comes to, or the error to be raised where it waits."""
        self._connection.execute("SAVEPOINT work")
        try:
            answer = work(self._transaction)
        except Exception as error:  # for whoever waits for it; the others' work goes on
            if type(error) in _OF_THE_FILE:
                raise
            self._connection.execute("ROLLBACK TO work")
            answer = error
        self._connection.execute("RELEASE work")
        return answer


def _fill(
    connection: sqlite3.Connection,
    settings: Settings,
    documents: Sequence[Document],
    items: Sequence[Item],
    raters: Sequence[tuple[str, Role]],
) -> None:
    PROJECT.create(connection, {"settings": to_json(as_object(settings)), "organiser": new_secret()})
    connection.executemany(
        "INSERT INTO documents VALUES (?, ?, ?, ?, ?, ?, ?)",
        (
            (place, each.id, to_json(each.body), each.group, to_json(each.source), each.stratum, each.weight)
            for place, each in enumerate(documents)
        ),
    )
    connection.executemany(
        "INSERT INTO items VALUES (?, ?, ?, ?, ?, ?)",
        (
            (number, each.id, each.document, each.place, each.pool, None if each.key is None else to_json(each.key))
            for number, each in enumerate(items)
        ),
    )
    live = dict.fromkeys(item.document for item in items if item.pool == "live")
    connection.executemany("INSERT INTO holders VALUES (?, ?, 0)", ((each, place) for place, each in enumerate(live)))
    transaction = Transaction(connection)
    for name, role in raters:
        transaction.add_rater(name, role)
    connection.execute("COMMIT")


def _identity(path: Path) -> tuple[int, int] | None:
    """Which file a path leads to; `None` where there is none."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


def _unsaved(path: Path, error: sqlite3.Error | NotSaved) -> NotSaved:
    return NotSaved(str(error if isinstance(error, NotSaved) else PROJECT.explain(path, error)))


def _closed() -> RatersError:
    return NotSaved("The project is closed: nothing more can be saved.")
