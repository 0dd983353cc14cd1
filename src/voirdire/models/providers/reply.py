"""A `Reply` from pydantic-ai's response, with notices of what went otherwise than asked."""

from __future__ import annotations

import json
import math
from collections.abc import Set

from pydantic_ai import messages as wire

from voirdire.models.providers.http_recording import HttpExchange
from voirdire.models.providers.quirks import NAMES_ON_THE_WIRE
from voirdire.models.providers.request import ANSWER
from voirdire.records import FinishReason, Reply, Settings, Usage

_FINISH: dict[str, FinishReason] = {
    "stop": "stop",
    "tool_call": "stop",
    "length": "length",
    "content_filter": "refusal",
}
"""By pydantic-ai's words, which are none where it does not know the provider's own: that is in `provider_details`."""


def to_reply(response: wire.ModelResponse, exchange: HttpExchange, settings: Settings, allowance: int) -> Reply:
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
        elif isinstance(part, wire.ToolCallPart) and part.tool_name == ANSWER:
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
    exchange: HttpExchange, settings: Settings, finish: FinishReason, has_logprobs: bool, allowance: int
) -> list[str]:
    notices = []
    requested = {
        "temperature": settings.temperature is not None,
        "top_p": settings.top_p is not None,
        "seed": True,
        "reasoning": settings.reasoning is not None,
    }
    fields = _sent_fields(exchange.sent)
    dropped = [name for name, asked in requested.items() if asked and not NAMES_ON_THE_WIRE[name] & fields]
    if fields and dropped:
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


def _sent_fields(body_text: str) -> Set[str]:
    """The settings in a request's body; none where it is not JSON."""
    try:
        body = json.loads(body_text)
    except ValueError:
        return frozenset()
    return {**body, **body.get("generationConfig", {})}.keys() if isinstance(body, dict) else frozenset()
