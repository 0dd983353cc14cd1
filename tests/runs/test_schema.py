"""The journal's file."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pytest

from voirdire.runs.errors import JournalError
from voirdire.runs.schema import check_room, connect


class FailsToTakeBack(sqlite3.Connection):
    """A disk that fails where what was tried is taken back."""

    def execute(self, sql: str, parameters: Any = ()) -> sqlite3.Cursor:
        if sql == "ROLLBACK":
            raise sqlite3.OperationalError("disk I/O error")
        return super().execute(sql, parameters)


def test_a_disk_that_fails_while_room_is_sought_is_told_in_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    connect(path, read_only=False, busy_timeout=1).close()
    connection = sqlite3.connect(path, isolation_level=None, factory=FailsToTakeBack)
    with pytest.raises(JournalError, match="disk I/O error"):
        check_room(connection, path)
    connection.close()


def test_whoever_only_reads_leaves_nothing_beside_the_journal(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    connect(path, read_only=False).close()
    reader = connect(path, read_only=True)
    assert reader.execute("SELECT count(*) FROM calls").fetchone() == (0,)
    reader.close()
    assert list(tmp_path.iterdir()) == [path]


def test_a_reader_beside_a_writer_sees_what_is_written_later(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    connect(path, read_only=False).close()
    writer = connect(path, read_only=False)
    reader = connect(path, read_only=True)
    writer.execute("INSERT INTO texts (body) VALUES ('later')")
    assert reader.execute("SELECT body FROM texts").fetchone() == ("later",)
    writer.close()
    reader.close()
