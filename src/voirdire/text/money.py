"""Amounts of money, as they are read."""

from __future__ import annotations


def dollars(amount: float | None) -> str:
    """An amount of money: cents from a dollar on, four decimals below it, and more where four would show nothing.

    Args:
        amount: in USD; `None` where it is not known.
    """
    if amount is None:
        return "unknown"
    if amount >= 1 or amount == 0:
        return f"${amount:,.2f}"
    return f"${amount:.4f}" if amount >= 0.0001 else f"${amount:.10f}".rstrip("0")
