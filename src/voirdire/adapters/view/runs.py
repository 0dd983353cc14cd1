"""The runs below a folder, found without opening a journal, and the results of others beside them."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from voirdire.data.sqlite import log_of
from voirdire.instruments import ListedData
from voirdire.models.secrets import without_known_secrets
from voirdire.runs import RunFolderError, Scrubber, models_of, written_now
from voirdire.runs.untrusted import read_manifest
from voirdire.text.counting import listed

_MANIFEST = "run.json"
_JOURNAL = "journal.sqlite"
_JUDGES = 2
"""That a row names."""
_DEPTH = 4
"""Folders below the given one in which runs are looked for."""
_TABLES = frozenset({".csv", ".tsv", ".jsonl", ".parquet"})
"""Endings of files that may hold results under names of columns that nobody knows."""
MOST_FILES = 5_000
"""Files and folders that are looked at for results."""

State = tuple[tuple[int, int], ...]
"""When each of a run's files was last written, and its size: another one where the run has gone on."""


@dataclass(frozen=True, slots=True)
class ListedRun:
    """A run, as far as its run.json tells; or results that somebody else made."""

    name: str
    """Its path below the folder: shown, and part of its address."""
    path: Path
    state: State
    running: bool
    """Whether a process has it open to write."""
    instrument: str = ""
    models: tuple[str, ...] = ()
    specs: tuple[str, ...] = ()
    """What aliases among its models stand for."""
    begun: datetime | None = None
    """When the run began; of results, when their file was written."""
    problem: str = ""
    """Why it can't be read, in a sentence."""
    is_results: bool = False
    """Whether these are results that somebody else made, and no run."""
    asked: str = ""
    """By which preset and by which judges, where it has them."""

    def has(self, words: Sequence[str], models: Sequence[str] = ()) -> bool:
        """Whether each of these words, in small letters, stands in its name, its instrument or its models.

        A model with an alias is found by its spec, too.

        Args:
            words: that are looked for.
            models: those that it has, where more is known than it says itself.
        """
        text = " ".join((self.name, self.instrument, *self.models, *self.specs, *models)).casefold()
        return all(word in text for word in words)


class _Walked(NamedTuple):
    runs: list[Path]
    others: dict[Path, tuple[int, int]]
    """Files and folders that may hold results, a folder before what is in it: when written, and size."""
    cut: bool
    """Whether there are more than are looked at."""


