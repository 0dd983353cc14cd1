"""What a run has used so far."""

from __future__ import annotations

from typing import NamedTuple


class Totals(NamedTuple):
    """Sums over all attempts in a journal."""

    calls: int = 0
    """Attempts: requests that reached a provider, or tried to."""
    errors: int = 0
    """Attempts that failed."""
    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float = 0.0
    """Of the answered attempts whose price is known."""
    unknown_price: int = 0
    """Answered attempts whose price is unknown."""
