"""The tables of a run made again and held against those that are there, cell by cell: floats by their bits."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from math import isnan
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from voirdire.data.manifests import sha256
from voirdire.data.parquet import open_parquet
from voirdire.data.rows import RowError
from voirdire.instruments import Finding, Instrument
from voirdire.models.secrets import without_known_secrets
from voirdire.runs import RunFolder
from voirdire.text.counting import counted

_KEYS = ("jury", "dialogue", "id", "turn", "position", "judge", "auditor")
"""Columns that say which row this is, in any table."""
_AT_ONCE = 2_000
_LONGEST = 60
_TABLE = ".parquet"
_NOTHING = '"NULL"'
"""The type of a column without values."""
_PLAIN = {"VARCHAR": "text", "BIGINT": "whole number", "DOUBLE": "number", "BOOLEAN": "true or false"}
_Row = tuple[Any, ...]


class FirstDifference(NamedTuple):
    """Where two tables differ first."""

    row: int
    """From 1."""
    key: str
    """Which row that is, in words."""
    column: str
    there: str
    expected: str


class TableDifference(NamedTuple):
    """How a table differs from what it should be."""

    there: int
    """Rows in the file."""
    expected: int
    rows: int
    """Rows that differ, place by place, as far as both reach."""
    first: FirstDifference | None

    def sentence(self) -> str:
        """All of it."""
        parts = []
        if self.there != self.expected:
            parts.append(f"it has {counted(self.there, 'row')}, the journal gives {self.expected:,}")
        if self.first is not None:
            where = f"row {self.first.row:,} ({self.first.key})"
            cells = f"{self.first.column} is {self.first.there}, the journal gives {self.first.expected}"
            parts.append(f"{counted(self.rows, 'row differs', 'rows differ')}, first {where}: {cells}")
        return "; ".join(parts) + "."


class ColumnDifference(NamedTuple):
    """Tables that don't have the same columns, of the same types."""

    unlike: tuple[str, ...]

    def sentence(self) -> str:
        """Which columns."""
        return f"its columns are not those that this version makes: {', '.join(self.unlike)}."


def compare_tables(there: Path, expected: Path) -> TableDifference | ColumnDifference | None:
    """How one Parquet file differs from another; `None` where every cell is the same.

    Raises:
        RowError: the first can't be read as Parquet.
    """
    with open_parquet(there) as mine, open_parquet(expected) as other:
        unlike = _unlike(mine.columns, other.columns)
        if unlike:
            return ColumnDifference(unlike)
        batches = zip_longest(mine.batches(_AT_ONCE), other.batches(_AT_ONCE), fillvalue=())
        return _differing((mine.row_count, other.row_count), batches, other.columns)


def _differing(
    sizes: tuple[int, int], batches: Iterable[tuple[Sequence[_Row], Sequence[_Row]]], columns: Mapping[str, str]
) -> TableDifference | None:
    floats = [place for place, kind in enumerate(columns.values()) if kind in ("DOUBLE", "FLOAT")]
    count, first = 0, None
    for number, (one, two) in enumerate(batches):
        for offset, (mine, other) in enumerate(zip(one, two, strict=False)):
            if mine == other and all(_same(mine[place], other[place]) for place in floats):
                continue
            if all(map(_same, mine, other)):
                continue  # not a number, in both
            count += 1
            first = first or _place(mine, other, number * _AT_ONCE + offset, list(columns))
    if not count and sizes[0] == sizes[1]:
        return None
    return TableDifference(*sizes, count, first)


def _same(one: Any, two: Any) -> bool:
    """0.0 is not -0.0 here, and NaN is NaN; a missing value is neither."""
    if isinstance(one, float) and isinstance(two, float):
        return struct.pack("d", one) == struct.pack("d", two) or (isnan(one) and isnan(two))
    return bool(one == two)


def _unlike(mine: Mapping[str, str], other: Mapping[str, str]) -> tuple[str, ...]:
    """What one of two lists of columns has, and the other not in this place or of this type."""
    if list(mine) == list(other) and all(map(_fits, mine.values(), other.values())):
        return ()
    one, two = ([(name, _plain(kind)) for name, kind in columns.items()] for columns in (mine, other))
    named = [f"{name} ({kind})" for name, kind in one if (name, kind) not in two]
    lacking = [f"{name} ({kind}) is missing" for name, kind in two if (name, kind) not in one]
    return (*named, *lacking) or ("they stand in another order",)


def _fits(mine: str, expected: str) -> bool:
    """Whether a column can hold the same: one that is empty in all rows may have lost its type."""
    return mine == expected or mine == _NOTHING or (mine == f"{_NOTHING}[]" and expected.endswith("[]"))


def _plain(kind: str) -> str:
    """A type in plain words."""
    return f"list of {_plain(kind[:-2])}" if kind.endswith("[]") else _PLAIN.get(kind, kind)


def _place(mine: _Row, other: _Row, row: int, columns: Sequence[str]) -> FirstDifference:
    cells = {name: cell for name, cell in zip(columns, zip(mine, other, strict=True), strict=True)}
    column = next(name for name, pair in cells.items() if not _same(*pair))
    key = ", ".join(f"{name} {_cell(cells[name][1])}" for name in _KEYS if name in cells) or "it has no key"
    return FirstDifference(row + 1, key, column, *map(_cell, cells[column]))


def _cell(value: Any) -> str:
    if value is None:
        return "missing"
    text = ascii(without_known_secrets(value))
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def table_findings(folder: RunFolder, instrument: Instrument, complete: bool) -> Iterator[Finding]:
    """Each table: equal to what the journal gives, unlike it, missing, or nothing that anything makes."""
    there = {path.name for path in folder.path.glob(f"*{_TABLE}")}
    known = {*instrument.files, *instrument.optional}
    present = {name for name in known if (folder.path / name).is_file()}
    lacking = [name for name in instrument.files if name not in present]
    if present and instrument.make is not None:
        with TemporaryDirectory(prefix="voirdire-verify-") as into:
            instrument.make(folder, Path(into), present)
            for name in sorted(present):
                yield compare_files(folder.path / name, Path(into) / name)
    for name in lacking:
        yield _missing(name, complete or bool(present))
    for name in sorted(there - known):
        yield Finding(name, "differs", "nothing makes a table of this name of such a run; take it away")


def _missing(name: str, gone: bool) -> Finding:
    if gone:
        return Finding(name, "differs", "it is missing; the command that held the run makes it again")
    return Finding(name, "note", "it is not made yet: the run stopped before; the same command goes on")


def compare_files(there: Path, expected: Path) -> Finding:
    """A file against what it should be: by its bytes, else cell by cell."""
    if sha256(there) == sha256(expected):
        return Finding(there.name, "ok", "as the journal gives it, byte for byte")
    if there.suffix != _TABLE:
        return _compared_lines(there, expected)
    try:
        difference = compare_tables(there, expected)
    except RowError as error:
        return Finding(there.name, "differs", f"it is no table: {error}")
    if difference is None:
        return Finding(there.name, "ok", "as the journal gives it, cell by cell")
    return Finding(there.name, "differs", difference.sentence())


def _compared_lines(there: Path, expected: Path) -> Finding:
    with there.open("rb") as one, expected.open("rb") as two:
        number = 1
        while (mine := one.readline()) == two.readline() and mine:
            number += 1
    return Finding(there.name, "differs", f"it is not what the journal gives, first in line {number:,}.")
