"""JSON Lines or Parquet, never the whole file in memory; or one JSON document that is a list."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from voirdire.cognibench.records import CognibenchError
from voirdire.data.rows import Part, RowError, is_parquet, line_part, parquet_rows

MAX_LINE = 20_000_000
"""Characters; a file without line breaks is no JSON Lines, and must not fill the memory."""


class Entry(NamedTuple):
    """A JSON object of a file."""

    where: str
    """"log.jsonl, line 3": how errors name it."""
    number: int
    """From 1."""
    fields: Mapping[str, Any]


def read_entries(path: Path, part: Part | None = None) -> Iterator[Entry]:
    """The objects of a JSON Lines file or the rows of a `.parquet` file, one at a time; of a `.json` file, its list's.

    Args:
        path: of the file.
        part: the rows wanted of JSON Lines or Parquet; `None` for all of them.

    Raises:
        CognibenchError: the file can't be read, or a line is no JSON object; the line is named.
    """
    try:
        if is_parquet(path):
            for number, row in parquet_rows(path, part):
                yield Entry(f"{path}, row {number}", number, row)
        elif path.suffix.lower() == ".json":
            yield from _document(path)
        else:
            yield from _objects(path, _lines(path) if part is None else line_part(path, part, MAX_LINE))
    except RowError as error:
        raise CognibenchError(str(error)) from error


def _objects(path: Path, lines: Iterator[tuple[int, str]]) -> Iterator[Entry]:
    for number, line in lines:
        where = f"{path}, line {number}"
        try:
            fields = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise CognibenchError(f"{where}: it is no JSON ({_reason(error)}); expected one object per line.") from None
        yield _entry(where, number, fields)


def _document(path: Path) -> Iterator[Entry]:
    try:
        whole = json.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise _unreadable(path, error) from error
    except (ValueError, RecursionError) as error:
        raise CognibenchError(
            f"{path} is no JSON ({_reason(error)}); one object per line belongs in a .jsonl file."
        ) from None
    for number, fields in enumerate(whole if isinstance(whole, list) else [whole], start=1):
        yield _entry(f"{path}, entry {number}", number, fields)


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    try:
        with path.open(encoding="utf-8-sig") as file:
            number = 0
            while line := file.readline(MAX_LINE + 1):
                number += 1
                if len(line) > MAX_LINE:
                    raise CognibenchError(f"{path}, line {number}: it is longer than {MAX_LINE:,} characters.")
                if line.strip():
                    yield number, line
    except OSError as error:
        raise _unreadable(path, error) from error
    except UnicodeDecodeError as error:
        raise CognibenchError(f"{path} is no UTF-8 text; a file of JSON Lines is expected.") from error


def _entry(where: str, number: int, fields: Any) -> Entry:
    if not isinstance(fields, Mapping):
        raise CognibenchError(f"{where}: a JSON object is expected, not a {type(fields).__name__}.")
    return Entry(where, number, fields)


def _unreadable(path: Path, error: OSError) -> CognibenchError:
    return CognibenchError(f"{path} can't be read: {error.strerror}.")


def _reason(error: Exception) -> str:
    return "nested too deeply" if isinstance(error, RecursionError) else str(error)
