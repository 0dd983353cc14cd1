"""The project's file: its tables, what marks it as ours, and what SQLite's complaints mean."""

from __future__ import annotations

import os
import re
import sqlite3
from pathlib import Path

from voirdire.data import foreign
from voirdire.raters.records import RatersError

SCHEMA_VERSION = 1
_APPLICATION_ID = 0x766F6972 + 1  # "vois": beside the journal's "voir"

# What is rated and what was answered is never changed: triggers refuse it, whoever asks. `ratings`, `hands`,
# `holders` and `disputes` alone are derived: kept for quick looking up, in the same transaction as the row that they
# follow from.
TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE documents (
    place INTEGER PRIMARY KEY, id TEXT UNIQUE NOT NULL, body TEXT NOT NULL, cluster TEXT NOT NULL,
    source TEXT NOT NULL, stratum TEXT NOT NULL, weight REAL NOT NULL
);
CREATE TABLE items (
    position INTEGER PRIMARY KEY, id TEXT UNIQUE NOT NULL, document TEXT NOT NULL REFERENCES documents (id),
    place INTEGER NOT NULL, pool TEXT NOT NULL CHECK (pool IN ('practice', 'live')), key TEXT
);
CREATE INDEX items_of ON items (document, place);
CREATE TABLE raters (
    id TEXT PRIMARY KEY, name TEXT UNIQUE NOT NULL, role TEXT NOT NULL CHECK (role IN ('rater', 'adjudicator')),
    secret TEXT UNIQUE NOT NULL, created TEXT NOT NULL
);
CREATE TABLE rows (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, token TEXT NOT NULL, at TEXT NOT NULL, rater TEXT NOT NULL,
    item TEXT NOT NULL, kind TEXT NOT NULL, body TEXT NOT NULL, replaces INTEGER REFERENCES rows (seq),
    seconds REAL NOT NULL, UNIQUE (rater, token)
);
CREATE INDEX rows_of ON rows (item, rater);
CREATE INDEX rows_by ON rows (rater, kind);
CREATE INDEX replies_to ON rows (replaces) WHERE kind = 'reply';
CREATE TABLE ratings (
    item TEXT NOT NULL, rater TEXT NOT NULL, value TEXT NOT NULL, seq INTEGER NOT NULL,
    PRIMARY KEY (item, rater)
) WITHOUT ROWID;
CREATE INDEX ratings_by ON ratings (rater, seq);
CREATE TABLE hands (
    rater TEXT NOT NULL, seq INTEGER NOT NULL, document TEXT NOT NULL, item TEXT NOT NULL,
    released INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (rater, seq), UNIQUE (rater, document, item)
) WITHOUT ROWID;
CREATE INDEX hands_of ON hands (item) WHERE NOT released AND item <> '';
CREATE TABLE holders (document TEXT PRIMARY KEY, place INTEGER NOT NULL, count INTEGER NOT NULL) WITHOUT ROWID;
CREATE INDEX holders_by ON holders (count, place);
CREATE TABLE disputes (item TEXT PRIMARY KEY) WITHOUT ROWID;
"""
_KEPT = ("rows", "documents", "items")
_TRIGGERS = "".join(
    f"CREATE TRIGGER {table}_{event} BEFORE {event.upper()} ON {table} "
    f"BEGIN SELECT RAISE(ABORT, '{table} are never changed'); END;\n"
    for table in _KEPT
    for event in ("update", "delete")
)


def create_tables(connection: sqlite3.Connection) -> None:
    """Make the tables of a new project, within the caller's transaction."""
    for statement in (TABLES + f"PRAGMA application_id = {_APPLICATION_ID};").split(";\n"):
        connection.execute(statement)
    for trigger in _TRIGGERS.splitlines():
        connection.execute(trigger)
    connection.execute("INSERT INTO meta VALUES ('schema_version', ?)", (str(SCHEMA_VERSION),))


