"""What a run would take, before anything is spent: the part that all instruments share."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class ModelEstimate:
    """What one model would be asked."""

    spec: str
    calls: int
    input_tokens: int
    output_tokens: int
    usd: float | None
    """`None`: the price is unknown."""
    cached_tokens: int = 0
    """Of the input, what is expected from a provider's prefix cache, where the estimate counts on one."""


@dataclass(frozen=True, kw_only=True)
class Estimate:
    """What a run would take."""

    models: tuple[ModelEstimate, ...]
    minutes: float
    assumptions: tuple[str, ...]

    @property
    def calls(self) -> int:
        """Over all models."""
        return sum(model.calls for model in self.models)

    @property
    def input_tokens(self) -> int:
        """Over all models."""
        return sum(model.input_tokens for model in self.models)

    @property
    def cached_tokens(self) -> int:
        """Over all models."""
        return sum(model.cached_tokens for model in self.models)

    @property
    def output_tokens(self) -> int:
        """Over all models."""
        return sum(model.output_tokens for model in self.models)

    @property
    def usd(self) -> float | None:
        """Over all models; `None` when one price is unknown."""
        prices = [model.usd for model in self.models]
        return None if None in prices else sum(price for price in prices if price is not None)

    def as_dict(self) -> dict[str, Any]:
        """Everything, ready for JSON."""
        return asdict(self) | {"calls": self.calls, "usd": self.usd}
