"""Databases in memory, one a process for each bound of memory, that reach neither the network nor other code."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
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


@contextmanager
def open_database(memory: str, *, spill: bool = False) -> Iterator[DuckDBPyConnection]:
    """A connection with one thread and with temporary tables of its own, whose SQL sees no Python variable.

    A database takes ten milliseconds to start, so a process keeps those that it has used.

    Args:
        memory: that the database takes at most; a query that needs more is an error.
        spill: whether what doesn't fit may lie in the system's folder for temporary files.
    """
    with _started(memory, spill, os.getpid()).cursor() as connection:
        yield connection


@cache
def _started(memory: str, spill: bool, process: int) -> DuckDBPyConnection:
    import duckdb

    place = Path(tempfile.gettempdir()) / f"voirdire-{process}.spill"
    config: dict[str, str | bool | int | float | list[str]] = {
        "threads": 1,
        "memory_limit": memory,
        "temp_directory": str(place) if spill else "",  # made when it is needed, removed at the end
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
