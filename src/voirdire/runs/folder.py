"""A run's folder: what was asked, the journal, and the tables made from it."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Self

from voirdire import __version__
from voirdire.data import untrusted
from voirdire.data.parquet import write_parquet
from voirdire.data.paths import why_unwritable
from voirdire.data.sqlite import has_log, log_of
from voirdire.runs.durable import explain_write_error, replace
from voirdire.runs.errors import RunFolderError, RunWarning
from voirdire.runs.journal import Journal
from voirdire.runs.scrub import Scrubber
from voirdire.runs.tables import read_column, read_parquet
from voirdire.runs.untrusted import check_folder, explain_read_error, is_sha256, read_manifest
from voirdire.text.counting import listed

if TYPE_CHECKING:
    import pandas as pd

_MANIFEST = "run.json"
_JOURNAL = "journal.sqlite"
_LOCK = ".lock"
_SIGNED = ", writing"
"""Stands in the lock while the journal's log has something in it."""
_MARK = ".tables"
_LONGEST_MARK = 100
"""Characters of a version, or of what a lock says of its holder."""
_MOST_DIFFERENCES = 5
_INFO = "info"
"""The part of a manifest that may differ between the sessions of a run: versions, time, git state."""
_REDACTED = "redacted"
"""The part of a manifest that says so of a copy (`adapters.redaction`)."""
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
    def create(cls, path: Path | str, manifest: dict[str, Any], *, filled: bool = False) -> Self:
        """Begin a run.

        Args:
            path: a folder that is not yet there, or is empty; what is hidden in it, as `.DS_Store`, does not count.
            manifest: models, preset, concepts, levels, seed, hashes …; and under "info" what may change on resume.
            filled: whether the caller has made the folder, and put files of the run into it.

        Raises:
            RunFolderError: there is a run already, something else, or the folder can't be written.
            JournalError: the journal can't be created.
        """
        path = Path(path)
        manifest = Scrubber().whole(manifest)
        if (path / _MANIFEST).exists():
            raise RunFolderError(f"{path} already holds a run: continue it, or choose another folder.")
        if path.exists() and not path.is_dir():
            raise RunFolderError(f"{path} is a file, and a run needs a folder: choose one that is new or empty.")
        if not filled:
            _refuse_files(path)
        try:
            path.mkdir(parents=True, exist_ok=True)
            check_folder(path)
            lock = _take_lock(path)
        except OSError as error:
            raise RunFolderError(f"The run folder {path} can't be written: {why_unwritable(error, path)}.") from error
        return cls._open_locked(lock, path, lambda: _write_manifest(path, manifest))

    @classmethod
    def open(cls, path: Path | str, *, read_only: bool = False) -> Self:
        """Go on with a run, or only look at one that may be going on (`read_only`).

        Raises:
            RunFolderError: there is no run, its manifest is damaged, or another process has it open.
            JournalError: the journal can't be opened.
        """
        path = Path(path)
        check_folder(path)
        manifest = read_manifest(path / _MANIFEST)
        _refuse_figures(path, manifest)
        lost_note = lost_log(path)
        if read_only:
            if lost_note is not None:
                warnings.warn(RunWarning(f"{lost_note}."), stacklevel=2)
            return cls(path, manifest, Journal.open(path / _JOURNAL, read_only=True), None)
        _refuse_copy(path, manifest)
        _check_journal_there(path)
        if lost_note is not None:
            raise RunFolderError(
                f"{lost_note}: put it back, or delete {path / _LOCK} to go on without it; what it held is asked again."
            )
        try:
            lock = _take_lock(path)
        except OSError as error:
            raise RunFolderError(f"The run folder {path} can't be written: {error.strerror}.") from error
        return cls._open_locked(lock, path, lambda: manifest)

    @classmethod
    def open_or_create(cls, path: Path | str, manifest: dict[str, Any]) -> Self:
        """Begin a run, or go on with one that was asked the same; "info" may differ.

        Raises:
            RunFolderError: as for `create` and `open`, or the run was asked something else.
            JournalError: the journal can't be opened.
        """
        path = Path(path)
        manifest = Scrubber().whole(manifest)  # as it is kept: a server's address may hold credentials
        if not (path / _MANIFEST).exists():
            return cls.create(path, manifest)
        existing = read_manifest(path / _MANIFEST)
        _refuse_figures(path, existing)
        _refuse_copy(path, existing)
        differing = _differences(existing, _as_json(manifest))
        if differing:
            raise RunFolderError(
                f"The run in {path} was begun with other settings ({_list_differences(differing)}): "
                "give the same ones to continue it, or choose another folder."
            )
        return cls.open(path)

    @classmethod
    def _open_locked(cls, lock: IO[str], path: Path, manifest: Callable[[], dict[str, Any]]) -> Self:
        """Finish opening; whatever fails gives the lock back."""
        try:
            values = manifest()
            first_link = {"manifest": manifest_hash(path)}
            session = {"voirdire": __version__, "time": datetime.now(UTC).isoformat(timespec="seconds")}
            journal = Journal.open(path / _JOURNAL, first_link=first_link, session=session, wrote=lambda: _sign(lock))
            try:
                return cls(path, values, journal, lock)
            except BaseException:
                journal.close()
                raise
        except BaseException:
            lock.close()
            raise

    def close(self) -> None:
        """Close the journal, then let others use the folder."""
        if self._lock is not None:
            _withdraw(self._lock)  # before the log is folded in: a kill must not leave the signature without a log
        self.journal.close()
        if self._lock is not None:
            _withdraw(self._lock)  # what was only written while the journal was closed has signed it again
            self._lock.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        self.close()
        read_only = self._lock is None
        if read_only and error is not None and (run_error := explain_read_error(self.path, error)) is not None:
            raise run_error from error

    def write_table(self, name: str, table: pd.DataFrame | Iterable[pd.DataFrame]) -> Path:
        """Write a derived table, whole or in pieces with the same columns; a reader finds the old or the new one.

        Raises:
            RunFolderError: the name is not a plain one.
        """
        import pandas as pd

        target = self._table(name)
        pieces = [table] if isinstance(table, pd.DataFrame) else table
        replace(target, lambda temporary: write_parquet(temporary, pieces))
        return target

    def write_text(self, name: str, text: str) -> None:
        """Write a file of the run, given by its name below the folder; a reader finds the old or the new one.

        Raises:
            RunFolderError: it can't be written.
        """
        target = self.path / name
        with explain_write_error(target.parent) as folder:
            folder.mkdir(exist_ok=True)
        replace(target, lambda temporary: temporary.write_text(text, encoding="utf-8"))

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

    def tables_are_current(self, version: str) -> bool:
        """Whether the tables were made of the journal as it is, by this version of what makes them."""
        return self._mark == version and not self.journal.changed

    def mark_tables(self, version: str) -> None:
        """Say that the tables were made of the journal as it is. Whoever opens the folder to write takes this back."""
        self._mark = version
        with explain_write_error(self.path / _MARK) as mark:
            mark.write_text(version, encoding="utf-8")

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


