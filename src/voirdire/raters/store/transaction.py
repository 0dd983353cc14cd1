"""What may be done to a project within a transaction: add rows, and keep what follows from them."""

from __future__ import annotations

import json
import secrets
import unicodedata
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, NamedTuple

from voirdire.raters.records import ORGANISER, Rater, RatersError, Role, Row
from voirdire.raters.rows import ASSIGN, RELEASE
from voirdire.raters.store.reader import Reader
from voirdire.raters.tasks.base import NewRow

_SECRET_BYTES = 24
_BREAKING = ("Cc", "Zl", "Zp")
"""Kinds of characters (Unicode's) that end a line or control a terminal: a list of names must not hold them."""


class RaterLink(NamedTuple):
    """A rater and the secret of their link."""

    rater: Rater
    secret: str


class Transaction(Reader):
    """What a piece of work may do: read, and add. All of it happens, or none."""

    def known(self, rater: str, token: str) -> bool:
        """Whether this page has sent this before."""
        return bool(self._all("SELECT 1 FROM rows WHERE rater = ? AND token = ?", rater, token))

    def add(self, rater: str, item: str, row: NewRow, *, token: str = "", seconds: float = 0.0) -> Row:
        """Add a row.

        Args:
            rater: whose it is.
            item: on which item; "" for none.
            row: what it says.
            token: of the page; made here where there is none.
            seconds: spent on it.
        """
        token = token or secrets.token_hex(8)
        at = datetime.now(UTC).isoformat(timespec="milliseconds")
        (seq,) = self._connection.execute(
            "INSERT INTO rows (token, at, rater, item, kind, body, replaces, seconds) VALUES (?, ?, ?, ?, ?, ?, ?, ?) "
            "RETURNING seq",
            (token, at, rater, item, row.kind, to_json(row.body), row.replaces, seconds),
        ).fetchone()
        return Row(
            seq=seq,
            token=token,
            at=at,
            rater=rater,
            item=item,
            kind=row.kind,
            body=row.body,
            replaces=row.replaces,
            seconds=seconds,
        )

    def assign(self, rater: str, document: str, item: str = "") -> None:
        """Hand a document to a rater, or one item of it to an adjudicator."""
        row = self.add(rater, item, NewRow(ASSIGN, {"document": document}))
        self._connection.execute(
            "INSERT INTO hands (rater, seq, document, item) VALUES (?, ?, ?, ?)", (rater, row.seq, document, item)
        )
        self._count(document, item, 1)

    def release(self, rater: str, document: str, item: str = "") -> bool:
        """Take back what was handed out; whether it was assigned."""
        sql = "UPDATE hands SET released = 1 WHERE rater = ? AND document = ? AND item = ? AND NOT released"
        released = self._connection.execute(sql, (rater, document, item)).rowcount > 0
        if released:
            self.add(ORGANISER, item, NewRow(RELEASE, {"rater": rater, "document": document}))
            self._count(document, item, -1)
        return released

    def settle(self, rater: str, item: str, value: Mapping[str, Any] | None, seq: int) -> None:
        """Keep what a rating now comes to (`None`: it is not complete) after the row `seq`, the last that stands."""
        if value is None:
            self._connection.execute("DELETE FROM ratings WHERE item = ? AND rater = ?", (item, rater))
            return
        self._connection.execute(
            "INSERT INTO ratings VALUES (?, ?, ?, ?) ON CONFLICT (item, rater) DO UPDATE "
            "SET value = excluded.value, seq = excluded.seq",
            (item, rater, to_json(value), seq),
        )

    def dispute(self, item: str, disputed: bool) -> None:
        """Keep whether an item needs a third person."""
        if disputed:
            self._connection.execute("INSERT OR IGNORE INTO disputes VALUES (?)", (item,))
        else:
            self._connection.execute("DELETE FROM disputes WHERE item = ?", (item,))

    def add_rater(self, name: str, role: Role) -> RaterLink:
        """Add a rater, with a link of their own.

        Raises:
            RatersError: the name is empty, taken, the organiser's, or holds a line break or another control character.
        """
        name, people = name.strip(), self.raters()
        if not name:
            raise RatersError("A rater needs a name.")
        if any(unicodedata.category(each) in _BREAKING for each in name):
            raise RatersError(f"The name {name!r} holds a line break or another control character; leave it out.")
        if name.casefold() in {ORGANISER, *(rater.name.casefold() for rater in people)}:
            raise RatersError(f"The name {name!r} is taken; give another one.")
        link = RaterLink(Rater(f"r{len(people) + 1}", name, role), new_secret())
        self._connection.execute(
            "INSERT INTO raters VALUES (?, ?, ?, ?, ?)",
            (*(link.rater.id, link.rater.name, link.rater.role), link.secret, datetime.now(UTC).isoformat()),
        )
        return link

    def new_secret(self, rater: str) -> str:
        """Give a rater, or the organiser, another link; the old one no longer works."""
        secret = new_secret()
        if rater == ORGANISER:
            self._connection.execute("UPDATE meta SET value = ? WHERE key = 'organiser'", (secret,))
        else:
            self._connection.execute("UPDATE raters SET secret = ? WHERE id = ?", (secret, rater))
        return secret

    def keep_address(self, base: str) -> None:
        """Remember where the project is served."""
        self._connection.execute("INSERT OR REPLACE INTO meta VALUES ('address', ?)", (base,))

    def _count(self, document: str, item: str, more: int) -> None:
        """Count the raters of a document; who holds an item of it alone is none."""
        if not item:
            self._connection.execute("UPDATE holders SET count = count + ? WHERE document = ?", (more, document))


def new_secret() -> str:
    """What a link is made with: not to be guessed."""
    return secrets.token_urlsafe(_SECRET_BYTES)


def to_json(value: Any) -> str:
    """JSON as the file holds it: readable, unless half a character (a lone surrogate) can only be written escaped."""
    text = json.dumps(value, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.dumps(value)
    return text
