"""The record of truth of a run: every attempt at a call, on disk before anyone sees its reply."""

from __future__ import annotations

import json
import os
import sqlite3
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Self, TypeVar

from voirdire.data.json_text import recorded_json, to_recorded_json
from voirdire.data.sqlite import BUSY_TIMEOUT, has_log, log_of
from voirdire.records import Reply, Slot
from voirdire.runs.chain import ChainReport, Head, about_of, check_chain, head_of
from voirdire.runs.errors import JournalError
from voirdire.runs.rows import (
    CALL_COLUMNS,
    REPLY_COLUMNS,
    CallRow,
    Totals,
    decode_reply,
    encode_call,
    read_body,
    read_messages,
    text_numbers,
)
from voirdire.runs.schema import JOURNAL, check_room, connect
from voirdire.runs.writer import GroupWriter, unwritable

if TYPE_CHECKING:
    import pandas as pd

T = TypeVar("T")

SPARE = 8 * 2**20
"""Bytes that must be free on the disk when a call is made: replies in flight go to the log, and then to the file."""
_PAGE = 500
_BULKY = ("schema", "messages", "sent", "received")
_REPLY = ", ".join(REPLY_COLUMNS)
_LOOKUP = f"SELECT {_REPLY} FROM calls WHERE id = ? AND key = ?"  # noqa: S608 - our columns
# Backwards, so that of two replies to one call the first, which is the one that was released, has the last word.
_KEYS = "SELECT key, id FROM calls INDEXED BY answered WHERE status = 'ok' ORDER BY id DESC"
_REPLIES = (
    f"SELECT id, key, spec, dialogue, turn, role, agent, repair, {_REPLY} "  # noqa: S608 - our columns
    "FROM calls WHERE status = 'ok' AND id > ? ORDER BY id LIMIT ?"
)
_SENT = "SELECT id, dialogue, messages FROM calls WHERE status = 'ok' AND turn = ? AND role IN ({roles}) ORDER BY id"
_TEXTS = "SELECT id, body FROM texts WHERE id IN (SELECT value FROM json_each(?))"
_NOTES = "SELECT id, dialogue, turn, kind, body FROM notes WHERE id > ? {where} ORDER BY id LIMIT ?"
_NOTES_IN = (
    "SELECT dialogue, turn, kind, body FROM notes "
    "WHERE dialogue IN (SELECT value FROM json_each(?)) AND kind IN ({kinds}) ORDER BY id"
)
_PLACES = (
    "SELECT id, dialogue, turn FROM calls WHERE status = 'ok' AND id > ? AND role IN ({roles}) ORDER BY id LIMIT ?"
)
_REPLY_TEXTS = "SELECT id, reply FROM calls WHERE id IN (SELECT value FROM json_each(?))"
_TOTALS = """
    SELECT sum(attempt <> 0), sum(status = 'error'), sum(input_tokens * (attempt <> 0)),
           sum(output_tokens * (attempt <> 0)), sum(price_usd), sum(status = 'ok' AND price_usd IS NULL),
           sum(attempt = 0), sum(error_kind = 'interrupted') FROM calls
"""
_TOTALS_BY_MODEL = f"SELECT spec, {_TOTALS.strip().removeprefix('SELECT ')} GROUP BY spec"
_ABOUT = "SELECT CAST(about AS TEXT) FROM chain WHERE about <> '{}' ORDER BY id"
_ERRORS = """
    SELECT coalesce(error_kind, 'unknown'), count(*) FROM calls
    WHERE status <> 'ok' AND error_kind IS NOT 'interrupted' GROUP BY 1 ORDER BY 2 DESC, 1
"""
_OUTCOMES = """
    SELECT spec, CASE status WHEN 'ok' THEN '' ELSE coalesce(error_kind, 'unknown') END, count(*) FROM calls
    WHERE role IN ({roles}) AND error_kind IS NOT 'interrupted' GROUP BY 1, 2
"""
_WEIGHTS = "SELECT DISTINCT spec, sha256 FROM calls WHERE sha256 IS NOT NULL ORDER BY spec, sha256"
_MOST_FAULTS = 20
"""That SQLite is asked for: one is enough to know."""
_LONGEST = "SELECT spec, max(output_tokens) FROM calls WHERE output_tokens IS NOT NULL GROUP BY spec"


class RecordedReply(NamedTuple):
    """A reply as the journal holds it."""

    key: str
    spec: str
    slot: Slot
    reply: Reply


class ReplyPlace(NamedTuple):
    """Which turn a reply belongs to."""

    id: int
    dialogue: str
    turn: int


class RecordedNote(NamedTuple):
    """What a protocol wrote down about a turn."""

    dialogue: str
    turn: int
    kind: str
    body: Any


