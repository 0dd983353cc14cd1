"""Read Parquet: rows a few at a time, or columns as a table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from voirdire.data.json_text import JsonError, parse_json
from voirdire.data.parquet import database
from voirdire.data.parquet.database import open_database, quoted_name
from voirdire.data.rows import RowError

if TYPE_CHECKING:
    import pandas as pd
    from duckdb import DuckDBPyConnection

MAX_GROUP = 2**33
"""Bytes of a row group, unpacked: of a million rows, as writers make them, 8 kB each."""
MAX_RATIO = 1_000
"""Bytes that a byte of the file may unpack to, and rows that it may stand for, beyond those that are free."""
FREE_BYTES = 64 * 2**20
FREE_ROWS = 10_000_000
MAX_COLUMNS = 2_000
MAX_LEVELS = 40
"""Of columns within columns."""
_AT_ONCE = 256
"""Rows that are turned into Python's values at a time, where each of them must be small."""
_IN_MEMORY = 2**29
"""Bytes that the rows taken at a time may come to if every cell is as large as its whole column."""
_GLOB = frozenset("*?[")
_KINDS = frozenset({"string", "str", "Int64", "boolean", "Float64"})
"""pandas' types of columns that Parquet doesn't tell from others, as pandas' own note in a file names them."""
_COLUMNS = "DESCRIBE SELECT * FROM read_parquet(?, hive_partitioning = false)"
_SCHEMA = "SELECT name, num_children FROM parquet_schema(?) LIMIT 100000"
_CLAIMED = "SELECT num_rows FROM parquet_file_metadata(?)"
_METADATA = "SELECT key, value FROM parquet_kv_metadata(?)"
_GROUPS = "SELECT row_group_id, row_group_num_rows, row_group_bytes FROM parquet_metadata(?)"
_FEW = 10_000
"""Texts of a column that are told apart while it is read."""
_FOOTERS = 256
"""Files whose footers are kept."""
_CHUNKS = 8
"""Vectors of 2,048 rows."""


class _Footer(NamedTuple):
    """What a file says of itself."""

    names: list[str]
    """Of columns, those within others left out."""
    rows: list[int]
    """Of each row group."""
    unpacked: list[int]
    """Bytes of each."""
    described: list[tuple[str, str]]
    """DuckDB's own names of the columns, and their types."""
    metadata: dict[bytes, bytes]
    """Texts by name."""


