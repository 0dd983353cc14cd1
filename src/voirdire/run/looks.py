"""What a journal says in all of how it came about: short looks at its whole file, each in one statement."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from typing import Any

from voirdire.run.chain import has_chain

_ABOUT = "SELECT CAST(about AS TEXT) FROM chain WHERE about <> '{}' ORDER BY id"
_ERRORS = """
    SELECT coalesce(error_kind, 'unknown'), count(*) FROM calls WHERE status <> 'ok' GROUP BY 1 ORDER BY 2 DESC, 1
"""
_WEIGHTS = "SELECT DISTINCT spec, sha256 FROM calls WHERE sha256 IS NOT NULL ORDER BY spec, sha256"
_MOST = 20
"""Faults that SQLite is asked for: one is enough to know."""


def sessions_of(connection: sqlite3.Connection) -> list[Mapping[str, Any]]:
    """Who has written, oldest first: version and time of each session, as the chain says them."""
    if not has_chain(connection):
        return []
    said = (_plain(about) for (about,) in connection.execute(_ABOUT))
    return [each for each in said if "voirdire" in each]


def errors_of(connection: sqlite3.Connection) -> dict[str, int]:
    """How many attempts failed, by the kind of their error, the most frequent first."""
    return dict(connection.execute(_ERRORS).fetchall())


def weights_of(connection: sqlite3.Connection) -> dict[str, list[str]]:
    """SHA-256 of the weights of local models that were called, by model: one each, unless a file was changed."""
    found: dict[str, list[str]] = {}
    for spec, sha256 in connection.execute(_WEIGHTS):
        found.setdefault(spec, []).append(sha256)
    return found


def damage_of(connection: sqlite3.Connection) -> list[str]:
    """What SQLite's own check finds wrong with the file."""
    found = [str(said) for (said,) in connection.execute(f"PRAGMA integrity_check({_MOST})")]
    return [] if found == ["ok"] else found


def _plain(about: str) -> Mapping[str, Any]:
    try:
        said = json.loads(about)
    except ValueError:
        return {}
    return said if isinstance(said, dict) else {}
