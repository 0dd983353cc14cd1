"""Does a model answer? One tiny call, and one sentence."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from voirdire.models.base import Model, ModelError, ModelOptions, SpecError
from voirdire.models.registry import open_model
from voirdire.records import Settings, WireMessage

_DEFAULTS = ModelOptions()
_SETTINGS = Settings(max_tokens=16)  # 16 is the least that OpenAI's Responses API takes
_TURNS = 3
_TURN_TOKENS = 8
_TOLD = "A clerk at the registry answers questions about the files on the shelves, one after the other. " * 8
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


async def exact_cost_async(
    spec: str, options: ModelOptions = _DEFAULTS, opener: Callable[[str, ModelOptions], Model] = open_model
) -> CheckResult:
    """What exactness costs: a short dialogue with a local model, timed both ways on this machine.

    Each way the model is loaded first, which is not timed.

    Args:
        spec: the model.
        options: how it is reached.
        opener: opens it.
    """
    if not spec.startswith("local/"):
        return CheckResult(
            False,
            f"{spec} is not one of local/…: only a model in this process repeats its replies exactly. Others are sent "
            "a seed, and do with it what they do.",
        )
    try:
        usual, _ = await _timed_dialogue(opener(spec, replace(options, exact=False)))
        exact, said = await _timed_dialogue(opener(spec, replace(options, exact=True)))
        _, again = await _timed_dialogue(opener(spec, replace(options, exact=True)))
    except (SpecError, ModelError) as error:
        return CheckResult(False, str(error))
    repeats = "and gave the same answers twice" if said == again else "but did not give the same answers twice"
    return CheckResult(
        said == again,
        f"{spec} took {exact:.1f} s for a dialogue of {_TURNS} short answers with --exact, {repeats}; without, "
        f"{usual:.1f} s ({exact / max(usual, 1e-9):.1f} times as long with it). Exactly, it reads every prompt anew "
        "and answers one call at a time: the longer prompts are, the more that costs.",
    )


async def _timed_dialogue(model: Model) -> tuple[float, list[str]]:
    """Seconds of a dialogue, and the answers. The model is closed at its end."""
    settings = Settings(max_tokens=_TURN_TOKENS)
    messages = [WireMessage("system", _TOLD)]
    said: list[str] = []
    try:
        await model.complete(_QUESTION, _SETTINGS, timeout=3600.0)
        begun = time.perf_counter()
        for turn in range(_TURNS):
            messages.append(WireMessage("user", f"What stands on shelf {turn + 1}?"))
            said.append((await model.complete(messages, settings, seed=turn, timeout=3600.0)).text)
            messages.append(WireMessage("assistant", said[-1] or "Nothing."))
        return time.perf_counter() - begun, said
    finally:
        await model.aclose()
