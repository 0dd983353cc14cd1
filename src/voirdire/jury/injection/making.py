"""Rules that make parts of an attack: long, deep or disguised text that nobody would want to read in a file."""

from __future__ import annotations

import base64
import codecs
from collections.abc import Callable, Mapping
from typing import Any

_TAGS = 0xE0000  # Unicode's tag characters mirror ASCII from here on, and are not displayed
_FULL_WIDTH = 0xFEE0  # from "!" to its full-width form
_ZERO_WIDTH_SPACE = "\u200b"
_RIGHT_TO_LEFT, _END_OF_OVERRIDE = "\u202e", "\u202c"
_COMBINING_STROKE = "\u0336"
_LOOK_ALIKES = str.maketrans("aceopxyABCEHKMOPTX", "асеорхуАВСЕНКМОРТХ")  # to Cyrillic
_LEET = str.maketrans("aeiost", "431057")


def made(rule: Mapping[str, Any]) -> str:
    """Text by a rule: `as` names it, `text` is what it works on; `times`, `open` and `close` where it takes them.

    Raises:
        KeyError: there is no such rule.
    """
    text = str(rule.get("text", "")).removesuffix("\n")
    if rule["as"] == "repeat":
        return text * int(rule["times"])
    if rule["as"] == "nest":
        return str(rule["open"]) * int(rule["times"]) + text + str(rule["close"]) * int(rule["times"])
    return _DISGUISES[rule["as"]](text)


def _tags(text: str) -> str:
    return "".join(chr(_TAGS + ord(character)) for character in text if character.isascii())


def _full_width(text: str) -> str:
    return "".join(chr(ord(sign) + _FULL_WIDTH) if "!" <= sign <= "~" else sign for sign in text)


def _combining(text: str) -> str:
    return "".join(sign + _COMBINING_STROKE if sign.isalpha() else sign for sign in text)


_DISGUISES: Mapping[str, Callable[[str], str]] = {
    "base64": lambda text: base64.b64encode(text.encode()).decode(),
    "hex": lambda text: text.encode().hex(),
    "rot13": lambda text: codecs.encode(text, "rot13"),
    "reversed": lambda text: text[::-1],
    "tags": _tags,
    "zero_width": _ZERO_WIDTH_SPACE.join,
    "bidi": lambda text: _RIGHT_TO_LEFT + text[::-1] + _END_OF_OVERRIDE,
    "full_width": _full_width,
    "combining": _combining,
    "look_alikes": lambda text: text.translate(_LOOK_ALIKES),
    "leet": lambda text: text.translate(_LEET),
    "spaced": " ".join,
}
