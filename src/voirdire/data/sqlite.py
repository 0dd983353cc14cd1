"""SQLite files that voirdire makes, a run's journal and a project of raters: opened, created, and explained.

Anybody may have made the file that a user names. It is looked at before anything is written to it, nothing in it runs,
and one that holds other tables than ours is refused.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Generic, Literal, TypeVar

from voirdire.data.paths import why_unwritable
from voirdire.data.untrusted import UntrustedError
from voirdire.errors import UserError

E = TypeVar("E", bound=UserError)
Mode = Literal["rwc", "rw", "ro", "ro&immutable=1"]
"""How a file is opened: to write, and to create it (c); only to read; or to read what nobody can be writing."""

BUSY_TIMEOUT = 10.0
"""Seconds to wait for a lock that another process holds."""
MAX_VALUE = 2**28
"""Bytes of one value, or of one row."""
_OWNER_ONLY = 0o600
_BESIDE = ("-journal", "-wal", "-shm")
_ROLLBACK_MAGIC = bytes.fromhex("d9d505f920a163d7")
_OWN = ("sqlite_sequence", "sqlite_stat1", "sqlite_stat4")
"""Tables that SQLite makes itself."""
_SHOWN = 60
_LONGEST_MESSAGE = 200
"""Characters of what SQLite says; it may quote the file."""
_MEANINGS = {
    "SQLITE_BUSY": "The {noun} {path} is locked by another process: wait until that ends, then try again.",
    "SQLITE_LOCKED": "The {noun} {path} is locked by another process: wait until that ends, then try again.",
    "SQLITE_FULL": "The disk is full, so the {noun} {path} can't take another {row}: make room, then go on.",
    "SQLITE_READONLY": "The {noun} {path} can't be written: its file or folder is read-only.",
    "SQLITE_CANTOPEN": "The {noun} {path} can't be opened: see that its folder exists and may be read and written.",
    "SQLITE_IOERR": "The disk failed while the {noun} {path} was read or written: see to the disk, then go on.",
}


@dataclass(frozen=True, slots=True)
class Format(Generic[E]):
    """A kind of SQLite file: its tables, what marks it as ours, and its own words for the user.

    One of the tables is `meta (key, value)`, which holds the layout under "schema_version".
    """

    noun: str
    """What the file is to a user: "journal"."""
    row: str
    """What is added to it: "call"."""
    application_id: int
    layout: int
    """Version of the tables; no other is read."""
    script: str
    """Statements that make all tables, indexes and triggers."""
    error: type[E]
    """What is raised where the file can't be used."""
    not_ours: str
    """A sentence on a file of another kind, with {path} in it."""
    mend: str
    """What to do about a damaged one, as a clause."""

    def open(
        self,
        path: Path,
        mode: Mode,
        begin: Callable[[sqlite3.Connection], None],
        *,
        busy_timeout: float = BUSY_TIMEOUT,
    ) -> sqlite3.Connection:
        """Open a file, in autocommit mode and for use by any thread.

        Args:
            path: of the file.
            mode: see `Mode`.
            begin: what to do with the connection first, once the file is known to be ours, or new and empty.
            busy_timeout: seconds to wait for a lock that another process holds.

        Raises:
            UserError: `error`: it is of another kind or layout, damaged, locked, or can't be read.
        """
        try:
            _check_beside(path)
        except UntrustedError as error:
            raise self.error(error.of(f"The {self.noun} {path}")) from None
        try:
            connection = sqlite3.connect(
                f"{path.absolute().as_uri()}?mode={mode}",
                uri=True,
                timeout=busy_timeout,
                isolation_level=None,
                check_same_thread=False,
            )
            try:
                _harden(connection)
                if mode != "rwc" or not is_new(connection):
                    self._check_identity(connection, path)
                begin(connection)
            except BaseException:
                connection.close()
                raise
        except (sqlite3.Error, UnicodeError) as error:
            raise self.explain(path, error) from error
        return connection

    def make(self, path: Path, begin: Callable[[sqlite3.Connection], None]) -> None:
        """Make a new file for its owner's eyes alone: all of it, or nothing is left behind.

        Args:
            path: of the file.
            begin: what makes the tables (see `create`) and whatever is in them from the start.

        Raises:
            UserError: `error`: something is there, or it can't be written.
        """
        try:
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, _OWNER_ONLY))
        except FileExistsError:
            raise self.error(f"{path} already exists; give another name, or remove it first.") from None
        except OSError as error:
            raise self.error(f"The {self.noun} {path} can't be made: {why_unwritable(error, path)}.") from error
        try:
            self.open(path, "rwc", begin).close()
        except BaseException:
            for end in ("", *_BESIDE):
                path.with_name(f"{path.name}{end}").unlink(missing_ok=True)
            raise

    def create(self, connection: sqlite3.Connection, meta: Mapping[str, str]) -> None:
        """Begin a transaction and make the tables in it; the caller commits.

        Args:
            connection: to an empty file.
            meta: rows of the table `meta`, beside the layout's.
        """
        connection.executescript(f"BEGIN IMMEDIATE; PRAGMA application_id = {self.application_id};{self.script}")
        rows = {"schema_version": str(self.layout), **meta}
        connection.executemany("INSERT INTO meta VALUES (?, ?)", rows.items())

    def explain(self, path: Path, error: sqlite3.Error | UnicodeError) -> E:
        """One sentence for what SQLite reports."""
        name = getattr(error, "sqlite_errorname", "")
        if name.startswith("SQLITE_NOTADB"):
            return self.refusal(path)
        # Texts of a damaged page may be no UTF-8.
        if name.startswith("SQLITE_CORRUPT") or isinstance(error, UnicodeError) or "decode to UTF-8" in str(error):
            return self.damage(path)
        for code, meaning in _MEANINGS.items():
            if name.startswith(code):
                return self.error(meaning.format(noun=self.noun, row=self.row, path=path))
        what = " ".join(str(error).split())[:_LONGEST_MESSAGE].rstrip(".")
        return self.error(f"The {self.noun} {path} can't be used: {what}.")

    def refusal(self, path: Path) -> E:
        """What to say of a file of another kind."""
        return self.error(self.not_ours.format(path=path))

    def damage(self, path: Path) -> E:
        """What to say of a file that is not as it was written."""
        return self.error(f"The {self.noun} {path} is damaged: {self.mend}.")

    def _check_identity(self, connection: sqlite3.Connection, path: Path) -> None:
        if connection.execute("PRAGMA application_id").fetchone()[0] != self.application_id:
            raise self.refusal(path)
        try:
            self._check_tables(connection, only="meta")
            row = connection.execute("SELECT value FROM meta WHERE key = 'schema_version'").fetchone()
            layout = str(row[0]) if row else ""
            if not (layout.isascii() and layout.isdigit() and len(layout) < 10):
                raise self.damage(path)
            if int(layout) != self.layout:
                newer = int(layout) > self.layout
                raise self.error(
                    f"The {self.noun} {path} was written by {'a newer' if newer else 'an older'} voirdire (layout "
                    f"{layout}; this one reads {self.layout}): "
                    f"{'update voirdire' if newer else 'use the version that wrote it'}."
                )
            self._check_tables(connection)
        except UntrustedError as error:
            raise self.error(f"The {self.noun} {path} {error}, and is not opened.") from None

    def _check_tables(self, connection: sqlite3.Connection, only: str | None = None) -> None:
        """Hold a file's tables, indexes and triggers against ours: all must be there, and nothing else.

        Args:
            connection: to the file.
            only: look at what is called so, and at nothing else.

        Raises:
            UntrustedError: one is missing, or something else is there: a view, a trigger, a table of another make.
        """
        ours = {at: sql for at, sql in _made_by(self.script).items() if only in (None, at[1])}
        missing = dict(ours)
        for kind, name, sql in connection.execute("SELECT type, name, sql FROM sqlite_master"):
            if only not in (None, name) or name in _OWN or (sql is None and kind == "index"):
                continue  # an index without SQL is of a UNIQUE or PRIMARY KEY, whose table is looked at
            if ours.get((kind, name)) != _one_line(sql):
                raise UntrustedError(
                    f"holds the {str(kind)[:_SHOWN]} {str(name)[:_SHOWN]!r}, which voirdire does not make"
                )
            del missing[kind, name]
        for kind, name in missing:
            raise UntrustedError(f"lacks the {kind} {name!r}, which voirdire makes")


