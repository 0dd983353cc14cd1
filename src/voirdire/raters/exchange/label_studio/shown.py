"""Texts as Label Studio shows them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any


def earlier(history: Iterable[Sequence[str]]) -> str:
    """Earlier questions and answers, as one text."""
    return "\n\n".join(f"Question: {question}\nAnswer: {answer}" for question, answer in history)


def listed(facts: Iterable[Mapping[str, Any]]) -> str:
    """Facts with their ids, one a line."""
    return "\n".join(f"{fact['id']}: {fact['text']}" for fact in facts)
