"""The project's file: its tables, what marks it as ours, and what SQLite's complaints mean."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from voirdire.raters.records import RatersError

SCHEMA_VERSION = 1
_APPLICATION_ID = 0x766F6972 + 1  # "vois": beside the journal's "voir"
_SQLITE_HEADER = b"SQLite format 3\0"

# What is rated and what was answered is never changed: triggers refuse it, whoever asks. `ratings` alone is derived,
# written in the same transaction as the row that completes or reopens a rating.
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
CREATE TABLE ratings (
    item TEXT NOT NULL, rater TEXT NOT NULL, value TEXT NOT NULL, seq INTEGER NOT NULL,
    PRIMARY KEY (item, rater)
) WITHOUT ROWID;
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
    """Open a project's file, with settings that make every commit durable.

    Raises:
        RatersError: it is not there, no project, from a newer version, or can't be read.
    """
    _check_header(path)
    uri = f"{path.absolute().as_uri()}?mode={'ro' if read_only else 'rw'}"
    try:
        connection = sqlite3.connect(uri, uri=True, timeout=busy_timeout, isolation_level=None, check_same_thread=False)
        if not read_only:
            durable(connection)
        _check_identity(connection, path)
    except sqlite3.Error as error:
        raise explain(path, error) from error
    return connection


def durable(connection: sqlite3.Connection) -> None:
    """Settings of whoever writes: what is acknowledged is on disk."""
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA foreign_keys = ON")


def explain(path: Path, error: sqlite3.Error) -> RatersError:
    """One sentence for what SQLite reports."""
    name = getattr(error, "sqlite_errorname", "")
    for code, meaning in _MEANINGS.items():
        if name.startswith(code):
            return RatersError(meaning.format(path=path))
    return RatersError(f"The project {path} can't be used: {error}.")


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


def _check_header(path: Path) -> None:
    """Look before SQLite does: it would take an empty file for a new data base."""
    if not path.exists():
        raise RatersError(f"There is no project at {path}: make one with: voirdire raters new.")
    try:
        with path.open("rb") as file:
            header = file.read(len(_SQLITE_HEADER))
    except OSError as error:
        raise RatersError(f"The project {path} can't be read: {error.strerror}.") from error
    if header != _SQLITE_HEADER:
        raise RatersError(_MEANINGS["SQLITE_NOTADB"].format(path=path))


def _check_identity(connection: sqlite3.Connection, path: Path) -> None:
    if connection.execute("PRAGMA application_id").fetchone()[0] != _APPLICATION_ID:
        raise RatersError(_MEANINGS["SQLITE_NOTADB"].format(path=path))
    ((version,),) = connection.execute("SELECT value FROM meta WHERE key = 'schema_version'").fetchall()
    if int(version) > SCHEMA_VERSION:
        raise RatersError(
            f"The project {path} was made by a newer voirdire (layout {version}, this one reads up to "
            f"{SCHEMA_VERSION}): update voirdire."
        )
