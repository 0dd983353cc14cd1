"""In what providers and their models differ: what they call a setting, how they think, how they take a schema.

What a provider does not take at all, pydantic-ai knows (`Model.unsupported_settings`); prompt caches are in
`models/caching.py`.
"""

from __future__ import annotations

from typing import Literal, cast, get_args

from pydantic_ai.models import Model
from pydantic_ai.profiles import ModelProfile, merge_profile
from pydantic_ai.profiles.openai import OpenAIModelProfile
from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider
from pydantic_ai.settings import ThinkingEffort

from voirdire.models.base import ModelError

SchemaMode = Literal["native", "tool", "prompted"]

_THINKING_TOKENS = {"minimal": 2_048, "low": 4_096, "medium": 10_000, "high": 20_000, "xhigh": 33_000, "max": 33_000}
"""Room for reasoning on top of the answer's own limit; above the budgets pydantic-ai sets for each effort."""

NAMES_ON_THE_WIRE = {
    "temperature": {"temperature"},
    "top_p": {"top_p", "topP"},
    "seed": {"seed", "random_seed"},
    "reasoning": {"reasoning_effort", "reasoning", "thinking", "thinkingConfig", "output_config"},
}
"""How providers call our settings in the body of a request."""


def thinking_allowance(model: Model, reasoning: str | None) -> int:
    """Tokens added to the limit of a model that thinks first, as providers count thoughts against the limit.

    A preset's `max_tokens` is for the answer alone; without room for the thoughts the answer would be cut or empty.
    """
    profile = model.profile
    if thinking_effort(reasoning) is False and not profile.get("thinking_always_enabled", False):
        return 0
    by_itself = profile.get("thinking_always_enabled", False) or profile.get("thinking_enabled_by_default", False)
    # Gemini's profiles do not say that the models think unless told not to.
    by_itself = by_itself or (model.system.startswith("google") and profile.get("supports_thinking", False))
    requested = reasoning is not None and profile.get("supports_thinking", False)
    if not by_itself and not requested:
        return 0
    return _THINKING_TOKENS.get(reasoning or "medium", _THINKING_TOKENS["medium"])


def thinking_effort(reasoning: str | None) -> ThinkingEffort | bool | None:
    """The effort as pydantic-ai names it.

    Raises:
        ModelError: there is no such effort.
    """
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


def compatible_profile(_name: str) -> ModelProfile:
    """Of every server with an OpenAI-compatible API, whatever it calls its model."""
    # Always that of an unknown model: a local server may call its model gpt-5.1 without being it. The schema is sent
    # as it is given, natively (llama.cpp answers a forced tool call with prose), and the limit as max_tokens, which
    # every such server knows. The profile also breaks up chat-template tokens within messages ("<|im_end|>"), so that
    # a subject's words can't end the message they stand in.
    return merge_profile(
        OpenAICompatibleProvider.model_profile("model"),
        OpenAIModelProfile(
            supports_json_schema_output=True,
            json_schema_transformer=None,
            openai_chat_supports_max_completion_tokens=False,
            supports_thinking=True,
        ),
    )
