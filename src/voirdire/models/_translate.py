"""Our messages, settings and schema into pydantic-ai's, and its response into a `Reply`."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence, Set
from typing import Any, Literal, cast, get_args

from pydantic_ai import messages as wire
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.output import OutputObjectDefinition
from pydantic_ai.settings import ModelSettings, ThinkingEffort
from pydantic_ai.tools import ToolDefinition

from voirdire.models._lean import sends_once
from voirdire.models._wire import Exchange
from voirdire.models.base import ModelError
from voirdire.models.caching import cache_settings, takes_breakpoints, with_breakpoint
from voirdire.records import FinishReason, Reply, Settings, Usage, WireMessage

SchemaMode = Literal["native", "tool", "prompted"]

_ANSWER = "answer"
"""The name a schema goes by on the wire."""

_THINKING_TOKENS = {"minimal": 2_048, "low": 4_096, "medium": 10_000, "high": 20_000, "xhigh": 33_000, "max": 33_000}
"""Room for reasoning on top of the answer's own limit; above the budgets pydantic-ai sets for each effort."""

_FINISH: dict[str, FinishReason] = {
    "stop": "stop",
    "tool_call": "stop",
    "length": "length",
    "content_filter": "refusal",
}

_NAMES_ON_THE_WIRE = {
    "temperature": {"temperature"},
    "top_p": {"top_p", "topP"},
    "seed": {"seed", "random_seed"},
    "reasoning": {"reasoning_effort", "reasoning", "thinking", "thinkingConfig", "output_config"},
}


# --- out ------------------------------------------------------------------------------------------------


def to_messages(model: Model, messages: Sequence[WireMessage]) -> list[wire.ModelMessage]:
    """One pydantic-ai message for each of ours, in order, with a cache's breakpoint where the model takes one."""
    breaks = takes_breakpoints(model)
    translated: list[wire.ModelMessage] = []
    for message in messages:
        if message.role == "assistant":
            translated.append(wire.ModelResponse(parts=[wire.TextPart(message.content)]))
        elif message.role == "system":
            translated.append(wire.ModelRequest(parts=[wire.SystemPromptPart(message.content)]))
        else:
            content = with_breakpoint(message) if breaks else message.content
            translated.append(wire.ModelRequest(parts=[wire.UserPromptPart(content)]))
    return translated


def to_settings(
    model: Model,
    settings: Settings,
    messages: Sequence[WireMessage],
    *,
    seed: int,
    timeout: float,
    extra_body: Mapping[str, Any] | None,
) -> ModelSettings:
    """Settings of one attempt: no retry of the library's own, and `timeout` seconds for all of it."""
    out: dict[str, Any] = {
        "request_timeout": timeout,
        "timeout": timeout,
        "max_tokens": settings.max_tokens + thinking_allowance(model, settings.reasoning),
        "seed": seed,
        **cache_settings(model, messages),
    }
    if not sends_once(getattr(model, "client", None)):
        out["max_retries"] = 0
    if settings.temperature is not None:
        out["temperature"] = settings.temperature
    if settings.top_p is not None:
        out["top_p"] = settings.top_p
    if settings.reasoning is not None:
        out["thinking"] = _thinking(settings.reasoning)
    if settings.logprobs > 0:
        out["openai_logprobs"] = True
        out["openai_top_logprobs"] = settings.logprobs
    if extra_body:
        out["extra_body"] = dict(extra_body)
    # `request_timeout` holds for every provider; `timeout` would only be a warning where it is not taken.
    for name in model.unsupported_settings & {"timeout"}:
        del out[name]
    return cast(ModelSettings, out)


def thinking_allowance(model: Model, reasoning: str | None) -> int:
    """Tokens added to the limit of a model that thinks first, as providers count thoughts against the limit.

    A preset's `max_tokens` is for the answer alone; without room for the thoughts the answer would be cut or empty.
    """
    profile = model.profile
    if _thinking(reasoning) is False and not profile.get("thinking_always_enabled", False):
        return 0
    by_itself = profile.get("thinking_always_enabled", False) or profile.get("thinking_enabled_by_default", False)
    # Gemini's profiles do not say that the models think unless told not to.
    by_itself = by_itself or (model.system.startswith("google") and profile.get("supports_thinking", False))
    asked = reasoning is not None and profile.get("supports_thinking", False)
    if not by_itself and not asked:
        return 0
    return _THINKING_TOKENS.get(reasoning or "medium", _THINKING_TOKENS["medium"])


def _thinking(reasoning: str | None) -> ThinkingEffort | bool | None:
    if reasoning is None:
        return None
    if reasoning in ("none", "off"):
        return False
    if reasoning not in get_args(ThinkingEffort):
        expected = ", ".join(("none", *get_args(ThinkingEffort)))
        raise ModelError("bad_request", f"{reasoning!r} is no reasoning effort: use one of {expected}.")
    return cast(ThinkingEffort, reasoning)


