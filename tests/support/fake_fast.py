"""The fake server's fast mode: ready-made replies over a bare asyncio protocol, for benchmarks on shared cores.

Nothing is hashed or parsed but what a reply depends on: the model's name and, where there is one, the response format.
A reply is one of a few that were made and serialised when its format came for the first time.
"""

from __future__ import annotations

import asyncio
import json
import re
import zlib
from random import Random
from typing import Any

from tests.support import fake_replies
from tests.support.fake_faults import FOR_EVER
from tests.support.fake_traffic import Traffic, plan_of, plans_of

VARIANTS = 16
ANSWER_WORDS = 290
"""About 1,650 characters, as the published answers have in the mean."""
REASON_WORDS = 60
"""About 80 tokens."""

_LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
_AUTHORIZATION = re.compile(rb"\r\nauthorization: *([^\r]*)", re.IGNORECASE)
_MODEL = re.compile(rb'"model": ?"([^"]*)"')
_FORMAT = b'"response_format"'
_SEED = re.compile(rb'"seed": ?-?\d+')
_JSON = b"HTTP/1.1 %b\r\nContent-Type: application/json\r\nContent-Length: %d\r\n%b\r\n%b"


class Canned:
    """Replies that are ready to be written."""

    def __init__(self) -> None:
        self._ready: dict[tuple[str, bytes], list[tuple[bytes, int]]] = {}

    def reply(self, model: str, body: bytes) -> tuple[bytes, int]:
        """The bytes of a response, and how many tokens it says."""
        at = body.find(_FORMAT)
        asked = b"" if at < 0 else _SEED.sub(b"", body[at:])
        ready = self._ready.get((model, asked))
        if ready is None:
            ready = self._ready[model, asked] = _make(json.loads(body))
        return ready[zlib.crc32(body) % VARIANTS]


class Connection(asyncio.Protocol):
    """One client's connection, kept alive."""

    def __init__(self, traffic: Traffic, canned: Canned) -> None:
        self._traffic = traffic
        self._canned = canned
        self._loop = asyncio.get_running_loop()
        self._buffer = b""
        self._used = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._buffer = self._buffer + data if self._buffer else data
        while self._buffer:
            end = self._buffer.find(b"\r\n\r\n")
            if end < 0:
                return
            head = self._buffer[:end]
            length = _LENGTH.search(head)
            size = end + 4 + (int(length[1]) if length else 0)
            if len(self._buffer) < size:
                return
            body, self._buffer = self._buffer[end + 4 : size], self._buffer[size:]
            self._request(head, body)

    def _request(self, head: bytes, body: bytes) -> None:
        if head.startswith(b"POST /v1/chat/completions"):
            self._complete(head, body)
        elif head.startswith(b"POST /control"):
            changes = json.loads(body)
            problem = _unknown_fault(changes) or self._traffic.change(changes)
            self._write(_error(400, problem) if problem else _json({}))
        elif head.startswith(b"GET /stats"):
            self._write(_json(self._traffic.counted()))
        elif head.startswith(b"GET /v1/models"):
            self._write(_json({"object": "list", "data": [{"id": "fake", "object": "model", "owned_by": "nobody"}]}))
        else:
            self._write(_error(404, "there is no such page"))

    def _complete(self, head: bytes, body: bytes) -> None:
        traffic = self._traffic
        if not self._used:
            self._used = True
            traffic.stats.connections += 1
        named = _MODEL.search(body, body.rfind(b'],"model"')) or _MODEL.search(body)
        model = named[1].decode() if named else "fake"
        traffic.begin(model, len(body))
        given = _AUTHORIZATION.search(head)
        fault = traffic.fault(model, given[1].decode() if given else None, len(body) // 4)
        traffic.stats.outcomes[fault] += 1
        if fault == "ok":
            reply, tokens = self._canned.reply(model, body)
            seconds = traffic.seconds(model, tokens)
            if seconds:
                self._loop.call_later(seconds, self._answer, model, reply)
            else:
                self._answer(model, reply)
            return
        traffic.end(model)
        if fault == "hang":
            return
        status, _, retry_after = fault.partition(":")
        if status.isdigit():
            self._write(_error(int(status), f"fault {status} as planned", retry_after))
        else:
            self._transport.abort()

    def _answer(self, model: str, reply: bytes) -> None:
        self._traffic.stats.answered += 1
        self._traffic.end(model)
        self._write(reply)

    def _write(self, data: bytes) -> None:
        if not self._transport.is_closing():
            self._transport.write(data)


def _unknown_fault(changes: dict[str, Any]) -> str | None:
    plans = [plan_of(changes.get("plan", [])), *plans_of(changes.get("plans", {})).values()]
    faults = [fault.removesuffix(FOR_EVER).partition(":")[0] for plan in plans for fault in plan]
    unknown = sorted({fault for fault in faults if not fault.isdigit()} - {"ok", "reset", "hang"})
    return f"faults of the thorough server: {unknown}" if unknown else None


async def serve(port: int, traffic: Traffic) -> int:
    """Listen from now on; gives the port."""
    canned = Canned()
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: Connection(traffic, canned), "127.0.0.1", port, backlog=1024)
    found: int = server.sockets[0].getsockname()[1]
    return found


def _make(body: dict[str, Any]) -> list[tuple[bytes, int]]:
    replies = [fake_replies.fake_reply(body, f"{body.get('model')}-{number}") for number in range(VARIANTS)]
    return [(_json(_lengthened(reply, Random(number))), _tokens(reply)) for number, reply in enumerate(replies)]


def _lengthened(reply: dict[str, Any], random: Random) -> dict[str, Any]:
    """The reply, with texts as long as models write them."""
    message = reply["choices"][0]["message"]
    try:
        said = json.loads(message["content"])
    except ValueError:
        message["content"] = _prose(random)
    else:
        for name in said.keys() & {"justification", "reason"}:
            said[name] = fake_replies._sentence(random, REASON_WORDS)
        message["content"] = json.dumps(said)
    tokens = reply["usage"]["completion_tokens"] = len(message["content"]) // 4
    reply["usage"]["total_tokens"] = reply["usage"]["prompt_tokens"] + tokens
    return reply


def _prose(random: Random) -> str:
    return " ".join(fake_replies._sentence(random, 15) for _ in range(ANSWER_WORDS // 15))


def _tokens(reply: dict[str, Any]) -> int:
    tokens: int = reply["usage"]["completion_tokens"]
    return tokens


def _json(content: Any, status: bytes = b"200 OK", headers: bytes = b"") -> bytes:
    body = json.dumps(content).encode()
    return _JSON % (status, len(body), headers, body)


def _error(status: int, message: str, retry_after: str = "") -> bytes:
    headers = f"Retry-After: {retry_after}\r\n".encode() if retry_after else b""
    error = {"message": message, "type": "fake_error", "param": None, "code": str(status)}
    return _json({"error": error}, b"%d Fault" % status, headers)
