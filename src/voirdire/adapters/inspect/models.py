"""A model of Inspect's as a `voirdire.models.Model`: in our own runs, and inside Inspect's tasks."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageUser,
    GenerateConfig,
    Model,
    ModelOutput,
    ModelUsage,
    ResponseSchema,
    StopReason,
    get_model,
    get_model_info,
)
from inspect_ai.model._generate_config import active_generate_config
from inspect_ai.model._model import active_model
from inspect_ai.util import JSONSchema, LimitExceededError
from rich.text import Text
from tenacity import RetryError

from voirdire.adapters.inspect import PROVIDER
from voirdire.models import ModelError, ModelOptions, SpecError, price_usd
from voirdire.models.errors import kind_of_status, scrub
from voirdire.models.secrets import bare_url
from voirdire.models.specs import HOSTED
from voirdire.records import (
    ErrorKind,
    FinishReason,
    ModelIdentity,
    OutputMode,
    Reply,
    Scene,
    Settings,
    Usage,
    WireMessage,
)

_LONGEST = 300


def model_error(spec: str, error: Exception) -> ModelError:
    """The failure of a call to `spec`.

    Raises:
        LimitExceededError: it was none, but a limit of Inspect's, which ends the sample.
    """
    cause = _cause(error)
    if isinstance(cause, LimitExceededError):
        raise cause
    status = _status(cause)
    given_up = isinstance(error, RetryError)  # what Inspect would have tried again, it takes to be temporary
    message = scrub(" ".join(str(cause).split())) or "without a word"
    return ModelError(
        _kind(cause, status, given_up),
        f"{spec}: the call failed with {type(cause).__name__} ({message[:_LONGEST].rstrip('.')}).",
        status=status,
    )


def _cause(error: Exception) -> BaseException:
    """What went wrong in the last attempt."""
    last: BaseException | None = error.last_attempt.exception() if isinstance(error, RetryError) else None
    return last or error


def _status(error: BaseException) -> int | None:
    status = getattr(error, "status_code", None)
    return status if isinstance(status, int) else None


def _kind(error: BaseException, status: int | None, given_up: bool) -> ErrorKind:
    if status is not None:
        return kind_of_status(status)
    name = type(error).__name__
    if isinstance(error, TimeoutError) or "Timeout" in name:
        return "timeout"
    if isinstance(error, ConnectionError) or "Connection" in name or "ConnectError" in name:
        return "connection"
    return "server" if given_up else "unexpected"


_ANSWER = "answer"
"""The name a schema goes by on the wire."""

_THINKING_TOKENS = 10_000
"""Room for thoughts on top of an answer's own limit, as providers count them against it."""

_FINISH: dict[StopReason, FinishReason] = {
    "stop": "stop",
    "tool_calls": "stop",
    "max_tokens": "length",
    "model_length": "length",
    "content_filter": "refusal",
}
_STOP: dict[str, StopReason] = {"stop": "stop", "length": "max_tokens", "refusal": "content_filter"}

_MESSAGES = {"system": ChatMessageSystem, "user": ChatMessageUser, "assistant": ChatMessageAssistant}


# --- out ------------------------------------------------------------------------------------------------


def to_message(role: str, content: str) -> ChatMessage:
    """One chat message."""
    message: ChatMessage = _MESSAGES[role](content=content)
    return message


def to_messages(messages: Sequence[WireMessage]) -> list[ChatMessage]:
    """One message of Inspect's for each of ours, in order."""
    return [to_message(message.role, message.content) for message in messages]


def to_config(
    settings: Settings, user_config: GenerateConfig, *, schema: Mapping[str, Any] | None, seed: int, room: int
) -> GenerateConfig:
    """Settings of one call; what the user has chosen in Inspect's own ways stands.

    Args:
        settings: ours.
        user_config: what Inspect will send by itself.
        schema: of the wanted answer.
        seed: of the call.
        room: tokens added to the limit, for thoughts.
    """
    ours = GenerateConfig(
        max_tokens=settings.max_tokens + room,
        temperature=settings.temperature,
        top_p=settings.top_p,
        seed=seed,
        logprobs=True if settings.logprobs else None,
        top_logprobs=settings.logprobs or None,
        reasoning_effort=cast(Any, settings.reasoning),
        response_schema=None if schema is None else _response_schema(schema),
    )
    theirs = {name: None for name in user_config.model_dump(exclude_none=True)}
    return ours.model_copy(update=theirs)


