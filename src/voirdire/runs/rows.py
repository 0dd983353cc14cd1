"""What the journal holds of one attempt at a call, and how it becomes a row and a reply again."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from hashlib import sha256
from typing import Any, NamedTuple, cast

from voirdire.data.json_text import without_halves
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
from voirdire.runs.keys import settings_fields

MESSAGE_BREAK = "\n\n"
WIRE_BREAK = r"\n\n"
"""The same within JSON: most paragraphs of a request's body are those of its messages, letter by letter."""

FROM_CACHE = 0
"""In place of an attempt's number: nothing was sent, the reply came from a cache."""

_SHORT = 64
"""Characters: a shorter paragraph stands where it is."""
_MOST_REMEMBERED = 20_000


class TextStore:
    """Gives out numbers for texts. Those of an earlier session are not known again, and stored once more."""

    def __init__(self, next_id: int) -> None:
        self.next_id = next_id
        self.new: list[tuple[int, str]] = []
        """(number, text) of what is still to be written."""
        self._known: dict[bytes, int] = {}

    def refer(self, paragraphs: Sequence[str]) -> list[str | int]:
        """Short paragraphs as they are, numbers in place of the others."""
        return [text if len(text) < _SHORT else self.number(text) for text in paragraphs]

    def number(self, text: str) -> int:
        """The number of a text."""
        digest = sha256(text.encode()).digest()
        known = self._known.get(digest)
        if known is not None:
            return known
        if len(self._known) >= _MOST_REMEMBERED:
            self._known.clear()
        number = self._known[digest] = self.next_id
        self.next_id += 1
        self.new.append((number, text))
        return number


def read_pieces(pieces: Sequence[str | int], texts: Mapping[int, str], separator: str) -> str:
    """The text that was cut at the separator and referred to."""
    return separator.join(piece if isinstance(piece, str) else texts[piece] for piece in pieces)


def read_messages(column: str, texts: Mapping[int, str]) -> list[dict[str, str]]:
    """Messages as sent, from their column in the journal."""
    return [{"role": role, "content": read_pieces(pieces, texts, MESSAGE_BREAK)} for role, pieces in json.loads(column)]


def text_numbers(column: str) -> set[int]:
    """The numbers of the texts that messages refer to, from their column in the journal."""
    return {piece for _, pieces in json.loads(column) for piece in pieces if isinstance(piece, int)}


def read_body(column: str | None, texts: Mapping[int, str]) -> str | None:
    """A request's body as it was on the wire, from its column in the journal."""
    return None if column is None else read_pieces(json.loads(column), texts, WIRE_BREAK)


@dataclass(frozen=True, slots=True)
class CallRow:
    """One attempt at a call. It ended in a reply, or has an error."""

    key: str
    attempt: int
    """From 1, counted within the session that made it; `FROM_CACHE` where none was made."""
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
    """A row all but ready to be written: its long texts have no numbers yet."""

    key: str
    ok: bool
    values: tuple[Any, ...]
    """In the order of `CALL_COLUMNS`, up to the last three."""
    messages: Sequence[tuple[str, list[str]]]
    """Role and paragraphs of each."""
    schema: str | None
    sent: list[str] | None


class Totals(NamedTuple):
    """Sums over all attempts in a journal."""

    calls: int = 0
    """Attempts: requests that reached a provider, or tried to."""
    errors: int = 0
    """Attempts that failed, or that a stop broke off."""
    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float = 0.0
    """Of the answered attempts whose price is known."""
    unknown_price: int = 0
    """Answered attempts whose price is unknown."""
    cached: int = 0
    """Replies from a cache: no attempt was made, and nothing else here counts them."""
    interrupted: int = 0
    """Attempts that a stop broke off while a provider was at work on them, which may bill them."""

    @property
    def failed(self) -> int:
        """Attempts that failed by themselves."""
        return self.errors - self.interrupted

    @property
    def interrupted_usd(self) -> float:
        """What the attempts that were broken off may have cost: each as much as an answered one on average."""
        answered = self.calls - self.errors - self.unknown_price
        return self.interrupted * self.cost_usd / answered if answered > 0 else 0.0


