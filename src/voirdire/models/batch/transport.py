"""An HTTP transport that sends nothing at once: each request waits for its answer from a batch.

So a request is what the ordinary call would have sent, to the byte, and its answer is read as ever.
"""

from __future__ import annotations

import hashlib
import json

import httpx2

from voirdire.models import _wire
from voirdire.models.batch.api import Door, Form
from voirdire.models.batch.client import BatchClient
from voirdire.models.batch.collector import Collector
from voirdire.models.batch.records import Asked, Batching, Claims

_ID_LENGTH = 32


class BatchTransport(httpx2.AsyncBaseTransport):
    """Asks by batch; `client` reaches the batch endpoints, and is closed with this."""

    def __init__(self, form: Form, client: httpx2.AsyncClient, batching: Batching) -> None:
        self._form = form
        self._client = client
        self._batching = batching
        self._collector: Collector | None = None

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Wait for the answer to a request."""
        body = await request.aread()
        if self._collector is None:
            self._collector = self._open(request)
        answer = await self._collector.answer(Asked(_id_of(request.url.path, body), body))
        if answer.batch:
            _wire.note(f"By batch {answer.batch}.")
        headers = {"Content-Type": "application/json"}
        return httpx2.Response(answer.status, headers=headers, text=answer.body, request=request)

    async def aclose(self) -> None:
        """Stop waiting; batches go on at the provider."""
        if self._collector is not None:
            await self._collector.aclose()
        await self._client.aclose()

    def _open(self, request: httpx2.Request) -> Collector:
        """Where the calls would go, and with which key, only the first of them tells."""
        root = str(request.url.copy_with(query=None)).removesuffix(self._form.path)
        door = Door(self._client, root, request.url.query.decode(), request.headers)
        claims = Claims(self._batching.ledger.records(), door.endpoint)
        return Collector(self._form, BatchClient(self._form, door, self._batching), claims, self._batching)


def _id_of(path: str, body: bytes) -> str:
    said = json.dumps([path, json.loads(body)], sort_keys=True)
    return hashlib.sha256(said.encode()).hexdigest()[:_ID_LENGTH]
