"""What Inspect calls a model of ours, where it knows it."""

from __future__ import annotations

from voirdire.adapters.inspect import PROVIDER

_THEIRS = {
    "openai-responses": "openai",
    "azure": "openai/azure",
    "azure-responses": "openai/azure",
    "google-cloud": "google/vertex",
    "huggingface": "hf-inference-providers",
    "xai": "grok",
}
"""Providers that go by another name there."""

UNKNOWN = "unknown"
"""Who answered, where the data do not say."""


def inspect_name(spec: str) -> str:
    """A spec as Inspect writes it; what it does not know (`local/…`, `simulated/…`) stays as it is."""
    provider, slash, name = spec.partition("/")
    if provider == PROVIDER:
        return name
    return f"{_THEIRS.get(provider, provider)}{slash}{name}"