class RunFinder:
    """Finds runs again and again, and reads a run.json only where it has changed."""

    def __init__(self, folder: Path) -> None:
        """Look below `folder`."""
        self._folder = folder
        self._known: dict[Path, tuple[tuple[int, int], dict[str, Any]]] = {}
        self._listed_data: dict[Path, tuple[tuple[int, int] | None, ListedData]] = {}
        """By path that was looked at: as it stood, and what it is."""
        self._others: dict[Path, tuple[int, int]] = {}
        self.cut = False
        """Whether there were more files than are looked at."""

    def find(self) -> dict[str, ListedRun]:
        """All runs and results by name: those that go on first, then the youngest."""
        walked = _walk(self._folder)
        running = written_now(walked.runs)
        self._others, self.cut = walked.others, walked.cut
        matches = [self._run(path, path in running) for path in walked.runs]
        matches += [self._results(path, listed) for path, listed in self._listed().items()]
        matches.sort(key=lambda run: (run.running, run.begun.timestamp() if run.begun else 0.0), reverse=True)
        return {run.name: run for run in matches}

    @property
    def unknown(self) -> list[Path]:
        """What was found last, and nobody has said yet whether it is results."""
        return [path for path, written in self._others.items() if self._listed_data.get(path, (None,))[0] != written]

    @property
    def unread(self) -> list[str]:
        """Tables that were looked at and in which no results were recognised, by their path below the folder."""
        known = self._data_of_others()
        read = {each for listed in known.values() for each in listed.files}
        unread = [path for path in known if path.suffix.lower() in _TABLES and path not in read]
        return [_name(path, self._folder) for path in unread]

    def tell(self, listed: Mapping[Path, ListedData]) -> None:
        """Take in what paths are."""
        self._listed_data.update((path, (self._others.get(path), each)) for path, each in listed.items())

    def _listed(self) -> dict[Path, ListedData]:
        """Results by path; what is read with others is not listed for itself."""
        known = self._data_of_others()
        parts = {each for path, listed in known.items() for each in listed.files if each != path}
        return {path: listed for path, listed in known.items() if listed.files and path not in parts}

    def _data_of_others(self) -> dict[Path, ListedData]:
        return {path: self._listed_data[path][1] for path in self._others if path in self._listed_data}

    def _results(self, path: Path, listed: ListedData) -> ListedRun:
        state = tuple(map(_written, listed.files))
        begun = datetime.fromtimestamp(max(each[0] for each in state) / 1e9).astimezone()
        return ListedRun(_name(path, self._folder), path, state, False, listed.instrument, begun=begun, is_results=True)

    def _run(self, path: Path, running: bool) -> ListedRun:
        name = _name(path, self._folder)
        state = tuple(_written(path / each) for each in (_MANIFEST, _JOURNAL, log_of(path / _JOURNAL).name))
        try:
            manifest = self._manifest(path, state[0])
        except RunFolderError as error:
            return ListedRun(name, path, state, running, problem=str(error))
        return ListedRun(
            name,
            path,
            state,
            running,
            str(manifest.get("instrument", "")),
            tuple(models_of(manifest)),
            tuple(map(str, aliases.values())) if isinstance(aliases := manifest.get("aliases"), dict) else (),
            _begun(manifest),
            asked=_asked(manifest),
        )

    def _manifest(self, path: Path, written: tuple[int, int]) -> dict[str, Any]:
        known = self._known.get(path)
        if known is None or known[0] != written:
            manifest = Scrubber().whole(without_known_secrets(read_manifest(path / _MANIFEST)))
            known = self._known[path] = (written, manifest)
        return known[1]


def _walk(folder: Path) -> _Walked:
    """Folders that hold a run.json, and all else; links are not followed, and nothing is looked for within a run."""
    runs: list[Path] = []
    others: dict[Path, tuple[int, int]] = {}
    for place, below, files in os.walk(folder):
        path = Path(place)
        if _MANIFEST in files:
            runs.append(path)
            below.clear()
            continue
        if len(path.relative_to(folder).parts) >= _DEPTH:
            below.clear()
        below[:] = sorted(each for each in below if not each.startswith("."))
        others[path] = _written(path)
        own = ((path / name, _file_written(path / name)) for name in sorted(files) if not name.startswith("."))
        others.update((each, written) for each, written in own if written is not None)
    first = dict(list(others.items())[:MOST_FILES])
    return _Walked(runs, first, len(first) < len(others))


def _name(path: Path, folder: Path) -> str:
    """A name that every page and address can hold; that of the folder itself where it is the run."""
    name = path.relative_to(folder).as_posix() if path != folder else path.resolve().name
    return name.encode("utf-8", "replace").decode()


def _file_written(path: Path) -> tuple[int, int] | None:
    """When a plain file was written, and its size; `None` of anything else."""
    try:
        result = path.lstat()
    except OSError:
        return None
    return (result.st_mtime_ns, result.st_size) if stat.S_ISREG(result.st_mode) else None


def _written(path: Path) -> tuple[int, int]:
    try:
        result = path.stat()
    except OSError:
        return (0, 0)
    return (result.st_mtime_ns, result.st_size)


def _asked(manifest: dict[str, Any]) -> str:
    """The preset and the judges, as far as a manifest of any shape has them."""
    preset, jury = manifest.get("preset"), manifest.get("jury")
    name = preset.get("name") if isinstance(preset, dict) else None
    parts = [
        *([f"preset {name}"] if isinstance(name, str) else []),
        *([f"jury {listed(list(map(str, jury)), _JUDGES)}"] if isinstance(jury, list) and jury else []),
    ]
    return ", ".join(parts)


def _begun(manifest: dict[str, Any]) -> datetime | None:
    info = manifest.get("info")
    try:
        return datetime.fromisoformat(info["time"]).astimezone() if isinstance(info, dict) else None
    except (KeyError, TypeError, ValueError, OverflowError):
        return None
