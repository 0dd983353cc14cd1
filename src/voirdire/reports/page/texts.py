"""Texts as a page can hold them: anything may stand in a text, and some of it no page can hold."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Any

_LINE_END = re.compile("\r\n?")
_UNSHOWABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")
_TO_CHANGE = re.compile(f"\r|{_UNSHOWABLE.pattern}")
_PICTURES = 0x2400
_DELETE = 0x7F
_REPLACEMENT = "\ufffd"


def showable(text: str) -> str:
    """The text with what neither HTML nor UTF-8 can hold made visible.

    Control characters become their pictures ("␀"), halves of surrogate pairs and non-characters become "�", and every
    end of a line a line feed. All else stays, invisible and right-to-left characters included: the page isolates texts.
    """
    if _TO_CHANGE.search(text) is None:  # nearly always, and a report has a million texts
        return text
    return _UNSHOWABLE.sub(_picture, _LINE_END.sub("\n", text))


def plain(value: Any) -> Any:
    """Records, mappings and sequences as what JSON knows, their texts showable and their numbers finite or `None`."""
    if isinstance(value, str):
        return showable(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if value is None or isinstance(value, int):
        return value
    if isinstance(value, (dict, Mapping)):  # a dict is told much faster than a mapping
        return {showable(str(key)): plain(each) for key, each in value.items()}
    if isinstance(value, (list, tuple, Sequence)):
        return [plain(each) for each in value]
    if is_dataclass(value):
        return {each.name: plain(getattr(value, each.name)) for each in fields(value)}
    return value


def json_for_script(value: Any) -> str:
    """JSON that can stand in a script element: no "<", so that nothing in it ends the element or opens a comment."""
    text = json.dumps(plain(value), ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c")


def _picture(match: re.Match[str]) -> str:
    code = ord(match.group())
    if code < ord(" "):
        return chr(_PICTURES + code)
    return "\u2421" if code == _DELETE else _REPLACEMENT
