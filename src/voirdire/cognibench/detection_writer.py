"""A line or a row for every statement: JSON Lines, or Parquet."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from voirdire.cognibench.detection import Count, DetectedAnswer
from voirdire.cognibench.detection_workers import DetectTask
from voirdire.cognibench.exporting import digests
from voirdire.cognibench.records import CognibenchError
from voirdire.data.files import FileError
from voirdire.data.json_text import JsonError, parse_json
from voirdire.data.json_values import as_object
from voirdire.data.manifests import write_manifest
from voirdire.data.parquet import open_parquet
from voirdire.data.parquet import open_writer as open_parquet_writer
from voirdire.data.paths import check_folder_of, why_unwritable
from voirdire.data.rows import is_parquet
from voirdire.runs import made_with

_LONGEST = 20_000_000
"""Characters of a first line that is looked at."""

COLUMNS = ("id", "turn", "sentence", "start", "end", "score", "flagged", "reasons")
"""What every line or row of such a file has."""

_TYPES = {
    "id": "VARCHAR",
    "turn": "BIGINT",
    "model": "VARCHAR",
    "sentence": "VARCHAR",
    **dict.fromkeys(("start", "end"), "BIGINT"),
    "score": "DOUBLE",
    **dict.fromkeys(("flagged", "small_talk", "other_script", "header_row", "no_context", "cut"), "BOOLEAN"),
    "reasons": "VARCHAR[]",
}
"""Types of a table's columns."""

_LINES = (".jsonl", ".ndjson", "")
"""Ends of names under which JSON Lines are written."""

Write = Callable[[DetectedAnswer], None]


@contextmanager
def open_writer(path: Path, source: Path) -> Iterator[Write]:
    """Write a JSON line per statement, answer by answer; to a `.parquet` file, a row.

    The file stands under its name when it is complete, not earlier.

    Raises:
        CognibenchError: the two are the same, something else is there, the name is one of another format, or the file
            can't be written.
    """
    if not is_parquet(path) and path.suffix.lower() not in _LINES:
        raise CognibenchError(
            f"{path} can't be written: scores are written as JSON Lines or Parquet, under a name that ends in "
            ".jsonl or .parquet."
        )
    if path.exists() and source.exists() and path.samefile(source):
        raise CognibenchError(f"{path} is being read: choose another file to write to.")
    if path.is_file() and not _is_ours(path):
        raise CognibenchError(
            f"{path} already exists and holds something other than scores of voirdire detect: choose another file, or "
            "remove it first."
        )
    try:
        check_folder_of(path, CognibenchError)
        with open_table(path) if is_parquet(path) else _open_lines(path) as write:
            yield write
    except OSError as error:
        raise CognibenchError(f"{path} can't be written: {why_unwritable(error, path)}.") from error


def _is_ours(path: Path) -> bool:
    """Whether a file is empty, or holds what `open_writer` writes, so that it may be written anew."""
    if not path.stat().st_size:
        return True
    if is_parquet(path):
        try:
            with open_parquet(path) as table:
                return set(COLUMNS) <= set(table.columns)
        except FileError:
            return False
    try:
        with path.open(encoding="utf-8") as file:
            first = parse_json(file.readline(_LONGEST), halves="replace")
    except (UnicodeDecodeError, JsonError):
        return False
    return isinstance(first, dict) and set(COLUMNS) <= set(first)


@contextmanager
def open_table(path: Path, metadata: Callable[[], Mapping[bytes, bytes]] = dict) -> Iterator[Write]:
    """Write rows of Parquet beside the place, and put the file there when all of them are written.

    Args:
        path: of the file.
        metadata: gives further entries of the file's footer; called when all rows are written.
    """
    temporary = path.with_name(f".{path.name}.new")
    with _remove_on_failure(temporary, path), open_parquet_writer(temporary, _TYPES, metadata) as writer:
        yield lambda detected: writer.write(detected.lines())
    with temporary.open("rb") as file:
        os.fsync(file.fileno())
    temporary.replace(path)


@contextmanager
def _open_lines(path: Path) -> Iterator[Write]:
    temporary = (
        path.with_name(f".{path.name}.new") if path.is_file() or not path.exists() else path
    )  # a device stays one
    with _remove_on_failure(temporary, path), temporary.open("w", encoding="utf-8") as file:

        def write(detected: DetectedAnswer) -> None:
            for line in detected.lines():
                file.write(json.dumps(line, ensure_ascii=False, allow_nan=False) + "\n")

        yield write
    if temporary != path:
        temporary.replace(path)


@contextmanager
def _remove_on_failure(temporary: Path, path: Path) -> Iterator[None]:
    """Leave no part of a file behind where the work ends early."""
    try:
        yield
    except BaseException:
        if temporary != path:
            temporary.unlink(missing_ok=True)
        raise


def write_origin(out: Path, source: Path, task: DetectTask, threshold: float, count: Count) -> Path | None:
    """Write a manifest beside a file of scores: which detector, which data, which versions, and the file's SHA-256.

    Args:
        out: what was written; of a device or a pipe there is nothing to say.
        source: what was read.
        task: what was asked.
        threshold: from which scores on sentences are flagged.
        count: what was seen.
    """
    if not out.is_file():
        return None
    content = {
        "target": "detect",
        "made_with": made_with(),
        "detector": task.detector,
        "threshold": threshold,
        "contradiction": task.options.contradiction,
        "not_entailed": task.options.not_entailed,
        "history": task.history,
        "plain": task.plain,
        "skip_bad": task.skip_bad,
        "columns": dict(task.columns),
        "source": source.resolve().name,
        "sha256": digests(source),
        "counts": as_object(count),
    }
    return write_manifest(out, content)[0]