def connect(path: Path, *, read_only: bool, busy_timeout: float = 10.0) -> sqlite3.Connection:
    """Open a project's file; what a writer commits over this is on disk.

    Args:
        path: of the file.
        read_only: only look; a server may be at work on it.
        busy_timeout: seconds to wait for another process to end its transaction.

    Raises:
        RatersError: it is not there, no project, from a newer version, or can't be used.
    """
    # The file is never opened but by SQLite: closing it once would drop the locks that SQLite holds in this process.
    if not path.exists():
        raise RatersError(f"There is no project at {path}: make one with: voirdire raters new.")
    if path.is_dir():
        raise RatersError(f"{path} is a folder; a project is a file, made by: voirdire raters new.")
    connection = None
    try:
        foreign.check_beside(path)
        connection = sqlite3.connect(
            _uri(path, read_only), uri=True, timeout=busy_timeout, isolation_level=None, check_same_thread=False
        )
        foreign.harden(connection)
        _check_identity(connection, path)  # before anything is set: a stranger's file stays as it is
        if not read_only:
            make_durable(connection)
        else:
            connection.execute("PRAGMA query_only = ON")
    except (sqlite3.Error, ValueError) as error:
        if connection is not None:
            connection.close()
        if isinstance(error, foreign.ForeignError):
            raise RatersError(f"{error.of(f'The project {path}').rstrip('.')}, and is not opened.") from None
        if isinstance(error, UnicodeError):
            raise RatersError(_MEANINGS["SQLITE_CORRUPT"].format(path=path)) from error
        raise explain(path, error) if isinstance(error, sqlite3.Error) else error from error
    return connection


def make_durable(connection: sqlite3.Connection) -> None:
    """Settings of whoever writes: a commit returns when its rows are on disk."""
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA foreign_keys = ON")


def explain(path: Path, error: sqlite3.Error) -> RatersError:
    """One sentence for what SQLite reports."""
    name = getattr(error, "sqlite_errorname", "")
    for code, meaning in _MEANINGS.items():
        if name.startswith(code):
            return RatersError(meaning.format(path=path))
    what = " ".join(str(error).split())[:200].rstrip(".")  # it may quote the file
    return RatersError(f"The project {path} can't be used: {what}.")


_MEANINGS = {
    "SQLITE_BUSY": "The project {path} is locked by another process: end that one, then try again.",
    "SQLITE_LOCKED": "The project {path} is locked by another process: end that one, then try again.",
    "SQLITE_NOTADB": "{path} is no project of raters: give a file made by: voirdire raters new.",
    "SQLITE_CORRUPT": "The project {path} is damaged: put back a copy of it.",
    "SQLITE_FULL": "The disk is full, so the project {path} can't take another answer: make room, then go on.",
    "SQLITE_READONLY": "The project {path} can't be written: its file or folder is read-only.",
    "SQLITE_CANTOPEN": "The project {path} can't be opened: see that its folder exists and may be read and written.",
    "SQLITE_IOERR": "The disk failed while the project {path} was read or written: see to the disk, then go on.",
}


def _uri(path: Path, read_only: bool) -> str:
    # Not "ro" to read: then the log and its index, made by reading, would stay beside the project. SQLite removes them
    # when the last connection that could write is closed; while another process is at work, its lock keeps them.
    mode = "rw"
    if read_only and not os.access(path.parent, os.W_OK) and not (path.parent / f"{path.name}-wal").exists():
        # Even to read, SQLite wants to write a small file beside the project, unless nothing can change it.
        mode = "ro&immutable=1"
    return f"{path.absolute().as_uri()}?mode={mode}"


def _check_identity(connection: sqlite3.Connection, path: Path) -> None:
    if connection.execute("PRAGMA application_id").fetchone()[0] != _APPLICATION_ID:
        raise RatersError(_MEANINGS["SQLITE_NOTADB"].format(path=path))
    foreign.check_schema(connection, (TABLES, _TRIGGERS), only="meta")
    found = connection.execute("SELECT value FROM meta WHERE key = 'schema_version'").fetchall()
    version = str(found[0][0]) if found else ""
    if not re.fullmatch("[0-9]{1,9}", version):
        raise RatersError(_MEANINGS["SQLITE_CORRUPT"].format(path=path))
    if int(version) > SCHEMA_VERSION:
        raise RatersError(
            f"The project {path} was made by a newer voirdire (layout {version}, this one reads up to "
            f"{SCHEMA_VERSION}): update voirdire."
        )
    foreign.check_schema(connection, (TABLES, _TRIGGERS))
