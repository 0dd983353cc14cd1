"""The tables of a run made again and held against those that are there, cell by cell: floats by their bits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple

from voirdire.data.manifests import sha256
from voirdire.data.parquet import open_parquet
from voirdire.data.rows import RowError
from voirdire.instruments import Finding, Instrument
from voirdire.models.secrets import without_known_secrets
from voirdire.runs import RunFolder
from voirdire.text.counting import counted

if TYPE_CHECKING:
    import pyarrow as pa


_KEYS = ("jury", "dialogue", "id", "turn", "position", "judge", "auditor")
"""Columns that say which row this is, in any table."""
_AT_ONCE = 2_000
_LONGEST = 60
_TABLE = ".parquet"


class Place(NamedTuple):
    """Where two tables differ first."""

    row: int
    """From 1."""
    key: str
    """Which row that is, in words."""
    column: str
    there: str
    expected: str


class Difference(NamedTuple):
    """How a table differs from what it should be."""

    there: int
    """Rows in the file."""
    expected: int
    rows: int
    """Rows that differ, place by place, as far as both reach."""
    first: Place | None

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


class Columns(NamedTuple):
    """Tables that don't have the same columns, of the same types."""

    unlike: tuple[str, ...]

    def sentence(self) -> str:
        """Which columns."""
        return f"its columns are not those that this version makes: {', '.join(self.unlike)}."


def compare_tables(there: Path, expected: Path) -> Difference | Columns | None:
    """How one Parquet file differs from another; `None` where every cell is the same.

    Raises:
        RowError: the first can't be read as Parquet.
    """
    with open_parquet(there) as mine, open_parquet(expected) as other:
        unlike = _unlike(mine.schema_arrow, other.schema_arrow)
        if unlike:
            return Columns(unlike)
        schema = other.schema_arrow.remove_metadata()
        return _differing(
            (mine.metadata.num_rows, other.metadata.num_rows),
            _Rows(mine.iter_batches(_AT_ONCE, use_threads=False), schema),
            _Rows(other.iter_batches(_AT_ONCE, use_threads=False), schema),
        )


def _differing(sizes: tuple[int, int], mine: _Rows, other: _Rows) -> Difference | None:
    count, first = 0, None
    for start in range(0, min(sizes), _AT_ONCE):
        size = min(_AT_ONCE, min(sizes) - start)
        one, two = mine.take(size), other.take(size)
        rows = _unequal_rows(one, two)
        if rows and first is None:
            first = _place(one, two, rows[0], start)
        count += len(rows)
    if not count and sizes[0] == sizes[1]:
        return None
    return Difference(*sizes, count, first)


class _Rows:
    """The rows of a table, as many at a time as are asked for, whatever groups they are written in."""

    def __init__(self, batches: Iterator[pa.RecordBatch], schema: pa.Schema) -> None:
        import pyarrow as pa

        self._tables = (pa.Table.from_batches([batch]).cast(schema) for batch in batches)
        self._left = schema.empty_table()

    def take(self, size: int) -> pa.Table:
        import pyarrow as pa

        while self._left.num_rows < size:
            self._left = pa.concat_tables([self._left, next(self._tables)])
        rows, self._left = self._left.slice(0, size), self._left.slice(size)
        return rows.combine_chunks()


def _unlike(mine: pa.Schema, other: pa.Schema) -> tuple[str, ...]:
    """What one of two lists of columns has, and the other not in this place or of this type."""
    if mine.names == other.names and all(map(_fits, mine.types, other.types)):
        return ()
    one, two = ([(field.name, _kind(field.type)) for field in schema] for schema in (mine, other))
    named = [f"{name} ({kind})" for name, kind in one if (name, kind) not in two]
    lacking = [f"{name} ({kind}) is missing" for name, kind in two if (name, kind) not in one]
    return (*named, *lacking) or ("they stand in another order",)


def _fits(mine: pa.DataType, expected: pa.DataType) -> bool:
    """Whether a column can hold the same: one that is empty in all rows may have lost its type."""
    import pyarrow as pa

    if pa.types.is_null(mine) or _kind(mine) == _kind(expected):
        return True
    lists = pa.types.is_list(mine) and pa.types.is_list(expected)
    return lists and _fits(mine.value_type, expected.value_type)


def _kind(data_type: pa.DataType) -> str:
    """A type in words; how long a text may be is no difference (pandas' versions write it differently)."""
    return str(data_type).replace("large_", "").replace("element:", "item:")


def _unequal_rows(one: pa.Table, two: pa.Table) -> list[int]:
    """Places of rows in which any cell differs."""
    places: set[int] = set()
    for name in one.column_names:
        places.update(_unequal_cells(one[name], two[name]))
    return sorted(places)


def _unequal_cells(one: pa.ChunkedArray, two: pa.ChunkedArray) -> Sequence[int]:
    import pyarrow as pa

    if pa.types.is_floating(one.type):
        return _unequal_floats(one, two)
    if one.equals(two):
        return ()
    pairs = zip(one.to_pylist(), two.to_pylist(), strict=True)
    return [place for place, (a, b) in enumerate(pairs) if a != b]


def _unequal_floats(one: pa.ChunkedArray, two: pa.ChunkedArray) -> Sequence[int]:
    """0.0 is not -0.0 here, and NaN is NaN; a missing value is neither."""
    import numpy as np

    (a, none_a), (b, none_b) = (
        (column.to_numpy(zero_copy_only=False).astype("float64"), column.is_null().to_numpy()) for column in (one, two)
    )
    nan_a, nan_b = (np.isnan(values) & ~none for values, none in ((a, none_a), (b, none_b)))
    same = (none_a & none_b) | (nan_a & nan_b) | (~(none_a | none_b) & (a.view("int64") == b.view("int64")))
    return [int(place) for place in np.flatnonzero(~same)]


def _place(one: pa.Table, two: pa.Table, row: int, start: int) -> Place:
    mine, other = (table.slice(row, 1) for table in (one, two))
    column = next(name for name in one.column_names if _unequal_cells(mine[name], other[name]))
    keys = [name for name in _KEYS if name in one.column_names]
    key = ", ".join(f"{name} {_cell(other[name][0].as_py())}" for name in keys) or "it has no key"
    return Place(start + row + 1, key, column, _cell(mine[column][0].as_py()), _cell(other[column][0].as_py()))


def _cell(value: Any) -> str:
    if value is None:
        return "missing"
    text = ascii(without_known_secrets(value))
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def table_findings(folder: RunFolder, instrument: Instrument, complete: bool) -> Iterator[Finding]:
    """Each table: equal to what the journal gives, unlike it, missing, or nothing that anything makes.

    Args:
        folder: of the run; it is not written to.
        instrument: what makes its tables.
        complete: whether a missing table has been there.
    """
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
