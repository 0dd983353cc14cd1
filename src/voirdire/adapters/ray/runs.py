"""Runs by the shard: each a run folder with a journal of its own, and their tables put together at the end.

A journal has one writer, so that a shard belongs to one worker at a time. What is labelled or audited is read, checked
and written out in slices before anything is spent on it.
"""

from __future__ import annotations

import json
from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from voirdire.adapters.ray.executing import Executor, Task, Worker
from voirdire.adapters.ray.joining import join_tables
from voirdire.adapters.ray.manifest import held, settle, write_json
from voirdire.adapters.ray.records import ScaleError, check_address
from voirdire.documents.document import Document, Text, document
from voirdire.instruments import instrument_of
from voirdire.run import RunFolder, RunOptions
from voirdire.text.counting import counted

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
    def hold(self, source: Path, folder: Path, asked: Mapping[str, Any], options: RunOptions) -> str | None:
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
    asked: Mapping[str, Any],
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
        asked: what is asked; the same as before where the folder is there.
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
    check_address(asked.get("base_url"))
    with held(out):
        rows = settle(out, asked, lambda: {"rows": _write_slices(out, entries(), shard_rows)})["rows"]
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
                    "asked": dict(asked),
                    "options": shares[number],
                }
                for number in left
            ]
            for said in at_work.map(worker, tasks):
                done += 1
                tell(done, len(rows))
                if said["stopped"] is not None:
                    stopped[said["shard"]] = said["stopped"]
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
