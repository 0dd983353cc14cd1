"""Tables on disk, written and read so that a large one takes little memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from voirdire.data.frames import typed
from voirdire.data.json_text import without_halves
from voirdire.data.parquet import open_parquet

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa


def write_parquet(path: Path, pieces: Iterable[pd.DataFrame]) -> None:
    """Write pieces of a table, at least one, with the same columns. Each becomes a group of rows."""
    from pyarrow import parquet

    with _system_memory():
        tables = (_table(piece) for piece in pieces)
        first = next(tables)
        schema = _with_text_columns(first.schema)
        with parquet.ParquetWriter(path, schema) as writer:
            for table in chain((first,), tables):
                writer.write_table(table.cast(schema))


def write_frames(frames: Mapping[str, pd.DataFrame], into: Path) -> None:
    """Write tables as a run's folder has them: one file each, by its name."""
    for name, frame in frames.items():
        write_parquet(into / f"{name}.parquet", [frame])


def read_parquet(path: Path, columns: Sequence[str] | None = None) -> pd.DataFrame:
    """Read a table, or these columns of it.

    Raises:
        RowError: it can't be read as Parquet, or claims more than its size can hold.
    """
    with open_parquet(path) as file, _system_memory():
        frame: pd.DataFrame = file.read(columns=columns and list(columns), use_threads=False).to_pandas()
        return frame


def read_column(path: Path, column: str) -> Iterator[pd.Series[Any]]:
    """Read one column, a group of rows at a time, with the index that the rows have in the whole table."""
    start = 0
    with open_parquet(path) as file:
        for number in range(file.num_row_groups):
            with _system_memory():
                piece = file.read_row_group(number, columns=[column], use_threads=False).to_pandas()[column]
            yield piece.set_axis(range(start, start + len(piece)))
            start += len(piece)


def typed_frame(rows: Sequence[Mapping[str, Any]], columns: Sequence[str]) -> pd.DataFrame:
    """Rows as a table of these columns, without what no file can hold."""
    import pandas as pd

    plain = [{name: without_halves(value) for name, value in row.items()} for row in rows]
    return typed(pd.DataFrame(plain, columns=list(columns)))


def _table(piece: pd.DataFrame) -> pa.Table:
    """A piece as Arrow holds it, with U+FFFD for half a surrogate pair: one text must not cost the whole table."""
    import pyarrow as pa

    try:
        return pa.Table.from_pandas(piece, preserve_index=False)
    except UnicodeEncodeError:
        encodable = piece.copy()
        for name in piece.select_dtypes("object"):
            encodable[name] = piece[name].map(without_halves)
        return pa.Table.from_pandas(encodable, preserve_index=False)


def _with_text_columns(schema: pa.Schema) -> pa.Schema:
    """The schema of a whole table from that of its first piece: of what is empty there, that it will hold texts."""
    import pyarrow as pa

    for place, field in enumerate(schema):
        if pa.types.is_null(field.type):
            schema = schema.set(place, field.with_type(pa.string()))
        elif pa.types.is_list(field.type) and pa.types.is_null(field.type.value_type):
            schema = schema.set(place, field.with_type(pa.list_(pa.string())))
    return schema


@contextmanager
def _system_memory() -> Iterator[None]:
    """Let Arrow take its memory from the system, which gets it back at once; its own pools keep twice as much."""
    import pyarrow as pa

    before = pa.default_memory_pool()
    pa.set_memory_pool(pa.system_memory_pool())
    try:
        yield
    finally:
        pa.set_memory_pool(before)
