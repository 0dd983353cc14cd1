"""The machine's faults: a disk that is full or fails, a journal that somebody locks, and `kill -9` at any moment.

What survives `kill -9` are the files as they are. So a kill is a copy of the run folder, taken between two statements
of the journal's writer or two writes to another file, while nothing else writes: the one thread that writes to the
journal is where the copy is made, and the loop rests meanwhile. The sequence goes on with the copy; the session that
was killed finds that nothing works any more and ends. The write-ahead log's index (-shm) is left out: whoever opens the
journal first makes it anew from the log. `torn` is a kill in the middle of a write: half a file, a log that ends within
the frames of a transaction, or a journal into which only some pages of the log were folded back.
"""

from __future__ import annotations

import errno
import shutil
import sqlite3
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

from tests.faults.stateful.ledger import Book

_PAGE = 4096
_BRIEFLY = 0.003
"""Seconds for which the journal is really locked; the writer is patient for ten."""


class Dead(Exception):
    """The process does not exist any more."""


class Plain(Protocol):
    """A connection on which the harness itself runs statements."""

    def plain(self, sql: str) -> sqlite3.Cursor:
        """Run one."""
        ...


def copy_run(source: Path, target: Path) -> None:
    """Copy a run folder as a kill leaves it."""
    if source.exists():
        shutil.copytree(source, target, ignore=shutil.ignore_patterns("*-shm"))


class Disk:
    """The disk under one session."""

    def __init__(
        self,
        root: Path,
        survivor: Path,
        fault: tuple[int, str, float] | None,
        book: Book,
    ) -> None:
        self.root = root
        self.survivor = survivor
        """Where what survives a kill is put."""
        self.dead = False
        self._number, self._kind, self._share = fault or (0, "", 0.0)
        self._book = book
        self._seen = 0
        self._armed = ""
        self._locker: sqlite3.Connection | None = None

    def die(self) -> None:
        """Kill the process now."""
        if not self.dead:
            copy_run(self.root, self.survivor)
            self.dead = True

    def event(self) -> str:
        """Something is about to be written. What goes wrong with it, if anything.

        Raises:
            Dead: the process was killed, now or before.
        """
        if self.dead:
            raise Dead
        self._seen += 1
        if self._seen != self._number:
            return ""
        if not self._kind.startswith("torn"):
            self._book.fired[f"write_{self._kind}"] += 1
        if self._kind == "kill":
            self.die()
            raise Dead
        return self._kind

    # --- the journal ------------------------------------------------------------------------------------------

    def statement(self, connection: Plain, sql: str, run: Callable[[], Any]) -> Any:
        """Run a statement, if the disk lets it."""
        if self.dead and sql == "ROLLBACK":
            return run()
        kind = self.event()
        if kind in ("torn", "torn_at_end", "locked", "locked_briefly"):
            self._armed = kind
        elif kind == "io":
            raise _sqlite_error("SQLITE_IOERR", "disk I/O error")
        elif kind == "full":
            (pages,) = connection.plain("PRAGMA page_count").fetchone()
            connection.plain(f"PRAGMA max_page_count = {pages}")
        if self._armed.startswith("locked") and sql.startswith("BEGIN") and self._journal.exists():
            return self._locked(connection, run)
        if sql == "COMMIT":
            return self._commit(connection, run)
        return run()

    def closing(self, close: Callable[[], None]) -> None:
        """Close the writer's connection: the log is folded into the file."""
        if self.dead or not self._armed.startswith("torn"):
            close()
            return
        before = _read(self._journal)
        copy_run(self.root, self.survivor)
        close()
        after = _read(self._journal)
        if (self.survivor / self._journal.name).exists():
            (self.survivor / self._journal.name).write_bytes(_mixed(before, after, self._share))
        self._die_torn()

    @property
    def _journal(self) -> Path:
        return self.root / "journal.sqlite"

    def _commit(self, connection: Plain, run: Callable[[], Any]) -> Any:
        log = self.root / "journal.sqlite-wal"
        before = _read(log) if self._armed == "torn" else b""
        done = run()
        if self._armed == "torn":
            after = _read(log)
            kept = len(before) + int(self._share * (len(after) - len(before)))
            if after.startswith(before) and len(after) > len(before):
                copy_run(self.root, self.survivor)
                (self.survivor / log.name).write_bytes(after[:kept])
                self._die_torn()
                if kept < len(after):
                    raise Dead
        self._book.commit(connection.plain("SELECT coalesce(max(id), 0) FROM calls").fetchone()[0])
        return done

    def _die_torn(self) -> None:
        self._book.fired["write_torn"] += 1
        self.dead = True

    def _locked(self, connection: Plain, run: Callable[[], Any]) -> Any:
        briefly, self._armed = self._armed == "locked_briefly", ""
        other = sqlite3.Connection(str(self._journal), isolation_level=None, check_same_thread=False)
        try:
            other.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError:  # the writer itself is in a transaction
            other.close()
            return run()
        if briefly:
            release = threading.Timer(_BRIEFLY, other.close)
            release.start()
            try:
                return run()
            finally:
                release.join()
        connection.plain("PRAGMA busy_timeout = 0")
        try:
            return run()
        finally:
            other.close()

    # --- other files ------------------------------------------------------------------------------------------

    def write(self, path: Path, run: Callable[[], Any], half: Callable[[], Any]) -> Any:
        """Write a file, or half of it."""
        kind = self.event()
        if kind == "torn":
            half()
            self._book.fired["write_torn"] += 1
            self.die()
            raise Dead
        if kind == "torn_at_end":
            self._armed = kind
        if kind in ("full", "io"):
            half()
            raise _os_error(kind, path)
        return run()

    def move(self, path: Path, run: Callable[[], Any]) -> Any:
        """Rename or delete a file."""
        kind = self.event()
        if kind.startswith("torn"):
            self._armed = kind
        if kind in ("full", "io"):
            raise _os_error(kind, path)
        return run()


def _read(path: Path) -> bytes:
    return path.read_bytes() if path.exists() else b""


def _mixed(before: bytes, after: bytes, share: float) -> bytes:
    """A file into which a share of the pages that differ have been written."""
    pages = [
        start for start in range(0, len(after), _PAGE) if before[start : start + _PAGE] != after[start : start + _PAGE]
    ]
    mixed = bytearray(before)
    for start in pages[: round(share * len(pages))]:
        mixed[start : start + _PAGE] = after[start : start + _PAGE]
    return bytes(mixed)


def _sqlite_error(name: str, text: str) -> sqlite3.OperationalError:
    error = sqlite3.OperationalError(text)
    error.sqlite_errorname = name
    return error


def _os_error(kind: str, path: Path) -> OSError:
    code = errno.ENOSPC if kind == "full" else errno.EIO
    return OSError(code, "No space left on device" if kind == "full" else "Input/output error", str(path))
