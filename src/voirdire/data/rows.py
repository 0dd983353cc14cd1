"""Rows of a user's file, a few at a time: lines of JSON Lines, rows of Parquet; the whole file, or a part of it."""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from voirdire.data.cells import unguard
from voirdire.data.files import FileError, check_text
from voirdire.errors import a_type

PARQUET = ".parquet"
_BOM = b"\xef\xbb\xbf"
_WIDEST = 4
"""Bytes of a character in UTF-8."""
_ALL = 2**63
_CSV = (".csv", ".tsv")
_LONGEST_HEADER = 100_000
"""Characters of a first line."""
_OBJECTS = re.compile(rb"\[\s*(\{|$)")
"""What begins a list of objects, which may go on in the next line."""
_UNDECODED_BYTE = re.compile("[\udc80-\udcff]")
"""What a byte that is no UTF-8 is decoded to."""
_COLUMN = r'(?:[\w.-]+|"[^"]*")'
_COLUMNS = re.compile(rf"{_COLUMN}(?:[,;\t]{_COLUMN})+\s*")
"""A first line that names columns."""


class RowError(FileError):
    """A file whose rows can't be read: one sentence says why."""


@dataclass(frozen=True, slots=True)
class FilePart:
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


def parquet_rows(path: Path, part: FilePart | None = None) -> Iterator[tuple[int, dict[str, Any]]]:
    """Numbered rows (from 1) of a Parquet file, one row group after the other; cells without a value are left out.

    Raises:
        RowError: it can't be read, or claims more than it can hold (`data.parquet`).
    """
    from voirdire.data.parquet import open_parquet

    start, stop = (0, None) if part is None else (part.start, part.stop)
    with open_parquet(path) as file:
        for number, row in enumerate(file.rows(start, stop), start=start + 1):
            yield number, _without_empty(row)


def is_table(path: Path) -> bool:
    """Whether a file is read as CSV: by the end of its name, unless its first line is JSON."""
    return path.suffix.lower() in _CSV and path.is_file() and not _first_line(path).startswith((b"{", b"["))


def is_document(path: Path) -> bool:
    """Whether a file is one JSON value, to be read at once: by the end of its name, or as it begins a list of objects.

    Any other list is a line that can't be used.
    """
    return path.suffix.lower() == ".json" or _OBJECTS.match(_first_line(path)) is not None


def _first_line(path: Path) -> bytes:
    """A plain file's first line from its first sign on; none where it can't be read, as whoever reads it says."""
    try:
        if not path.is_file():
            return b""  # what is read of a pipe is gone
        with path.open("rb") as file:
            return file.readline(_WIDEST * _LONGEST_HEADER).removeprefix(_BOM).lstrip()
    except OSError:
        return b""


def separator_of(header: str) -> str:
    """What stands between the cells of CSV: a comma, a semicolon or a tab, what the header has most of."""
    return max(",;\t", key=header.count)


def table_rows(path: Path, longest: int) -> Iterator[tuple[int, dict[str, str] | str]]:
    """Numbered rows (from 1, below the header) of CSV, one at a time: cells by column, or why it can't be used.

    Commas, semicolons or tabs stand between cells: what the header has most of. What `data.cells` guards comes back as
    it was.

    Args:
        path: of the file.
        longest: characters that a cell may have.

    Raises:
        RowError: it can't be read, is no UTF-8 or no CSV, or its header names nothing or a column twice.
    """
    try:
        with path.open("rb") as raw:
            check_text(raw.readline(_WIDEST * _LONGEST_HEADER), path)
        with path.open(encoding="utf-8-sig", errors="surrogateescape", newline="") as file:
            first = file.readline(_LONGEST_HEADER)
            file.seek(0)
            rows = limited_rows(csv.reader(file, delimiter=separator_of(first)), longest)
            header = [unguard(name.strip()) for name in next(rows, [])]
            _check_header(header, path)
            for number, cells in enumerate(filter(any, rows), start=1):
                if not all(map(is_utf8, cells)):
                    yield number, "it is no UTF-8 text; save the file as UTF-8"
                elif len(cells) == len(header):
                    yield number, dict(zip(header, map(unguard, cells), strict=True))
                else:
                    yield number, f"it has {len(cells)} cells, and the header names {len(header)} columns"
    except OSError as error:
        raise RowError(f"{path} can't be read: {error.strerror or error}.") from error
    except csv.Error as error:
        raise RowError(f"{path} is no CSV that can be read: {error}.") from error


