"""A journal copied without what is private, some rows at a time, into a new file with a chain of its own.

Nothing is deleted anywhere: what is left out is never written. Calls get other keys, made with a secret that is thrown
away, since the keys of the original could be used to try out what a hidden text was.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
import secrets
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from voirdire.records import ModelIdentity, Reply, Settings, Slot, Usage, WireMessage
from voirdire.runs.journal import Journal
from voirdire.runs.redaction_texts import Cleaner
from voirdire.runs.rows import CALL_COLUMNS, CallRow, read_messages, text_numbers
from voirdire.runs.schema import JOURNAL, connect

_PAGE = 500
_SHA256 = 64
_CALLS = f"SELECT id, {', '.join(CALL_COLUMNS)} FROM calls WHERE id > ? ORDER BY id LIMIT ?"  # noqa: S608 - our columns
_NOTES = "SELECT id, dialogue, turn, kind, body FROM notes WHERE id > ? ORDER BY id LIMIT ?"
_TEXTS = "SELECT id, body FROM texts WHERE id IN (SELECT value FROM json_each(?))"

Tell = Callable[[int, int], None]
"""Called as (rows done, rows in all)."""


class PrivateValues(NamedTuple):
    """What a journal says of machines."""

    servers: list[str]
    """Addresses that calls and batches went to."""
    folders: list[str]
    """Of local models' files."""


def private_values(path: Path) -> PrivateValues:
    """Addresses and folders that stand in a journal.

    Raises:
        JournalError: it can't be read.
    """
    with _Source(path) as source:
        places = source.rows("SELECT DISTINCT spec, endpoint FROM calls")
        batches = source.rows("SELECT body FROM notes WHERE dialogue = 'batches' AND kind LIKE 'batch/%'")
    sent_off = [json.loads(body) for (body,) in batches]
    servers = [endpoint for _, endpoint in places if "://" in endpoint]
    servers += [str(body["endpoint"]) for body in sent_off if isinstance(body, dict) and "endpoint" in body]
    return PrivateValues(sorted(set(servers)), sorted({folder for spec, _ in places for folder in folders_in(spec)}))


def folders_in(spec: str) -> list[str]:
    """The folder within a local model's spec (`local//models/x.gguf`, also behind a judge's way of reading)."""
    provider, _, name = spec.partition("/")
    return [name[: name.rindex("/") + 1]] if provider.rpartition(":")[2] == "local" and "/" in name else []


async def copy_journal(source: Path, target: Journal, clean: Cleaner, tell: Tell) -> dict[str, int]:
    """Copy all calls and notes.

    Answers that change get another hash, and so does every note that holds on to one by its hash.

    Args:
        source: the journal's file.
        target: a new journal, open to write.
        clean: takes out of texts what is private.
        tell: told how far it is.

    Returns:
        How much was left out whole: bodies of requests and responses.

    Raises:
        JournalError: one can't be read, or the other not be written.
    """
    salt = secrets.token_bytes(32)
    hashes: dict[str, str] = {}
    bodies = done = 0
    with _Source(source) as opened:
        total = opened.count()
        for page in opened.pages(_CALLS):
            texts = opened.texts_of(page)
            calls = [_Call(row, texts) for row in page]
            bodies += sum(call.bodies for call in calls)
            await asyncio.gather(*(target.commit(call.cleaned(clean, salt, hashes)) for call in calls))
            done += len(page)
            tell(done, total)
        for page in opened.pages(_NOTES):
            notes = [_note(row, clean, hashes) for row in page]
            await asyncio.gather(*(target.note(*note) for note in notes))
            done += len(page)
            tell(done, total)
    return {"bodies": bodies}


