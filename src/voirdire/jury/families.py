"""Which developer's family a model belongs to, told by its name.

A judge may favour models of its own kind, so that one must know who is whose. A name is all there is to go by: a model
under a made-up name has no known family.
"""

from __future__ import annotations

import re

_FAMILIES: tuple[tuple[str, str], ...] = (
    # A distilled model carries both names ("deepseek-r1-distill-llama-70b"): who trained it last comes first.
    ("deepseek", r"deepseek"),
    ("nvidia", r"nemotron"),
    ("openai", r"(chat)?gpt-?\d|gpt-oss|o[134](?![a-z0-9])|davinci|codex"),
    ("anthropic", r"claude"),
    ("google", r"gemini|gemma|palm-?2|learnlm"),
    ("meta", r"(code|meta-?)?llama"),
    ("mistral", r"(open-)?(mistral|mixtral|magistral|ministral|codestral|devstral|pixtral|voxtral)"),
    ("xai", r"grok"),
    ("microsoft", r"phi-?\d|wizardlm"),
    ("alibaba", r"qwen|qwq|qvq"),
    ("huggingface", r"smollm|zephyr"),
    ("cohere", r"command(-|$)|c4ai|aya-"),
    ("amazon", r"nova-|titan-"),
    ("moonshot", r"kimi|moonshot"),
    ("zhipu", r"glm-|chatglm"),
    ("ibm", r"granite"),
    ("ai21", r"jamba"),
    ("ai2", r"olmo|tulu"),
    ("tii", r"falcon"),
    ("minimax", r"minimax"),
)
"""(family, how its models' names begin, at the start of a name or after a sign)."""

_PATTERNS = tuple((family, re.compile(rf"(?:^|[^a-z0-9])(?:{names})")) for family, names in _FAMILIES)

_DEVELOPERS: dict[str, str] = {
    "openai": "openai",
    "openai-responses": "openai",
    "anthropic": "anthropic",
    "deepseek": "deepseek",
    "deepseek-ai": "deepseek",
    "mistral": "mistral",
    "mistralai": "mistral",
    "xai": "xai",
    "x-ai": "xai",
    "meta-llama": "meta",
    "cohere": "cohere",
    "moonshotai": "moonshot",
    "zai": "zhipu",
}
"""Providers and owners who offer their own models only: for names that tell nothing."""

_NO_FAMILY = ("simulated", "reference", "scripted", "imported")


def family_of(name: str) -> str | None:
    """The developer's family of a model, by its spec or bare name; `None` where that is unknown or there is none.

    Args:
        name: "openai/gpt-5.1", "claude-opus-4-1", "openrouter/anthropic/claude-sonnet-4", "local/qwen2.5-0.5b", or a
            judge's name: "json:local/…", "logprob:…", "openai/gpt-5.1#2". Simulated models, the reference panel and
            the scripted interviewer have no family.
    """
    bare = re.sub(r"#\d+$", "", name.strip().lower())
    bare = re.sub(r"^(json|logprob):", "", bare).split("?")[0]
    *owners, last = bare.replace("\\", "/").split("/")
    if (owners or [last])[0] in _NO_FAMILY:
        return None
    for family, pattern in _PATTERNS:
        if pattern.search(last):
            return family
    return next((_DEVELOPERS[owner] for owner in reversed(owners) if owner in _DEVELOPERS), None)
