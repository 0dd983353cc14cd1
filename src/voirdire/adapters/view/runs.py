"""The runs below a folder, found without opening a journal."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from voirdire.data.sqlite import log_of
from voirdire.models.secrets import without_known_secrets
from voirdire.runs import RunFolderError, Scrubber, models_of, written_now
from voirdire.runs.untrusted import read_manifest

_MANIFEST = "run.json"
_JOURNAL = "journal.sqlite"
_DEPTH = 4
"""Folders below the given one in which runs are looked for."""

State = tuple[tuple[int, int], ...]
"""When each of a run's files was last written, and its size: another one where the run has gone on."""


@dataclass(frozen=True, slots=True)
class FoundRun:
    """A run, as far as its run.json tells."""

    name: str
    """Its path below the folder: shown, and part of its address."""
    path: Path
    state: State
    running: bool
    """Whether a process has it open to write."""
    instrument: str = ""
    models: tuple[str, ...] = ()
    begun: datetime | None = None
    problem: str = ""
    """Why it can't be read, in a sentence."""

    def has(self, words: list[str]) -> bool:
        """Whether each of these words, in small letters, stands in its name, its instrument or its models."""
        text = " ".join((self.name, self.instrument, *self.models)).casefold()
        return all(word in text for word in words)


class RunFinder:
    """Finds runs again and again, and reads a run.json only where it has changed."""

    def __init__(self, folder: Path) -> None:
        """Look below `folder`."""
        self._folder = folder
        self._known: dict[Path, tuple[tuple[int, int], dict[str, Any]]] = {}

    def find(self) -> dict[str, FoundRun]:
        """All runs by name: those that go on first, then the youngest."""
        paths = list(_run_folders(self._folder))
        running = written_now(paths)
        found = [self._run(path, path in running) for path in paths]
        found.sort(key=lambda run: (run.running, run.begun.timestamp() if run.begun else 0.0), reverse=True)
        return {run.name: run for run in found}

    def _run(self, path: Path, running: bool) -> FoundRun:
        name = _name(path, self._folder)
        state = tuple(_written(path / each) for each in (_MANIFEST, _JOURNAL, log_of(path / _JOURNAL).name))
        try:
            manifest = self._manifest(path, state[0])
        except RunFolderError as error:
            return FoundRun(name, path, state, running, problem=str(error))
        return FoundRun(
            name,
            path,
            state,
            running,
            str(manifest.get("instrument", "")),
            tuple(models_of(manifest)),
            _begun(manifest),
        )

    def _manifest(self, path: Path, written: tuple[int, int]) -> dict[str, Any]:
        known = self._known.get(path)
        if known is None or known[0] != written:
            manifest = Scrubber().whole(without_known_secrets(read_manifest(path / _MANIFEST)))
            known = self._known[path] = (written, manifest)
        return known[1]


def _run_folders(folder: Path) -> Iterator[Path]:
    """Folders that hold a run.json; links are not followed, and nothing is looked for within a run."""
    for place, below, files in os.walk(folder):
        path = Path(place)
        if _MANIFEST in files:
            yield path
        if _MANIFEST in files or len(path.relative_to(folder).parts) >= _DEPTH:
            below.clear()
        below[:] = sorted(each for each in below if not each.startswith("."))


def _name(path: Path, folder: Path) -> str:
    """A name that every page and address can hold; that of the folder itself where it is the run."""
    name = path.relative_to(folder).as_posix() if path != folder else path.resolve().name
    return name.encode("utf-8", "replace").decode()


def _written(path: Path) -> tuple[int, int]:
    try:
        found = path.stat()
    except OSError:
        return (0, 0)
    return (found.st_mtime_ns, found.st_size)


def _begun(manifest: dict[str, Any]) -> datetime | None:
    info = manifest.get("info")
    try:
        return datetime.fromisoformat(info["time"]).astimezone() if isinstance(info, dict) else None
    except (KeyError, TypeError, ValueError, OverflowError):
        return None
