"""Replies that several runs share: who asks the same again, in this run or another, is not charged again."""

from __future__ import annotations

import fcntl
import hashlib
import json
import sqlite3
from pathlib import Path

from voirdire.data.sqlite import Format, is_new
from voirdire.records import Reply
from voirdire.runs.errors import CacheError
from voirdire.runs.rows import REPLY_COLUMNS, decode_reply

_FILE = "replies.sqlite"
_LOCK = ".lock"
_CACHE = Format(
    noun="cache",
    row="reply",
    application_id=0x766F6963,  # "voic"
    layout=1,
    script="""
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE replies (
    key TEXT PRIMARY KEY, reply TEXT NOT NULL, finish_reason TEXT NOT NULL, reported_model TEXT NOT NULL,
    warnings TEXT NOT NULL, logprobs TEXT NOT NULL,
    input_tokens INTEGER NOT NULL, output_tokens INTEGER NOT NULL,
    reasoning_tokens INTEGER NOT NULL, cached_tokens INTEGER NOT NULL
);
""",
    error=CacheError,
    not_ours="The file {path} is not a cache of voirdire: give another folder with --cache.",
    mend="delete it, and the next run makes a new one",
)
_GET = f"SELECT {', '.join(REPLY_COLUMNS)} FROM replies WHERE key = ?"  # noqa: S608 - our columns
_PUT = (
    f"INSERT OR IGNORE INTO replies (key, {', '.join(REPLY_COLUMNS)}) "  # noqa: S608 - our columns
    f"VALUES (?{', ?' * len(REPLY_COLUMNS)})"
)


class ReplyCache:
    """Replies by what was asked. Several runs may use it at the same time; close it when it is no longer needed.

    A key is the hash of a call's own key and its seed. The first stands for the model, its server, the messages, the
    settings and the place of the call, with the number of the repetition; none of it can be read from the cache.
    """

    def __init__(self, folder: Path) -> None:
        """Open the cache in a folder, or begin one there.

        Raises:
            CacheError: the folder or its file can't be used.
        """
        try:
            folder.mkdir(parents=True, exist_ok=True)
            lock = (folder / _LOCK).open("a")
        except OSError as error:
            raise CacheError(f"The folder {folder} can't be used for a cache: {error.strerror}.") from error
        self._path = folder / _FILE
        with lock:  # of two runs that begin it at the same time, one makes the tables
            fcntl.flock(lock, fcntl.LOCK_EX)
            self._connection = _CACHE.open(self._path, "rwc", self._begin)

    def get(self, call_key: str, seed: int) -> Reply | None:
        """The reply to a call, if anyone has had one.

        Raises:
            CacheError: the cache can't be read.
        """
        try:
            row = self._connection.execute(_GET, (_key(call_key, seed),)).fetchone()
            return None if row is None else decode_reply(row)
        except (sqlite3.Error, UnicodeError) as error:
            raise _CACHE.explain(self._path, error) from error
        except (TypeError, ValueError) as error:
            raise _CACHE.damage(self._path) from error

    def put(self, call_key: str, seed: int, reply: Reply) -> None:
        """Keep a reply; the first one to a call stands.

        Raises:
            CacheError: it can't be written.
        """
        usage = reply.usage
        values = (
            *(reply.text, reply.finish_reason, reply.model, json.dumps(reply.warnings), json.dumps(reply.logprobs)),
            *(usage.input_tokens, usage.output_tokens, usage.reasoning_tokens, usage.cached_tokens),
        )
        try:
            self._connection.execute(_PUT, (_key(call_key, seed), *values))
        except sqlite3.Error as error:
            raise _CACHE.explain(self._path, error) from error

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    @staticmethod
    def _begin(connection: sqlite3.Connection) -> None:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")  # what a power cut takes is in the run's journal
        if is_new(connection):
            _CACHE.create(connection, {})
            connection.execute("COMMIT")


def _key(call_key: str, seed: int) -> str:
    return hashlib.sha256(f"{call_key}/{seed}".encode()).hexdigest()