CALL_COLUMNS = (
    *("key", "attempt", "dialogue", "turn", "role", "agent", "repair"),
    *("spec", "endpoint", "model", "sha256", "output_mode", "seed", "started_at", "seconds"),
    *("status", "error_kind", "error_text", "retry_after"),
    *("finish_reason", "reported_model", "input_tokens", "output_tokens", "reasoning_tokens", "cached_tokens"),
    *("price_usd", "warnings", "logprobs", "reply", "received", "settings", "messages", "schema", "sent"),
)

REPLY_COLUMNS = (
    *("reply", "finish_reason", "reported_model", "warnings", "logprobs"),
    *("input_tokens", "output_tokens", "reasoning_tokens", "cached_tokens"),
)


def encode_call(row: CallRow) -> EncodedCall:
    """Make the values of a row.

    Raises:
        TypeError: the schema is not JSON.
    """
    slot, identity, reply = row.slot, row.identity, row.reply and storable(row.reply)
    values = (
        *(row.key, row.attempt, slot.dialogue, slot.turn, slot.role, slot.agent, slot.repair),
        *(identity.spec, identity.endpoint, identity.name, identity.sha256, row.output_mode, row.seed),
        *(row.started_at, float(row.seconds)),
        *("error" if reply is None else "ok", row.error_kind, row.error_text, _real(row.retry_after)),
        *_reply_values(reply, _real(row.price_usd)),
        _settings_json(row.settings),
    )
    messages = [(message.role, _plain(message.content).split(MESSAGE_BREAK)) for message in row.messages]
    schema = None if row.schema is None else json.dumps(row.schema)
    sent = _plain(reply.sent).split(WIRE_BREAK) if reply and reply.sent else None
    return EncodedCall(row.key, reply is not None, values, messages, schema, sent)


def complete_row(call: EncodedCall, texts: TextStore) -> tuple[Any, ...]:
    """All values of a row, in the order of `CALL_COLUMNS`, its long texts numbered."""
    return (
        *call.values,
        json.dumps([[role, texts.refer(paragraphs)] for role, paragraphs in call.messages]),
        None if call.schema is None else texts.number(call.schema),
        None if call.sent is None else json.dumps(texts.refer(call.sent)),
    )


def storable(reply: Reply) -> Reply:
    """The reply without what UTF-8 can't hold (half a surrogate pair), so that what is released is what is stored."""
    texts = (reply.text, reply.model, *reply.warnings, *(token for token, _ in reply.logprobs))
    if all(_plain(each) == each for each in texts):
        return reply
    return replace(
        reply,
        text=_plain(reply.text),
        model=_plain(reply.model),
        warnings=tuple(map(_plain, reply.warnings)),
        logprobs=tuple((_plain(token), value) for token, value in reply.logprobs),
    )


def without_wire_bodies(reply: Reply) -> Reply:
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


def _reply_values(reply: Reply | None, price_usd: float | None) -> tuple[Any, ...]:
    if reply is None:
        return (None,) * 11
    usage = reply.usage
    return (
        *(reply.finish_reason, reply.model),
        *(usage.input_tokens, usage.output_tokens, usage.reasoning_tokens, usage.cached_tokens, price_usd),
        json.dumps(reply.warnings) if reply.warnings else None,
        json.dumps(reply.logprobs) if reply.logprobs else None,
        *(reply.text, _plain(reply.received) or None),
    )


def _real(number: float | None) -> float | None:
    """As SQLite keeps it, to the last digit: the chain seals what will be read again."""
    return None if number is None else float(number)


def _plain(text: str) -> str:
    return str(without_halves(text))


@lru_cache(maxsize=64)
def _settings_json(settings: Settings) -> str:
    return json.dumps(settings_fields(settings))
