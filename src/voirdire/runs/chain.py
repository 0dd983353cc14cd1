"""The journal's hash chain: each transaction is sealed by a link that holds on to the one before it.

A link's digest is the SHA-256 of the digest before it, the rows that its transaction added, and digests of the notes
that it wrote. Whoever changes, adds or takes away a row breaks the link that sealed it. Nothing in the chain is
secret: who rebuilds it whole leaves no trace in the file, but ends at another head than the one that was published
with the results, which is why exports and reports name it.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from voirdire.runs.rows import CALL_COLUMNS
from voirdire.text.counting import counted

Row = Sequence[Any]
NoteRow = tuple[str, int, str, str]
"""(dialogue, turn, kind, body as JSON)."""

_INSERT = "INSERT INTO chain (id, calls, texts, notes, about, digest) VALUES (?, ?, ?, ?, ?, ?)"
# A stranger's file, or a damaged one, may hold anything in any column, and nothing where nothing may be.
_COLUMNS = """
    id, COALESCE(CAST(calls AS INTEGER), 0), COALESCE(CAST(texts AS INTEGER), 0), COALESCE(CAST(notes AS BLOB), x''),
    COALESCE(CAST(about AS TEXT), ''), COALESCE(CAST(digest AS BLOB), x'')
"""
_LAST = f"SELECT {_COLUMNS} FROM chain ORDER BY id DESC LIMIT 1"  # noqa: S608 - our columns
_LINKS = f"SELECT {_COLUMNS} FROM chain ORDER BY id"  # noqa: S608 - our columns
_CALLS = f"SELECT id, {', '.join(CALL_COLUMNS)} FROM calls WHERE id > ? AND id <= ? ORDER BY id"  # noqa: S608 - our columns
_TEXTS = "SELECT id, body FROM texts WHERE id > ? AND id <= ? ORDER BY id"
_NOTES = "SELECT dialogue, turn, kind, body FROM notes ORDER BY id"
_KEY = 16
_ENTRY = _KEY + 32
_START = hashlib.sha256(b"voirdire journal, chain 1").digest()
_ENCODE = json.JSONEncoder(ensure_ascii=True, separators=(",", ":")).encode


class Head(NamedTuple):
    """Where a chain ends: what to publish with results."""

    links: int
    digest: str
    """SHA-256, hex."""


@dataclass(frozen=True, slots=True)
class ChainReport:
    """What became of a journal since it was written."""

    head: Head
    problems: tuple[str, ...]
    """A sentence each; none where every row is as it was written."""
    about: tuple[Mapping[str, Any], ...] = ()
    """What links say of themselves, oldest first: the manifest's SHA-256, versions of the sessions."""
    earlier: frozenset[str] = frozenset()
    """Digests of all links: a head that was published when the run was shorter is among them."""


class Chain:
    """The end of a journal's chain, in the hands of the one who writes."""

    def __init__(self, last: tuple[int, int, int, bytes], about: Mapping[str, Any]) -> None:
        self._id, self._calls, self._texts, self._digest = last
        self._about = about

    @classmethod
    def resume(cls, connection: sqlite3.Connection, about: Mapping[str, Any]) -> Chain:
        """Go on where the chain ends.

        Args:
            connection: to a journal that has a chain.
            about: what the next link says beside its rows: who writes now.
        """
        number, calls, texts, _, _, digest = _last_link(connection)
        return cls((number, calls, texts, digest), about)

    def link(self, texts: Sequence[Row], calls: Sequence[Row], notes: Sequence[NoteRow]) -> tuple[Any, ...]:
        """The link that seals these rows; `add` it in their transaction, and `advance` when that has committed."""
        entries = _entries(notes)
        about = _ENCODE(self._about)
        digest = _digest(self._digest, texts, calls, entries, about)
        last_call = calls[-1][0] if calls else self._calls
        last_text = texts[-1][0] if texts else self._texts
        return (self._id + 1, last_call, last_text, entries, about, digest)

    @staticmethod
    def add(connection: sqlite3.Connection, link: tuple[Any, ...]) -> None:
        """Write a link."""
        connection.execute(_INSERT, link)

    def advance(self, link: tuple[Any, ...]) -> None:
        """Go on from a link that is on disk."""
        self._id, self._calls, self._texts, _, _, self._digest = link
        self._about = {}


def begin_chain(connection: sqlite3.Connection, about: Mapping[str, Any]) -> None:
    """Add the first link.

    Args:
        connection: to a journal that holds nothing yet, inside a transaction.
        about: what the link says: the manifest's SHA-256.
    """
    chain = Chain.resume(connection, about)
    chain.add(connection, chain.link((), (), ()))


def head_of(connection: sqlite3.Connection) -> Head:
    """Where the chain ends, without checking it."""
    number, *_, digest = _last_link(connection)
    return Head(number, digest.hex())


def about_of(text: str) -> Mapping[str, Any]:
    """What a link says of itself; nothing where somebody has put something else there: the link does not hold then."""
    try:
        about = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return about if isinstance(about, dict) else {}


def check_chain(connection: sqlite3.Connection) -> ChainReport:
    """Hold every row of a journal against the link that sealed it. Rows are read one at a time.

    All of it is read as it stood at one moment: somebody may be writing.

    Raises:
        sqlite3.Error: the file can't be read.
    """
    connection.execute("BEGIN")
    try:
        return _check(connection)
    finally:
        connection.execute("ROLLBACK")


