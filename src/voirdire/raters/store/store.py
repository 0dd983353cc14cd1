"""A project's file, open: anybody reads, one thread writes, and nobody is told "saved" before it is on disk."""

from __future__ import annotations

import json
import os
import secrets
import sqlite3
import threading
from collections.abc import Callable, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple, Self, TypeVar

from voirdire.raters.records import ORGANISER, Document, Item, Rater, RatersError, Refused, Role, Row, Settings
from voirdire.raters.store.reading import Reader
from voirdire.raters.store.schema import connect, create_tables, durable, explain
from voirdire.raters.tasks.base import NewRow
from voirdire.run.group_commit import GroupCommit

T = TypeVar("T")
_SECRET_BYTES = 24


class Stale(Refused):
    """The item was changed elsewhere, in another tab say, since the page was made: nothing was saved."""


class Seat(NamedTuple):
    """A rater and the secret of their link."""

    rater: Rater
    secret: str


class Transaction(Reader):
    """What a piece of work may do: read, and add rows. All of it happens, or none."""

    def known(self, rater: str, token: str) -> Row | None:
        """The row that this page has sent before, if it has."""
        found = [row for row in self._all("SELECT seq FROM rows WHERE rater = ? AND token = ?", rater, token)]
        return self.row(found[0][0]) if found else None

    def row(self, seq: int) -> Row:
        """One row."""
        ((rater, item),) = self._all("SELECT rater, item FROM rows WHERE seq = ?", seq)
        return next(row for row in self.rows(rater=rater, item=item) if row.seq == seq)

    def add(self, rater: str, item: str, row: NewRow, *, token: str = "", seconds: float = 0.0) -> Row:
        """Add a row.

        Args:
            rater: whose it is.
            item: on which item; "" for none.
            row: what it says.
            token: of the page; made here where there is none.
            seconds: spent on it.
        """
        token = token or secrets.token_hex(8)
        at = datetime.now(UTC).isoformat(timespec="milliseconds")
        body = json.dumps(row.body, ensure_ascii=False)
        (seq,) = self._connection.execute(
            "INSERT INTO rows (token, at, rater, item, kind, body, replaces, seconds) VALUES (?, ?, ?, ?, ?, ?, ?, ?) "
            "RETURNING seq",
            (token, at, rater, item, row.kind, body, row.replaces, seconds),
        ).fetchone()
        return Row(
            seq=seq,
            token=token,
            at=at,
            rater=rater,
            item=item,
            kind=row.kind,
            body=row.body,
            replaces=row.replaces,
            seconds=seconds,
        )

    def settle(self, rater: str, item: str, value: Any, seq: int) -> None:
        """Keep what a rating now comes to: derived from the rows, for quick looking up.

        Args:
            rater: whose.
            item: of which item.
            value: `None` where it is not complete.
            seq: of the row that made it so.
        """
        if value is None:
            self._connection.execute("DELETE FROM ratings WHERE item = ? AND rater = ?", (item, rater))
            return
        text = json.dumps(value, ensure_ascii=False)
        self._connection.execute(
            "INSERT INTO ratings VALUES (?, ?, ?, ?) ON CONFLICT (item, rater) DO UPDATE "
            "SET value = excluded.value, seq = excluded.seq",
            (item, rater, text, seq),
        )

    def seat(self, name: str, role: Role) -> Seat:
        """Add a rater, with a link of their own.

        Raises:
            RatersError: the name is empty or taken.
        """
        name = name.strip()
        if not name:
            raise RatersError("A rater needs a name.")
        if any(rater.name == name for rater in self.raters()):
            raise RatersError(f"There is a rater {name!r} already; give another name.")
        seat = Seat(Rater(f"r{len(self.raters()) + 1}", name, role), secrets.token_urlsafe(_SECRET_BYTES))
        self._connection.execute(
            "INSERT INTO raters VALUES (?, ?, ?, ?, ?)",
            (*(seat.rater.id, seat.rater.name, seat.rater.role), seat.secret, datetime.now(UTC).isoformat()),
        )
        return seat

    def new_secret(self, rater: str) -> str:
        """Give a rater, or the organiser, another link; the old one is worth nothing from then on."""
        secret = secrets.token_urlsafe(_SECRET_BYTES)
        if rater == ORGANISER:
            self._connection.execute("UPDATE meta SET value = ? WHERE key = 'organiser'", (secret,))
        else:
            self._connection.execute("UPDATE raters SET secret = ? WHERE id = ?", (secret, rater))
        return secret


Work = Callable[[Transaction], Any]


