"""Scripts that put no space between words: Chinese, Japanese, Thai, Lao, Burmese, Khmer."""

from __future__ import annotations

import re

UNSPACED = (
    "\u0e00-\u0eff"  # Thai, Lao
    "\u1000-\u109f"  # Myanmar
    "\u1780-\u17ff"  # Khmer
    "\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\uff66-\uff9f"  # Hiragana, Katakana and their marks
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"  # Han
)
"""Their characters, as ranges that stand between the brackets of a regular expression."""

_LETTER = re.compile(rf"(?=[^\W\d_])[{UNSPACED}]")
_OTHER = re.compile(r"\w\S*")


def count_words(text: str) -> int:
    """How many words a text has: what white space separates, and each letter of a script without spaces.

    Example:
        >>> count_words("The tower is 300 m high."), count_words("塔の高さは300 mです。")
        (6, 9)
    """
    if text.isascii():
        return len(text.split())
    rest, letters = _LETTER.subn(" ", text)
    return letters + len(_OTHER.findall(rest) if letters else text.split())


def is_unspaced(text: str) -> bool:
    """Whether half of a text's words or more are letters of scripts without spaces."""
    letters = 0 if text.isascii() else len(_LETTER.findall(text))
    return letters > 0 and 2 * letters >= count_words(text)
