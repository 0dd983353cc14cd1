"""Tables on disk, written and read so that a large one takes little memory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from voirdire.data.json_text import without_halves
from voirdire.data.parquet import open_parquet, write_parquet
from voirdire.data.table_values import typed

if TYPE_CHECKING:
    import pandas as pd


def write_frames(frames: Mapping[str, pd.DataFrame], into: Path) -> None:
    """Write tables as a run's folder has them: one file each, by its name."""
    for name, frame in frames.items():
        write_parquet(into / f"{name}.parquet", [frame])


def read_parquet(path: Path, columns: Sequence[str] | None = None) -> pd.DataFrame:
    """Read a table, or these columns of it.

    Raises:
        RowError: it can't be read as Parquet, or claims more than its size can hold.
    """
    with open_parquet(path) as file:
        return file.frame(columns)


def read_column(path: Path, column: str) -> Iterator[pd.Series[Any]]:
    """Read one column, some rows at a time, with the index that the rows have in the whole table."""
    with open_parquet(path) as file:
        yield from file.series(column)


def typed_frame(rows: Sequence[Mapping[str, Any]], columns: Sequence[str]) -> pd.DataFrame:
    """Rows as a table of these columns, without what no file can hold."""
    import pandas as pd

    plain = [{name: without_halves(value) for name, value in row.items()} for row in rows]
    return typed(pd.DataFrame(plain, columns=list(columns)))