def make_durable(connection: sqlite3.Connection) -> None:
    """Settings of whoever writes: a commit returns when its rows are on disk."""
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA foreign_keys = ON")


def is_new(connection: sqlite3.Connection) -> bool:
    """Whether nothing has been made in the file."""
    return not connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]


def log_of(path: Path) -> Path:
    """The file's log, into which SQLite writes first; gone when nobody has the file open."""
    return path.with_name(f"{path.name}-wal")


def has_log(path: Path) -> bool:
    """Whether something that was written may not be in the file itself yet."""
    log = log_of(path)
    return log.exists() and log.stat().st_size > 0


def _harden(connection: sqlite3.Connection) -> None:
    """Settings under which a schema can call nothing and a damaged page is found; the file stays as it is."""
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_VALUE)
    connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA cell_size_check = ON")


def _check_beside(path: Path) -> None:
    """Look at the logs beside a SQLite file before SQLite does.

    A rollback journal may name another file, which SQLite deletes once it has rolled back; and a log that is a link
    would be written to wherever it leads. No file of ours has ever had either.

    Raises:
        UntrustedError: a log is a link, no plain file, or names another file.
    """
    for end in _BESIDE:
        log = path.parent / f"{path.name}{end}"
        if log.is_symlink() or (log.exists() and not log.is_file()):
            raise UntrustedError(f"has {log.name} beside it, which is no plain file; take it away")
    try:
        with (path.parent / f"{path.name}-journal").open("rb") as log_file:
            log_file.seek(0, 2)
            log_file.seek(max(0, log_file.tell() - len(_ROLLBACK_MAGIC)))
            last = log_file.read()
    except OSError:
        return
    if last == _ROLLBACK_MAGIC:
        raise UntrustedError(f"has {path.name}-journal beside it, which names another file to delete; take it away")


@cache
def _made_by(script: str) -> Mapping[tuple[str, str], str]:
    """The SQL of all that a script makes, by kind and name."""
    connection = sqlite3.connect(":memory:")
    try:
        connection.executescript(script)
        rows = connection.execute("SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL").fetchall()
    finally:
        connection.close()
    return {(kind, name): _one_line(sql) for kind, name, sql in rows if name not in _OWN}


def _one_line(sql: object) -> str:
    return " ".join(str(sql).split())
