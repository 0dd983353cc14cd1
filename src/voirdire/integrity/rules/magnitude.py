"""How large a fact's figure is, so that an adjective can be held against it."""

from __future__ import annotations

from voirdire.integrity.rules.prepared import PreparedFact

# Shares of a whole from here on are called high, or low; between them any word will do.
HIGH_SHARE, LOW_SHARE = 70.0, 15.0
# The same for differences and changes in per cent, and for "times as many".
LARGE_CHANGE, SMALL_CHANGE = 40.0, 5.0
LARGE_TIMES = 2.0
MOST, FEW = 45.0, 55.0  # "most" below the first, "few" above the second says the contrary


def size_of(leaf: PreparedFact) -> str:
    """Give "large", "small" or "" (neither, or there is no scale for it)."""
    if leaf.statistic:
        return "large" if leaf.statistic == "strong" else ""
    for figure in leaf.main:
        value = figure.number.value
        if figure.unit == "percent":
            high, low = (LARGE_CHANGE, SMALL_CHANGE) if leaf.change else (HIGH_SHARE, LOW_SHARE)
            return "large" if value >= high else "small" if value <= low else ""
        if figure.unit == "times":
            return "large" if value >= LARGE_TIMES else ""
    return ""


def share_of(leaf: PreparedFact) -> float | None:
    """The percentage of a whole that a fact gives; `None` if it gives none, or a change."""
    if leaf.change:
        return None
    return next((figure.number.value for figure in leaf.main if figure.unit == "percent"), None)