def written_now(paths: Iterable[Path]) -> set[Path]:
    """Those of these run folders that a process has open to write. The system lists its locks: none is taken."""
    try:
        lines = Path("/proc/locks").read_text(encoding="ascii").splitlines()
    except OSError:
        return set()
    fields = [line.split() for line in lines]
    locked = {int(each[5].rpartition(":")[2]) for each in fields if each[1] == "FLOCK"}
    return {path for path in paths if (path / _LOCK).exists() and (path / _LOCK).stat().st_ino in locked}


def lost_log(path: Path) -> str | None:
    """What to say where the journal's log was deleted, of a run that was killed or goes on; `None` where it was not.

    The lock is signed while a session has something in the log. Whoever has looked since may have made an empty one.
    """
    journal = path / _JOURNAL
    if has_log(journal) or not _has_mark(path / _LOCK) or has_log(journal):  # again: a session may just have begun
        return None
    return f"The journal's log {log_of(journal)} was deleted, with the latest answers of the run in it"


def _has_mark(lock: Path) -> bool:
    try:
        return _SIGNED in untrusted.read_text(lock, _LONGEST_MARK)
    except untrusted.UntrustedError:
        return False


def _refuse_files(path: Path) -> None:
    """Somebody's own files would be written over, be taken for tables of the run, or lie among its files."""
    own = next((each for each in sorted(path.glob("*")) if not each.name.startswith(".")), None)
    if own is not None:
        raise RunFolderError(f"{path} holds {own.name}, and is no run: choose a folder that is new or empty.")


