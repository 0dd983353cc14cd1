"""pydantic-ai models over an HTTP client that records, one connection pool per model."""

from __future__ import annotations

import inspect
import os
import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple
from urllib.parse import urlsplit, urlunsplit

import httpx2
from pydantic_ai.models import Model, create_async_httpx2_client, infer_model
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers import Provider, infer_provider_class
from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider

from voirdire.errors import not_installed
from voirdire.models import secrets
from voirdire.models.base import ModelOptions, SpecError
from voirdire.models.providers import http_recording
from voirdire.models.providers.fast_openai import lighten
from voirdire.models.providers.http import AiohttpTransport, goes_through_proxy
from voirdire.models.providers.http_recording import clean
from voirdire.models.providers.quirks import compatible_profile
from voirdire.models.specs import Spec, hosted_provider

_KEY_PARAMETERS = ("api_key", "token")
_URL_PARAMETERS = ("base_url", "azure_endpoint", "api_base")


class Client(NamedTuple):
    """A model as pydantic-ai has it, and the HTTP client under it (`None` where its library makes its own)."""

    model: Model
    http: httpx2.AsyncClient | None


Transport = Callable[[], httpx2.AsyncBaseTransport]


def connect(spec: Spec, options: ModelOptions, key: str | None, transport: Transport | None = None) -> Client:
    """Build the client of a hosted model, over a transport of one's own if given. Nothing is sent yet.

    Raises:
        SpecError: a package, an address or a key is missing.
    """
    known = hosted_provider(spec.provider)
    if spec.provider.startswith("azure"):
        _check_azure(spec, options)
    try:
        http, provider = _provider(spec, known.engine, options, key, transport)
        lighten(provider.client, http)
        return Client(infer_model(f"{known.engine}:{spec.name}", provider_factory=lambda _: provider), http)
    except ImportError as error:
        if known.extra:
            raise SpecError(not_installed(str(spec), None, known.extra)) from None
        raise SpecError(f"{spec} needs a package that is not installed: {_install_command(error)}") from None
    except SpecError:
        raise
    except Exception as error:  # credentials are looked for by the provider's library, which has errors of its own
        raise SpecError(f"{spec} can't be opened: {' '.join(str(error).split())}") from error


def connect_compatible(name: str, base_url: str, key: str | None, transport: Transport | None = None) -> Client:
    """Build the client of a server with an OpenAI-compatible Chat Completions API."""
    http = _http_client(base_url, transport, secrets_of(base_url, key))
    provider = OpenAICompatibleProvider(
        "openai-api", base_url=secrets.bare_url(base_url), api_key=key, http_client=http, profile=compatible_profile
    )
    lighten(provider.client, http)
    return Client(OpenAIChatModel(name, provider=provider), http)


def bare_url(url: str) -> str:
    """The address without credentials, query and fragment."""
    parts = urlsplit(url)
    host = parts.netloc.rpartition("@")[2]
    return urlunsplit((parts.scheme, host, parts.path.rstrip("/"), "", ""))


def secrets_of(base_url: str | None, key: str | None) -> list[str]:
    """What must not be seen of how a model is reached."""
    return [*([key] if key else []), *(secrets.url_secrets(base_url) if base_url else [])]


def _provider(
    spec: Spec, engine: str, options: ModelOptions, key: str | None, transport: Transport | None
) -> tuple[httpx2.AsyncClient | None, Provider[Any]]:
    provider_class = infer_provider_class(engine)
    accepted = inspect.signature(provider_class.__init__).parameters
    given: dict[str, Any] = {}
    if key is not None:
        given.update({parameter: key for parameter in _KEY_PARAMETERS if parameter in accepted})
    if options.base_url:
        places = [parameter for parameter in _URL_PARAMETERS if parameter in accepted]
        if not places:
            raise SpecError(
                f"{spec} takes no base URL, but {bare_url(options.base_url)} was given: leave it out, "
                f"or use openai-api/{spec.name} if the server there is OpenAI-compatible."
            )
        given[places[0]] = secrets.bare_url(options.base_url)
    http = None
    # Some providers' libraries still want the older httpx: theirs go unrecorded, over a client of their own.
    if re.search(r"httpx2|HTTPClient", str(getattr(accepted.get("http_client"), "annotation", ""))):
        http = given["http_client"] = _http_client(options.base_url, transport, secrets_of(options.base_url, key))
    return http, provider_class(**given)


def _http_client(base_url: str | None, transport: Transport | None, hidden: Sequence[str]) -> httpx2.AsyncClient:
    carrier: httpx2.AsyncBaseTransport | None = transport() if transport else AiohttpTransport()
    if transport is None and goes_through_proxy(base_url):
        carrier = None  # httpx2's own transport knows all kinds of proxies
    client = create_async_httpx2_client(transport=carrier)
    clean(client, hidden, urlsplit(base_url).query if base_url else "")
    login = secrets.url_login(base_url) if base_url else None
    if login is not None:
        client.auth = login  # and not within the address, which libraries write into logs and errors
    client.event_hooks = {
        "request": [*client.event_hooks["request"], http_recording.note_request],
        "response": [*client.event_hooks["response"], http_recording.note_response],
    }
    return client


def _check_azure(spec: Spec, options: ModelOptions) -> None:
    endpoint = options.base_url or os.environ.get("AZURE_OPENAI_ENDPOINT", "")
    if not endpoint:
        raise SpecError(f"{spec} needs an endpoint: give a base URL or set AZURE_OPENAI_ENDPOINT.")
    current = endpoint.rstrip("/").endswith("/v1") or ".models.ai.azure.com" in endpoint
    if not current and not os.environ.get("OPENAI_API_VERSION"):
        raise SpecError(
            f"{spec} needs an API version for {bare_url(endpoint)}: set OPENAI_API_VERSION, "
            "or use the endpoint's address that ends in /openai/v1."
        )


def _install_command(error: ImportError) -> str:
    match = re.search(r"pip install [\"']?([\w.-]+\[[\w-]+\]|[\w.-]+)", str(error))
    return f"pip install '{match[1]}'." if match else f"{error}."