def thinking_room(model: Model, settings: Settings, user_config: GenerateConfig) -> int:
    """Tokens that a model which thinks before it answers gets on top: else its answer would be cut, or empty."""
    info = get_model_info(model)
    effort = user_config.reasoning_effort or settings.reasoning
    requested = user_config.reasoning_tokens is not None or effort is not None
    if user_config.max_tokens is not None or info is None or not info.reasoning or effort == "none":
        return 0
    by_itself = info.organization != "Anthropic"  # through Inspect, these think only when they are told to
    return _THINKING_TOKENS if by_itself or requested else 0


def _response_schema(schema: Mapping[str, Any]) -> ResponseSchema:
    # Every field of our schemas is required and none may be added, which is what "strict" asks for.
    return ResponseSchema(name=_ANSWER, json_schema=JSONSchema.model_validate(schema), strict=True)


# --- back -----------------------------------------------------------------------------------------------


def to_reply(output: ModelOutput, settings: Settings, room: int) -> Reply:
    """The reply as the rest of the program knows it; thoughts are not part of its text."""
    finish = _FINISH.get(output.stop_reason, "other") if output.choices else "other"
    logprobs = _first_token(output)
    return Reply(
        text=output.completion,
        finish_reason=finish,
        usage=to_usage(output.usage),
        model=output.model,
        logprobs=logprobs,
        warnings=tuple(_notices(settings, finish, bool(logprobs), room)),
    )


def to_usage(usage: ModelUsage | None) -> Usage:
    """Tokens of a call; cached ones are part of the input, as everywhere in this program."""
    if usage is None:
        return Usage()
    cached = usage.input_tokens_cache_read or 0
    into = usage.input_tokens + cached + (usage.input_tokens_cache_write or 0)
    return Usage(into, usage.output_tokens, usage.reasoning_tokens or 0, cached)


def _first_token(output: ModelOutput) -> tuple[tuple[str, float], ...]:
    logprobs = output.choices[0].logprobs if output.choices else None
    if logprobs is None or not logprobs.content:
        return ()
    first = logprobs.content[0]
    pairs = [(each.token, each.logprob) for each in first.top_logprobs or ()] or [(first.token, first.logprob)]
    return tuple(sorted(pairs, key=lambda pair: -pair[1]))


def _notices(settings: Settings, finish: FinishReason, has_logprobs: bool, room: int) -> list[str]:
    notices = []
    if settings.logprobs and not has_logprobs:
        notices.append("No log-probabilities came back.")
    if room:
        notices.append(f"The limit was {settings.max_tokens} tokens and {room} more for reasoning.")
    if finish == "length":
        notices.append("The reply was cut at the limit.")
    return notices


# --- records of ours, for logs --------------------------------------------------------------------------


def of_usage(usage: Usage) -> ModelUsage:
    """Token counts as Inspect's logs hold them: cached tokens stand beside the input."""
    return ModelUsage(
        input_tokens=usage.input_tokens - usage.cached_tokens,
        output_tokens=usage.output_tokens,
        total_tokens=usage.input_tokens + usage.output_tokens,
        input_tokens_cache_read=usage.cached_tokens or None,
        reasoning_tokens=usage.reasoning_tokens or None,
    )


def of_finish(finish: str) -> StopReason:
    """Why a reply ended, in Inspect's words."""
    return _STOP.get(finish, "unknown")


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
        user_config = self._chosen()
        room = thinking_room(self._model, settings, user_config)
        config = to_config(settings, user_config, schema=schema, seed=seed, room=room)
        try:
            output = await self._model.generate(to_messages(messages), config=self._base.merge(config))
        except Exception as error:
            raise model_error(self._identity.spec, error) from error
        return to_reply(output, settings, room)

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
        raise SpecError(f"{spec} can't be opened by Inspect: {_plain_message(error)}.") from error
    _without_retries(model)
    return InspectModel(model, spec, lambda usage: _usd(name, usage, options), _ONE_ATTEMPT)


def _without_retries(model: Model) -> None:
    """Providers' own libraries (OpenAI's, Anthropic's) try again unseen, where they have such a setting."""
    client = getattr(model.api, "client", None)
    if client is not None and hasattr(client, "max_retries"):
        client.max_retries = 0


def _plain_message(error: Exception) -> str:
    """An error's message on one line, without the marks that colour it in a terminal."""
    text = Text.from_markup(str(getattr(error, "message", error))).plain
    return " ".join(text.split()).removeprefix("ERROR: ").rstrip(".")


def _usd(name: str, usage: Usage, options: ModelOptions) -> float | None:
    """By the user's price, or by the price list where Inspect's provider is one that we know, too."""
    provider, _, model = name.partition("/")
    if options.price_per_million is None and (options.base_url or provider not in HOSTED):
        return None
    return price_usd(provider, model, usage, options.price_per_million)
