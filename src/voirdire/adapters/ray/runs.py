"""Runs by the shard: each a run folder with a journal of its own, and their tables put together at the end.

A journal has one writer, so that a shard belongs to one worker at a time. What is labelled or audited is read, checked
and written out in slices before anything is spent on it.
"""

from __future__ import annotations

import fcntl
import json
import os
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from voirdire.adapters.ray.workers import Executor, ScaleError, Task, Worker, check_address
from voirdire.data.parquet import join_parquet
from voirdire.data.paths import why_unwritable
from voirdire.documents.document import Document, Text, document
from voirdire.instruments import instrument_of
from voirdire.runs import RunFolder, RunFolderError, RunOptions, provenance
from voirdire.runs.untrusted import check_folder, read_manifest
from voirdire.text.counting import counted

MANIFEST = "_manifest.json"
"""Readers of a folder of Parquet pass over names that begin so."""
_LOCK = ".lock"
_SHOWN = 80
_OF_A_PART = 3
_MOST = 2**62


@contextmanager
def lock_folder(out: Path) -> Iterator[None]:
    """Keep a folder to this process while the block runs; it is made if it is not there.

    Raises:
        ScaleError: another process has it, it holds something else, or it can't be written.
    """
    try:
        out.mkdir(parents=True, exist_ok=True)
        check_folder(out)
        if not (out / MANIFEST).exists() and any(each.name not in (_LOCK, "shards") for each in out.iterdir()):
            raise ScaleError(f"{out} holds something else than shards: choose a folder that is new or empty.")
        lock = (out / _LOCK).open("a")
    except OSError as error:
        raise ScaleError(f"The folder {out} can't be written: {why_unwritable(error, out)}.") from error
    except RunFolderError as error:
        raise ScaleError(str(error)) from None
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise ScaleError(
                f"Another process writes shards to {out}: wait until it ends, or choose another."
            ) from None
        yield


def open_manifest(out: Path, settings: Mapping[str, Any], make: Callable[[], Mapping[str, Any]]) -> dict[str, Any]:
    """The manifest of a folder: the one that is there if it was asked the same, else a new one.

    Args:
        out: the folder.
        settings: what is asked now; must be what was asked before.
        make: gives the rest of a new manifest, as where the shards begin.

    Raises:
        ScaleError: the folder was begun with something else, or its manifest is damaged.
    """
    path = out / MANIFEST
    now = json.loads(json.dumps(dict(settings)))
    if not path.exists():
        manifest = {"asked": now, **make(), "info": provenance()}
        write_json(path, manifest)
        return manifest
    try:
        there = read_manifest(path)
    except RunFolderError as error:
        raise ScaleError(f"{str(error).rstrip('.')}; choose another folder.") from None
    before = there.get("asked")
    if not isinstance(before, dict) or not _is_whole(there):
        raise ScaleError(f"The file {path} is damaged: choose another folder.")
    differing = [
        f"{name}: {_shortened(before.get(name))} there, {_shortened(now.get(name))} now"
        for name in sorted(before.keys() | now.keys())
        if before.get(name) != now.get(name)
    ]
    if differing:
        raise ScaleError(
            f"The shards in {out} were begun with something else ({'; '.join(differing)}): give the same to continue "
            "them, or choose another folder."
        )
    return there


def _is_whole(manifest: Mapping[str, Any]) -> bool:
    """Whether what tells where shards begin is there, in whole numbers: it is what workers go by."""
    if "parts" not in manifest:
        return _are_counts(manifest.get("rows"))
    parts, source = manifest["parts"], manifest.get("source")
    return (
        isinstance(parts, list)
        and all(_are_counts(part) and len(part) == _OF_A_PART for part in parts)
        and isinstance(source, dict)
        and _are_counts([source.get("bytes"), source.get("modified_ns")])
        and isinstance(source.get("sha256"), str)
    )


def _are_counts(value: object) -> bool:
    return isinstance(value, list) and all(type(each) is int and 0 <= each < _MOST for each in value)


def write_json(path: Path, content: Mapping[str, Any]) -> None:
    """Write beside the place, make it durable, and put it there."""
    beside = path.with_name(f".{path.name}.new")
    with beside.open("w", encoding="utf-8") as file:
        json.dump(content, file, indent=1, ensure_ascii=False)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)


def _shortened(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"


def join_tables(folders: Sequence[Path], out: Path) -> dict[str, int]:
    """Write every table that the shards have, beside its place first; how many rows each has.

    Args:
        folders: of the shards, in order; one without tables yet is left out.
        out: where the tables are written.
    """
    names = sorted({path.stem for folder in folders for path in folder.glob("*.parquet")})
    return {
        name: _join([path for each in folders if (path := each / f"{name}.parquet").is_file()], out) for name in names
    }


def _join(places: Sequence[Path], out: Path) -> int:
    files = [path for path in places if path.is_file()]
    target = out / files[0].name
    beside = target.with_name(f".{target.name}.new")
    rows = join_parquet(files, beside)
    beside.replace(target)
    return rows


_SHARDS = "shards"
_COMPLETE = "complete.json"
_NAMED = 3
"""Shards that are not complete and are named."""
"""A table that stays with its journal: with all messages in it, it is larger than the data."""


@dataclass(frozen=True, slots=True)
class SpreadRun:
    """What came of a command."""

    out: Path
    shards: int
    skipped: int
    """Shards that were complete before."""
    stopped: Mapping[int, str]
    """Why, of each shard that is not complete."""
    tables: Mapping[str, int]
    """Rows of each table in the folder."""

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "out": str(self.out),
            "shards": self.shards,
            "complete": self.shards - len(self.stopped),
            "skipped": self.skipped,
            "stopped": {f"{number:05d}": why for number, why in self.stopped.items()},
            "tables": dict(self.tables),
        }


