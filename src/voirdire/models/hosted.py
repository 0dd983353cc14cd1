"""Hosted models, through pydantic-ai: this file and `providers/` are all that knows that library.

One `complete` is one HTTP request.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from pydantic_ai.direct import model_request

from voirdire.models import errors
from voirdire.models.base import ModelError, ModelOptions, SpecError
from voirdire.models.prices import price_of, price_usd
from voirdire.models.providers import connection, failures, http_recording, quirks
from voirdire.models.providers.reply import to_reply
from voirdire.models.providers.request import to_messages, to_parameters, to_settings
from voirdire.models.secrets import Secret, forms_of, hide, is_masked, masked_url, remember
from voirdire.models.specs import Spec, hosted_provider
from voirdire.records import ModelIdentity, OutputMode, Reply, Scene, Settings, Usage, WireMessage


class HostedModel:
    """A model behind an HTTP API. Works from any event loop, one after the other."""

    def __init__(
        self,
        spec: str,
        name: str,
        connect: Callable[[], connection.Client],
        price: Callable[[Usage], float | None],
        *,
        identity: ModelIdentity | None = None,
        key_env: str = "",
        secrets: Sequence[str] = (),
        extra_body: Mapping[str, Any] | None = None,
        force_json_schema: bool = False,
    ) -> None:
        self._spec = spec  # first: a traceback may show a model that could not be made
        self._connect = connect
        self._client = connect()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._price = price
        self._key_env = key_env
        self._secrets = tuple(secrets)
        self._forms = forms_of(self._secrets)
        self._extra_body = extra_body
        self._mode = "native" if force_json_schema else quirks.schema_mode(self._client.model)
        endpoint = connection.bare_url(self._client.model.base_url or "") or self._client.model.system
        self._identity = identity or ModelIdentity(spec, endpoint, name)
        self._endpoint = endpoint

    def __repr__(self) -> str:
        return f"HostedModel({self._spec!r})"

    @property
    def identity(self) -> ModelIdentity:
        """What a call's key says about this model."""
        return self._identity

    def output_mode(self, schema: Mapping[str, Any] | None) -> OutputMode:
        """How an answer with this schema is asked for; "text" also where the model can only be asked for it."""
        return "text" if schema is None or self._mode == "prompted" else "json_schema"

    def price(self, usage: Usage) -> float | None:
        """USD for this usage; `None` when the price is unknown."""
        return self._price(usage)

    async def complete(
        self,
        messages: Sequence[WireMessage],
        settings: Settings,
        *,
        schema: Mapping[str, Any] | None = None,
        seed: int = 0,
        timeout: float = 120.0,
        scene: Scene | None = None,
    ) -> Reply:
        """Make one call: one HTTP request, `timeout` seconds for all of it.

        Raises:
            ModelError: for every failure, whatever the provider's library raised.
        """
        model = self._client_here().model
        allowance = quirks.thinking_allowance(model, settings.reasoning)
        with http_recording.recording() as exchange:
            try:
                response = await model_request(
                    model,
                    to_messages(model, messages),
                    model_settings=to_settings(
                        model, settings, messages, seed=seed, timeout=timeout, extra_body=self._extra_body
                    ),
                    model_request_parameters=to_parameters(schema, self._mode),
                )
                reply = to_reply(response, exchange, settings, allowance)
            except ModelError:
                raise
            except Exception as error:
                # "from None": the cause holds the request, and with it the key.
                raise self._error(error, timeout, exchange) from None
        return replace(
            reply,
            sent=hide(reply.sent, self._forms),
            received=hide(reply.received, self._forms),
            warnings=tuple(errors.scrub(each, self._secrets) for each in reply.warnings),
        )

    async def aclose(self) -> None:
        """Close the connections."""
        # Connections belong to the loop that opened them: those of a loop that is gone went with it.
        if self._client.http is not None and self._loop in (None, asyncio.get_running_loop()):
            await self._client.http.aclose()

    def _client_here(self) -> connection.Client:
        loop = asyncio.get_running_loop()
        if self._loop is not None and self._loop is not loop:
            self._client = self._connect()
        self._loop = loop
        return self._client

    def _error(self, error: Exception, timeout: float, exchange: http_recording.HttpExchange) -> ModelError:
        return failures.model_error(
            error,
            spec=self._identity.spec,
            name=self._identity.name,
            endpoint=self._endpoint,
            key_env=self._key_env,
            timeout=timeout,
            secrets=self._secrets,
            exchange=exchange,
        )


