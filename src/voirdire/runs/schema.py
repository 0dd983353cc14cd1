"""The journal's file: its tables, and how it is opened."""

from __future__ import annotations

import os
import secrets
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any

from voirdire.data.sqlite import BUSY_TIMEOUT, Format, Mode, has_log, is_new, log_of, make_durable
from voirdire.runs.chain import begin_chain
from voirdire.runs.errors import JournalError
from voirdire.runs.rows import CALL_COLUMNS
from voirdire.runs.untrusted import is_sha256

ROOM = 2**18
"""Bytes that must fit into the journal before a session makes its first call."""
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
CREATE TABLE chain (
    id INTEGER PRIMARY KEY, calls INTEGER NOT NULL, texts INTEGER NOT NULL,
    notes BLOB NOT NULL, about TEXT NOT NULL, digest BLOB NOT NULL
);
"""
JOURNAL = Format(
    noun="journal",
    row="call",
    application_id=0x766F6972,  # "voir"
    layout=2,
    script=_TABLES,
    error=JournalError,
    not_ours="The file {path} is not a journal: give the folder of a run, or a new one.",
    mend="put back a copy of it, or begin a new run",
)

INSERT_CALL = f"INSERT INTO calls (id, {', '.join(CALL_COLUMNS)}) VALUES (?{', ?' * len(CALL_COLUMNS)})"  # noqa: S608 - our columns
INSERT_TEXT = "INSERT INTO texts (id, body) VALUES (?, ?)"
UPSERT_NOTE = (
    "INSERT INTO notes (dialogue, turn, kind, body) VALUES (?, ?, ?, ?) "
    "ON CONFLICT (dialogue, turn, kind) DO UPDATE SET body = excluded.body WHERE body <> excluded.body"
)


@contextmanager
def read_as_immutable(path: Path) -> Iterator[None]:
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
    path: Path, *, read_only: bool, busy_timeout: float = BUSY_TIMEOUT, about: Mapping[str, Any] | None = None
) -> sqlite3.Connection:
    """Open the file, with tables in it and settings that make every commit durable.

    Args:
        path: of the file.
        read_only: only look; nothing is left beside the file.
        busy_timeout: seconds to wait for a lock that another process holds.
        about: what the first link of the journal's chain says, where it has none yet.

    Raises:
        JournalError: the file is not a journal, is of another version, or can't be read.
    """

    def begin(connection: sqlite3.Connection) -> None:
        new = not read_only and is_new(connection)
        if not new:
            _check_secret(connection, path)
        if not read_only:
            make_durable(connection)
        if new:
            JOURNAL.create(connection, {"secret": secrets.token_hex(32)})
            begin_chain(connection, about or {})
            connection.execute("COMMIT")

    if read_only:
        _check_there(path)
    return JOURNAL.open(path, _mode(path, read_only), begin, busy_timeout=busy_timeout)


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
        raise JOURNAL.explain(path, error) from error


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


def _check_there(path: Path) -> None:
    """Look before SQLite does, which would only say that it can't open the file.

    Without opening the file: closing it once would drop the locks that SQLite holds on it in this process.
    """
    if not path.exists():
        raise JournalError(f"There is no journal at {path}: give the folder of a run.")
    if not path.stat().st_size:
        raise JOURNAL.refusal(path)


def _check_secret(connection: sqlite3.Connection, path: Path) -> None:
    secret = connection.execute("SELECT value FROM meta WHERE key = 'secret'").fetchone()
    if not secret or not is_sha256(secret[0]):
        raise JOURNAL.damage(path)


def _mode(path: Path, read_only: bool) -> Mode:
    if not read_only:
        return "rwc"
    # Even to read, SQLite makes a log and an index of it beside the journal, unless it is told that nothing changes it.
    # Whoever has the journal open to write has made them already.
    still = path.absolute() in _STILL.get() or not os.access(path.parent, os.W_OK) or not log_of(path).exists()
    return "ro&immutable=1" if still and not has_log(path) else "ro"