class Journal:
    """A run's calls and notes in one SQLite file. Open it with `Journal.open`."""

    def __init__(
        self,
        path: Path,
        reader: sqlite3.Connection,
        writer: GroupWriter | None,
        keys: _Keys,
        busy_timeout: float = BUSY_TIMEOUT,
    ) -> None:
        self._path = path
        self._log = log_of(path)
        self._busy_timeout = busy_timeout
        self._reader = reader
        self._reading = threading.Lock()
        self._writer = writer
        self._keys = keys
        ((secret,),) = self._rows("SELECT value FROM meta WHERE key = 'secret'")
        self.secret: bytes = bytes.fromhex(secret)
        """Known to this run alone; the fences are made with it."""

    @classmethod
    def open(
        cls,
        path: Path | str,
        *,
        read_only: bool = False,
        busy_timeout: float = BUSY_TIMEOUT,
        first_link: Mapping[str, Any] | None = None,
        session: Mapping[str, Any] | None = None,
        wrote: Callable[[], None] = lambda: None,
    ) -> Self:
        """Open a journal; create it if it doesn't exist, unless `read_only`.

        Args:
            path: of the file.
            read_only: only look; another process may be writing at the same time.
            busy_timeout: seconds to wait for a lock that another process holds.
            first_link: what the chain says of the journal's beginning, where it begins now.
            session: what the chain says of whoever writes now, once something is written.
            wrote: called once, from another thread, when the journal's log has something in it.

        Raises:
            JournalError: the file is not a journal, is damaged, locked or of another version.
        """
        path = Path(path)
        writing = None if read_only else connect(path, read_only=False, busy_timeout=busy_timeout, about=first_link)
        reader = None
        try:
            reader = connect(path, read_only=True, busy_timeout=busy_timeout)
            keys = _Keys()
            writer = None
            if writing is not None:
                logged = False

                def committed(rows: Sequence[tuple[str, int]]) -> None:
                    nonlocal logged
                    keys.committed(rows)
                    if not logged and has_log(path):
                        logged = True
                        wrote()

                writer = GroupWriter(writing, lambda error: JOURNAL.explain(path, error), committed, session or {})
        except (sqlite3.Error, UnicodeError, JournalError) as error:
            for connection in (reader, writing):
                if connection is not None:
                    connection.close()
            raise error if isinstance(error, JournalError) else JOURNAL.explain(path, error) from error
        return cls(path, reader, writer, keys, busy_timeout)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Write what waits, then let go of the file."""
        self._reader.close()  # first: only a last connection that may write folds the log into the file
        if self._writer is not None:
            self._writer.close()

    @property
    def changed(self) -> bool:
        """Whether anything has been written since it was opened."""
        return self._writer is not None and self._writer.changes > 0

    def __contains__(self, key: str) -> bool:
        """Whether a reply to this call is recorded."""
        return self.lookup(key) is not None

    async def commit(self, row: CallRow) -> None:
        """Record an attempt; return only after the transaction that holds it has committed.

        Raises:
            UnwritableRow: its values are of no kind that can be written.
            JournalError: it could not be written.
        """
        try:
            encoded = encode_call(row)
        except (TypeError, ValueError) as error:
            raise unwritable(error) from error
        await self._open_writer().write(encoded)

    async def note(self, dialogue: str, turn: int, kind: str, body: Any) -> None:
        """Record what a protocol decided, with the same guarantee as `commit`; the last word on a kind stands.

        Args:
            dialogue: as in the slots of its calls.
            turn: from 1; 0 for the whole dialogue.
            kind: what the note is about.
            body: anything that JSON can hold.

        Raises:
            UnwritableRow: SQLite can't hold the name of the dialogue.
            JournalError: it could not be written.
        """
        await self._open_writer().write((dialogue, turn, kind, to_recorded_json(body)))

    def check_room(self) -> None:
        """See that a session's first replies can be written; the journal stays as it is.

        Raises:
            JournalError: they can't: the disk is full, or something else keeps the journal from growing.
        """
        with closing(connect(self._path, read_only=False, busy_timeout=self._busy_timeout)) as connection:
            check_room(connection, self._path)

    def check_disk(self) -> None:
        """See that the disk has room for what is under way, and that the log is there. Takes microseconds.

        Raises:
            JournalError: it is almost full, or somebody has deleted the log.
        """
        if not self._log.exists():  # until the journal is closed, which folds it in, only this process can read it
            raise JournalError(
                f"The journal's log {self._log} was deleted while the run went on, so no further call is made. Nothing "
                "is lost: give the same command again."
            )
        disk = os.statvfs(self._path.parent)
        if disk.f_blocks and disk.f_bavail * disk.f_frsize < SPARE:
            raise JournalError(
                f"The disk of the journal {self._path} has less than {SPARE // 2**20} MB left, so no further call is "
                "made: make room, then give the same command again."
            )

    def lookup(self, key: str) -> Reply | None:
        """The recorded reply to a call, or `None` if it has not been answered yet."""
        number = self._keys.number_of(key, self._read_keys)
        rows = [] if number is None else self._rows(_LOOKUP, (number, key))
        return decode_reply(rows[0]) if rows else None

    def forget_keys(self) -> None:
        """Let go of what finds replies, some 30 MB of a large run; it is read again when one is looked for."""
        self._keys.forget()

    def _read_keys(self) -> dict[int, int]:
        return self._read(lambda reader: {hash(key): number for key, number in reader.execute(_KEYS)})

    def note_of(self, dialogue: str, turn: int, kind: str) -> Any:
        """The body of one note, or `None`."""
        rows = self._rows("SELECT body FROM notes WHERE dialogue = ? AND turn = ? AND kind = ?", (dialogue, turn, kind))
        return recorded_json(rows[0][0]) if rows else None

    def notes(self, kinds: Sequence[str] = ()) -> Iterator[RecordedNote]:
        """All notes, or those of these kinds, in the order in which they were first written."""
        sql = _NOTES.format(where=f"AND kind IN ({_places(kinds)})" if kinds else "")
        for _, dialogue, turn, kind, body in self._pages(sql, kinds):
            yield RecordedNote(dialogue, turn, kind, recorded_json(body))

    def notes_in(self, dialogues: Sequence[str], kinds: Sequence[str]) -> list[RecordedNote]:
        """Those of these dialogues and kinds, in the order in which they were first written."""
        sql = _NOTES_IN.format(kinds=_places(kinds))
        rows = self._rows(sql, (json.dumps(list(dialogues)), *kinds))
        return [RecordedNote(dialogue, turn, kind, recorded_json(body)) for dialogue, turn, kind, body in rows]

    def note_kinds(self) -> set[str]:
        """Every kind of note there is."""
        return {kind for (kind,) in self._rows("SELECT DISTINCT kind FROM notes")}

    def reply_places(self, roles: Sequence[str]) -> Iterator[ReplyPlace]:
        """Where the replies to calls of these roles belong, in the order of their commit; `reply_texts` has them."""
        for row in self._pages(_PLACES.format(roles=_places(roles)), roles):
            yield ReplyPlace(*row)

    def reply_texts(self, ids: Sequence[int]) -> dict[int, str]:
        """What replies say, by their ids."""
        return dict(self._rows(_REPLY_TEXTS, (json.dumps(list(ids)),)))

    def replies(self) -> Iterator[RecordedReply]:
        """All replies, in the order of their commit.

        A slot can have several, when an earlier call of its dialogue failed and then succeeded on resume: the
        later one belongs to the dialogue as it now stands.
        """
        for _, key, spec, *rest in self._pages(_REPLIES):
            yield RecordedReply(key, spec, Slot(*rest[:5]), decode_reply(rest[5:]))

    def sent(self, roles: Sequence[str], turn: int) -> Mapping[str, list[dict[str, str]]]:
        """What was sent with the answered calls of these roles ("subject" …) at a turn, from 1.

        Returns:
            Messages ({role, content} each) by dialogue, put together when they are looked at; of several calls, those
            of the one answered last.
        """
        rows = self._rows(_SENT.format(roles=_places(roles)), (turn, *roles))
        columns = {dialogue: column for _, dialogue, column in rows}
        needed = set().union(*map(text_numbers, columns.values()))
        texts = dict(self._rows(_TEXTS, (json.dumps(sorted(needed)),)))
        return _Sent(columns, texts)

    def calls_frame(self, *, bodies: bool = False) -> pd.DataFrame:
        """Every attempt as a row of a table, in the order of commit.

        Args:
            bodies: also the messages as sent (a list of {role, content}), the schema and the wire bodies.
        """
        import pandas as pd

        columns = ["id", *(name for name in CALL_COLUMNS if bodies or name not in _BULKY)]
        rows = self._rows(f"SELECT {', '.join(columns)} FROM calls ORDER BY id")  # noqa: S608 - our columns
        data = {name: [row[place] for row in rows] for place, name in enumerate(columns)}
        if bodies:
            texts = dict(self._rows("SELECT id, body FROM texts"))
            data["messages"] = [read_messages(column, texts) for column in data["messages"]]
            data["schema"] = [column and texts[column] for column in data["schema"]]
            data["sent"] = [read_body(column, texts) for column in data["sent"]]
        return pd.DataFrame(data)

    def totals(self) -> Totals:
        """Sums over all attempts."""
        (sums,) = self._rows(_TOTALS)
        return _totals(sums)

    def totals_by_model(self) -> dict[str, Totals]:
        """Sums over all attempts at each model, by spec."""
        return {spec: _totals(sums) for spec, *sums in self._rows(_TOTALS_BY_MODEL)}

    def longest_replies(self) -> dict[str, int]:
        """By model, the tokens of the longest reply on record."""
        return dict(self._rows(_LONGEST))

    def head(self) -> Head:
        """Where the hash chain ends: what to publish with results."""
        return self._read(head_of)

    def check(self) -> ChainReport:
        """Hold every row against the hash chain that sealed it; takes as long as reading the whole file.

        Raises:
            JournalError: the file can't be read.
        """
        return self._read(check_chain)

    def damage(self) -> list[str]:
        """What SQLite's own check finds wrong with the file; takes as long as reading all of it."""
        faults = [str(fault) for (fault,) in self._rows(f"PRAGMA integrity_check({_MOST_FAULTS})")]
        return [] if faults == ["ok"] else faults

    def sessions(self) -> list[Mapping[str, Any]]:
        """Who has written, oldest first: "voirdire" (a version) and "time" of each session."""
        descriptions = [about_of(about) for (about,) in self._rows(_ABOUT)]
        return [each for each in descriptions if "voirdire" in each]

    def errors(self) -> dict[str, int]:
        """How many attempts failed by themselves, by the kind of their error, the most frequent first."""
        return dict(self._rows(_ERRORS))

    def outcomes(self, roles: Sequence[str]) -> dict[str, tuple[int, dict[str, int]]]:
        """By model that was called in these roles: how many attempts were answered, and how many failed, by kind.

        Those that a stop broke off are left out: they say nothing of the model.
        """
        counts: dict[str, dict[str, int]] = {}
        for spec, kind, attempts in self._rows(_OUTCOMES.format(roles=_places(roles)), roles):
            counts.setdefault(spec, {})[kind] = attempts
        return {spec: (kinds.pop("", 0), kinds) for spec, kinds in counts.items()}

    def weights(self) -> dict[str, list[str]]:
        """SHA-256 of the weights of local models that were called, by model: one each, unless a file was changed."""
        weights: dict[str, list[str]] = {}
        for spec, sha256 in self._rows(_WEIGHTS):
            weights.setdefault(spec, []).append(sha256)
        return weights

    def _open_writer(self) -> GroupWriter:
        if self._writer is None:
            raise JournalError(f"The journal {self._path} was opened to be read only.")
        return self._writer

    def _pages(self, sql: str, values: Sequence[Any] = ()) -> Iterator[Sequence[Any]]:
        """Rows, a page at a time: a cursor left open would keep the journal's log from being folded in."""
        last = 0
        while rows := self._rows(sql, (last, *values, _PAGE)):
            yield from rows
            last = rows[-1][0]

    def _read(self, look: Callable[[sqlite3.Connection], T]) -> T:
        try:
            with self._reading:
                return look(self._reader)
        except (sqlite3.Error, UnicodeError) as error:
            raise JOURNAL.explain(self._path, error) from error

    def _rows(self, sql: str, values: Sequence[Any] = ()) -> list[Any]:
        return self._read(lambda reader: reader.execute(sql, values).fetchall())