class _Source:
    """A journal that is only read."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._connection = connect(path, read_only=True)

    def __enter__(self) -> _Source:
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.close()

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[Any]:
        try:
            return self._connection.execute(sql, values).fetchall()
        except sqlite3.Error as error:
            raise JOURNAL.explain(self._path, error) from error

    def count(self) -> int:
        ((calls,),) = self.rows("SELECT count(*) FROM calls")
        ((notes,),) = self.rows("SELECT count(*) FROM notes")
        return int(calls + notes)

    def pages(self, sql: str) -> Iterator[list[Any]]:
        last = 0
        while page := self.rows(sql, (last, _PAGE)):
            yield page
            last = page[-1][0]

    def texts_of(self, page: Sequence[Any]) -> Mapping[int, str]:
        """The long texts that calls refer to."""
        rows = [dict(zip(("id", *CALL_COLUMNS), row, strict=True)) for row in page]
        needed = set().union(*(text_numbers(row["messages"]) for row in rows))
        needed |= {row["schema"] for row in rows if row["schema"] is not None}
        return dict(self.rows(_TEXTS, (json.dumps(sorted(needed)),)))


class _Call:
    """An attempt as the journal has it."""

    def __init__(self, row: Sequence[Any], texts: Mapping[int, str]) -> None:
        self._row = dict(zip(("id", *CALL_COLUMNS), row, strict=True))
        self._texts = texts

    @property
    def bodies(self) -> int:
        """How many bodies are left out."""
        return sum(self._row[name] is not None for name in ("sent", "received"))

    def cleaned(self, clean: Cleaner, salt: bytes, hashes: dict[str, str]) -> CallRow:
        """Without bodies and what is private; an answer that changes is remembered by its hash."""
        row, text = self._row, clean.text
        messages = read_messages(row["messages"], self._texts)
        return CallRow(
            key=hmac.digest(salt, str(row["key"]).encode(), "sha256").hex(),
            attempt=row["attempt"],
            slot=Slot(text(row["dialogue"]), row["turn"], row["role"], text(row["agent"]), row["repair"]),
            identity=ModelIdentity(text(row["spec"]), text(row["endpoint"]), text(row["model"]), row["sha256"]),
            messages=[WireMessage(each["role"], text(each["content"])) for each in messages],  # type: ignore[arg-type]
            settings=Settings(**json.loads(row["settings"])),
            output_mode=row["output_mode"],
            schema=None if row["schema"] is None else clean.value(json.loads(self._texts[row["schema"]])),
            seed=row["seed"],
            started_at=row["started_at"],
            seconds=row["seconds"],
            reply=self._reply(clean, hashes) if row["status"] == "ok" else None,
            price_usd=row["price_usd"],
            error_kind=row["error_kind"],
            error_text=row["error_text"] and text(row["error_text"]),
            retry_after=row["retry_after"],
        )

    def _reply(self, clean: Cleaner, hashes: dict[str, str]) -> Reply:
        row = self._row
        original = str(row["reply"])
        cleaned = clean.document(original)
        if cleaned != original:
            hashes[_sha256(original)] = _sha256(cleaned)
        tokens = ("input_tokens", "output_tokens", "reasoning_tokens", "cached_tokens")
        logprobs = json.loads(row["logprobs"]) if row["logprobs"] else []
        return Reply(
            cleaned,
            row["finish_reason"],
            Usage(*(row[name] for name in tokens)),
            clean.text(row["reported_model"] or ""),
            tuple((clean.text(token), value) for token, value in logprobs),
            tuple(map(clean.text, json.loads(row["warnings"]) if row["warnings"] else ())),
        )


def _note(row: Sequence[Any], clean: Cleaner, hashes: Mapping[str, str]) -> tuple[str, int, str, Any]:
    _, dialogue, turn, kind, body = row
    return clean.text(dialogue), turn, _kind(kind, clean), _rehashed(clean.value(json.loads(body)), hashes)


def _kind(kind: str, clean: Cleaner) -> str:
    """The kind of a note without what is private: its first part is a word of ours, by which notes are found.

    What follows is the name of a jury, an auditor or a batch, cleaned as a value of a field of that word is.
    """
    word, slash, name = kind.partition("/")
    return f"{word}{slash}{clean.value(name, word)}"


def _rehashed(value: Any, hashes: Mapping[str, str]) -> Any:
    """Plain data in which hashes of answers that have changed are those of what they are now."""
    if isinstance(value, str):
        return hashes.get(value, value) if len(value) == _SHA256 else value
    if isinstance(value, dict):
        return {name: _rehashed(each, hashes) for name, each in value.items()}
    return [_rehashed(each, hashes) for each in value] if isinstance(value, list) else value


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
