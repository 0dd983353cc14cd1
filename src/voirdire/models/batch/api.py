"""What a provider's batch API must be able to do, and requests to its endpoints."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any, Protocol

import httpx2

from voirdire.data.json_text import without_halves
from voirdire.models._clients import bare_url
from voirdire.models.batch.records import Answer, Asked, BatchRecord, State


class Form(Protocol):
    """The form of one provider's batch API."""

    path: str
    """What the address of a call ends in; what stands before it is the API's root."""
    max_requests: int
    max_bytes: int
    """Of all requests of one batch."""

    async def submit(self, door: Door, name: str, asked: Sequence[tuple[str, Asked]]) -> str:
        """Send off a batch of requests, each with its id; gives the provider's id of the batch."""
        ...

    async def look(self, door: Door, batch: str) -> State:
        """How a batch is doing."""
        ...

    def results(self, door: Door, state: State) -> AsyncIterator[tuple[str, Answer]]:
        """Answers of a batch that has ended, each with the id of its request."""
        ...

    async def find(self, door: Door, record: BatchRecord, known: Collection[str]) -> list[str]:
        """Ids of the batches that may be this one, without those already known: a session ended before it knew."""
        ...


_NOT_PASSED_ON = {
    "accept",
    "accept-encoding",
    "connection",
    "content-encoding",
    "content-length",
    "content-type",
    "host",
    "idempotency-key",
}
_TIMEOUT = httpx2.Timeout(120.0, connect=10.0)
_PASSING = (408, 409, 425, 429)
"""Statuses below 500 that may be gone the next time."""


class Refused(Exception):
    """The provider said no, and would say so again."""

    def __init__(self, answer: Answer) -> None:
        super().__init__(answer.body)
        self.answer = answer


class Unsure(Exception):
    """No answer, or one that says nothing of the request: it may have arrived, and it may succeed later."""

    def __init__(self, answer: Answer) -> None:
        super().__init__(answer.body)
        self.answer = answer


class Door:
    """A provider's API, as far as batches go.

    Raises everywhere: `Refused` and `Unsure`.
    """

    def __init__(self, client: httpx2.AsyncClient, root: str, query: str, headers: Mapping[str, str]) -> None:
        self._client = client
        self._root = root
        """Without a slash at its end; an address given to the methods begins with one."""
        self.endpoint = bare_url(root)
        """The root as it may be written down: without credentials."""
        self._query = query
        self._headers = {name: value for name, value in headers.items() if name.lower() not in _NOT_PASSED_ON}

    async def get(self, address: str, **query: str | int) -> dict[str, Any]:
        """The JSON object at an address."""
        async with self._response("GET", address, params=query) as response:
            return _object(await response.aread())

    async def post(self, address: str, **content: Any) -> dict[str, Any]:
        """Send `json=…`, JSON that is ready as `content=…`, or `data=…` with `files=…`; gives the object that comes."""
        async with self._response("POST", address, **content) as response:
            return _object(await response.aread())

    async def lines(self, address: str) -> AsyncIterator[dict[str, Any]]:
        """The JSON objects of a file with one on each line, as they arrive."""
        async with self._response("GET", address) as response:
            rest = b""
            async for chunk in response.aiter_bytes():
                # Only at this byte: in a text, other characters end lines too, and JSON may hold them as they are.
                *whole, rest = (rest + chunk).split(b"\n")
                for line in whole:
                    if line.strip():
                        yield _object(line)
            if rest.strip():
                yield _object(rest)

    @asynccontextmanager
    async def _response(self, method: str, address: str, **more: Any) -> AsyncIterator[httpx2.Response]:
        headers = {**self._headers, **({"content-type": "application/json"} if "content" in more else {})}
        query = {**dict(httpx2.QueryParams(self._query)), **more.pop("params", {})}
        try:
            async with self._client.stream(
                method, self._root + address, headers=headers, params=query, timeout=_TIMEOUT, **more
            ) as response:
                if response.status_code >= 300:
                    await response.aread()
                    raise _failure(response.status_code, response.text)
                yield response
        except httpx2.TransportError as error:
            raise Unsure(problem(503, f"{type(error).__name__}: {error}")) from None


def problem(status: int, message: str, batch: str = "") -> Answer:
    """An answer that is an error, in the form that every provider's library reads."""
    error = {"type": "error", "error": {"type": "batch", "message": message}}
    return Answer(status, json.dumps(error), batch)


def _failure(status: int, text: str) -> Refused | Unsure:
    answer = Answer(status, text)
    if status < 400:
        return Refused(problem(400, f"The batch endpoint sent the request elsewhere (HTTP {status})."))
    return Unsure(answer) if status >= 500 or status in _PASSING else Refused(answer)


def _object(text: bytes) -> dict[str, Any]:
    """An object of JSON, without half of a surrogate pair: what is made of it goes on as UTF-8."""
    try:
        found = without_halves(json.loads(text))
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise Unsure(problem(502, "The batch endpoint answered with something that is no JSON object."))
    return found
