"""The journal's file: its tables, what marks it as ours, and what SQLite's complaints mean."""

from __future__ import annotations

import os
import secrets
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any

from voirdire.data import foreign
from voirdire.run.chain import CREATE_CHAIN, begin_chain, has_chain
from voirdire.run.errors import JournalError
from voirdire.run.foreign import check_tables
from voirdire.run.rows import CALL_COLUMNS

SCHEMA_VERSION = 2
ROOM = 2**18
"""Bytes that must fit into the journal before a session makes its first call."""
_SAID = 200
"""Characters of what SQLite says; it may quote the file."""
_APPLICATION_ID = 0x766F6972  # "voir"
_STILL: ContextVar[frozenset[Path]] = ContextVar("journals that nobody writes to", default=frozenset())

# What a commit adds goes to the end of a table or index. Keys are random: an index sorted by them would touch a page
# for each row, so they are looked up in memory instead.
_TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE texts (id INTEGER PRIMARY KEY, body TEXT NOT NULL);
CREATE TABLE calls (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL, attempt INTEGER NOT NULL,
    dialogue TEXT NOT NULL, turn INTEGER NOT NULL, role TEXT NOT NULL, agent TEXT NOT NULL, repair INTEGER NOT NULL,
    spec TEXT NOT NULL, endpoint TEXT NOT NULL, model TEXT NOT NULL, sha256 TEXT,
    output_mode TEXT NOT NULL, seed INTEGER NOT NULL, started_at TEXT NOT NULL, seconds REAL NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('ok', 'error')), error_kind TEXT, error_text TEXT, retry_after REAL,
    finish_reason TEXT, reported_model TEXT,
    input_tokens INTEGER, output_tokens INTEGER, reasoning_tokens INTEGER, cached_tokens INTEGER,
    price_usd REAL, warnings TEXT, logprobs TEXT,
    reply TEXT, received TEXT, settings TEXT NOT NULL, messages TEXT NOT NULL, schema INTEGER, sent TEXT
);
CREATE INDEX answered ON calls (id, key) WHERE status = 'ok';
CREATE TABLE notes (
    id INTEGER PRIMARY KEY,
    dialogue TEXT NOT NULL, turn INTEGER NOT NULL, kind TEXT NOT NULL, body TEXT NOT NULL,
    UNIQUE (dialogue, turn, kind)
);
"""

INSERT_CALL = f"INSERT INTO calls (id, {', '.join(CALL_COLUMNS)}) VALUES (?{', ?' * len(CALL_COLUMNS)})"  # noqa: S608 - our columns
INSERT_TEXT = "INSERT INTO texts (id, body) VALUES (?, ?)"
UPSERT_NOTE = (
    "INSERT INTO notes (dialogue, turn, kind, body) VALUES (?, ?, ?, ?) "
    "ON CONFLICT (dialogue, turn, kind) DO UPDATE SET body = excluded.body WHERE body <> excluded.body"
)


@contextmanager
def held_still(path: Path) -> Iterator[None]:
    """While the block runs, a journal is read as one that nobody writes to: nothing is made beside it.

    Args:
        path: of a journal that no process has open to write.
    """
    before = _STILL.set(_STILL.get() | {path.absolute()})
    try:
        yield
    finally:
        _STILL.reset(before)


def connect(
    path: Path, *, read_only: bool, busy_timeout: float, about: Mapping[str, Any] | None = None
) -> sqlite3.Connection:
    """Open the file, with tables in it and settings that make every commit durable.

    Args:
        path: of the file.
        read_only: only look.
        busy_timeout: seconds to wait for a lock that another process holds.
        about: what the first link of the journal's chain says, where it has none yet.

    Raises:
        JournalError: the file is not a journal, is from a newer version, or can't be read.
    """
    _check_there(path, read_only)
    try:
        foreign.check_beside(path)
    except foreign.ForeignError as error:
        raise JournalError(error.of(f"The journal {path}")) from None
    try:
        connection = sqlite3.connect(
            _uri(path, read_only), uri=True, timeout=busy_timeout, isolation_level=None, check_same_thread=False
        )
    except sqlite3.Error as error:
        raise explain(path, error) from error
    try:
        foreign.harden(connection)
        new = not read_only and not connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        if not new:  # looked at before anything is written: a stranger's file stays as it is
            _check_identity(connection, path)
        if not read_only:
            _prepare(connection, about or {}, new)
    except (sqlite3.Error, UnicodeError) as error:
        connection.close()
        raise explain(path, error) from error
    except JournalError:
        connection.close()
        raise
    return connection


def log_of(path: Path) -> Path:
    """The journal's log, into which SQLite writes first; gone when nobody has the journal open."""
    return path.with_name(f"{path.name}-wal")


def has_log(path: Path) -> bool:
    """Whether something that was written may not be in the journal itself yet."""
    log = log_of(path)
    return log.exists() and log.stat().st_size > 0


