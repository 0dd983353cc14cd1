"""Where the shards of a file begin: found in one reading, a block at a time."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from voirdire.adapters.ray.records import ScaleError
from voirdire.data.rows import PARQUET, Part, RowError, is_parquet

_BLOCK = 4 * 2**20
_DATA = (".json", ".jsonl", PARQUET)


class Cut(NamedTuple):
    """A file and its parts."""

    parts: tuple[Part, ...]
    sha256: str


def cut(path: Path, rows: int) -> Cut:
    """The parts of a JSON Lines or Parquet file that have this many lines or rows each; the last one may have fewer.

    Raises:
        ScaleError: the file can't be cut, or has nothing in it.
        RowError: it can't be read.
    """
    if path.suffix.lower() == ".json":
        raise ScaleError(f"{path} is one JSON document; give JSON Lines (.jsonl) or Parquet to cut into shards.")
    if not path.is_file():
        raise ScaleError(f"{path} is no file; one file of JSON Lines or Parquet is cut into shards.")
    found = _of_parquet(path, rows) if is_parquet(path) else _of_lines(path, rows)
    if not found.parts:
        raise ScaleError(f"{path} holds no rows; there is nothing to do.")
    return found


def sha256_of(path: Path) -> str:
    """The hash of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def fingerprint(path: Path, *, every: bool = False) -> str:
    """The hash of a file, or of the files of data in a folder; by it a second command knows them again.

    Args:
        path: of the file or folder.
        every: of a folder, all files count, not only those of data.

    Raises:
        ScaleError: it can't be read.
    """
    try:
        if not path.is_dir():
            return sha256_of(path)
        digest = hashlib.sha256()
        for file in sorted(path.iterdir()):
            if file.is_file() and (every or file.suffix in _DATA):
                digest.update(f"{file.name} {sha256_of(file)}\n".encode())
        return digest.hexdigest()
    except OSError as error:
        raise ScaleError(f"{path} can't be read: {error.strerror}.") from error


def _of_parquet(path: Path, rows: int) -> Cut:
    from voirdire.data.parquet import opened

    with opened(path) as file:
        total = file.metadata.num_rows
    parts = tuple(Part(start, min(start + rows, total), start + 1) for start in range(0, total, rows))
    return Cut(parts, sha256_of(path))


def _of_lines(path: Path, rows: int) -> Cut:
    digest = hashlib.sha256()
    starts = [0]
    lines = place = 0  # line ends so far, and bytes before the block
    for block in _blocks(path):
        digest.update(block)
        ends = block.count(b"\n")
        if lines // rows != (lines + ends) // rows:
            starts += _starts(block, lines, place, rows)
        lines, place = lines + ends, place + len(block)
    stops = [*starts[1:], place]
    parts = (Part(start, stop, 1 + index * rows) for index, (start, stop) in enumerate(zip(starts, stops, strict=True)))
    return Cut(tuple(part for part in parts if part.stop > part.start), digest.hexdigest())


def _starts(block: bytes, lines: int, place: int, rows: int) -> Iterator[int]:
    """Where in the file parts begin within a block: behind every `rows`th line end."""
    at = -1
    while (at := block.find(b"\n", at + 1)) != -1:
        lines += 1
        if lines % rows == 0:
            yield place + at + 1


def _blocks(path: Path) -> Iterator[bytes]:
    try:
        with path.open("rb") as file:
            while block := file.read(_BLOCK):
                yield block
    except OSError as error:
        raise RowError(f"{path} can't be read: {error.strerror}.") from error
