"""Making a project's file: all of it, or nothing."""

from __future__ import annotations

import os
import secrets
import sqlite3
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from voirdire.raters.records import Document, Item, RatersError, Role, Settings
from voirdire.raters.store.schema import create_tables, explain, make_durable
from voirdire.raters.store.transaction import Transaction, to_json

_OWNER_ONLY = 0o600
_SECRET_BYTES = 24


def create_store(
    path: Path,
    settings: Settings,
    documents: Sequence[Document],
    items: Sequence[Item],
    raters: Sequence[tuple[str, Role]] = (),
) -> None:
    """Make a project: all of it, or nothing is left behind. Its file is for its owner's eyes: it holds the links.

    Args:
        path: where nothing is yet.
        settings: what the organiser has decided.
        documents: in the order in which they are handed out.
        items: of all documents, in their order.
        raters: names and roles.

    Raises:
        RatersError: something is there, a name is taken, or it can't be written.
    """
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, _OWNER_ONLY))
    except FileExistsError:
        raise RatersError(f"{path} is there already; give another name, or remove it first.") from None
    except OSError as error:
        raise RatersError(f"The project {path} can't be made: {error.strerror}.") from error
    try:
        _fill(path, settings, documents, items, raters)
    except BaseException as error:
        for end in ("", "-wal", "-shm"):
            Path(f"{path}{end}").unlink(missing_ok=True)
        if isinstance(error, sqlite3.Error):
            raise explain(path, error) from error
        if isinstance(error, UnicodeEncodeError):
            raise RatersError("An id or a name holds half a character (a lone surrogate): mend the data.") from error
        raise


def _fill(
    path: Path,
    settings: Settings,
    documents: Sequence[Document],
    items: Sequence[Item],
    raters: Sequence[tuple[str, Role]],
) -> None:
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        make_durable(connection)
        connection.execute("BEGIN IMMEDIATE")
        create_tables(connection)
        told = {"settings": to_json(asdict(settings)), "organiser": secrets.token_urlsafe(_SECRET_BYTES)}
        connection.executemany("INSERT INTO meta VALUES (?, ?)", told.items())
        connection.executemany(
            "INSERT INTO documents VALUES (?, ?, ?, ?, ?, ?, ?)",
            (
                (place, each.id, to_json(each.body), each.group, to_json(each.source), each.stratum, each.weight)
                for place, each in enumerate(documents)
            ),
        )
        connection.executemany(
            "INSERT INTO items VALUES (?, ?, ?, ?, ?, ?)",
            (
                (number, each.id, each.document, each.place, each.pool, None if each.key is None else to_json(each.key))
                for number, each in enumerate(items)
            ),
        )
        live = dict.fromkeys(item.document for item in items if item.pool == "live")
        connection.executemany(
            "INSERT INTO holders VALUES (?, ?, 0)", ((each, place) for place, each in enumerate(live))
        )
        transaction = Transaction(connection)
        for name, role in raters:
            transaction.seat(name, role)
        connection.execute("COMMIT")
    finally:
        connection.close()
