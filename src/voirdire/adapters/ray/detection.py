"""`detect` over shards: a file of Parquet for each, and a second command that skips those that are there."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from voirdire.adapters.ray.runs import lock_folder, open_manifest
from voirdire.adapters.ray.workers import (
    Executor,
    ScaleError,
    Task,
    Worker,
    check_address,
    fingerprint,
    sha256_of,
    split_file,
)
from voirdire.cognibench.detection import Count
from voirdire.cognibench.detection_workers import MODEL_DETECTOR, DetectTask, detect_items
from voirdire.cognibench.detection_writer import open_table
from voirdire.cognibench.formats import Problem, Problems, Seen, read_entries
from voirdire.data.json_values import as_object
from voirdire.data.manifests import check_unchanged
from voirdire.data.parquet import open_parquet
from voirdire.data.rows import FilePart
from voirdire.detectors.base import Detector, DetectorOptions

_METADATA_KEY = b"voirdire"
"""Where a shard's file holds what was counted."""
_SHOWN = 3


@dataclass(frozen=True, slots=True)
class DetectionSummary:
    """What was found over all shards."""

    count: Count
    problems: Problems
    repeated: int
    """Ids that stand in several shards: one process would have given them numbers."""
    examples: tuple[str, ...]
    """The first few of them."""
    shards: int
    skipped: int
    """Shards that were there already."""

    def notes(self) -> list[str]:
        """What was not read as it stands, a sentence each."""
        sentences = self.problems.sentences()
        if self.repeated:
            first = ", ".join(self.examples)
            sentences.append(
                f"Ids that stand in several shards, where one process gives each a number: {self.repeated:,} "
                f"({first}{' …' if self.repeated > len(self.examples) else ''})."
            )
        return sentences


def detect_shards(
    source: Path,
    out: Path,
    task: DetectTask,
    executor: Callable[[], Executor],
    *,
    shard_rows: int,
    tell: Callable[[int, int], None] = lambda done, shards: None,
) -> DetectionSummary:
    """Score a file, a shard at a time, in a folder. What is there is not scored again.

    Args:
        source: JSON Lines or Parquet; workers read it themselves.
        out: the folder that shards are written to; workers write there themselves.
        task: which detector, and how.
        executor: who works; asked for only when there is work.
        shard_rows: lines or rows in a shard.
        tell: told how many shards are done, of how many.

    Raises:
        ScaleError: the folder holds other shards, or something can't be used.
    """
    if task.detector.partition(":")[0] == MODEL_DETECTOR:
        raise ScaleError(f"{task.detector} asks a model, whose calls a run must keep: use voirdire label --engine ray.")
    check_address(task.options.base_url)
    source, out = source.resolve(), out.resolve()
    with lock_folder(out):
        parts = _parts(source, out, task, shard_rows)
        targets = [out / f"shard-{number:05d}-of-{len(parts):05d}.parquet" for number in range(len(parts))]
        tasks = [
            {"source": str(source), "part": as_object(part), "target": str(target), "task": task_as_dict(task)}
            for part, target in zip(parts, targets, strict=True)
            if not target.exists()
        ]
        done = skipped = len(parts) - len(tasks)
        tell(done, len(parts))
        if tasks:
            for _ in executor().map(DetectWorker, tasks):
                done += 1
                tell(done, len(parts))
        return _summarise(targets, skipped)


class DetectWorker(Worker):
    """Scores shards; the detector is opened once."""

    def __init__(self) -> None:
        self._opened: dict[DetectTask, Detector] = {}

    def work(self, task: Task) -> dict[str, Any]:
        """Score a shard and write its file."""
        count, problems = Count(), Problems()
        detection = _task(task["task"])
        if detection not in self._opened:
            self._opened = {detection: detection.open()}
        entries = read_entries(Path(task["source"]), FilePart(**task["part"]))
        results = detect_items(entries, detection, detector=self._opened[detection], tell=problems, count=count)
        with open_table(Path(task["target"]), lambda: {_METADATA_KEY: _encode(count, problems)}) as write:
            for each in results:
                write(each)
        return {"statements": count.statements}


def task_as_dict(task: DetectTask) -> dict[str, Any]:
    """A task as JSON; it has no folder of a run in it."""
    return as_object(task) | {"options": as_object(task.options) | {"folder": None}}


def _task(fields: Mapping[str, Any]) -> DetectTask:
    columns = tuple((own, name) for own, name in fields["columns"])
    return DetectTask(**dict(fields) | {"options": DetectorOptions(**fields["options"]), "columns": columns})


def _parts(source: Path, out: Path, task: DetectTask, rows: int) -> list[FilePart]:
    """Where the shards begin: found anew, or as the manifest has it if the file is the same."""
    from voirdire import __version__

    model = Path(task.detector.partition(":")[2])
    settings = {
        "command": "detect",
        "voirdire": __version__,
        "shard_rows": rows,
        "model_sha256": fingerprint(model, every=True) if model.name and model.exists() else None,
        **task_as_dict(task),
    }

    def make() -> dict[str, Any]:
        check_unchanged(source)
        pieces = split_file(source, rows)
        return {
            "source": _stamp(source) | {"sha256": pieces.sha256},
            "parts": [[part.start, part.stop, part.first] for part in pieces.parts],
        }

    manifest = open_manifest(out, settings, make)
    _same_source(source, out, manifest["source"])
    return [FilePart(*each) for each in manifest["parts"]]


def _same_source(source: Path, out: Path, before: Mapping[str, Any]) -> None:
    """See that the data are those that the shards were cut from; they are read again only if they look otherwise."""
    stamp = _stamp(source)
    if stamp["bytes"] == before["bytes"] and stamp["modified_ns"] == before["modified_ns"]:
        return
    if stamp["bytes"] != before["bytes"] or sha256_of(source) != before["sha256"]:
        raise ScaleError(
            f"The shards in {out} were begun with other data than {source.name} holds now: choose another folder."
        )


def _stamp(source: Path) -> dict[str, Any]:
    try:
        status = source.stat()
    except OSError as error:
        raise ScaleError(f"{source} can't be read: {error.strerror}.") from error
    return {"name": source.name, "bytes": status.st_size, "modified_ns": status.st_mtime_ns}


def _encode(count: Count, problems: Problems) -> bytes:
    return json.dumps({"count": as_object(count), "problems": problems.as_list()}).encode()


def _summarise(targets: list[Path], skipped: int) -> DetectionSummary:
    """What the shards say together; of each, its footer and its ids are read."""
    count, problems, ids = Count(), Problems(), Seen()
    repeated, examples = 0, list[str]()
    for target in targets:
        with open_parquet(target) as file:
            content = json.loads(file.metadata[_METADATA_KEY])
            again = [name for column in file.series("id") for name in column.unique() if not ids.add(name)]
        repeated += len(again)
        examples += again[: _SHOWN - len(examples)]
        count.merge(Count(**content["count"]))
        for kind, answer, text, times in content["problems"]:
            problems.add(Problem(kind, answer, text), times)
    return DetectionSummary(count, problems, repeated, tuple(examples), len(targets), skipped)
