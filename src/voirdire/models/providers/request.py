"""Our messages, settings and schema as pydantic-ai has them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from pydantic_ai import messages as wire
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.output import OutputObjectDefinition
from pydantic_ai.settings import ModelSettings
from pydantic_ai.tools import ToolDefinition

from voirdire.models.caching import cache_settings, takes_breakpoints, with_breakpoint
from voirdire.models.providers.fast_openai import sends_once
from voirdire.models.providers.quirks import SchemaMode, thinking_allowance, thinking_effort
from voirdire.records import Settings, WireMessage

ANSWER = "answer"
"""The name a schema goes by on the wire."""


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
        out["thinking"] = thinking_effort(settings.reasoning)
    if settings.logprobs > 0:
        out["openai_logprobs"] = True
        out["openai_top_logprobs"] = settings.logprobs
    if extra_body:
        out["extra_body"] = dict(extra_body)
    # `request_timeout` holds for every provider; `timeout` would only be a warning where it is not taken.
    for name in model.unsupported_settings & {"timeout"}:
        del out[name]
    return cast(ModelSettings, out)


def to_parameters(schema: Mapping[str, Any] | None, mode: SchemaMode) -> ModelRequestParameters:
    """The request for an answer with this schema."""
    if schema is None:
        return ModelRequestParameters()
    if mode == "tool":
        tool = ToolDefinition(name=ANSWER, parameters_json_schema=dict(schema), kind="output")
        return ModelRequestParameters(output_mode="tool", output_tools=[tool], allow_text_output=False)
    output = OutputObjectDefinition(json_schema=dict(schema), name=ANSWER)
    return ModelRequestParameters(output_mode=mode, output_object=output)
