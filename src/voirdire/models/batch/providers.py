"""Which providers take batches, and what they take off the price for it."""

from __future__ import annotations

from voirdire.models.base import SpecError

_HALF = 0.5
BATCHED: dict[str, float] = {
    # "50% cost discount compared to synchronous APIs": OpenAI's guide to its Batch API, November 2026.
    "openai": _HALF,
    "openai-responses": _HALF,
    # "All usage is charged at 50% of the standard API prices": Anthropic's page on batch processing, November 2026.
    "anthropic": _HALF,
    # "at a 50% discount": Mistral's page on batch processing, November 2026.
    "mistral": _HALF,
    # A server of one's own, or a paid one: its price is what the user says it is.
    "openai-api": 0.0,
}
"""Share of the price that a batch saves, by provider."""


def batch_discount(provider: str) -> float:
    """The share of the price, from 0 to 1, that this provider's batches save; 0 where it has none."""
    return BATCHED.get(provider, 0.0)


def check_batched(spec: str) -> None:
    """See that a model (PROVIDER/NAME) can be asked by batch.

    Raises:
        SpecError: its provider takes no batches, or none that voirdire can send.
    """
    provider = spec.partition("/")[0].strip()
    if provider not in BATCHED:
        raise SpecError(
            f"{spec} can't be asked by batch, as voirdire knows no batch endpoint of {provider}: "
            f"leave out --batch, or take a model of {', '.join(BATCHED)}."
        )
