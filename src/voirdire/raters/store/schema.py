"""The project's file: its tables, and how it is opened."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

from voirdire.data.sqlite import Format, Mode, has_log, make_durable
from voirdire.raters.records import RatersError

# What is rated and what was answered is never changed: triggers refuse it, whoever asks. `ratings`, `assignments`,
# `holders` and `disputes` alone are derived: kept for quick looking up, in the same transaction as the row that they
# follow from.
_TABLES = """
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
_UNCHANGED = ("rows", "documents", "items")
_TRIGGERS = "".join(
    f"CREATE TRIGGER {table}_{event} BEFORE {event.upper()} ON {table} "
    f"BEGIN SELECT RAISE(ABORT, '{table} are never changed'); END;\n"
    for table in _UNCHANGED
    for event in ("update", "delete")
)
PROJECT = Format(
    noun="project",
    row="answer",
    application_id=0x766F6972 + 1,  # "vois": beside the journal's "voir"
    layout=1,
    script=_TABLES + _TRIGGERS,
    error=RatersError,
    not_ours="{path} is no project of raters: give a file made by: voirdire rate new.",
    mend="put back a copy of it",
)


def connect(path: Path, *, read_only: bool) -> sqlite3.Connection:
    """Open a project's file; what a writer commits over this is on disk.

    Args:
        path: of the file.
        read_only: only look; a server may be at work on it.

    Raises:
        RatersError: it is not there, no project, of another version, or can't be used.
    """

    def begin(connection: sqlite3.Connection) -> None:
        if read_only:
            connection.execute("PRAGMA query_only = ON")
        else:
            make_durable(connection)
            # After every commit into the file itself, so that a copy of it alone lacks nothing, even after a kill.
            connection.execute("PRAGMA wal_autocheckpoint = 1")

    # The file is never opened but by SQLite: closing it once would drop the locks that SQLite holds in this process.
    if not path.exists():
        raise RatersError(f"There is no project at {path}: make one with: voirdire rate new.")
    if path.is_dir():
        raise RatersError(f"{path} is a folder; a project is a file, made by: voirdire rate new.")
    return PROJECT.open(path, _mode(path, read_only), begin)


def _mode(path: Path, read_only: bool) -> Mode:
    # Even to read, SQLite wants to write a small file beside the project, unless nothing can change it.
    if read_only and not os.access(path.parent, os.W_OK) and not has_log(path):
        return "ro&immutable=1"
    # Not "ro" to read: then the log and its index, made by reading, would stay beside the project. SQLite removes them
    # when the last connection that could write is closed; while another process is at work, its lock keeps them.
    return "rw"
