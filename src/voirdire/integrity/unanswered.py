"""Whether a response says anything that could be judged: an empty one and a refusal do not."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from voirdire.integrity.records import EstablishedFact
from voirdire.text.overlap import content_words, words
from voirdire.text.smalltalk import beyond_refusal, is_refusal

Unanswered = Literal["empty", "refusal"]

_LONGEST = 80  # words; a longer text argues, whatever it begins with
_ABOUT = 0.5  # share of a fact's content words that a text about it has


def unanswered_reason(response: str | None, facts: Iterable[EstablishedFact] = ()) -> Unanswered | None:
    """Why a response can't be judged, if so; a response whose text is not on record may be.

    Args:
        response: as it was given. A refusal is a short text that begins by declining.
        facts: established. A text that declines and then speaks of one ("I can't answer that, but sales fell by 8%")
            is no refusal.
    """
    if response is None:
        return None
    if not any(sign.isalnum() for sign in response):
        return "empty"
    if not is_refusal(response) or len(words(response)) > _LONGEST:
        return None
    rest = frozenset(content_words(beyond_refusal(response)))
    return None if rest and any(_is_about(rest, fact) for fact in facts) else "refusal"


def _is_about(keys: frozenset[str], fact: EstablishedFact) -> bool:
    own = frozenset(content_words(fact.text))
    return len(own) > 1 and len(own & keys) >= _ABOUT * len(own)
