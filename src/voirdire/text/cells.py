"""Cells of a CSV file that a spreadsheet shows as text, and that come back as they were."""

from __future__ import annotations

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""What spreadsheets read as the beginning of a formula, the full-width forms of some locales among them."""

_GUARD = "'"


def guard(text: str) -> str:
    """The text with an apostrophe in front, if it begins like a formula, or like one that was guarded."""
    return _GUARD + text if text.lstrip(_GUARD).startswith(FORMULA_STARTS) else text


def unguard(cell: str) -> str:
    """The text that `guard` was given."""
    guarded = cell.startswith(_GUARD) and cell.lstrip(_GUARD).startswith(FORMULA_STARTS)
    return cell[1:] if guarded else cell
