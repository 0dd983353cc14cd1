"""Codes that say another figure than the context does."""

from __future__ import annotations

from collections.abc import Iterator

from voirdire.detectors.contradiction.codetable import CODE
from voirdire.detectors.contradiction.matching import Match
from voirdire.detectors.contradiction.records import Contradiction


def code_contradictions(match: Match) -> Iterator[Contradiction]:
    """Codes that the context has with other figures only."""
    for letters, figure in CODE.findall(match.mine.text.lower()):
        known = match.index.codes.get(letters, {})
        if known and figure not in known:
            other, place = next(iter(known.items()))
            context_sentence = match.index.readings[place].text
            yield Contradiction("number", letters + figure, letters + other, context_sentence, 0.7)
