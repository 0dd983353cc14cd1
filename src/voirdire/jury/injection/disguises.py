"""Rules that make parts of an attack: long, deep or disguised text that nobody would want to read in a file."""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping
from typing import Any

_TAGS = 0xE0000  # Unicode's tag characters mirror ASCII from here on, and are not displayed
_ZERO_WIDTH_SPACE = "\u200b"
_LOOK_ALIKES = str.maketrans("aceopxyABCEHKMOPTX", "асеорхуАВСЕНКМОРТХ")  # to Cyrillic


def disguised_text(rule: Mapping[str, Any]) -> str:
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


_DISGUISES: Mapping[str, Callable[[str], str]] = {
    "base64": lambda text: base64.b64encode(text.encode()).decode(),
    "tags": lambda text: "".join(chr(_TAGS + ord(character)) for character in text if character.isascii()),
    "zero_width": _ZERO_WIDTH_SPACE.join,
    "look_alikes": lambda text: text.translate(_LOOK_ALIKES),
}