def open_hosted(
    spec: Spec,
    options: ModelOptions,
    *,
    transport: connection.Transport | None = None,
    price_share: float = 1.0,
) -> HostedModel:
    """Open a hosted model. Nothing is sent yet.

    Args:
        spec: the model.
        options: how to reach it.
        transport: makes what carries its requests; `None` for an ordinary connection.
        price_share: of the usual price that its calls cost.

    Raises:
        SpecError: its key, its address or a package is missing.
    """
    _check_base_url(spec, options)
    key_env, key = _find_key(spec, options)
    secrets = connection.secrets_of(options.base_url, key)
    remember(secrets)

    def connect() -> connection.Client:
        if spec.provider == "openai-api":
            return connection.connect_compatible(spec.name, options.base_url or "", key, transport)
        return connection.connect(spec, options, key, transport)

    def price(usage: Usage) -> float | None:
        usual = price_of(spec, usage, options)
        return None if usual is None else usual * price_share

    return HostedModel(
        str(spec),
        spec.name,
        connect,
        price,
        key_env=key_env,
        secrets=secrets,
        force_json_schema=spec.provider == "openai-api",
    )


def openai_compatible(
    spec: str,
    name: str,
    base_url: str,
    api_key: str | None = None,
    *,
    identity: ModelIdentity | None = None,
    price: tuple[float, float] = (0.0, 0.0),
    force_json_schema: bool = True,
    extra_body: Mapping[str, Any] | None = None,
) -> HostedModel:
    """A model behind a server with an OpenAI-compatible Chat Completions API, for example one on this machine.

    Args:
        spec: what the user called the model.
        name: what the server calls it.
        base_url: the API's root, usually ending in "/v1".
        api_key: `None` where the server asks for none.
        identity: instead of the one made of `spec`, `base_url` and `name`.
        price: USD per million (input, output) tokens.
        force_json_schema: ask for schemas natively, whatever is known of the model.
        extra_body: fields added to every request's body, for example `{"cache_prompt": False}`; they win over ours.
    """
    return HostedModel(
        spec,
        name,
        lambda: connection.connect_compatible(name, base_url, api_key),
        lambda usage: price_usd("", name, usage, price),
        identity=identity,
        secrets=(api_key,) if api_key else (),
        extra_body=extra_body,
        force_json_schema=force_json_schema,
    )


def _check_base_url(spec: Spec, options: ModelOptions) -> None:
    example = "for example http://127.0.0.1:8000/v1."
    if options.base_url is None and spec.provider == "openai-api":
        raise SpecError(f"{spec} needs the base URL of its server (--base-url, or base_url in the config), {example}")
    if options.base_url is not None and not options.base_url.startswith(("http://", "https://")):
        address = masked_url(options.base_url).rpartition("@")[2]
        raise SpecError(f"The base URL {address!r} of {spec} must begin with http:// or https://, {example}")
    if options.base_url is not None and is_masked(options.base_url):
        raise SpecError(
            f"The base URL {options.base_url} of {spec} is as a run keeps it, without its credentials: give it again "
            "with --base-url (base_url in a preset)."
        )


def _find_key(spec: Spec, options: ModelOptions) -> tuple[str, str | None]:
    """The environment variable that holds the key, and the key; `("", None)` where none is needed."""
    provider = hosted_provider(spec.provider)
    names = (options.api_key_env,) if options.api_key_env else provider.key_env
    for name in names:
        if os.environ.get(name):
            return name, Secret(os.environ[name])
    if options.api_key_env or provider.key_needed:
        raise SpecError(
            f"{spec} needs a key: set the environment variable {' or '.join(names)}, "
            "or name another one with api_key_env."
        )
    return "", None
