"""SQLite files of others: nothing in one runs, and one that holds other tables than ours is not used."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from voirdire.data.foreign._errors import ForeignError

MAX_VALUE = 2**28
"""Bytes of one value, or of one row."""
_BESIDE = ("-journal", "-wal", "-shm")
_ROLLBACK_MAGIC = bytes.fromhex("d9d505f920a163d7")
_OWN = ("sqlite_sequence", "sqlite_stat1", "sqlite_stat4")
"""Tables that SQLite makes itself."""
_SHOWN = 60


def harden(connection: sqlite3.Connection) -> None:
    """Settings under which a schema can call nothing and a damaged page is found; the file stays as it is."""
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_VALUE)
    connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA cell_size_check = ON")


def check_beside(path: Path) -> None:
    """Look at the logs beside a SQLite file before SQLite does.

    A rollback journal may name another file, which SQLite deletes once it has rolled back; and a log that is a link
    would be written to wherever it leads. No file of ours has ever had either.

    Args:
        path: of the SQLite file.

    Raises:
        ForeignError: a log is a link, no plain file, or names another file.
    """
    for end in _BESIDE:
        log = path.parent / f"{path.name}{end}"
        if log.is_symlink() or (log.exists() and not log.is_file()):
            raise ForeignError(f"has {log.name} beside it, which is no plain file; take it away")
    try:
        with (path.parent / f"{path.name}-journal").open("rb") as log_file:
            log_file.seek(0, 2)
            log_file.seek(max(0, log_file.tell() - len(_ROLLBACK_MAGIC)))
            last = log_file.read()
    except OSError:
        return
    if last == _ROLLBACK_MAGIC:
        raise ForeignError(f"has {path.name}-journal beside it, which names another file to delete; take it away")


def check_schema(connection: sqlite3.Connection, scripts: Sequence[str], only: str | None = None) -> None:
    """Hold a file's tables, indexes and triggers against those that we make; some may be missing, none be another.

    Args:
        connection: to the file.
        scripts: statements that make all that may be there.
        only: look at what is called so, and at nothing else.

    Raises:
        ForeignError: something else is there: a view, a trigger, a table of another make.
        sqlite3.Error: the file can't be read.
    """
    ours = _made_by(tuple(scripts))
    for kind, name, sql in connection.execute("SELECT type, name, sql FROM sqlite_master"):
        if sql is None and kind == "index":
            continue  # of a UNIQUE or PRIMARY KEY, whose table is looked at
        if only in (None, name) and name not in _OWN and ours.get((kind, name)) != _plain(sql):
            raise ForeignError(f"holds the {str(kind)[:_SHOWN]} {str(name)[:_SHOWN]!r}, which voirdire does not make")


@cache
def _made_by(scripts: tuple[str, ...]) -> Mapping[tuple[str, str], str]:
    connection = sqlite3.connect(":memory:")
    try:
        for script in scripts:
            connection.executescript(script)  # triggers after the tables that they are on
        found = connection.execute("SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL").fetchall()
    finally:
        connection.close()
    return {(kind, name): _plain(sql) for kind, name, sql in found}


def _plain(sql: object) -> str:
    return " ".join(str(sql).split())
