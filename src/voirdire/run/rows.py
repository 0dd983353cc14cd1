"""What the journal holds of one attempt at a call, and how it becomes a row and a reply again."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, NamedTuple, cast

from voirdire.records import (
    ErrorKind,
    FinishReason,
    ModelIdentity,
    OutputMode,
    Reply,
    Settings,
    Slot,
    Usage,
    WireMessage,
)
from voirdire.run.keys import settings_fields

_BREAK = "\n\n"
_WIRE_BREAK = r"\n\n"
"""The same within JSON: most paragraphs of a request's body are those of its messages, letter by letter."""
_SHORT = 64
"""Characters: a shorter paragraph stands in its message, a longer one is stored once and referred to."""


@dataclass(frozen=True, slots=True)
class CallRow:
    """One attempt at a call. It ended in a reply, or has an error."""

    key: str
    attempt: int
    """From 1, counted within the session that made it."""
    slot: Slot
    identity: ModelIdentity
    messages: Sequence[WireMessage]
    """As sent."""
    settings: Settings
    output_mode: OutputMode
    schema: Mapping[str, Any] | None
    seed: int
    started_at: str
    """UTC, ISO 8601."""
    seconds: float
    reply: Reply | None = None
    price_usd: float | None = None
    """`None` is unknown."""
    error_kind: ErrorKind | None = None
    error_text: str | None = None
    """One sentence, free of secrets."""
    retry_after: float | None = None
    """Seconds the provider asked to wait."""


class EncodedCall(NamedTuple):
    """A row as it is written."""

    key: str
    ok: bool
    values: tuple[Any, ...]
    """In the order of `CALL_COLUMNS`."""
    texts: list[tuple[str, str]]
    """(hash, text) of every longer text that the row refers to."""


CALL_COLUMNS = (
    *("key", "attempt", "dialogue", "turn", "role", "agent", "repair"),
    *("spec", "endpoint", "model", "sha256", "output_mode", "seed", "started_at", "seconds"),
    *("status", "error_kind", "error_text", "retry_after"),
    *("finish_reason", "reported_model", "input_tokens", "output_tokens", "reasoning_tokens", "cached_tokens"),
    *("price_usd", "warnings", "logprobs", "reply", "settings", "schema", "messages", "sent", "received"),
)

REPLY_COLUMNS = (
    *("reply", "finish_reason", "reported_model", "warnings", "logprobs"),
    *("input_tokens", "output_tokens", "reasoning_tokens", "cached_tokens"),
)


def encode_call(row: CallRow) -> EncodedCall:
    """Make the values of a row. Long texts are taken out of the messages: most of them are shown many times."""
    slot, identity, reply = row.slot, row.identity, row.reply and storable(row.reply)
    texts: dict[str, str] = {}
    messages = [[message.role, _stored(_pieces(message.content), texts)] for message in row.messages]
    sent = _stored(_pieces(_plain(reply.sent), _WIRE_BREAK), texts) if reply and reply.sent else None
    schema = None if row.schema is None else _reference(json.dumps(row.schema), texts)
    values = (
        *(row.key, row.attempt, slot.dialogue, slot.turn, slot.role, slot.agent, slot.repair),
        *(identity.spec, identity.endpoint, identity.name, identity.sha256, row.output_mode, row.seed),
        *(row.started_at, row.seconds),
        *("error" if row.reply is None else "ok", row.error_kind, row.error_text, row.retry_after),
        *_reply_values(reply, row.price_usd),
        *(_settings_json(row.settings), schema, json.dumps(messages)),
        *(sent and json.dumps(sent), _plain(reply.received) if reply and reply.received else None),
    )
    return EncodedCall(row.key, row.reply is not None, values, list(texts.items()))


def storable(reply: Reply) -> Reply:
    """The reply without what UTF-8 can't carry (half a surrogate pair), so that what is released is what is stored."""
    text, model = _plain(reply.text), _plain(reply.model)
    return reply if (text, model) == (reply.text, reply.model) else replace(reply, text=text, model=model)


def released(reply: Reply) -> Reply:
    """The reply as it comes back from the journal: wire bodies stay there, for they are large."""
    return replace(reply, sent="", received="") if reply.sent or reply.received else reply


def decode_reply(columns: Sequence[Any]) -> Reply:
    """The reply from its columns, in the order of `REPLY_COLUMNS`."""
    text, finish_reason, model, warnings, logprobs, *tokens = columns
    return Reply(
        text,
        cast(FinishReason, finish_reason),
        Usage(*tokens),
        model,
        tuple((token, value) for token, value in json.loads(logprobs)) if logprobs else (),
        tuple(json.loads(warnings)) if warnings else (),
    )


def decode_messages(column: str, texts: Mapping[str, str]) -> list[dict[str, str]]:
    """Messages as sent, from their column and the texts that it refers to."""
    return [{"role": role, "content": _joined(pieces, texts, _BREAK)} for role, pieces in json.loads(column)]


def decode_sent(column: str | None, texts: Mapping[str, str]) -> str | None:
    """The request's body as it was on the wire."""
    return None if column is None else _joined(json.loads(column), texts, _WIRE_BREAK)


def _reply_values(reply: Reply | None, price_usd: float | None) -> tuple[Any, ...]:
    if reply is None:
        return (None,) * 10
    usage = reply.usage
    return (
        *(reply.finish_reason, reply.model),
        *(usage.input_tokens, usage.output_tokens, usage.reasoning_tokens, usage.cached_tokens, price_usd),
        json.dumps(reply.warnings) if reply.warnings else None,
        json.dumps(reply.logprobs) if reply.logprobs else None,
        reply.text,
    )


def _plain(text: str) -> str:
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


@lru_cache(maxsize=64)
def _settings_json(settings: Settings) -> str:
    return json.dumps(settings_fields(settings))


@lru_cache(maxsize=64)  # instructions come with every call of a kind
def _pieces(content: str, separator: str = _BREAK) -> tuple[list[str | dict[str, str]], dict[str, str]]:
    """A text's paragraphs, and the texts that they refer to."""
    texts: dict[str, str] = {}
    pieces: list[str | dict[str, str]] = [
        paragraph if len(paragraph) < _SHORT else {"ref": _reference(paragraph, texts)}
        for paragraph in content.split(separator)
    ]
    return pieces, texts


def _stored(
    cut: tuple[list[str | dict[str, str]], dict[str, str]], texts: dict[str, str]
) -> list[str | dict[str, str]]:
    pieces, found = cut
    texts.update(found)
    return pieces


def _joined(pieces: list[str | dict[str, str]], texts: Mapping[str, str], separator: str) -> str:
    return separator.join(piece if isinstance(piece, str) else texts[piece["ref"]] for piece in pieces)


def _reference(text: str, texts: dict[str, str]) -> str:
    digest = hashlib.sha256(text.encode()).hexdigest()[:32]
    texts[digest] = text
    return digest
