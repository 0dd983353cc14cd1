"""Reading a project's file, row by row; knows no task."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any

from voirdire.raters.records import Document, Item, Rater, Row, Settings
from voirdire.raters.rows import QUESTION, READ, RETAKE

_ROW = "seq, token, at, rater, item, kind, body, replaces, seconds"
_DOCUMENT = "id, body, cluster, source, stratum, weight"
_OPEN = (
    "SELECT {} FROM hands JOIN items ON items.document = hands.document "
    "WHERE hands.rater = ?1 AND NOT released AND hands.item IN ('', items.id) AND NOT EXISTS "
    "(SELECT 1 FROM ratings WHERE ratings.item = items.id AND ratings.rater = ?1)"
)
_HANDED = (
    "SELECT count(*) FROM hands JOIN items ON items.document = hands.document "
    "WHERE hands.rater = ?1 AND NOT released AND hands.item IN ('', items.id) {}"
)
_CACHED = 256
"""Documents; they never change."""


class Reader:
    """Looks things up over one connection; give each thread its own."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        """Read over `connection`, which must be to a project's file."""
        self._connection = connection
        self.document = lru_cache(maxsize=_CACHED)(self._document)

    # --- what a project is ---

    def settings(self) -> Settings:
        """What the organiser has decided."""
        return Settings(**json.loads(self.meta("settings")))

    def meta(self, key: str) -> str:
        """A value of the project's own."""
        ((value,),) = self._all("SELECT value FROM meta WHERE key = ?", key)
        return str(value)

    def address(self) -> str | None:
        """Where the project is served, or was the last time; `None` if it never was."""
        return next((str(value) for (value,) in self._all("SELECT value FROM meta WHERE key = 'address'")), None)

    def raters(self) -> list[Rater]:
        """All raters, in the order in which they were added."""
        return [Rater(*row) for row in self._all("SELECT id, name, role FROM raters ORDER BY rowid")]

    def raters_with_secrets(self, beginning: str = "") -> list[tuple[Rater, str]]:
        """Raters with the secrets of their links: all, or those whose secret begins so."""
        sql = "SELECT id, name, role, secret FROM raters WHERE substr(secret, 1, ?) = ? ORDER BY rowid"
        return [(Rater(*row[:3]), row[3]) for row in self._all(sql, len(beginning), beginning)]

    def documents(self) -> Iterator[Document]:
        """All documents, in their order."""
        return map(_read_document, self._all(f"SELECT {_DOCUMENT} FROM documents ORDER BY place"))  # noqa: S608 - clauses of our own

    def items(self) -> list[Item]:
        """All items, in their order."""
        return [
            Item(id=id_, document=document, place=place, pool=pool, key=None if key is None else json.loads(key))
            for id_, document, place, pool, key in self._all(
                "SELECT id, document, place, pool, key FROM items ORDER BY position"
            )
        ]

    # --- what was done ---

    def rows(
        self, *, rater: str | None = None, item: str | None = None, kinds: Sequence[str] | None = None
    ) -> list[Row]:
        """Rows in the order in which they were written."""
        clauses: list[tuple[str, Any]] = [("rater = ?", rater)] if rater is not None else []
        clauses += [("item = ?", item)] if item is not None else []
        clauses += [("kind IN (SELECT value FROM json_each(?))", json.dumps(list(kinds)))] if kinds is not None else []
        where = " AND ".join(clause for clause, _ in clauses) or "1"
        sql = f"SELECT {_ROW} FROM rows WHERE {where} ORDER BY seq"  # noqa: S608 - clauses of our own
        return list(map(_read_row, self._all(sql, *(value for _, value in clauses))))

    def retakes(self, rater: str) -> list[int]:
        """`seq` of each time that a rater began the practice items anew."""
        return [seq for (seq,) in self._all("SELECT seq FROM rows WHERE kind = ? AND rater = ?", RETAKE, rater)]

    def questions(self, rater: str | None = None) -> list[Row]:
        """Questions to the organiser and replies to them, oldest first: one rater's, or all."""
        whose, values = ("", ()) if rater is None else ("AND rater = ?", (rater,))
        sql = (
            f"WITH asked AS (SELECT seq FROM rows WHERE kind = ? {whose}) SELECT {_ROW} FROM rows WHERE seq IN asked "  # noqa: S608 - clauses of our own
            f"UNION ALL SELECT {_ROW} FROM rows WHERE kind = 'reply' AND replaces IN asked ORDER BY seq"
        )
        return list(map(_read_row, self._all(sql, QUESTION, *values)))

    def last_item(self, rater: str) -> str | None:
        """The item on which a rater did something last."""
        sql = "SELECT item FROM rows WHERE rater = ? AND item <> '' ORDER BY seq DESC LIMIT 1"
        return next((str(item) for (item,) in self._all(sql, rater)), None)

    def new_replies(self, rater: str) -> int:
        """How many replies to a rater's questions came after they last marked them as read."""
        ((count,),) = self._all(
            "SELECT count(*) FROM rows AS asked JOIN rows AS reply "
            "ON reply.kind = 'reply' AND reply.replaces = asked.seq "
            "WHERE asked.kind = ?1 AND asked.rater = ?2 AND reply.seq > "
            "(SELECT coalesce(max(seq), 0) FROM rows WHERE kind = ?3 AND rater = ?2)",
            *(QUESTION, rater, READ),
        )
        return int(count)

    def seconds(self, rater: str) -> float:
        """How long a rater has been at work."""
        return float(self._all("SELECT total(seconds) FROM rows WHERE rater = ?", rater)[0][0])

    # --- how ratings stand (derived from the rows) ---

    def values(self, item: str, *, but: str = "") -> list[Any]:
        """The complete ratings of an item by raters, `but` one, in an order that says nothing of whose they are."""
        sql = (
            "SELECT value FROM ratings JOIN raters ON raters.id = ratings.rater "
            "WHERE item = ? AND rater <> ? AND role = 'rater' ORDER BY value"
        )
        return [json.loads(value) for (value,) in self._all(sql, item, but)]

    def third_values(self, item: str) -> dict[str, Any]:
        """What adjudicators say of an item, by adjudicator, the last one at the end; without those yet to decide."""
        sql = (
            "SELECT rater, value FROM ratings JOIN raters ON raters.id = ratings.rater "
            "WHERE item = ? AND role = 'adjudicator' ORDER BY seq"
        )
        return {rater: json.loads(value) for rater, value in self._all(sql, item)}

    def values_of(self, rater: str, items: Iterable[str]) -> dict[str, Any]:
        """A rater's complete ratings of these items."""
        sql = "SELECT item, value FROM ratings WHERE rater = ? AND item IN (SELECT value FROM json_each(?))"
        return {item: json.loads(value) for item, value in self._all(sql, rater, json.dumps(list(items)))}

    def complete(self, rater: str) -> list[str]:
        """The items that a rater has rated and still holds, or practised; the last one first."""
        sql = (
            "SELECT ratings.item FROM ratings INDEXED BY ratings_by JOIN items ON items.id = ratings.item "
            "WHERE ratings.rater = ?1 AND (items.pool = 'practice' OR EXISTS (SELECT 1 FROM hands WHERE "
            "rater = ?1 AND document = items.document AND hands.item IN ('', items.id) AND NOT released)) "
            "ORDER BY ratings.seq DESC"
        )
        return [item for (item,) in self._all(sql, rater)]

    def rated(self, rater: str) -> int:
        """How many live items a rater has rated."""
        sql = (
            "SELECT count(*) FROM ratings INDEXED BY ratings_by JOIN items ON items.id = ratings.item "
            "WHERE rater = ? AND pool = 'live'"
        )
        return int(self._all(sql, rater)[0][0])

    # --- who holds what (derived from the rows) ---

    def holds(self, rater: str, document: str, item: str) -> bool:
        """Whether a document, or this item of it alone, is assigned to a rater."""
        sql = "SELECT 1 FROM hands WHERE rater = ? AND document = ? AND item IN ('', ?) AND NOT released"
        return bool(self._all(sql, rater, document, item))

    def is_in_use(self, item: str, wanted: int) -> bool:
        """Whether an adjudicator was handed any item since this one had all its ratings.

        Were it this item alone, raters could tell by it on which they differ.

        Args:
            item: which one.
            wanted: how many ratings are all.
        """
        sql = (
            "SELECT 1 FROM hands WHERE hands.item <> '' AND NOT released AND (hands.item = ?1 OR hands.seq > "
            "(SELECT max(ratings.seq) FROM ratings JOIN raters ON raters.id = ratings.rater "
            "WHERE ratings.item = ?1 AND role = 'rater' GROUP BY ratings.item HAVING count(*) >= ?2)) LIMIT 1"
        )
        return bool(self._all(sql, item, wanted))

    def in_hand(self, rater: str) -> int:
        """How many items are assigned to a rater and not complete."""
        return int(self._all(_OPEN.format("count(*)"), rater)[0][0])

    def handed(self, rater: str) -> int:
        """How many items are assigned to a rater, rated or not."""
        return int(self._all(_HANDED.format(""), rater)[0][0])

    def handed_until(self, rater: str, item: str) -> int:
        """How many of them were handed out before this one, itself included: its number in the rater's own order."""
        before = (
            "AND (hands.seq, items.place) <= (SELECT hands.seq, items.place FROM hands JOIN items "
            "ON items.document = hands.document WHERE hands.rater = ?1 AND NOT released "
            "AND hands.item IN ('', items.id) AND items.id = ?2)"
        )
        return int(self._all(_HANDED.format(before), rater, item)[0][0])

    def may_come(self, rater: str, wanted: int, calibration: int) -> int:
        """How many items a rater may still be handed: for calibration, or where another rater is wanted.

        Args:
            rater: who never held them.
            wanted: how many raters a document wants.
            calibration: how many of the first documents everybody gets.
        """
        sql = (
            "SELECT count(*) FROM holders JOIN items ON items.document = holders.document "
            "WHERE (holders.count < ?2 OR holders.place < ?3) AND NOT EXISTS "
            "(SELECT 1 FROM hands WHERE rater = ?1 AND hands.document = holders.document)"
        )
        return int(self._all(sql, rater, wanted, calibration)[0][0])

    def open_item(self, rater: str) -> str | None:
        """An item that is assigned to a rater and not complete: of what was handed out last, the first."""
        return next(iter(self.open_items(rater, 1)), None)

    def open_items(self, rater: str, most: int = -1) -> list[str]:
        """The items that are assigned to a rater and not complete: of what was handed out last, the first comes first.

        Args:
            rater: whose.
            most: at most so many; -1 for all.
        """
        sql = _OPEN.format("items.id") + " ORDER BY hands.seq DESC, items.place LIMIT ?2"
        return [str(item) for (item,) in self._all(sql, rater, most)]

    def documents_ever_assigned(self, rater: str) -> set[str]:
        """The documents that a rater holds or held; what was taken back is not handed to them again."""
        return {document for (document,) in self._all("SELECT document FROM hands WHERE rater = ?", rater)}

    def free_document(self, rater: str, wanted: int, begin: int) -> str | None:
        """The live document that a rater is handed next: of those that want another rater the one that most have.

        Args:
            rater: who never held it.
            wanted: how many raters a document wants.
            begin: place of the first that counts; those before it are for everybody.
        """
        sql = (
            "SELECT document FROM holders WHERE count = ? AND place >= ? AND NOT EXISTS "
            "(SELECT 1 FROM hands WHERE rater = ? AND hands.document = holders.document) ORDER BY place LIMIT 1"
        )
        for count in range(wanted - 1, -1, -1):
            if documents := self._all(sql, count, begin, rater):
                return str(documents[0][0])
        return None

    def free_documents(self, rater: str, wanted: int, begin: int) -> set[str]:
        """All live documents that a rater may be handed; the arguments are those of `free_document`."""
        sql = (
            "SELECT document FROM holders WHERE count < ? AND place >= ? AND NOT EXISTS "
            "(SELECT 1 FROM hands WHERE rater = ? AND hands.document = holders.document)"
        )
        return {str(document) for (document,) in self._all(sql, wanted, begin, rater)}

    def free_disputes(self, adjudicator: str) -> list[str]:
        """The items on which raters differ that no adjudicator holds, and this one never held, in order."""
        sql = (
            "SELECT disputes.item FROM disputes JOIN items ON items.id = disputes.item WHERE NOT EXISTS "
            "(SELECT 1 FROM hands WHERE hands.item = disputes.item AND (rater = ? OR NOT released)) "
            "ORDER BY position"
        )
        return [str(item) for (item,) in self._all(sql, adjudicator)]

    def _document(self, document: str) -> Document:
        (row,) = self._all(f"SELECT {_DOCUMENT} FROM documents WHERE id = ?", document)  # noqa: S608 - clauses of our own
        return _read_document(row)

    def _all(self, sql: str, *values: Any) -> list[Any]:
        return self._connection.execute(sql, values).fetchall()


def _read_document(row: Sequence[Any]) -> Document:
    id_, body, cluster, source, stratum, weight = row
    return Document(
        id=id_, body=json.loads(body), group=cluster, source=json.loads(source), stratum=stratum, weight=weight
    )


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
