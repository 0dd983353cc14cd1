"""Write Parquet: tables in pieces, rows one by one, files joined; the same input gives the same bytes."""

from __future__ import annotations

import errno
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Self

from voirdire.data.json_text import without_halves
from voirdire.data.parquet.database import open_database, quoted_name, quoted_text
from voirdire.data.parquet.reader import open_parquet, plain_name

if TYPE_CHECKING:
    import pandas as pd
    from duckdb import DuckDBPyConnection

_GROUP = 10_000
"""Rows of a row group, unless they are long."""
_GROUP_SIZE = 2**22
"""Characters after which a row group ends, whatever its rows: it must fit into the memory, packed and unpacked."""
_NOTE = b"pandas"
_AT_ONCE = 1_000
"""Rows that are handed to DuckDB at a time."""
_NOTHING = '"NULL"'
"""The type of a column without values."""
_WHOLE = {"TINYINT": "BIGINT", "SMALLINT": "BIGINT", "INTEGER": "BIGINT", _NOTHING: "VARCHAR"}
"""What a column is whose values say less: small numbers may be followed by large ones, and nothing by texts."""


def write_parquet(path: Path, pieces: Iterable[pd.DataFrame]) -> None:
    """Write pieces of a table, at least one, with the same columns; the first says of which types they are."""
    waiting = iter(pieces)
    first = next(waiting)
    with _database(path) as database, _RowGroups(database) as groups:
        columns = _insert(database, first)
        groups.added(len(first), _characters(first))
        for piece in waiting:
            _insert(database, piece, columns)
            groups.added(len(piece), _characters(piece))
        groups.save(path, {_NOTE: _note(first).encode()})


class _RowGroups:
    """The rows of a database's table: as soon as they are many, they are written to a file of their own.

    Leaving the context removes these files.
    """

    def __init__(self, database: DuckDBPyConnection) -> None:
        self._database = database
        self._folder: TemporaryDirectory[str] | None = None
        self._files: list[Path] = []
        self._rows = self._size = self._longest = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._folder is not None:
            self._folder.cleanup()

    def added(self, rows: int, characters: int) -> None:
        """Rows were added to the table, with so many characters of text in all."""
        self._rows += rows
        self._size += characters
        if self._rows >= _GROUP or self._size >= _GROUP_SIZE:
            self._write_to_disk()

    def save(self, path: Path, metadata: Mapping[bytes, bytes]) -> None:
        """Write all rows, in their order."""
        if not self._files:
            _save(self._database, path, metadata)
            return
        if self._rows:
            self._write_to_disk()
        listed = ", ".join(quoted_text(str(file)) for file in self._files)
        _save(
            self._database, path, metadata, f"FROM read_parquet([{listed}], hive_partitioning = false)", self._longest
        )

    def _write_to_disk(self) -> None:
        self._folder = self._folder or TemporaryDirectory(prefix="voirdire-")
        file = Path(self._folder.name) / f"{len(self._files)}.parquet"
        _save(self._database, file, {})
        self._database.execute("CREATE OR REPLACE TABLE rows AS FROM rows LIMIT 0")
        self._files.append(file)
        self._longest = max(self._longest, self._rows)
        self._rows = self._size = 0


class TableWriter:
    """Takes rows for a file that is written when all of them are there."""

    def __init__(self, database: DuckDBPyConnection, groups: _RowGroups, columns: Sequence[str]) -> None:
        self._database = database
        self._groups = groups
        self._columns = columns
        self._waiting: list[list[Any]] = []

    def write(self, rows: Iterable[Mapping[str, Any]]) -> None:
        """Add rows: values by column; what is not named is missing."""
        for row in rows:
            self._waiting.append([row.get(name) for name in self._columns])
            if len(self._waiting) >= _AT_ONCE:
                self.flush()

    def flush(self) -> None:
        """Hand on what waits."""
        with self._database.appender("rows") as appender:
            for values in self._waiting:
                appender.append_row(*values)
        texts = (value for values in self._waiting for value in values if isinstance(value, str))
        self._groups.added(len(self._waiting), sum(map(len, texts)))
        self._waiting = []


@contextmanager
def open_writer(
    path: Path, columns: Mapping[str, str], metadata: Callable[[], Mapping[bytes, bytes]] = dict
) -> Iterator[TableWriter]:
    """Write rows; the file is there when the block has ended.

    Args:
        path: of the file.
        columns: types by name.
        metadata: gives further entries of the file's footer; called when all rows are there.
    """
    with _database(path) as database, _RowGroups(database) as groups:
        _create(database, columns)
        writer = TableWriter(database, groups, list(columns))
        yield writer
        writer.flush()
        groups.save(path, metadata())


def join_parquet(paths: Sequence[Path], target: Path) -> int:
    """Write the rows of files, in order, into one that has the columns of all; how many rows that are.

    Raises:
        RowError: one of them can't be read as Parquet.
    """
    count = 0
    metadata: list[dict[bytes, bytes]] = []
    for path in paths:
        with open_parquet(path) as file:
            count += file.row_count
            metadata.append(file.metadata)
    note = {name: text for name, text in metadata[0].items() if name == _NOTE}
    with ExitStack() as links:
        places = [links.enter_context(plain_name(path)) for path in paths]
        every = (f"FROM read_parquet({quoted_text(str(each))}, hive_partitioning = false)" for each in places)
        with _database(target) as database:
            _save(database, target, note, " UNION ALL BY NAME ".join(every))
    return count