class Store:
    """A project's file, open for writing. One process at a time should hold it."""

    def __init__(self, path: Path, writing: sqlite3.Connection) -> None:
        """Use `open` or `create`."""
        self.path = path
        self._transaction = Transaction(writing)
        self._connection = writing
        self._local = threading.local()
        self._group: GroupCommit[Work] = GroupCommit(
            "voirdire-raters", self._commit, closed=_closed, ended=writing.close
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

        Args:
            path: where nothing is yet.
            settings: what the organiser has decided.
            documents: in the order in which they are handed out.
            items: of all documents, in their order.
            raters: names and roles.

        Raises:
            RatersError: something is there, or it can't be written.
        """
        if path.exists():
            raise RatersError(f"{path} is there already; give another name, or remove it first.")
        try:
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        except OSError as error:
            raise RatersError(f"The project {path} can't be made: {error.strerror}.") from error
        try:
            _fill(path, settings, documents, items, raters)
        except BaseException as error:
            for end in ("", "-wal", "-shm"):
                Path(f"{path}{end}").unlink(missing_ok=True)
            if isinstance(error, sqlite3.Error):
                raise explain(path, error) from error
            raise

    @classmethod
    def open(cls, path: Path) -> Self:
        """Open a project.

        Raises:
            RatersError: it is not there, no project, locked, damaged or from a newer version.
        """
        return cls(path, connect(path, read_only=False))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Write what waits, then let go of the file."""
        self._group.close()

    @property
    def read(self) -> Reader:
        """Looks things up as they were last committed; one per thread."""
        if not hasattr(self._local, "reader"):
            self._local.reader = Reader(connect(self.path, read_only=True))
        reader: Reader = self._local.reader
        return reader

    async def write(self, work: Callable[[Transaction], T]) -> T:
        """Have a piece of work done, one after another with all others; return once it is on disk.

        Raises:
            RatersError: whatever the work raised: then nothing of it was written.
        """
        answer: T = await self._group.write(work)
        return answer

    def seats(self) -> list[Seat]:
        """All raters with their secrets."""
        rows = self.read._all("SELECT id, name, role, secret FROM raters ORDER BY rowid")
        return [Seat(Rater(*row[:3]), row[3]) for row in rows]

    def rater_of(self, secret: str) -> Rater | None:
        """Whose link this is."""
        found = self.read._all("SELECT id, name, role FROM raters WHERE secret = ?", secret)
        return Rater(*found[0]) if found else None

    def _commit(self, batch: list[Work]) -> list[Any]:
        """One transaction; a work that raises takes only itself back."""
        answers: list[Any] = []
        execute = self._connection.execute
        try:
            execute("BEGIN IMMEDIATE")
            for work in batch:
                execute("SAVEPOINT work")
                answers.append(_done(work, self._transaction))
                if isinstance(answers[-1], Exception):
                    execute("ROLLBACK TO work")
                execute("RELEASE work")
            execute("COMMIT")
        except sqlite3.Error as error:
            if self._connection.in_transaction:
                execute("ROLLBACK")
            return [explain(self.path, error) for _ in batch]
        return answers


def _done(work: Work, transaction: Transaction) -> Any:
    try:
        return work(transaction)
    except sqlite3.Error:
        raise
    except Exception as error:  # for whoever waits for it; the thread goes on
        return error


def _fill(
    path: Path,
    settings: Settings,
    documents: Sequence[Document],
    items: Sequence[Item],
    raters: Sequence[tuple[str, Role]],
) -> None:
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        durable(connection)
        connection.execute("BEGIN IMMEDIATE")
        create_tables(connection)
        told = {"settings": json.dumps(asdict(settings)), "organiser": secrets.token_urlsafe(_SECRET_BYTES)}
        connection.executemany("INSERT INTO meta VALUES (?, ?)", told.items())
        connection.executemany(
            "INSERT INTO documents VALUES (?, ?, ?, ?, ?, ?, ?)",
            (
                (place, each.id, _json(each.body), each.group, _json(each.source), each.stratum, each.weight)
                for place, each in enumerate(documents)
            ),
        )
        connection.executemany(
            "INSERT INTO items VALUES (?, ?, ?, ?, ?, ?)",
            (
                (number, each.id, each.document, each.place, each.pool, None if each.key is None else _json(each.key))
                for number, each in enumerate(items)
            ),
        )
        transaction = Transaction(connection)
        for name, role in raters:
            transaction.seat(name, role)
        connection.execute("COMMIT")
    finally:
        connection.close()


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _closed() -> RatersError:
    return RatersError("The project is closed: nothing more can be saved.")
