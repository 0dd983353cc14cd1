"""A model of Inspect's as a `voirdire.models.Model`: in our own runs, and inside Inspect's tasks."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from inspect_ai.model import GenerateConfig, Model, get_model
from inspect_ai.model._generate_config import active_generate_config
from inspect_ai.model._model import active_model
from rich.text import Text

from voirdire.adapters.inspect import PROVIDER, _translate
from voirdire.adapters.inspect._translate import model_error
from voirdire.models import ModelOptions, SpecError, price_usd
from voirdire.models.secrets import bare_url
from voirdire.models.specs import HOSTED
from voirdire.records import ModelIdentity, OutputMode, Reply, Scene, Settings, Usage, WireMessage

_ONE_ATTEMPT = GenerateConfig(max_retries=0, max_connections=1000)
"""In our own runs waiting, retrying and holding back are the runner's."""

Price = Callable[[Usage], float | None]


class InspectModel:
    """Calls one model through Inspect.

    Args:
        model: Inspect's.
        spec: what the user called it.
        price: USD for a usage, or `None`.
        base: what every call is sent with; empty inside a task, where Inspect retries and limits by itself.
    """

    def __init__(self, model: Model, spec: str, price: Price | None = None, base: GenerateConfig | None = None) -> None:
        self._model = model
        self._price = price or (lambda usage: None)
        self._base = base or GenerateConfig()
        endpoint = bare_url(model.api.base_url or "") or f"{PROVIDER}:{str(model).partition('/')[0]}"
        self._identity = ModelIdentity(spec, endpoint.split("?")[0], model.name)

    @property
    def identity(self) -> ModelIdentity:
        """What a call's key says about this model."""
        return self._identity

    def output_mode(self, schema: Mapping[str, Any] | None) -> OutputMode:
        """As asked for; a provider that can't hold a model to a schema leaves it out, and the reply is read anyway."""
        return "text" if schema is None else "json_schema"

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
        """Make one call. Its time is kept by the runner, or by Inspect.

        Raises:
            ModelError: for every failure; its cause is what Inspect raised.
            LimitExceededError: inside a task, when the sample has reached one of Inspect's limits.
        """
        chosen = self._chosen()
        room = _translate.thinking_room(self._model, settings, chosen)
        config = _translate.to_config(settings, chosen, schema=schema, seed=seed, room=room)
        try:
            output = await self._model.generate(_translate.to_messages(messages), config=self._base.merge(config))
        except Exception as error:
            raise model_error(self._identity.spec, error) from error
        return _translate.to_reply(output, settings, room)

    async def aclose(self) -> None:
        """Close the connections."""
        await self._model.api.aclose()

    def _chosen(self) -> GenerateConfig:
        """What the user has set for this model in Inspect's own ways, and Inspect sends by itself."""
        if self._model is active_model():
            return self._model.config.merge(active_generate_config())
        return self._model.config


def open_inspect(name: str, options: ModelOptions) -> InspectModel:
    """Open Inspect's model `PROVIDER/NAME` for a run of ours.

    Raises:
        SpecError: Inspect has no such provider, or a key or package of the provider's is missing.
    """
    spec = f"{PROVIDER}/{name}"
    key = os.environ.get(options.api_key_env) if options.api_key_env else None
    if options.api_key_env and not key:
        raise SpecError(f"{spec} needs a key: set the environment variable {options.api_key_env}.")
    try:
        model = get_model(name, base_url=options.base_url, api_key=key, memoize=False)
    except Exception as error:  # each provider refuses in its own way
        raise SpecError(f"{spec} can't be opened by Inspect: {_said(error)}.") from error
    _without_retries(model)
    return InspectModel(model, spec, lambda usage: _usd(name, usage, options), _ONE_ATTEMPT)


def _without_retries(model: Model) -> None:
    """Providers' own libraries (OpenAI's, Anthropic's) try again unseen, where they have such a setting."""
    client = getattr(model.api, "client", None)
    if client is not None and hasattr(client, "max_retries"):
        client.max_retries = 0


def _said(error: Exception) -> str:
    """An error's message on one line, without the marks that colour it in a terminal."""
    text = Text.from_markup(str(getattr(error, "message", error))).plain
    return " ".join(text.split()).removeprefix("ERROR: ").rstrip(".")


def _usd(name: str, usage: Usage, options: ModelOptions) -> float | None:
    """By the user's price, or by the price list where Inspect's provider is one that we know, too."""
    provider, _, model = name.partition("/")
    if options.price_per_million is None and (options.base_url or provider not in HOSTED):
        return None
    return price_usd(provider, model, usage, options.price_per_million)
