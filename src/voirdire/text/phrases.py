"""Lists of turns of phrase, written so that people can read them, compiled to one pattern."""

from __future__ import annotations

import re

_GAP = r"(?:[\w'’-]+\s){0,2}?"
_NOT = r"(?:\snot|n['’]t|\snever)"


def any_phrase(*phrases: str, **parts: str) -> re.Pattern[str]:
    """One pattern that finds any of `phrases` in English text, whatever the case, at word boundaries.

    A phrase is a regular expression with four conveniences: a space is any white space, `'` also the typographic
    apostrophe, `~` up to two more words (`cannot ~find`), and `+NOT` stands for " not", "n't" or " never" (`do+NOT`).
    Groups do not capture. `{name}` is replaced by the part of that name: alternatives separated by `|`.
    """
    return re.compile(rf"(?i)(?<!\w)(?:{'|'.join(_pattern(phrase, parts) for phrase in phrases)})(?!\w)")


def _pattern(phrase: str, parts: dict[str, str]) -> str:
    for name, part in parts.items():
        phrase = phrase.replace(f"{{{name}}}", f"({part})")
    phrase = re.sub(r"\((?!\?)", "(?:", phrase).replace("'", "['’]")
    return phrase.replace("+NOT", _NOT).replace("~", _GAP).replace(" ", r"\s")
