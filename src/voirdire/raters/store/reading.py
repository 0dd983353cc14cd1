"""Reading a project's file, row by row; knows no task."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from typing import Any

from voirdire.raters.records import Document, Item, Rater, RatersError, Row, Settings

_ROW = "seq, token, at, rater, item, kind, body, replaces, seconds"
_ITEM = "id, document, place, pool, key"
_DOCUMENT = "id, body, cluster, source, stratum, weight"
_CACHED = 256


class Reader:
    """Looks things up over one connection; give each thread its own."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        """Read over `connection`, which must be to a project's file."""
        self._connection = connection
        self.document = lru_cache(maxsize=_CACHED)(self._document)

    def settings(self) -> Settings:
        """What the organiser has decided."""
        return Settings(**json.loads(self.meta("settings")))

    def meta(self, key: str) -> str:
        """A value of the project's own."""
        ((value,),) = self._all("SELECT value FROM meta WHERE key = ?", key)
        return str(value)

    def raters(self) -> list[Rater]:
        """All raters, in the order in which they were added."""
        return [Rater(*row) for row in self._all("SELECT id, name, role FROM raters ORDER BY rowid")]

    def documents(self) -> Iterator[Document]:
        """All documents, in their order."""
        return map(_read_document, self._all(f"SELECT {_DOCUMENT} FROM documents ORDER BY place"))  # noqa: S608

    def item(self, item: str) -> Item:
        """The item of this id.

        Raises:
            RatersError: there is none.
        """
        found = self._all(f"SELECT {_ITEM} FROM items WHERE id = ?", item)  # noqa: S608
        if not found:
            raise RatersError(f"There is no item {item!r} in this project.")
        return _read_item(found[0])

    def items(self, document: str | None = None) -> list[Item]:
        """The items of one document in their order, or all."""
        if document is None:
            return list(map(_read_item, self._all(f"SELECT {_ITEM} FROM items ORDER BY position")))  # noqa: S608
        sql = f"SELECT {_ITEM} FROM items WHERE document = ? ORDER BY place"  # noqa: S608
        return list(map(_read_item, self._all(sql, document)))

    def rows(
        self, *, rater: str | None = None, item: str | None = None, kinds: Sequence[str] | None = None
    ) -> list[Row]:
        """Rows in the order in which they were written.

        Args:
            rater: only this one's.
            item: only on this item.
            kinds: only these.
        """
        wanted: list[tuple[str, Any]] = [("rater = ?", rater)] if rater is not None else []
        wanted += [("item = ?", item)] if item is not None else []
        wanted += [("kind IN (SELECT value FROM json_each(?))", json.dumps(list(kinds)))] if kinds is not None else []
        where = " AND ".join(clause for clause, _ in wanted) or "1"
        sql = f"SELECT {_ROW} FROM rows WHERE {where} ORDER BY seq"  # noqa: S608 - clauses of our own
        return list(map(_read_row, self._all(sql, *(value for _, value in wanted))))

    def values(self, item: str) -> dict[str, Any]:
        """The complete ratings of an item, by rater."""
        found = self._all("SELECT rater, value FROM ratings WHERE item = ?", item)
        return {rater: json.loads(value) for rater, value in found}

    def complete(self) -> dict[str, dict[str, int]]:
        """By rater: the items whose rating is complete, with the `seq` that completed it."""
        found: dict[str, dict[str, int]] = {}
        for rater, item, seq in self._all("SELECT rater, item, seq FROM ratings ORDER BY seq"):
            found.setdefault(rater, {})[item] = seq
        return found

    def all_values(self, raters: Collection[str]) -> dict[str, dict[str, Any]]:
        """The complete ratings of these raters, by item and rater."""
        found: dict[str, dict[str, Any]] = {}
        for item, rater, value in self._all("SELECT item, rater, value FROM ratings"):
            if rater in raters:
                found.setdefault(item, {})[rater] = json.loads(value)
        return found

    def _document(self, document: str) -> Document:
        (found,) = self._all(f"SELECT {_DOCUMENT} FROM documents WHERE id = ?", document)  # noqa: S608
        return _read_document(found)

    def _all(self, sql: str, *values: Any) -> list[Any]:
        return self._connection.execute(sql, values).fetchall()


def _read_document(row: Sequence[Any]) -> Document:
    id_, body, cluster, source, stratum, weight = row
    return Document(
        id=id_, body=json.loads(body), group=cluster, source=json.loads(source), stratum=stratum, weight=weight
    )


def _read_item(row: Sequence[Any]) -> Item:
    id_, document, place, pool, key = row
    return Item(id=id_, document=document, place=place, pool=pool, key=None if key is None else json.loads(key))


def _read_row(row: Sequence[Any]) -> Row:
    seq, token, at, rater, item, kind, body, replaces, seconds = row
    return Row(
        seq=seq,
        token=token,
        at=at,
        rater=rater,
        item=item,
        kind=kind,
        body=json.loads(body),
        replaces=replaces,
        seconds=seconds,
    )
