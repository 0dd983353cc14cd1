"""Does a model answer? One tiny call, and one sentence."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from voirdire.models.base import ModelError, ModelOptions, SpecError
from voirdire.models.registry import open_model
from voirdire.records import Settings, WireMessage

_DEFAULTS = ModelOptions()
_SETTINGS = Settings(max_tokens=16)  # 16 is the least that OpenAI's Responses API takes
_QUESTION = (WireMessage("user", "Reply with the one word: yes"),)


@dataclass(frozen=True, slots=True)
class CheckResult:
    """Whether the model answers, and one sentence that says so or says what is wrong."""

    ok: bool
    sentence: str


def check(spec: str, options: ModelOptions = _DEFAULTS, timeout: float = 30.0) -> CheckResult:
    """Make one tiny call (16 tokens) and say what came of it. Not for use inside a running event loop.

    Args:
        spec: the model.
        options: how to reach it.
        timeout: seconds to wait for the answer.
    """
    return asyncio.run(check_async(spec, options, timeout))


async def check_async(spec: str, options: ModelOptions = _DEFAULTS, timeout: float = 30.0) -> CheckResult:
    """`check`, for use inside a running event loop."""
    try:
        model = open_model(spec, options)
    except SpecError as error:
        return CheckResult(False, str(error))
    if model.identity.endpoint == "simulated":  # it answers within a dialogue only, and can't be unreachable
        return CheckResult(True, f"{spec} is simulated: it needs no key and no server.")
    try:
        reply = await model.complete(_QUESTION, _SETTINGS, timeout=timeout)
    except ModelError as error:
        return CheckResult(False, str(error))
    finally:
        await model.aclose()
    called = f", which calls itself {reply.model}," if reply.model and reply.model != model.identity.name else ""
    tokens = reply.usage.input_tokens + reply.usage.output_tokens
    return CheckResult(True, f"{spec}{called} answers ({tokens} tokens for this check).")