def schema_mode(model: Model) -> SchemaMode:
    """How this model can be held to a schema: natively, by a forced tool call, or only by asking for it."""
    if model.profile.get("supports_json_schema_output", False):
        return "native"
    return "tool" if model.profile.get("supports_tools", True) else "prompted"


def to_parameters(schema: Mapping[str, Any] | None, mode: SchemaMode) -> ModelRequestParameters:
    """The request for an answer with this schema."""
    if schema is None:
        return ModelRequestParameters()
    if mode == "tool":
        tool = ToolDefinition(name=_ANSWER, parameters_json_schema=dict(schema), kind="output")
        return ModelRequestParameters(output_mode="tool", output_tools=[tool], allow_text_output=False)
    output = OutputObjectDefinition(json_schema=dict(schema), name=_ANSWER)
    return ModelRequestParameters(output_mode=mode, output_object=output)


# --- back -----------------------------------------------------------------------------------------------


def to_reply(response: wire.ModelResponse, exchange: Exchange, settings: Settings, allowance: int) -> Reply:
    """The reply as the rest of the program knows it; thoughts are not part of its text."""
    details = response.provider_details or {}
    text = _text(response)
    refusal = details.get("refusal") or ""
    finish = _FINISH.get(response.finish_reason or "", "other")
    notices = list(exchange.notices)
    if refusal and response.provider_name == "anthropic":  # the API's explanation, not words of the model
        notices.append(f"The provider refused: {refusal}")
    elif refusal and not text:
        text = str(refusal)
    logprobs = _first_token(response)
    notices += _notices(exchange, settings, finish, bool(logprobs), allowance)
    return Reply(
        text=text,
        finish_reason=finish,
        usage=_usage(response),
        model=response.model_name or "",
        logprobs=logprobs,
        warnings=tuple(notices),
        sent=exchange.sent,
        received=exchange.received,
    )


def _text(response: wire.ModelResponse) -> str:
    parts = []
    for part in response.parts:
        if isinstance(part, wire.TextPart):
            parts.append(part.content)
        elif isinstance(part, wire.ToolCallPart) and part.tool_name == _ANSWER:
            parts.append(part.args if isinstance(part.args, str) else part.args_as_json_str())
    return "".join(parts)


def _usage(response: wire.ModelResponse) -> Usage:
    usage = response.usage
    thought = usage.output_reasoning_tokens or next(
        (usage.details[name] for name in ("reasoning_tokens", "thoughts_tokens") if usage.details.get(name)), 0
    )
    return Usage(usage.input_tokens, usage.output_tokens, thought, usage.cache_read_tokens, usage.cache_write_tokens)


def _first_token(response: wire.ModelResponse) -> tuple[tuple[str, float], ...]:
    places = [response.provider_details, *(getattr(part, "provider_details", None) for part in response.parts)]
    tokens = next((place["logprobs"] for place in places if place and place.get("logprobs")), None)
    if not isinstance(tokens, list) or not tokens:
        return ()
    first = tokens[0]
    alternatives = first.get("top_logprobs") or [first]
    pairs = [(str(each["token"]), float(each["logprob"])) for each in alternatives]
    pairs = [(token, logprob) for token, logprob in pairs if math.isfinite(logprob)]
    return tuple(sorted(pairs, key=lambda pair: -pair[1]))


def _notices(
    exchange: Exchange, settings: Settings, finish: FinishReason, has_logprobs: bool, allowance: int
) -> list[str]:
    notices = []
    wanted = {
        "temperature": settings.temperature is not None,
        "top_p": settings.top_p is not None,
        "seed": True,
        "reasoning": settings.reasoning is not None,
    }
    sent = _sent_fields(exchange.sent)
    dropped = [name for name, asked in wanted.items() if asked and not _NAMES_ON_THE_WIRE[name] & sent]
    if sent and dropped:
        notices.append(f"Not sent, as the model or its provider does not take it: {', '.join(dropped)}.")
    if settings.logprobs > 0 and not has_logprobs:
        notices.append("No log-probabilities came back.")
    if allowance:
        notices.append(f"The limit was {settings.max_tokens} tokens and {allowance} more for reasoning.")
    if finish == "length":
        notices.append("The reply was cut at the limit.")
    if exchange.requests > 1:
        notices.append(f"The provider's library made {exchange.requests} HTTP requests for this one call.")
    return notices


def _sent_fields(sent: str) -> Set[str]:
    """The settings in a request's body; none where it is not JSON."""
    try:
        body = json.loads(sent)
    except ValueError:
        return frozenset()
    return {**body, **body.get("generationConfig", {})}.keys() if isinstance(body, dict) else frozenset()
