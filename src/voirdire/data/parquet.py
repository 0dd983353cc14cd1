"""Parquet from elsewhere: what a file claims of itself is held against its size before anything of it is read.

Nothing in a Parquet file is unpickled: pyarrow keeps what it does not know as bytes.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from voirdire.data.rows import RowError

if TYPE_CHECKING:
    import pyarrow.parquet as pq

MAX_GROUP = 2**33
"""Bytes of a row group, unpacked: of a million rows, as pyarrow writes them, 8 kB each."""
MAX_RATIO = 1_000
"""Bytes that a byte of the file may unpack to, and rows that it may stand for, beyond those that are free."""
FREE_BYTES = 64 * 2**20
FREE_ROWS = 10_000_000
MAX_COLUMNS = 2_000
MAX_LEVELS = 40
"""Of columns within columns."""
_AT_ONCE = 256
"""Rows that are decoded at a time, where each of them must be small."""
_IN_MEMORY = 2**29
"""Bytes that the rows decoded at a time may come to if every cell is as large as its whole column."""


@contextmanager
def open_parquet(path: Path) -> Iterator[pq.ParquetFile]:
    """A Parquet file that claims no more than it can hold; what goes wrong while it is read becomes a `RowError`.

    Raises:
        RowError: it can't be read, is damaged, or is a bomb: columns that unpack to more than a thousand times what
            they take in the file, or more values than its bytes can stand for.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(path) as file:
            _check(path, file.metadata)
            yield file
    except RowError:
        raise
    except (OSError, pa.ArrowException, ValueError, TypeError, KeyError, OverflowError, RecursionError) as error:
        raise RowError(f"{path} can't be read as Parquet: {_first_line(error)}.") from error


def rows_at_once(group: pq.RowGroupMetaData) -> int:
    """How many rows are decoded at a time: fewer where a single cell may be large.

    A text that stands in a column once may be the value of every row: what a group takes bounds each of its cells, and
    not all of them together.
    """
    rows: int = min(_AT_ONCE, _IN_MEMORY // max(group.total_byte_size, 1))
    return max(1, rows)


def _check(path: Path, metadata: pq.FileMetaData) -> None:
    """That what the footer claims can be true.

    Columns' own figures are left alone: pyarrow ends the process (`terminate`) where some of them are damaged.

    Raises:
        RowError: it can't.
    """
    names = [metadata.schema.column(place).path for place in range(min(metadata.num_columns, MAX_COLUMNS + 1))]
    if len(names) > MAX_COLUMNS or any(name.count(".") > MAX_LEVELS for name in names):
        raise RowError(
            f"{path} has more than {MAX_COLUMNS:,} columns, or columns more than {MAX_LEVELS} deep, and is not read."
        )
    size = path.stat().st_size
    groups = [metadata.row_group(number) for number in range(metadata.num_row_groups)]
    rows, unpacked = sum(group.num_rows for group in groups), sum(group.total_byte_size for group in groups)
    if any(group.num_rows < 0 or not 0 <= group.total_byte_size <= MAX_GROUP for group in groups):
        raise RowError(f"{path} has a row group that claims more than {MAX_GROUP:,} bytes, or less than none.")
    if max(rows, metadata.num_rows) > FREE_ROWS + MAX_RATIO * size:
        raise RowError(f"{path} claims {max(rows, metadata.num_rows):,} rows in {size:,} bytes, and is not read.")
    if unpacked > FREE_BYTES + MAX_RATIO * size:
        raise RowError(f"{path} claims that its {size:,} bytes unpack to {unpacked:,}, and is not read.")


def _first_line(error: Exception) -> str:
    return " ".join(str(error).partition("\n")[0].rstrip(".").split()) or type(error).__name__
