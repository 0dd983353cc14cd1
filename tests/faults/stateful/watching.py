"""Where a session's writes go through its disk: the journal's connection, and the few functions that write files."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.faults.stateful.disk import Disk
from voirdire.runs import folder as run_folder


class Watched(sqlite3.Connection):
    """A connection to the journal whose every statement may go wrong."""

    disk: Disk | None = None

    def plain(self, sql: str) -> sqlite3.Cursor:
        """Run a statement of the harness."""
        return super().execute(sql)

    def execute(self, sql: str, *values: Any) -> Any:
        run = super().execute
        return run(sql, *values) if self.disk is None else self.disk.statement(self, sql, lambda: run(sql, *values))

    def executemany(self, sql: str, *values: Any) -> Any:
        run = super().executemany
        return run(sql, *values) if self.disk is None else self.disk.statement(self, sql, lambda: run(sql, *values))

    def executescript(self, sql: str) -> Any:
        run = super().executescript
        return run(sql) if self.disk is None else self.disk.statement(self, sql, lambda: run(sql))

    def close(self) -> None:
        run = super().close
        if self.disk is None:
            run()
        else:
            self.disk.closing(run)


@contextmanager
def watched(disk: Disk) -> Iterator[None]:
    """Let everything that is written below the disk's root go through it."""
    root = f"{disk.root}/"
    real = {name: getattr(Path, name) for name in ("write_text", "replace", "unlink", "mkdir")}
    real_connect, real_parquet = sqlite3.connect, run_folder.write_parquet

    def ours(path: Path) -> bool:
        return str(path).startswith(root) or path == disk.root

    def connect(database: str, **options: Any) -> sqlite3.Connection:
        connection = real_connect(database, factory=Watched, **options)
        if "mode=rwc" in database:
            connection.disk = disk
        return connection

    def write_text(path: Path, text: str, **options: Any) -> Any:
        def half() -> Any:
            return real["write_text"](path, text[: len(text) // 2], **options)

        def whole() -> Any:
            return real["write_text"](path, text, **options)

        return disk.write(path, whole, half) if ours(path) else whole()

    def moving(name: str) -> Callable[..., Any]:
        def move(path: Path, *values: Any, **options: Any) -> Any:
            def run() -> Any:
                return real[name](path, *values, **options)

            return disk.move(path, run) if ours(path) else run()

        return move

    def write_parquet(path: Path, pieces: Iterable[Any]) -> None:
        disk.write(path, lambda: real_parquet(path, pieces), lambda: path.write_bytes(b"PAR1 and no more"))

    changes: list[tuple[Any, str, Any]] = [
        (sqlite3, "connect", connect),
        (run_folder, "write_parquet", write_parquet),
        (Path, "write_text", write_text),
        *((Path, name, moving(name)) for name in ("replace", "unlink", "mkdir")),
    ]
    with swapped(changes):
        yield


@contextmanager
def swapped(changes: Iterable[tuple[Any, str, Any]]) -> Iterator[None]:
    """Put other things in the places of some attributes, while the block runs."""
    changes = list(changes)
    before = [(place, name, place.__dict__[name]) for place, name, _ in changes]
    for place, name, value in changes:
        setattr(place, name, value)
    try:
        yield
    finally:
        for place, name, value in before:
            setattr(place, name, value)
