"""JSON from elsewhere: strictly read, so that no later step meets what it can't hold."""

from __future__ import annotations

import json
import math
import re
from collections import deque
from collections.abc import Iterator, Mapping
from typing import Any, Literal

from voirdire.errors import InputError, shown

MAX_DEPTH = 100
"""Lists and objects within one another; the deepest data set that is known here has 8."""
MAX_DIGITS = 300
"""Of a whole number: each that is shorter is also a float."""
_HALF = re.compile("[\ud800-\udfff]")
_ESCAPED_HALF = re.compile(r"\\u[dD][89a-fA-F]")


class JsonError(InputError):
    """A text that is no JSON, or JSON that can't be used: a clause says why, for brackets or behind a colon."""


class RepeatedKey(JsonError):
    """A key stands twice in one object."""


class NoNumber(JsonError):
    """A number is NaN, infinite, or beyond what a float can hold."""


def parse_json(
    text: str, *, halves: Literal["refuse", "replace", "keep"] = "refuse", nan: Literal["refuse", "null"] = "refuse"
) -> Any:
    """The value that a JSON text holds.

    Args:
        text: one JSON value.
        halves: of surrogate pairs, which no UTF-8 can hold: "replace" puts U+FFFD in their place, so that offsets stay;
            "keep" leaves them to whoever reads the fields, and can name them.
        nan: NaN and Infinity, which Python writes and JSON does not know: "null" reads them as `None`.

    Raises:
        JsonError: it is no JSON, has NaN, infinity or a number beyond floats, a key twice in one object, lists and
            objects deeper than `MAX_DEPTH`, a number of more than `MAX_DIGITS` digits, or half a surrogate pair.
    """
    try:
        value = (_DECODER if nan == "refuse" else _DECODER_OF_PYTHON).decode(text)
    except JsonError:
        if text.lstrip().startswith("["):
            deque(parse_items(text, halves="keep"), maxlen=0)  # says where
        raise
    except RecursionError:
        raise JsonError(_DEEP) from None
    except json.JSONDecodeError as error:
        raise JsonError(_with_place(error)) from None
    return _checked(value, text, halves)


def _with_place(error: json.JSONDecodeError) -> str:
    if "\n" in error.doc.strip():
        return f"{error.msg} at line {error.lineno}, column {error.colno}"
    return f"{error.msg.removesuffix(' at')} at character {error.pos + 1:,}"


def parse_items(text: str, *, halves: Literal["refuse", "replace", "keep"] = "refuse") -> Iterator[Any]:
    """The elements of a JSON list, one after the other, so that a large list is never whole in memory.

    Args:
        text: one JSON list.
        halves: as for `parse_json`.

    Raises:
        JsonError: as for `parse_json`; or it is no list.
    """
    place = _after_space(text, 0)
    if text[place : place + 1] != "[":
        raise JsonError("a list is expected")
    place = _after_space(text, place + 1)
    more = text[place : place + 1] != "]"
    while more:
        try:
            value, end = _DECODER.raw_decode(text, place)
        except JsonError as error:
            line = text.count("\n", 0, place) + 1
            raise type(error)(
                f"{error}, in what begins at line {line}" if "\n" in text.strip() else str(error)
            ) from None
        except RecursionError:
            raise JsonError(_DEEP) from None
        except json.JSONDecodeError as error:
            raise JsonError(_with_place(error)) from None
        yield _checked(value, text[place:end], halves)
        place = _after_space(text, end)
        more = text[place : place + 1] == ","
        if more:
            place = _after_space(text, place + 1)
        elif text[place : place + 1] != "]":
            raise JsonError(f"a comma or the list's end is expected at character {place:,}")
    if _after_space(text, place + 1) != len(text):
        raise JsonError(f"there is more after the list, from character {place + 1:,}")


def _checked(value: Any, text: str, halves: Literal["refuse", "replace", "keep"]) -> Any:
    if text.count("[") + text.count("{") > MAX_DEPTH and _deep(value):
        raise JsonError(_DEEP)
    if halves == "keep" or not _may_have_halves(text):
        return value
    if halves == "replace":
        return without_halves(value)
    if any(_HALF.search(each) for each in _texts(value)):
        raise JsonError("it has half a character (a lone surrogate), which is no text")
    return value


_SPACE = re.compile(r"[ \t\n\r]*")


def _after_space(text: str, place: int) -> int:
    match = _SPACE.match(text, place)
    return place if match is None else match.end()


_DEEP = f"nested too deeply (more than {MAX_DEPTH} levels)"


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise RepeatedKey(f"the key {shown(twice)} stands twice in one object")
    return members


def _may_have_halves(text: str) -> bool:
    """Whether an escape brings one in, or the text itself has one: told in a moment of nearly all texts."""
    if "\\u" in text and _ESCAPED_HALF.search(text):
        return True
    return not text.isascii() and _HALF.search(text) is not None


def _float(digits: str) -> float:
    value = float(digits)
    if math.isinf(value):
        raise NoNumber(f"{digits[:40]} is larger than any number that can be held")
    return value


def _int(digits: str) -> int:
    if len(digits) > MAX_DIGITS:
        raise NoNumber(f"a number has {len(digits):,} digits; at most {MAX_DIGITS} are read")
    return int(digits)


def _constant(name: str) -> Any:
    raise NoNumber(f"{name} is no number of JSON")


_DECODER = json.JSONDecoder(object_pairs_hook=_unique, parse_float=_float, parse_int=_int, parse_constant=_constant)
_DECODER_OF_PYTHON = json.JSONDecoder(
    object_pairs_hook=_unique, parse_float=_float, parse_int=_int, parse_constant=lambda _: None
)


def _deep(value: Any) -> bool:
    """Whether lists and objects are too many within one another, told without recursion."""
    level = [value]
    for _ in range(MAX_DEPTH):
        level = [each for part in level for each in _children(part) if isinstance(each, list | dict)]
        if not level:
            return False
    return True


def _children(value: Any) -> Iterator[Any]:
    return iter(value.values() if isinstance(value, dict) else value if isinstance(value, list) else ())


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from value
    for each in _children(value):
        yield from _texts(each)


def recorded_json(text: str) -> Any:
    """The value of JSON that we have written ourselves, with U+FFFD for every half of a surrogate pair."""
    value = json.loads(text)
    return without_halves(value) if _may_have_halves(text) else value


def to_recorded_json(value: Any) -> str:
    """The JSON of a value for us to read again, with U+FFFD for every half of a surrogate pair."""
    text = json.dumps(value, sort_keys=True)
    return json.dumps(without_halves(value), sort_keys=True) if _may_have_halves(text) else text


def without_halves(value: Any) -> Any:
    """A value of JSON with U+FFFD for every half of a surrogate pair, which no UTF-8 and no table can hold."""
    if isinstance(value, str):
        return value if value.isascii() else _HALF.sub("\ufffd", value)
    if isinstance(value, dict):
        return {without_halves(name): without_halves(each) for name, each in value.items()}
    return [without_halves(each) for each in value] if isinstance(value, list | tuple) else value


def json_kind(value: object) -> str:
    """What a value of JSON is, in words: "a number", "null"."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    kinds = ((str, "a text"), (int | float, "a number"), (Mapping, "an object"), (list | tuple, "a list"))
    return next((name for kind, name in kinds if isinstance(value, kind)), f"a value of {type(value).__name__}")
