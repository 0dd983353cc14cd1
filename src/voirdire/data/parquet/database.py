"""The database in memory that reads and writes Parquet, one a process: it reaches neither network nor other code."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_SETTINGS = (
    "allowed_directories = ['/']",
    "enable_external_access = false",  # beyond these folders: no address, no extension
    "enable_geoparquet_conversion = false",
    "disabled_optimizers = 'statistics_propagation'",  # else a column is `required` in one file and not in the next
    "pandas_analyze_sample = 1000000000",  # every cell says of which type a column is, not the first thousand
    "lock_configuration = true",
)


MEMORY = "2GB"
"""What it takes at most: a page that is larger than its file says is an error, not the end of the process."""


@contextmanager
def open_database() -> Iterator[DuckDBPyConnection]:
    """A connection with one thread and with temporary tables of its own, whose SQL sees no Python variable.

    A database takes ten milliseconds to start, and 30 MB, so a process keeps the one it has.
    """
    with _started(os.getpid()).cursor() as connection:
        yield connection


@cache
def _started(process: int) -> DuckDBPyConnection:
    import duckdb

    config: dict[str, str | bool | int | float | list[str]] = {
        "threads": 1,
        "memory_limit": MEMORY,
        "temp_directory": "",  # nothing is written but what is asked for
        "autoinstall_known_extensions": False,
        "autoload_known_extensions": False,
        "allow_community_extensions": False,
        "python_enable_replacements": False,
    }
    database = duckdb.connect(":memory:", config=config)
    for setting in _SETTINGS:
        database.execute(f"SET {setting}")
    return database


def quoted_text(text: str) -> str:
    """A text as SQL writes it."""
    return "'" + text.replace("'", "''") + "'"


def quoted_name(name: str) -> str:
    """A name of a column as SQL writes it."""
    return '"' + name.replace('"', '""') + '"'