def spread_document(result: SpreadRun) -> Document:
    """Shards, tables, and why some shards are not complete."""
    complete = result.shards - len(result.stopped)
    lines = [f"Complete: {complete:,} of {counted(result.shards, 'shard')}; before: {result.skipped:,}."]
    lines += [f"{result.out / name}.parquet: {counted(rows, 'row')}" for name, rows in result.tables.items()]
    named = list(result.stopped.items())[:_NAMED]
    lines += [f"Shard {number:05d} is not complete: {why}" for number, why in named]
    if len(result.stopped) > _NAMED:
        lines.append(f"… and {len(result.stopped) - _NAMED:,} more.")
    if result.stopped:
        lines.append("The same command goes on.")
    return document(*map(Text, lines))


class RunWorker(Worker):
    """Holds the run of a shard, or goes on with it, and writes its tables."""

    instrument: str

    @abstractmethod
    def hold(self, source: Path, folder: Path, settings: Mapping[str, Any], options: RunOptions) -> str | None:
        """Hold the run of a slice; why it stopped, or `None`."""

    def work(self, task: Task) -> dict[str, Any]:
        """See `Worker.work`."""
        folder = Path(task["folder"])
        stopped = self.hold(Path(task["source"]), folder, task["asked"], RunOptions(**task["options"]))
        tables = instrument_of(self.instrument).tables
        with RunFolder.open(folder) as run:
            for name, frame in ({} if tables is None else tables.build(run)).items():
                run.write_table(name, frame)
        if stopped is None:
            write_json(folder / _COMPLETE, {"rows": task["rows"]})
        return {"shard": task["shard"], "stopped": stopped}


def hold_shards(
    out: Path,
    worker: type[RunWorker],
    settings: Mapping[str, Any],
    entries: Callable[[], Iterable[Mapping[str, Any]]],
    executor: Callable[[], Executor],
    *,
    shard_rows: int,
    options: RunOptions,
    tell: Callable[[int, int], None] = lambda done, shards: None,
) -> SpreadRun:
    """Hold a run in shards, or go on with it. What is complete is not held again.

    Args:
        out: the folder; workers read and write there themselves.
        worker: holds a shard.
        settings: what is asked; the same as before where the folder is there.
        entries: the data, checked; read once, before anything is spent.
        executor: who works; asked for only when there is work.
        shard_rows: entries in a shard.
        options: what all shards together may spend, and how fast; earlier sessions included. Each shard may spend its
            share of the rows.
        tell: told how many shards are done, of how many.

    Raises:
        ScaleError: the folder holds something else, or something can't be used.
    """
    out = out.resolve()
    check_address(settings.get("base_url"))
    with lock_folder(out):
        rows = open_manifest(out, settings, lambda: {"rows": _write_slices(out, entries(), shard_rows)})["rows"]
        folders = [out / _SHARDS / f"{number:05d}" for number in range(len(rows))]
        left = [number for number, folder in enumerate(folders) if not (folder / _COMPLETE).exists()]
        done = skipped = len(rows) - len(left)
        tell(done, len(rows))
        stopped: dict[int, str] = {}
        if left:
            at_work = executor()
            shares = _shares(options, rows, min(at_work.workers, len(left)))
            tasks = [
                {
                    "shard": number,
                    "rows": rows[number],
                    "source": str(_slice(out, number)),
                    "folder": str(folders[number]),
                    "asked": dict(settings),
                    "options": shares[number],
                }
                for number in left
            ]
            for result in at_work.map(worker, tasks):
                done += 1
                tell(done, len(rows))
                if result["stopped"] is not None:
                    stopped[result["shard"]] = result["stopped"]
        return SpreadRun(out, len(rows), skipped, dict(sorted(stopped.items())), join_tables(folders, out))


def _write_slices(out: Path, entries: Iterable[Mapping[str, Any]], size: int) -> list[int]:
    """Write the data as JSON Lines, so many to a file; how many stand in each."""
    (out / _SHARDS).mkdir(exist_ok=True)
    rows: list[int] = []
    lines: list[str] = []

    def flush() -> None:
        _slice(out, len(rows)).write_text("".join(lines), encoding="utf-8")
        rows.append(len(lines))
        lines.clear()

    for entry in entries:
        lines.append(json.dumps(entry) + "\n")
        if len(lines) == size:
            flush()
    if lines:
        flush()
    return rows


def _slice(out: Path, number: int) -> Path:
    return out / _SHARDS / f"{number:05d}.jsonl"


def _shares(options: RunOptions, rows: Sequence[int], at_once: int) -> list[dict[str, Any]]:
    """What each shard may do, so that all of them keep the bounds: fields of its `RunOptions`."""
    total = sum(rows)
    if options.connections < at_once:
        raise ScaleError(
            f"{counted(options.connections, 'connection')} can't be divided among {at_once} workers: "
            "give more, or fewer workers."
        )
    most = options.max_calls
    calls = [None if most is None else most * each // total for each in rows]
    if most is not None and 0 in calls:
        raise ScaleError(
            f"{counted(most, 'call')} can't be divided among {counted(len(rows), 'shard')}: allow more, or make shards "
            "larger with --shard-rows."
        )
    return [
        {
            "max_cost": None if options.max_cost is None else options.max_cost * each / total,
            "max_calls": share,
            "connections": options.connections // at_once,
            "timeout": options.timeout,
        }
        for each, share in zip(rows, calls, strict=True)
    ]
