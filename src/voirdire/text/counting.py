"""Numbers with their nouns."""

from __future__ import annotations


def counted(number: int, noun: str, plural: str | None = None) -> str:
    """A number with its noun: "1 group", "2 groups"; with a plural of its own: "3,000 analyses", "1 row is"."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"