@contextmanager
def _database(path: Path) -> Iterator[DuckDBPyConnection]:
    """A database that is to write this file; one that can't be written is an `OSError`."""
    import duckdb

    path.open("wb").close()
    try:
        with open_database() as database:
            yield database
    except duckdb.IOException as error:
        raise OSError(errno.EIO, str(error).partition("\n")[0], str(path)) from error


def _insert(
    database: DuckDBPyConnection, piece: pd.DataFrame, columns: Mapping[str, str] | None = None
) -> Mapping[str, str]:
    """Add a piece, with U+FFFD for half a surrogate pair: one text must not cost the whole table.

    Args:
        database: where the rows wait.
        piece: of the table.
        columns: types of the table's columns; of the first piece, `None`.

    Returns:
        Types of the table's columns.
    """
    import duckdb

    try:
        return _insert_texts(database, piece, columns)
    except duckdb.InvalidInputException:
        whole = piece.copy()
        for name in _textual(piece):
            whole[name] = piece[name].map(without_halves)
        return _insert_texts(database, whole, columns)


def _insert_texts(
    database: DuckDBPyConnection, piece: pd.DataFrame, columns: Mapping[str, str] | None
) -> Mapping[str, str]:
    database.register("piece", piece)
    try:
        results = {name: kind for name, kind, *_ in database.execute("SELECT * FROM piece LIMIT 0").description or ()}
        if columns is None:
            columns = {name: _kind(kind) for name, kind in results.items()}
            _create(database, columns)
        _check_kinds(results, columns)
        _check_texts(piece, results)
        database.execute("INSERT INTO rows BY NAME SELECT * FROM piece")
    finally:
        database.unregister("piece")
    return columns


def _create(database: DuckDBPyConnection, columns: Mapping[str, str]) -> None:
    listed = ", ".join(f"{quoted_name(name)} {kind}" for name, kind in columns.items())
    database.execute(f"CREATE OR REPLACE TABLE rows ({listed})")


def _characters(piece: pd.DataFrame) -> int:
    """How many characters its texts have; lists of texts are not counted."""
    texts = (piece[name].to_numpy(object) for name in _textual(piece))
    return sum(len(value) for column in texts for value in column.tolist() if isinstance(value, str))


def _textual(piece: pd.DataFrame) -> list[Any]:
    """Its columns that may hold texts."""
    return [name for name, kind in piece.dtypes.items() if str(kind) in ("object", "str", "string")]


def _save(
    database: DuckDBPyConnection,
    path: Path,
    metadata: Mapping[bytes, bytes],
    rows: str = "FROM rows",
    group: int = _GROUP,
) -> None:
    entries = (f"{quoted_name(name.decode())}: {quoted_text(text.decode())}" for name, text in metadata.items())
    noted = f", KV_METADATA {{{', '.join(entries)}}}" if metadata else ""
    place = quoted_text(str(path.absolute()))
    database.execute(f"COPY ({rows}) TO {place} (FORMAT parquet, USE_TMP_FILE false, ROW_GROUP_SIZE {group}{noted})")


def _kind(kind: Any) -> str:
    """The type of a column as SQL writes it, wide enough for what may follow."""
    if kind.id == "list":
        return f"{_kind(kind.children[0][1])}[]"
    if kind.id == "struct":
        return f"STRUCT({', '.join(f'{quoted_name(name)} {_kind(each)}' for name, each in kind.children)})"
    return _WHOLE.get(str(kind), str(kind))


def _check_kinds(results: Mapping[str, Any], columns: Mapping[str, str]) -> None:
    """That a piece holds what the first one does; a number is never cut to fit.

    Raises:
        TypeError: it doesn't.
    """
    for name, kind in results.items():
        one, first = _kind(kind), columns.get(name)
        if one != first and (one, first) != ("BIGINT", "DOUBLE") and _NOTHING not in str(kind):
            raise TypeError(f"The column {name} holds {one}, and began as {first}.")


def _check_texts(piece: pd.DataFrame, results: Mapping[str, Any]) -> None:
    """That columns of texts hold nothing else: DuckDB would write anything as a text.

    Raises:
        TypeError: one does.
    """
    for name in (name for name in results if piece[name].dtype == object):
        kind, cells = str(results[name]), piece[name].dropna()
        values = cells if kind == "VARCHAR" else chain.from_iterable(cells) if kind == "VARCHAR[]" else ()
        other = next((each for each in values if each is not None and not isinstance(each, str)), None)
        if other is not None:
            raise TypeError(f"The column {name} holds a value of the type {type(other).__name__} among texts.")


def _note(frame: pd.DataFrame) -> str:
    """What pandas writes into a file of Parquet itself, so that its readers find its types again."""
    import pandas as pd

    columns = [
        {"name": name, "field_name": name, "pandas_type": None, "numpy_type": str(dtype), "metadata": None}
        for name, dtype in frame.dtypes.items()
    ]
    note = {"index_columns": [], "column_indexes": [], "columns": columns, "pandas_version": pd.__version__}
    return json.dumps(note)