def _check(connection: sqlite3.Connection) -> ChainReport:
    walk = _Walk(connection)
    problems = [*walk.problems, *_unsealed_rows(connection, walk.calls, walk.texts), *_notes(connection, walk.notes)]
    return ChainReport(head_of(connection), tuple(problems), tuple(walk.about), frozenset(walk.digests))


class _Walk:
    """The chain from its first link to its last."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.calls = self.texts = 0
        self.notes: dict[bytes, bytes] = {}
        """Digest of each note as it was last written, by that of its place."""
        self.about: list[Mapping[str, Any]] = []
        self.digests: list[str] = []
        self.problems: list[str] = []
        before, expected = _START, 1
        links = connection.execute(_LINKS)
        for number, calls, texts, entries, about, digest in links:
            if number != expected:
                missing = (
                    f"Link {expected:,} is" if number == expected + 1 else f"Links {expected:,} to {number - 1:,} are"
                )
                self.problems.append(f"{missing} missing in the chain.")
            between = f"calls {self.calls + 1:,} to {calls:,}" if calls > self.calls else "no call, but notes or texts"
            computed = _digest(
                before,
                _rows(connection, _TEXTS, self.texts, texts),
                _rows(connection, _CALLS, self.calls, calls),
                entries,
                about,
            )
            if computed != digest or calls < self.calls or texts < self.texts:
                self.problems.append(f"Link {number:,} of the chain does not hold ({between}): what it sealed differs.")
            self._take(entries, about)
            self.digests.append(digest.hex())
            before, expected, self.calls, self.texts = digest, number + 1, calls, texts
        if not self.digests:
            self.problems.append("The chain has no link left.")

    def _take(self, entries: bytes, about: str) -> None:
        for start in range(0, len(entries), _ENTRY):
            self.notes[entries[start : start + _KEY]] = entries[start + _KEY : start + _ENTRY]
        if description := about_of(about):
            self.about.append(description)


def _unsealed_rows(connection: sqlite3.Connection, calls: int, texts: int) -> Iterator[str]:
    """Rows that no link seals."""
    for table, last in (("calls", calls), ("texts", texts)):
        sql = f"SELECT count(*) FROM {table} WHERE id > ? OR id < 1"  # noqa: S608 - one of our tables
        (number,) = connection.execute(sql, (last,)).fetchone()
        if number:
            rows = counted(number, f"row of {table} stands", f"rows of {table} stand")
            yield f"{rows} outside the chain: not written by a run."
        elif _last(connection, table) < last:
            yield f"The chain says that it seals {table} up to number {last:,}, which is not there."


def _notes(connection: sqlite3.Connection, sealed: dict[bytes, bytes]) -> Iterator[str]:
    left = dict(sealed)
    altered, strange = [], 0
    for row in connection.execute(_NOTES):
        place, digest = _entry(row)
        known = left.pop(place, None)
        if known is None:
            strange += 1
        elif known != digest:
            altered.append(row)
    if altered:
        dialogue, turn, kind, _ = altered[0]
        differ = counted(len(altered), "note differs", "notes differ")
        yield f"{differ} from what was written; one is {kind!r} of {dialogue!r}, turn {turn}."
    if strange:
        yield f"{counted(strange, 'note stands', 'notes stand')} outside the chain: not written by a run."
    if left:
        yield f"Gone: {counted(len(left), 'note')} that had been written."


def _rows(connection: sqlite3.Connection, sql: str, after: int, last: int) -> Iterator[Row]:
    return connection.execute(sql, (after, last)) if last > after else iter(())


def _last_link(connection: sqlite3.Connection) -> tuple[int, int, int, bytes, str, bytes]:
    """Its columns; where somebody has taken all of them out, the place before the first."""
    last: tuple[int, int, int, bytes, str, bytes] | None = connection.execute(_LAST).fetchone()
    return last or (0, 0, 0, b"", "", _START)


def _last(connection: sqlite3.Connection, table: str) -> int:
    (last,) = connection.execute(f"SELECT max(id) FROM {table}").fetchone()  # noqa: S608 - one of our tables
    return int(last or 0)


def _digest(before: bytes, texts: Iterable[Row], calls: Iterable[Row], entries: bytes, about: str) -> bytes:
    digest = hashlib.sha256(before)
    for name, rows in (("texts", texts), ("calls", calls)):
        for row in rows:
            digest.update(f"\n{name} {_ENCODE([_canonical(value) for value in row])}".encode())
    digest.update(b"\nnotes " + entries + b"\nabout " + about.encode())
    return digest.digest()


def _canonical(value: Any) -> Any:
    """A value in one form, whether it comes from memory or from the file: there, 2.0 may be 2, and NaN is nothing."""
    if not isinstance(value, int | float):
        # None of our columns holds bytes: put in the place of a text they must not pass for it.
        return [value.hex()] if isinstance(value, bytes) else value
    if value != value:
        return None
    return int(value) if isinstance(value, int) or value.is_integer() else value


def _entries(notes: Iterable[NoteRow]) -> bytes:
    return b"".join(b"".join(_entry(note)) for note in notes)


def _entry(note: NoteRow) -> tuple[bytes, bytes]:
    """Digests of a note's place, and of the note."""
    plain = [_canonical(value) for value in note]
    place = hashlib.sha256(_ENCODE(plain[:3]).encode()).digest()[:_KEY]
    return place, hashlib.sha256(_ENCODE(plain).encode()).digest()
