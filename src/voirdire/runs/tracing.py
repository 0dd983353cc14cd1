"""OpenTelemetry spans of a run, for users who have set OpenTelemetry up; without that nothing happens or is imported.

A span for the session of a run, one for each dialogue, answer or response it works on, and one for each attempt at a
model call, with the names of the semantic conventions for generative AI. Never what was said, never keys.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from voirdire.runs.attempt import Attempt, Call

if TYPE_CHECKING:
    from opentelemetry.trace import Span, Tracer

_API = "opentelemetry.trace"
_SCOPE = "voirdire"

# Where our name of a provider is not that of the conventions (gen_ai.provider.name).
_PROVIDERS = {
    "openai-responses": "openai",
    "google": "gcp.gemini",
    "google-vertex": "gcp.vertex_ai",
    "azure": "azure.ai.openai",
    "azure-responses": "azure.ai.openai",
    "bedrock": "aws.bedrock",
    "mistral": "mistral_ai",
    "grok": "x_ai",
    "xai": "x_ai",
}


@contextmanager
def session_span(path: Path, settings: Mapping[str, Any]) -> Iterator[None]:
    """A span for a session of a run: its folder's name, instrument, models and seed."""
    models = settings.get("models") or settings.get("auditors") or [settings.get("model")]
    attributes = {
        "voirdire.runs": path.resolve().name,
        "voirdire.instrument": settings.get("instrument"),
        "voirdire.models": tuple(str(model) for model in models if model),
        "voirdire.seed": settings.get("seed"),
    }
    with _span("voirdire run", attributes):
        yield


@contextmanager
def unit_span(kind: str, name: str) -> Iterator[None]:
    """A span for what a run works on, one after the other: a dialogue, an answer, a response."""
    with _span(f"voirdire {kind}", {"voirdire.unit": name}):
        yield


@contextmanager
def call_span(call: Call, number: int) -> Iterator[Callable[[Attempt], None]]:
    """A span for an attempt at a call; what is yielded is to be told how the attempt went.

    Args:
        call: what is asked.
        number: of the attempt, from 1.
    """
    if _tracer() is None:
        yield _ignore
        return
    with _span(f"chat {call.model.identity.name}", _call_attributes(call, number), client=True) as span:
        yield lambda attempt: _record_outcome(span, attempt) if span is not None else None


@contextmanager
def _span(name: str, attributes: Mapping[str, Any], *, client: bool = False) -> Iterator[Span | None]:
    tracer = _tracer()
    if tracer is None:
        yield None
        return
    kind = sys.modules[_API].SpanKind
    with tracer.start_as_current_span(
        name,
        kind=kind.CLIENT if client else kind.INTERNAL,
        attributes={key: value for key, value in attributes.items() if value is not None},
        record_exception=False,  # an error's text may quote what was said
        set_status_on_exception=False,
    ) as span:
        try:
            yield span
        except BaseException as error:
            _fail(span, type(error).__name__)
            raise


def _tracer() -> Tracer | None:
    """The user's tracer; `None` unless OpenTelemetry is imported and set up in this process."""
    api = sys.modules.get(_API)
    get_provider = getattr(api, "get_tracer_provider", None)  # another thread may be importing it just now
    if api is None or get_provider is None:
        return None
    provider = get_provider()
    if isinstance(provider, (api.ProxyTracerProvider, api.NoOpTracerProvider)):
        return None
    tracer: Tracer = provider.get_tracer(_SCOPE)
    return tracer


def _call_attributes(call: Call, number: int) -> dict[str, Any]:
    identity, settings, slot = call.model.identity, call.request.settings, call.request.slot
    provider = identity.spec.partition("/")[0]
    return {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": _PROVIDERS.get(provider, provider),
        "gen_ai.request.model": identity.name,
        "gen_ai.request.max_tokens": settings.max_tokens,
        "gen_ai.request.temperature": settings.temperature,
        "gen_ai.request.top_p": settings.top_p,
        "gen_ai.request.seed": call.seed,
        "gen_ai.output.type": "json" if call.request.schema else "text",
        **_server(identity.endpoint),
        "voirdire.unit": slot.dialogue,
        "voirdire.turn": slot.turn,
        "voirdire.role": slot.role,
        "voirdire.agent": slot.agent or None,
        "voirdire.attempt": number,
    }


def _server(endpoint: str) -> dict[str, Any]:
    """Where a call goes; nothing for a model in this process, or an address that is none: its call will say so."""
    try:
        address = urlsplit(endpoint)
        return {"server.address": address.hostname, "server.port": address.port}
    except ValueError:
        return {}


def _record_outcome(span: Span, attempt: Attempt) -> None:
    """How an attempt went: model, tokens and price of a reply, the kind of an error."""
    if attempt.error is not None:
        _fail(span, attempt.error.kind)
        if attempt.error.status is not None:
            span.set_attribute("http.response.status_code", attempt.error.status)
        return
    reply = attempt.reply
    if reply is None:
        return
    usage = reply.usage
    attributes = {
        "gen_ai.response.model": reply.model or None,
        "gen_ai.response.finish_reasons": (reply.finish_reason,),
        "gen_ai.usage.input_tokens": usage.input_tokens,
        "gen_ai.usage.output_tokens": usage.output_tokens,
        "gen_ai.usage.reasoning.output_tokens": usage.reasoning_tokens or None,
        "gen_ai.usage.cache_read.input_tokens": usage.cached_tokens or None,
        "voirdire.cost_usd": attempt.price_usd,
    }
    span.set_attributes({key: value for key, value in attributes.items() if value is not None})


def _fail(span: Span, kind: str) -> None:
    api = sys.modules[_API]
    span.set_attribute("error.type", kind)
    span.set_status(api.Status(api.StatusCode.ERROR))


def _ignore(attempt: Attempt) -> None:
    """Nobody listens."""