def check_room(connection: sqlite3.Connection, path: Path) -> None:
    """See that the journal can take what a session's first calls bring; nothing is kept of what is tried.

    What is tried is written to the journal's log and taken back, so that a full disk, a quota and a limit on the size
    of files are all found before a call is paid for.

    Raises:
        JournalError: it can't.
    """
    try:
        _try_room(connection)
    except sqlite3.Error as error:
        raise explain(path, error) from error


def _try_room(connection: sqlite3.Connection) -> None:
    spare = connection.execute("PRAGMA cache_size").fetchone()[0]
    try:
        connection.execute("PRAGMA cache_size = 1")  # so that pages go to the log before any commit
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("INSERT INTO texts (body) VALUES (CAST(zeroblob(?) AS TEXT))", (ROOM,))
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        connection.execute(f"PRAGMA cache_size = {spare}")


def explain(path: Path, error: sqlite3.Error | UnicodeError) -> JournalError:
    """One sentence for what SQLite reports; texts of a damaged page may be no UTF-8."""
    if isinstance(error, UnicodeError) or str(error).startswith("Could not decode to UTF-8"):
        return JournalError(_MEANINGS["SQLITE_CORRUPT"].format(path=path))
    name = getattr(error, "sqlite_errorname", "")
    for code, meaning in _MEANINGS.items():
        if name.startswith(code):
            return JournalError(meaning.format(path=path))
    what = " ".join(str(error).split())[:_SAID].rstrip(".")
    return JournalError(f"The journal {path} can't be used: {what}.")


_MEANINGS = {
    "SQLITE_BUSY": "The journal {path} is locked by another process: wait until that ends, then try again.",
    "SQLITE_LOCKED": "The journal {path} is locked by another process: wait until that ends, then try again.",
    "SQLITE_NOTADB": "The file {path} is not a journal: give the folder of a run, or a new one.",
    "SQLITE_CORRUPT": "The journal {path} is damaged: put back a copy of it, or begin a new run.",
    "SQLITE_FULL": "The disk is full, so the journal {path} can't take another call: make room, then go on.",
    "SQLITE_READONLY": "The journal {path} can't be written: its file or folder is read-only.",
    "SQLITE_CANTOPEN": "The journal {path} can't be opened: see that its folder exists and may be read and written.",
    "SQLITE_IOERR": "The disk failed while the journal {path} was read or written: see to the disk, then go on.",
}


def _check_there(path: Path, read_only: bool) -> None:
    """Look before SQLite does: it would take an empty file for a new data base, and create a missing one.

    Without opening the file: closing it once would drop the locks that SQLite holds on it in this process.
    """
    if not read_only:
        return
    if not path.exists():
        raise JournalError(f"There is no journal at {path}: give the folder of a run.")
    if not path.stat().st_size:
        raise JournalError(_MEANINGS["SQLITE_NOTADB"].format(path=path))


def _uri(path: Path, read_only: bool) -> str:
    mode = "mode=ro" if read_only else "mode=rwc"
    still = path.absolute() in _STILL.get() or not os.access(path.parent, os.W_OK)
    if read_only and still and not has_log(path):
        # Even to read, SQLite wants to write a small file beside the journal, unless nothing can change it.
        mode += "&immutable=1"
    return f"{path.absolute().as_uri()}?{mode}"


def _prepare(connection: sqlite3.Connection, about: Mapping[str, Any], new: bool) -> None:
    """Settings of a writer, and the tables where the file is new."""
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    if not new:
        if not has_chain(connection):
            _seal_older(connection, about)
        return
    connection.executescript(f"BEGIN IMMEDIATE; PRAGMA application_id = {_APPLICATION_ID};{_TABLES}")
    meta = (("schema_version", str(SCHEMA_VERSION)), ("secret", secrets.token_hex(32)))
    connection.executemany("INSERT INTO meta VALUES (?, ?)", meta)
    begin_chain(connection, about)
    connection.execute("COMMIT")


def _seal_older(connection: sqlite3.Connection, about: Mapping[str, Any]) -> None:
    """Give the journal of an earlier version a chain, whose first link seals what is there."""
    connection.execute("BEGIN IMMEDIATE")
    begin_chain(connection, {**about, "sealed_later": True})
    connection.execute("UPDATE meta SET value = ? WHERE key = 'schema_version'", (str(SCHEMA_VERSION),))
    connection.execute("COMMIT")


def _check_identity(connection: sqlite3.Connection, path: Path) -> None:
    if connection.execute("PRAGMA application_id").fetchone()[0] != _APPLICATION_ID:
        raise JournalError(_MEANINGS["SQLITE_NOTADB"].format(path=path))
    check_tables(connection, path, (_TABLES, CREATE_CHAIN), SCHEMA_VERSION)