class _Keys:
    """Row numbers of replies by the hash of their call's key: hundreds of thousands of whole keys take room.

    They are read when the first reply is looked for. Rows are committed in another thread.
    """

    def __init__(self) -> None:
        self._numbers: dict[int, int] | None = None
        self._lock = threading.Lock()

    def number_of(self, key: str, read: Callable[[], dict[int, int]]) -> int | None:
        """The row of a call's reply; `read` gives all rows by hash."""
        with self._lock:
            if self._numbers is None:
                self._numbers = read()
            return self._numbers.get(hash(key))

    def committed(self, rows: Sequence[tuple[str, int]]) -> None:
        """Rows were added."""
        with self._lock:
            if self._numbers is not None:
                self._numbers.update((hash(key), number) for key, number in rows)

    def forget(self) -> None:
        """Read them again when they are needed again."""
        with self._lock:
            self._numbers = None


class _Sent(Mapping[str, list[dict[str, str]]]):
    """Messages by dialogue: most of what they say is shared by many, and whole they would take a lot of room."""

    def __init__(self, columns: Mapping[str, str], texts: Mapping[int, str]) -> None:
        self._columns = columns
        self._texts = texts

    def __getitem__(self, dialogue: str) -> list[dict[str, str]]:
        return read_messages(self._columns[dialogue], self._texts)

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)


def _totals(sums: Sequence[Any]) -> Totals:
    calls, errors, input_tokens, output_tokens, cost, unknown, cached, interrupted = (value or 0 for value in sums)
    return Totals(calls, errors, input_tokens, output_tokens, float(cost), unknown, cached, interrupted)


def _places(values: Sequence[str]) -> str:
    """As many places of a statement as there are values."""
    return ", ".join("?" * len(values))
