"""A database in memory that reaches the files it is given, and nothing else of the machine or the network."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_SETTINGS = (
    "enable_external_access = false",
    "enable_geoparquet_conversion = false",
    "disabled_optimizers = 'statistics_propagation'",  # else a column is `required` in one file and not in the next
    "pandas_analyze_sample = 1000000000",  # every cell says of which type a column is, not the first thousand
    "lock_configuration = true",
)


@contextmanager
def open_database(paths: Sequence[Path], memory: str, spill: Path | None = None) -> Iterator[DuckDBPyConnection]:
    """A connection with one thread, without extensions, whose SQL sees no Python variable.

    Args:
        paths: of the only files that it can open.
        memory: that it takes at most; a query that needs more is an error.
        spill: the folder for what doesn't fit; DuckDB makes it when it is needed, and removes it.
    """
    import duckdb

    config: dict[str, str | bool | int | float | list[str]] = {
        "threads": 1,
        "memory_limit": memory,
        "temp_directory": "" if spill is None else str(spill),
        "autoinstall_known_extensions": False,
        "autoload_known_extensions": False,
        "allow_community_extensions": False,
        "python_enable_replacements": False,
    }
    allowed = ", ".join(quoted_text(str(path)) for path in paths)
    with duckdb.connect(":memory:", config=config) as connection:
        connection.execute(f"SET allowed_paths = [{allowed}]")
        for setting in _SETTINGS:
            connection.execute(f"SET {setting}")
        yield connection


def quoted_text(text: str) -> str:
    """A text as SQL writes it."""
    return "'" + text.replace("'", "''") + "'"


def quoted_name(name: str) -> str:
    """A name of a column as SQL writes it."""
    return '"' + name.replace('"', '""') + '"'
