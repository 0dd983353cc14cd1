"""A run's folder: what was asked, the journal, and the tables made from it."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Self

from voirdire import __version__
from voirdire.run.errors import RunFolderError
from voirdire.run.journal import Journal
from voirdire.run.parquet import read_column, read_parquet, write_parquet

if TYPE_CHECKING:
    import pandas as pd

_MANIFEST = "run.json"
_JOURNAL = "journal.sqlite"
_LOCK = ".lock"
_MARK = ".tables"
_INFO = "info"
"""The part of a manifest that may differ between the sessions of a run: versions, time, git state."""
_TABLE_NAME = re.compile(r"[a-z][a-z0-9_]*")


class RunFolder:
    """An open run. Get one from `create`, `open` or `open_or_create`; close it, or use it as a context manager."""

    def __init__(self, path: Path, manifest: dict[str, Any], journal: Journal, lock: IO[str] | None) -> None:
        self.path = path
        self.manifest = manifest
        """What was asked, as in run.json."""
        self.journal = journal
        self._lock = lock
        self._mark = None if lock is None else _take_mark(path)

    @classmethod
    def create(cls, path: Path | str, manifest: dict[str, Any]) -> Self:
        """Begin a run.

        Args:
            path: a folder that is not yet there, or holds no run.
            manifest: models, preset, concepts, levels, seed, hashes …; and under "info" what may change on resume.

        Raises:
            RunFolderError: there is a run already, or the folder can't be written.
            JournalError: the journal can't be created.
        """
        path = Path(path)
        if (path / _MANIFEST).exists():
            raise RunFolderError(f"{path} already holds a run: go on with it, or choose another folder.")
        try:
            path.mkdir(parents=True, exist_ok=True)
            lock = _take_lock(path)
        except OSError as error:
            raise RunFolderError(f"The run folder {path} can't be written: {error.strerror}.") from error
        return cls._holding(lock, path, lambda: _write_manifest(path, manifest))

    @classmethod
    def open(cls, path: Path | str, *, read_only: bool = False) -> Self:
        """Go on with a run, or only look at one that may be going on (`read_only`).

        Raises:
            RunFolderError: there is no run, its manifest is damaged, or another process has it open.
            JournalError: the journal can't be opened.
        """
        path = Path(path)
        manifest = _read_manifest(path)
        if read_only:
            return cls(path, manifest, Journal.open(path / _JOURNAL, read_only=True), None)
        try:
            lock = _take_lock(path)
        except OSError as error:
            raise RunFolderError(f"The run folder {path} can't be written: {error.strerror}.") from error
        return cls._holding(lock, path, lambda: manifest)

    @classmethod
    def open_or_create(cls, path: Path | str, manifest: dict[str, Any]) -> Self:
        """Begin a run, or go on with one that was asked the same; "info" may differ.

        Raises:
            RunFolderError: as for `create` and `open`, or the run was asked something else.
            JournalError: the journal can't be opened.
        """
        path = Path(path)
        if not (path / _MANIFEST).exists():
            return cls.create(path, manifest)
        differing = _differences(_read_manifest(path), _as_json(manifest))
        if differing:
            raise RunFolderError(
                f"The run in {path} was begun with other settings ({'; '.join(differing)}): "
                "give the same ones to go on with it, or choose another folder."
            )
        return cls.open(path)

    @classmethod
    def _holding(cls, lock: IO[str], path: Path, manifest: Callable[[], dict[str, Any]]) -> Self:
        """Finish opening; whatever fails gives the lock back."""
        try:
            asked = manifest()
            begun = {"manifest": manifest_hash(path)}
            session = {"voirdire": __version__, "time": datetime.now(UTC).isoformat(timespec="seconds")}
            return cls(path, asked, Journal.open(path / _JOURNAL, begun=begun, session=session), lock)
        except BaseException:
            lock.close()
            raise

    def close(self) -> None:
        """Close the journal, then let others use the folder."""
        self.journal.close()
        if self._lock is not None:
            self._lock.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def write_table(self, name: str, table: pd.DataFrame | Iterable[pd.DataFrame]) -> Path:
        """Write a derived table, whole or in pieces with the same columns; a reader finds the old or the new one.

        Raises:
            RunFolderError: the name is not a plain one.
        """
        import pandas as pd

        target = self._table(name)
        pieces = [table] if isinstance(table, pd.DataFrame) else table
        _replace(target, lambda temporary: write_parquet(temporary, pieces))
        return target

    def read_table(
        self, name: str, columns: Sequence[str] | None = None, equal: tuple[str, str] | None = None
    ) -> pd.DataFrame:
        """Read a derived table.

        Args:
            name: of the table.
            columns: to read; all of them by default.
            equal: (column, value) of the rows to read; all of them by default.

        Raises:
            RunFolderError: there is none of this name.
        """
        source = self._table(name)
        if not source.is_file():
            there = ", ".join(self.tables()) or "none yet"
            raise RunFolderError(f"The run in {self.path} has no table {name!r}: there is {there}.")
        if equal is None:
            return read_parquet(source, columns)
        column, value = equal
        wanted = read_parquet(source, [column])[column] == value
        frame = read_parquet(source, columns)
        return frame if wanted.all() else frame[wanted].reset_index(drop=True)

    def read_column(self, name: str, column: str) -> Iterator[pd.Series[Any]]:
        """Read one column of a derived table, some rows at a time, with the index that they have in the whole."""
        return read_column(self._table(name), column)

    def tables_stand(self, version: str) -> bool:
        """Whether the tables were made of the journal as it is, by this version of what makes them."""
        return self._mark == version and not self.journal.changed

    def mark_tables(self, version: str) -> None:
        """Say that the tables were made of the journal as it is. Whoever opens the folder to write takes this back."""
        self._mark = version
        (self.path / _MARK).write_text(version, encoding="utf-8")

    def tables(self) -> list[str]:
        """Names of the tables there are, sorted."""
        return sorted(path.stem for path in self.path.glob("*.parquet"))

    def _table(self, name: str) -> Path:
        if not _TABLE_NAME.fullmatch(name):
            raise RunFolderError(f"A table's name consists of small letters, digits and underscores, unlike {name!r}.")
        return self.path / f"{name}.parquet"


def manifest_hash(path: Path) -> str:
    """SHA-256 (hex) of a run's run.json, as the chain of its journal names it."""
    return hashlib.sha256((path / _MANIFEST).read_bytes()).hexdigest()


