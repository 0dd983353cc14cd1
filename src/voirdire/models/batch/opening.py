"""From a spec to a model that is asked by batch.

So a request is what the ordinary call would have sent, to the byte, and its answer is read as ever.
"""

from __future__ import annotations

import hashlib
import json
import ssl
from functools import cache

import httpx2
from pydantic_ai.models import create_async_httpx2_client

from voirdire.models.base import ModelOptions
from voirdire.models.batch.apis import AnthropicBatchApi, ApiClient, BatchApi, MistralBatchApi, OpenAIBatchApi
from voirdire.models.batch.collector import BatchClient, Collector
from voirdire.models.batch.providers import Batching, BatchRequest, Claims, batch_discount
from voirdire.models.hosted import HostedModel, open_hosted
from voirdire.models.providers import http_recording
from voirdire.models.providers.http import is_this_machine
from voirdire.models.specs import Spec

_ID_LENGTH = 32


class BatchTransport(httpx2.AsyncBaseTransport):
    """Asks by batch; `client` reaches the batch endpoints, and is closed with this."""

    def __init__(self, api: BatchApi, client: httpx2.AsyncClient, batching: Batching) -> None:
        self._api = api
        self._client = client
        self._batching = batching
        self._collector: Collector | None = None

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Wait for the answer to a request."""
        body = await request.aread()
        if self._collector is None:
            self._collector = self._open(request)
        answer = await self._collector.answer(BatchRequest(_id_of(request.url.path, body), body))
        if answer.batch:
            http_recording.note(f"By batch {answer.batch}.")
        headers = {"Content-Type": "application/json"}
        return httpx2.Response(answer.status, headers=headers, text=answer.body, request=request)

    async def aclose(self) -> None:
        """Stop waiting; batches go on at the provider."""
        if self._collector is not None:
            await self._collector.aclose()
        await self._client.aclose()

    def _open(self, request: httpx2.Request) -> Collector:
        """Where the calls would go, and with which key, only the first of them tells."""
        root = str(request.url.copy_with(query=None)).removesuffix(self._api.path)
        api_client = ApiClient(self._client, root, request.url.query.decode(), request.headers)
        claims = Claims(self._batching.ledger.records(), api_client.endpoint)
        return Collector(self._api, BatchClient(self._api, api_client, self._batching), claims, self._batching)


def _id_of(path: str, body: bytes) -> str:
    canonical = json.dumps([path, json.loads(body)], sort_keys=True)
    return hashlib.sha256(canonical.encode()).hexdigest()[:_ID_LENGTH]


def open_batched(spec: Spec, options: ModelOptions, batching: Batching) -> HostedModel:
    """Open a hosted model whose calls go by batch, and cost what a batch costs; their keys are the ordinary calls'.

    Raises:
        SpecError: as for an ordinary model.
    """
    api = _api(spec.provider)

    def transport() -> httpx2.AsyncBaseTransport:
        return BatchTransport(api, _client(options.base_url), batching)

    return open_hosted(spec, options, transport=transport, price_share=1.0 - batch_discount(spec.provider))


def _api(provider: str) -> BatchApi:
    if provider == "anthropic":
        return AnthropicBatchApi()
    if provider == "mistral":
        return MistralBatchApi()
    return OpenAIBatchApi("/responses" if provider == "openai-responses" else "/chat/completions")


def _client(base_url: str | None) -> httpx2.AsyncClient:
    # httpx2's own transport, as it reads long results piece by piece. A proxy can't reach a server on this machine.
    direct = base_url is not None and is_this_machine(base_url)
    return create_async_httpx2_client(transport=httpx2.AsyncHTTPTransport(verify=_certificates()) if direct else None)


@cache
def _certificates() -> ssl.SSLContext:
    """Reading them takes longer than anything else here."""
    return httpx2.create_ssl_context()
