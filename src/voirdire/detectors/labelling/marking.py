"""How sentences are marked in the text that they stand in, so that a model can be asked about all of them at once."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection

from voirdire.detectors.records import Answer

_MARK = re.compile(r"<(\s*/?\s*(?:(?:faithful|hallu|irrelevant)\w*\b[^<>]*)?|/?\d+)>", re.IGNORECASE)


GAP = "[…]"
"""Stands where sentences are left out."""


def with_empty_marks(answer: Answer, places: Collection[int]) -> str:
    """The answer's text with `<>` and `</>` around the sentences at these places (CogniBench A.7)."""
    return _marked(answer, places, lambda place: ("<>", "</>"))


def with_numbers(answer: Answer, places: Collection[int]) -> str:
    """The answer's text with `<1>` and `</1>` around the sentence at place 0, and so on."""
    return _marked(answer, places, lambda place: (f"<{place + 1}>", f"</{place + 1}>"))


def harmless(text: str) -> str:
    """The text without anything that could be taken for a mark: `<hallu>` becomes `‹hallu›`."""
    return _MARK.sub(r"‹\1›", text) if "<" in text else text


def _marked(answer: Answer, places: Collection[int], marks: Callable[[int], tuple[str, str]]) -> str:
    """The sentences at the places, each with the one before it, which pronouns may need; `GAP` for the others."""
    parts: list[str] = []
    end, left_out = 0, False
    for place, statement in enumerate(answer.statements):
        if place not in places and place + 1 not in places:
            end, left_out = statement.end, True
            continue
        before = f" {GAP} " if left_out else harmless(answer.text[end : statement.start])
        opening, closing = marks(place) if place in places else ("", "")
        parts += [before, opening, harmless(answer.text[statement.start : statement.end]), closing]
        end, left_out = statement.end, False
    return "".join([*parts, f" {GAP}" if left_out else harmless(answer.text[end:])]).strip()