def limited_rows(reader: Iterator[list[str]], longest: int) -> Iterator[list[str]]:
    """Rows whose cells have at most so many characters; the limit is the process's, and stands while one is read."""
    while True:
        before = csv.field_size_limit(longest)
        try:
            row = next(reader, None)
        finally:
            csv.field_size_limit(before)
        if row is None:
            return
        yield row


def _check_header(header: list[str], path: Path) -> None:
    twice = next((name for name in header if name and header.count(name) > 1), None)
    if not all(map(is_utf8, header)):
        raise RowError(f"{path} is no UTF-8 text; save it as UTF-8.")
    if not any(header):
        raise RowError(f"{path} is empty, or its first line names no columns.")
    if twice is not None:
        raise RowError(f"{path} has two columns with the name {twice}.")


def text_lines(
    path: Path, longest: int, part: FilePart | None = None, *, keep_undecoded: bool = False
) -> Iterator[tuple[int, str]]:
    """Numbered lines (from 1) of a JSON Lines file, blank ones left out; never more than one of them in memory.

    Only a line feed ends a line: texts may hold other separators.

    Args:
        path: of the file.
        longest: characters that a line may have.
        part: of the file, which begins where a line does; `None` for all of it.
        keep_undecoded: whether a line that is no UTF-8 is given all the same, for `is_utf8` to tell.

    Raises:
        RowError: it can't be read, is a pipe, CSV or no UTF-8, or a line is too long.
    """
    part = part or FilePart(0, _ALL, 1)
    errors = "surrogateescape" if keep_undecoded else "strict"
    number, left = part.first - 1, part.stop - part.start
    try:
        with path.open("rb") as file:
            if not file.seekable():
                raise RowError(f"{path} is a pipe, and has to be read more than once: save it as a file first.")
            if part.start:
                file.seek(part.start)
            while left > 0 and (line := file.readline(min(left, _WIDEST * longest + 1))):
                number, left = number + 1, left - len(line)
                if number == 1:
                    check_text(line, path)
                text = (line.removeprefix(_BOM) if number == 1 else line).decode(errors=errors)
                if len(text) > longest:
                    raise RowError(f"{path}, line {number}: it is longer than {longest:,} characters.")
                if number == 1 and _is_csv(path, text):
                    raise RowError(
                        f"{path} is CSV, which is not read here: give JSON Lines, JSON or Parquet "
                        "(pandas: df.to_json('answers.jsonl', orient='records', lines=True))."
                    )
                if text.strip():
                    yield number, text
    except OSError as error:
        raise RowError(f"{path} can't be read: {error.strerror or error}.") from error
    except UnicodeDecodeError as error:
        raise RowError(f"{path} is no UTF-8 text (line {number}); a file of JSON Lines is expected.") from error
    except RowError:
        raise
    except FileError as error:
        raise RowError(str(error)) from None


def is_utf8(line: str) -> bool:
    """Whether a text that was read with its bytes kept is UTF-8."""
    return line.isascii() or _UNDECODED_BYTE.search(line) is None


def name_of(value: Any, field: str) -> str | None:
    """An id as a text; `None` where there is none. Tables that lack an id hold whole numbers as 7.0, which is 7.

    Raises:
        TypeError: it is neither text nor whole number.
    """
    if value is None:
        return None
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, str | int) and not isinstance(value, bool):
        return str(value)
    raise TypeError(f"{field} must be a text or a whole number, not {a_type(value)}")


def _is_csv(path: Path, first: str) -> bool:
    """Whether a file's name says that it is CSV, or its first line names columns."""
    if first.lstrip().startswith(("{", "[")):
        return False
    return path.suffix.lower() in _CSV or _COLUMNS.fullmatch(first) is not None


def _without_empty(value: Any) -> Any:
    """Without the fields that hold nothing: every row of Parquet has every column."""
    if isinstance(value, dict):
        return {name: _without_empty(each) for name, each in value.items() if not _missing(each)}
    return [_without_empty(each) for each in value] if isinstance(value, list) else value


def _missing(value: Any) -> bool:
    return value is None or (isinstance(value, float) and math.isnan(value))