class ParquetFile:
    """A file that is open."""

    def __init__(self, connection: DuckDBPyConnection, path: str, footer: _Footer) -> None:
        self._connection = connection
        self._path = path
        self._largest = max(footer.unpacked, default=0)
        self._engine_names = dict(zip(footer.names, (name for name, _ in footer.described), strict=True))
        """DuckDB's own names: `a_1` for an `A` beside `a`."""
        self.columns: dict[str, str] = dict(zip(footer.names, (kind for _, kind in footer.described), strict=True))
        """Types by name, in order."""
        self.row_count = sum(footer.rows)
        self.metadata = footer.metadata
        """What the footer says beside: texts by name."""

    def rows(self, start: int = 0, stop: int | None = None) -> Iterator[dict[str, Any]]:
        """Rows as plain values by column, from one place (from 0) to another."""
        names = list(self.columns)
        within = "" if stop is None else f" LIMIT {int(stop) - int(start)} OFFSET {int(start)}"
        for batch in self._batches(names, self.rows_at_once(), within):
            for row in batch:
                yield dict(zip(names, row, strict=True))

    def batches(self, size: int) -> Iterator[list[tuple[Any, ...]]]:
        """All rows as tuples in the order of the columns, so many at a time."""
        return self._batches(list(self.columns), size)

    def frame(self, columns: Sequence[str] | None = None) -> pd.DataFrame:
        """The table, or these columns of it, typed as they were written."""
        import pandas as pd

        names = list(self.columns if columns is None else columns)
        return pd.concat(self._pieces(names), ignore_index=True)

    def series(self, column: str) -> Iterator[pd.Series[Any]]:
        """One column, some rows at a time, with the index that the rows have in the whole table."""
        start = 0
        for piece in self._pieces([column]):
            yield piece[column].set_axis(range(start, start + len(piece)))
            start += len(piece)

    def rows_at_once(self) -> int:
        """How many rows are turned into Python's values at a time: fewer where a single cell may be large.

        A text that stands in a column once may be the value of every row: what a group takes bounds each of its cells,
        and not all of them together.
        """
        return max(1, min(_AT_ONCE, _IN_MEMORY // max(self._largest, 1)))

    def _pieces(self, names: Sequence[str]) -> Iterator[pd.DataFrame]:
        """Some rows at a time, at least one piece, typed as they were written."""
        import pandas as pd

        kinds = self._kinds()
        texts: dict[str, dict[Any, Any]] = {name: {} for name in names}
        with self._connection.cursor() as cursor:
            result = self._select(cursor, names)
            first = True
            while len(piece := result.fetch_df_chunk(_CHUNKS)) or first:
                columns = (piece.iloc[:, place] for place in range(len(names)))
                typed = {
                    name: _typed(column, kinds.get(name), texts[name])
                    for name, column in zip(names, columns, strict=True)
                }
                yield pd.DataFrame(typed, index=piece.index)
                first = False

    def _batches(self, names: Sequence[str], size: int, within: str = "") -> Iterator[list[tuple[Any, ...]]]:
        with self._connection.cursor() as cursor:
            result = self._select(cursor, names, within)
            while batch := result.fetchmany(size):
                yield batch

    def _select(self, connection: DuckDBPyConnection, names: Sequence[str], within: str = "") -> DuckDBPyConnection:
        columns = ", ".join(quoted_name(self._engine_names[name]) for name in names)
        query = f"SELECT {columns} FROM read_parquet(?, hive_partitioning = false){within}"  # noqa: S608  # names are quoted
        return connection.execute(query, [self._path])

    def _kinds(self) -> dict[str, str]:
        """Which columns pandas had as one of its own types, as it says in the footer itself."""
        try:
            note = parse_json(self.metadata.get(b"pandas", b"{}").decode())
            return {each["name"]: each["numpy_type"] for each in note["columns"] if each["numpy_type"] in _KINDS}
        except (JsonError, UnicodeDecodeError, KeyError, TypeError):
            return {}


@contextmanager
def open_parquet(path: Path) -> Iterator[ParquetFile]:
    """A Parquet file that claims no more than it can hold; what goes wrong while it is read becomes a `RowError`.

    Raises:
        RowError: it can't be read, is damaged, or is a bomb: columns that unpack to more than a thousand times what
            they take in the file, or more values than its bytes can stand for.
    """
    import duckdb

    try:
        with plain_name(path) as place, open_database() as connection:
            status = place.stat()
            state = (status.st_ino, status.st_size, status.st_mtime_ns)
            yield ParquetFile(connection, str(place), _checked(path, str(place), state))
    except RowError:
        raise
    except duckdb.OutOfMemoryException as error:
        raise RowError(f"{path} can't be read as Parquet: it takes more than {database.MEMORY} of memory.") from error
    except OSError as error:
        raise RowError(f"{path} can't be read: {error.strerror or _first_line(error)}.") from error
    except (duckdb.Error, ValueError, TypeError, KeyError, OverflowError, RecursionError) as error:
        raise RowError(f"{path} can't be read as Parquet: {_first_line(error)}.") from error


@contextmanager
def plain_name(path: Path) -> Iterator[Path]:
    """The file's whole path, or a link to it: DuckDB takes some characters for patterns, and a folder for its files.

    Raises:
        RowError: no file is there.
    """
    if not path.is_file():
        raise RowError(f"{path} can't be read as Parquet: {_why_none(path)}.")
    place = path.resolve()
    if not _GLOB & set(str(place)):
        yield place
        return
    with TemporaryDirectory(prefix="voirdire-") as folder:
        link = Path(folder).resolve() / "table.parquet"
        link.symlink_to(place)
        yield link


def _why_none(path: Path) -> str:
    return "it is no file" if path.exists() else "there is no such file"


@lru_cache(_FOOTERS)
def _checked(path: Path, place: str, state: tuple[int, int, int]) -> _Footer:
    """The footer, if what it claims can be true; it is read again when the file is another one.

    Args:
        path: of the file, as it was named.
        place: where it is read from.
        state: number, bytes and time of the last change.

    Raises:
        RowError: it can't.
    """
    with open_database() as connection:

        def ask(query: str) -> list[Any]:
            return connection.execute(query, [place]).fetchall()

        return _footer(path, state[1], ask)


def _footer(path: Path, size: int, ask: Callable[[str], list[Any]]) -> _Footer:
    names, columns, levels = _shape(ask(_SCHEMA))
    if columns > MAX_COLUMNS or levels > MAX_LEVELS:
        raise RowError(
            f"{path} has more than {MAX_COLUMNS:,} columns, or columns more than {MAX_LEVELS} deep, and is not read."
        )
    ((claimed,),) = ask(_CLAIMED)
    groups = {group: (rows, unpacked) for group, rows, unpacked in ask(_GROUPS)}  # one row for each of its columns
    group_rows, group_bytes = ([each[place] for each in groups.values()] for place in (0, 1))
    rows, unpacked = max(claimed, sum(group_rows)), sum(group_bytes)
    if any(each < 0 for each in group_rows) or any(not 0 <= each <= MAX_GROUP for each in group_bytes):
        raise RowError(f"{path} has a row group that claims more than {MAX_GROUP:,} bytes, or less than none.")
    if rows > FREE_ROWS + MAX_RATIO * size:
        raise RowError(f"{path} claims {rows:,} rows in {size:,} bytes, and is not read.")
    if unpacked > FREE_BYTES + MAX_RATIO * size:
        raise RowError(f"{path} claims that its {size:,} bytes unpack to {unpacked:,}, and is not read.")
    described = [(name, kind) for name, kind, *_ in ask(_COLUMNS)]
    return _Footer(names, group_rows, group_bytes, described, dict(ask(_METADATA)))


def _shape(schema: Sequence[tuple[str, int | None]]) -> tuple[list[str], int, int]:
    """Names of the columns of a schema, how many hold values, how deep they lie; each stands before those within it."""
    names: list[str] = []
    columns = deepest = 0
    left = [schema[0][1] or 0]
    for name, children in schema[1:]:
        while left and not left[-1]:
            left.pop()
        if not left:
            break
        left[-1] -= 1
        if len(left) == 1:
            names.append(name)
        if children:
            left.append(children)
        else:
            columns += 1
        deepest = max(deepest, len(left))
    return names, columns, deepest


def _typed(column: pd.Series[Any], kind: str | None, texts: dict[Any, Any]) -> Any:
    """A column of pandas' own type where it was written with one, and with `None` for a list that is missing.

    Texts are Python's own also where pyarrow is installed: equal ones can then be one object, which there they can't.

    Args:
        column: as it was read.
        kind: of which it was written, where that is one of pandas' own types.
        texts: those of the column so far, so that equal ones are one object as long as they are few: most name a
            model, a judge, a concept.
    """
    import pandas as pd

    texts_of: dict[str, Any] = {
        "str": pd.StringDtype("python", na_value=float("nan")),
        "string": pd.StringDtype("python"),
    }
    own, noted = texts_of.get(kind or str(column.dtype)), cast(Any, kind)
    if own is None and noted is None:
        return column.where(column.notna(), None) if column.dtype == object else column
    if own is None:
        return column.astype(noted)
    cells = column.astype(own).to_numpy(object).tolist()
    return pd.array([texts.setdefault(text, text) for text in cells] if len(texts) <= _FEW else cells, dtype=own)


def _first_line(error: Exception) -> str:
    return " ".join(str(error).partition("\n")[0].rstrip(".").split()) or type(error).__name__