def _take_lock(path: Path) -> IO[str]:
    lock = (path / _LOCK).open("a+")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.seek(0)
        holder = lock.read().strip()
        lock.close()
        raise RunFolderError(
            f"The run in {path} is open in another process{f' ({holder})' if holder else ''}: "
            "wait until that ends, or choose another folder."
        ) from None
    lock.truncate(0)
    lock.write(f"process {os.getpid()}")
    lock.flush()
    return lock


def _take_mark(path: Path) -> str | None:
    """What the folder's tables were marked with; the mark is taken away, as they may not stand any longer."""
    mark = path / _MARK
    if not mark.exists():
        return None
    version = mark.read_text(encoding="utf-8")
    mark.unlink()
    return version


def _read_manifest(path: Path) -> dict[str, Any]:
    try:
        manifest = json.loads((path / _MANIFEST).read_text(encoding="utf-8"))
    except OSError as error:
        raise RunFolderError(f"There is no run in {path} ({_MANIFEST}: {error.strerror}).") from error
    except ValueError as error:
        raise RunFolderError(f"The file {path / _MANIFEST} is damaged: {error}.") from error
    if not isinstance(manifest, dict):
        raise RunFolderError(f"The file {path / _MANIFEST} is damaged: it must hold an object.")
    return manifest


def _write_manifest(path: Path, manifest: dict[str, Any]) -> dict[str, Any]:
    text = json.dumps(manifest, indent=2, ensure_ascii=False, sort_keys=True)
    _replace(path / _MANIFEST, lambda temporary: temporary.write_text(text + "\n", encoding="utf-8"))
    return _as_json(manifest)


def _as_json(manifest: dict[str, Any]) -> dict[str, Any]:
    """As it comes back from the file: tuples become lists."""
    return dict(json.loads(json.dumps(manifest)))


def _differences(there: dict[str, Any], now: dict[str, Any]) -> list[str]:
    names = sorted((there.keys() | now.keys()) - {_INFO})
    return [
        f"{name}: {_shown(there.get(name))} there, {_shown(now.get(name))} now"
        for name in names
        if there.get(name) != now.get(name)
    ]


def _shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 80 else f"{text[:79]}…"


def _replace(target: Path, write: Callable[[Path], object]) -> None:
    """Write beside the target, make it durable, then put it in the target's place."""
    temporary = target.with_name(f".{target.name}.new")
    write(temporary)
    with temporary.open("rb") as file:
        os.fsync(file.fileno())
    temporary.replace(target)
    folder = os.open(target.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