def _refuse_copy(path: Path, manifest: dict[str, Any]) -> None:
    """A redacted copy has other texts and keys than were asked with: what is asked on it would fit neither."""
    if _REDACTED in manifest:
        raise RunFolderError(
            f"{path} is a redacted copy of a run: it can be shown, reported and exported, not continued; "
            "continue the run that it was made of."
        )


def _refuse_figures(path: Path, manifest: dict[str, Any]) -> None:
    """A copy of figures alone has no journal that a command could read."""
    if _REDACTED in manifest and not (path / _JOURNAL).exists():
        raise RunFolderError(
            f"{path} holds only the figures of a run: read figures.json and the tables beside it. Only "
            "voirdire verify takes it; every other command needs the run that it was made of."
        )


def _check_journal_there(path: Path) -> None:
    """A run that was killed before its journal was made has no tables either; any other has lost what it paid for."""
    journal = path / _JOURNAL
    if any(path.glob("*.parquet")) and not (journal.is_file() and journal.stat().st_size):
        raise RunFolderError(
            f"The run in {path} has tables, but its journal {journal} is gone or empty: put it back, or choose another "
            "folder to ask everything anew."
        )


def _take_lock(path: Path) -> IO[str]:
    lock = (path / _LOCK).open("a+", encoding="utf-8", errors="replace")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.seek(0)
        holder = lock.read(_LONGEST_MARK).removesuffix(_SIGNED).strip()
        lock.close()
        raise RunFolderError(
            f"The run in {path} is open in another process{f' ({holder})' if holder else ''}: "
            "wait until that ends, or choose another folder."
        ) from None
    lock.truncate(0)
    lock.write(f"process {os.getpid()}")
    lock.flush()
    return lock


def _sign(lock: IO[str]) -> None:
    """Say that the journal's log has something in it."""
    with suppress(OSError, ValueError):  # a full disk, or a lock that was given back: the log is just not looked for
        lock.write(_SIGNED)
        lock.flush()


def _withdraw(lock: IO[str]) -> None:
    """Take the signature back."""
    with suppress(OSError, ValueError):  # a disk that failed: then the log is looked for; or it was given back already
        lock.truncate(0)


def _take_mark(path: Path) -> str | None:
    """What the folder's tables were marked with; the mark is taken away, as they may not stand any longer."""
    mark = path / _MARK
    if not mark.exists():
        return None
    try:
        return untrusted.read_text(mark, _LONGEST_MARK)
    except untrusted.UntrustedError:
        return None  # as if it were another version's: the tables are made again
    finally:
        with explain_write_error(mark):
            mark.unlink()


def _write_manifest(path: Path, manifest: dict[str, Any]) -> dict[str, Any]:
    text = json.dumps(manifest, indent=2, ensure_ascii=False, sort_keys=True)
    replace(path / _MANIFEST, lambda temporary: temporary.write_text(text + "\n", encoding="utf-8"))
    return _as_json(manifest)


def _as_json(manifest: dict[str, Any]) -> dict[str, Any]:
    """As it comes back from the file: tuples become lists."""
    return dict(json.loads(json.dumps(manifest)))


def _differences(existing: Any, now: Any, field: str = "") -> list[str]:
    """What differs, setting by setting: "preset.levels: [0, 1] there, [0, 0.5, 1] now"."""
    if isinstance(existing, dict) and isinstance(now, dict):
        if existing.keys() != now.keys() and all(map(is_sha256, (*existing.values(), *now.values()))):
            return [f"{field}: {_names_text(existing)} there, {_names_text(now)} now"]  # texts by name, as concepts are
        names = sorted((existing.keys() | now.keys()) - ({_INFO} if not field else set()))
        under = f"{field}." if field else ""
        return [line for name in names for line in _differences(existing.get(name), now.get(name), f"{under}{name}")]
    if existing == now:
        return []
    if is_sha256(existing) and is_sha256(now):
        return [f"{field}: its text has changed"]
    return [f"{field}: {_value_text(existing)} there, {_value_text(now)} now"]


def _list_differences(differing: list[str]) -> str:
    more = len(differing) - _MOST_DIFFERENCES
    return "; ".join(differing[:_MOST_DIFFERENCES]) + (f"; and {more} more" if more > 0 else "")


def _names_text(texts: Iterable[str]) -> str:
    return listed(sorted(texts), _MOST_DIFFERENCES) if texts else "none"


def _value_text(value: Any) -> str:
    if value is None:
        return "none"
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 80 else f"{text[:79]}…"
