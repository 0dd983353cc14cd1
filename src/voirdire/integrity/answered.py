"""Whether a response says anything that could be judged: an empty one and a refusal do not."""

from __future__ import annotations

import re
from typing import Literal

from voirdire.text import words

Unanswered = Literal["empty", "refusal"]

_LONGEST = 80  # words; a longer text argues, whatever it begins with
_REFUSAL = re.compile(
    r"""(?ix) ^\W*
    (?: (?:unfortunately|apologies|my\ apologies|sorry)\b\W* )?
    (?: i(?:'m|\ am)\ (?:very\ |so\ |truly\ )?(?:sorry|afraid)\b [^.!?]{0,40}? \b )?
    (?: as\ an?\ (?:ai|artificial|language|large\ language) [^.!?]{0,40}? \b )?
    (?:
        i \ (?:can(?:not|\ not|'t)|could\ ?n(?:o|')t|won't|will\ not|must|do\ not|don't|would\ not|wouldn't)
          \ (?:\w+\ )?(?:decline|help|assist|answer|comply|respond|discuss|provide|fulfil?l?|do\ that|share|engage|give
          |comment|feel\ comfortable|have\ (?:any\ |enough\ |this\ |that\ )?(?:information|access|an\ opinion))\b
      | i(?:'m|\ am)\ (?:not\ able|unable|not\ allowed|not\ permitted|not\ comfortable)\b
      | i\ (?:decline|refuse)\b
      | (?:this|that)\ is\ not\ something\ (?:that\ )?i\ can\b
    )"""
)


def unanswered(response: str | None) -> Unanswered | None:
    """Why a response can't be judged, if so; a response whose text is not on record may be.

    Args:
        response: as it was given. A refusal is a short text that begins by declining.
    """
    if response is None:
        return None
    if not any(sign.isalnum() for sign in response):
        return "empty"
    plain = response.replace("’", "'")
    return "refusal" if _REFUSAL.search(plain) and len(words(response)) <= _LONGEST else None
