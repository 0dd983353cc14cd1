"""Our messages, settings and schema into Inspect's, and what its models return into a `Reply` or a failure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
    get_model_info,
)
from inspect_ai.util import JSONSchema, LimitExceededError
from tenacity import RetryError

from voirdire.models import ModelError
from voirdire.models.errors import kind_of_status, scrub
from voirdire.records import ErrorKind, FinishReason, Reply, Settings, Usage, WireMessage

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
    said = scrub(" ".join(str(cause).split())) or "without a word"
    return ModelError(
        _kind(cause, status, given_up),
        f"{spec}: the call failed with {type(cause).__name__} ({said[:_LONGEST].rstrip('.')}).",
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
    settings: Settings, chosen: GenerateConfig, *, schema: Mapping[str, Any] | None, seed: int, room: int
) -> GenerateConfig:
    """Settings of one call; what the user has chosen in Inspect's own ways stands.

    Args:
        settings: ours.
        chosen: what Inspect will send by itself.
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
    theirs = {name: None for name in chosen.model_dump(exclude_none=True)}
    return ours.model_copy(update=theirs)


def thinking_room(model: Model, settings: Settings, chosen: GenerateConfig) -> int:
    """Tokens that a model which thinks before it answers gets on top: else its answer would be cut, or empty."""
    info = get_model_info(model)
    effort = chosen.reasoning_effort or settings.reasoning
    asked = chosen.reasoning_tokens is not None or effort is not None
    if chosen.max_tokens is not None or info is None or not info.reasoning or effort == "none":
        return 0
    by_itself = info.organization != "Anthropic"  # through Inspect, these think only when they are told to
    return _THINKING_TOKENS if by_itself or asked else 0


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
