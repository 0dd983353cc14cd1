"""Rows of a user's file, a few at a time: lines of JSON Lines, rows of Parquet; the whole file, or a part of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PARQUET = ".parquet"
_AT_ONCE = 256
"""Rows of Parquet that are decoded at a time."""
_BOM = b"\xef\xbb\xbf"


class RowError(ValueError):
    """A file whose rows can't be read: one sentence says why."""


@dataclass(frozen=True, slots=True)
class Part:
    """Rows of a file that follow one another."""

    start: int
    """Of JSON Lines, the byte at which the first line begins; of Parquet, the first row, from 0."""
    stop: int
    """Where the next part begins."""
    first: int
    """The number of the first line or row, from 1."""


def is_parquet(path: Path) -> bool:
    """Whether a file is read as Parquet: by the end of its name."""
    return path.suffix.lower() == PARQUET


def parquet_rows(path: Path, part: Part | None = None) -> Iterator[tuple[int, dict[str, Any]]]:
    """Numbered rows (from 1) of a Parquet file, one row group after the other; cells without a value are left out.

    Args:
        path: of the file.
        part: the rows wanted; `None` for all of them.

    Raises:
        RowError: it can't be read.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(path) as file:
            place = 0
            for group in range(file.num_row_groups):
                rows = file.metadata.row_group(group).num_rows
                if part is None or (place < part.stop and place + rows > part.start):
                    yield from _of_group(file, group, place, part)
                place += rows
    except (OSError, pa.ArrowException) as error:
        raise RowError(f"{path} can't be read as Parquet: {_first_line(error)}.") from error


def line_part(path: Path, part: Part, longest: int) -> Iterator[tuple[int, str]]:
    """Numbered lines (from 1) of a part of a JSON Lines file, blank ones left out.

    Args:
        path: of the file.
        part: which begins where a line does.
        longest: characters that a line may have.

    Raises:
        RowError: it can't be read, is no UTF-8, or a line is too long.
    """
    try:
        with path.open("rb") as file:
            file.seek(part.start)
            number, left = part.first - 1, part.stop - part.start
            while left > 0 and (line := file.readline(min(left, 4 * longest + 1))):
                number, left = number + 1, left - len(line)
                text = (line.removeprefix(_BOM) if number == 1 else line).decode()
                if len(text) > longest:
                    raise RowError(f"{path}, line {number}: it is longer than {longest:,} characters.")
                if text.strip():
                    yield number, text
    except OSError as error:
        raise RowError(f"{path} can't be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise RowError(f"{path} is no UTF-8 text; a file of JSON Lines is expected.") from error


def _of_group(file: Any, group: int, place: int, part: Part | None) -> Iterator[tuple[int, dict[str, Any]]]:
    """The rows of one row group that lie within the part; `place` is the group's first row."""
    for batch in file.iter_batches(_AT_ONCE, row_groups=[group]):
        first = 0 if part is None else max(0, part.start - place)
        last = batch.num_rows if part is None else min(batch.num_rows, part.stop - place)
        for offset, row in enumerate(batch.slice(first, max(0, last - first)).to_pylist(), start=place + first):
            yield offset + 1, _pruned(row)
        place += batch.num_rows


def _pruned(value: Any) -> Any:
    """Without the fields that hold nothing: every row of Parquet has every column."""
    if isinstance(value, dict):
        return {name: _pruned(each) for name, each in value.items() if each is not None}
    return [_pruned(each) for each in value] if isinstance(value, list) else value


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0].rstrip(".")
