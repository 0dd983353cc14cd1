"""Whether a response says anything that could be judged: an empty one and a refusal do not."""

from __future__ import annotations

from typing import Literal

from voirdire.text import words
from voirdire.text.smalltalk import is_refusal

Unanswered = Literal["empty", "refusal"]

_LONGEST = 80  # words; a longer text argues, whatever it begins with


def unanswered_reason(response: str | None) -> Unanswered | None:
    """Why a response can't be judged, if so; a response whose text is not on record may be.

    Args:
        response: as it was given. A refusal is a short text that begins by declining.
    """
    if response is None:
        return None
    if not any(sign.isalnum() for sign in response):
        return "empty"
    return "refusal" if is_refusal(response) and len(words(response)) <= _LONGEST else None
