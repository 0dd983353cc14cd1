"""Texts as a page can hold them: anything may stand in a text, and some of it no page can hold."""

from __future__ import annotations

import json
import re
from typing import Any

from voirdire.data.json_values import as_plain

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
    """A value as JSON knows it (`as_plain`), its texts showable."""
    return _all_showable(as_plain(value))


def _all_showable(value: Any) -> Any:
    if isinstance(value, str):
        return showable(value)
    if isinstance(value, dict):
        return {showable(str(key)): _all_showable(each) for key, each in value.items()}
    return [_all_showable(each) for each in value] if isinstance(value, list) else value


def json_for_script(value: Any) -> str:
    """JSON that can stand in a script element: no "<", so that nothing in it ends the element or opens a comment."""
    text = json.dumps(plain(value), ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c")


def _picture(match: re.Match[str]) -> str:
    code = ord(match.group())
    if code < ord(" "):
        return chr(_PICTURES + code)
    return "\u2421" if code == _DELETE else _REPLACEMENT
