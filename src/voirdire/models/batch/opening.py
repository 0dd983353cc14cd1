"""From a spec to a model that is asked by batch."""

from __future__ import annotations

import ssl
from functools import cache

import httpx2
from pydantic_ai.models import create_async_httpx2_client

from voirdire.models._transport import is_this_machine
from voirdire.models.base import ModelOptions
from voirdire.models.batch.anthropic import AnthropicForm
from voirdire.models.batch.api import Form
from voirdire.models.batch.openai import MistralForm, OpenAIForm
from voirdire.models.batch.providers import batch_discount
from voirdire.models.batch.records import Batching
from voirdire.models.batch.transport import BatchTransport
from voirdire.models.hosted import HostedModel, open_hosted
from voirdire.models.specs import Spec


def open_batched(spec: Spec, options: ModelOptions, batching: Batching) -> HostedModel:
    """Open a hosted model whose calls go by batch, and cost what a batch costs; their keys are the ordinary calls'.

    Raises:
        SpecError: as for an ordinary model.
    """
    form = _form(spec.provider)

    def transport() -> httpx2.AsyncBaseTransport:
        return BatchTransport(form, _client(options.base_url), batching)

    return open_hosted(spec, options, transport=transport, price_share=1.0 - batch_discount(spec.provider))


def _form(provider: str) -> Form:
    if provider == "anthropic":
        return AnthropicForm()
    if provider == "mistral":
        return MistralForm()
    return OpenAIForm("/responses" if provider == "openai-responses" else "/chat/completions")


def _client(base_url: str | None) -> httpx2.AsyncClient:
    # httpx2's own transport, as it reads long results piece by piece. A proxy can't reach a server on this machine.
    direct = base_url is not None and is_this_machine(base_url)
    return create_async_httpx2_client(transport=httpx2.AsyncHTTPTransport(verify=_certificates()) if direct else None)


@cache
def _certificates() -> ssl.SSLContext:
    """Reading them takes longer than anything else here."""
    return httpx2.create_ssl_context()
