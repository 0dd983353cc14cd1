"""What a call costs, by a maintained price list (genai-prices) or by a price the user gives."""

from __future__ import annotations

import os
from collections.abc import Mapping
from urllib.parse import urlsplit

from voirdire.models.base import ModelOptions
from voirdire.models.specs import OWN, Spec, hosted_provider, parse_spec
from voirdire.records import Usage

_LISTED_AS = {"google-cloud": "google"}
"""Providers that the price list knows by another name than pydantic-ai."""


def price_usd(provider: str, model: str, usage: Usage, override: tuple[float, float] | None = None) -> float | None:
    """Price of one call by the price list.

    Args:
        provider: as pydantic-ai or the price list names it.
        model: as the provider names it.
        usage: tokens; cached ones are part of the input, reasoning ones part of the output, as providers report them.
        override: USD per million (input, output) tokens, used instead of the list.

    Returns:
        USD, or `None` when the list does not know the provider or the model.
    """
    if override is not None:
        per_input, per_output = override
        return (usage.input_tokens * per_input + usage.output_tokens * per_output) / 1e6
    import genai_prices

    counted = genai_prices.Usage(
        input_tokens=usage.input_tokens,
        output_tokens=usage.output_tokens,
        cache_read_tokens=usage.cached_tokens,
        cache_write_tokens=usage.cache_write_tokens,
        output_reasoning_tokens=usage.reasoning_tokens,
    )
    try:
        price = genai_prices.calc_price(counted, model, provider_id=_LISTED_AS.get(provider, provider))
    except (LookupError, ValueError):
        return None
    return float(price.total_price)


def price_of(spec: Spec, usage: Usage, options: ModelOptions) -> float | None:
    """Price of a call to `spec`, without opening the model (a plan needs no key).

    Local and simulated models, and any server at a base URL, cost nothing unless `options.price_per_million` says
    otherwise: a server of one's own that calls its model gpt-5.1 is not billed at OpenAI's price. Azure is always
    reached by an address of its own, so at an Azure host the list holds. An address that comes from the environment
    (`OPENAI_BASE_URL`) may be a paid proxy or a server of one's own: its price is unknown.
    """
    override = options.price_per_million
    if _basis(spec, options) == "free":
        override = (0.0, 0.0)
    provider = hosted_provider(spec.provider)
    if override is None and provider.base_url_env and os.environ.get(provider.base_url_env):
        return None
    return price_usd(provider.engine, spec.name, usage, override)


def prices_assumed(models: Mapping[str, ModelOptions], *, batch: bool = False) -> str:
    """Where the prices of a plan come from: "prices as listed", as the user gave them, or none at all.

    Args:
        models: every model by its spec, and how it is reached.
        batch: whether a discount for batches is taken off.
    """
    bases = {_basis(parse_spec(spec), options) for spec, options in models.items()}
    listed = "prices as listed" + (", for batches less their discount" if batch else "")
    phrases = {"listed": listed, "given": "prices as given by you", "free": "$0 for models that no price is given of"}
    return ", ".join(words for basis, words in phrases.items() if basis in bases) or listed


def _basis(spec: Spec, options: ModelOptions) -> str:
    """Where the price of a model comes from: "given", "free" or "listed"."""
    if options.price_per_million is not None:
        return "given"
    own = spec.provider in OWN or (options.base_url is not None and not _is_azure(options.base_url))
    return "free" if own else "listed"


def _is_azure(url: str) -> bool:
    host = urlsplit(url).hostname or ""
    return host.endswith((".azure.com", ".azure.us", ".azure.cn"))
