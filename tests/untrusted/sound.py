"""Whether what was read is what its type says: every field of every record, all the way down."""

import math
import types
from collections.abc import Mapping
from dataclasses import is_dataclass
from functools import cache
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints


def check(value: object) -> None:
    """Records in lists, tuples and mappings hold what their annotations promise; texts can be written as UTF-8."""
    if isinstance(value, str):
        value.encode()
    elif isinstance(value, float):
        assert not math.isinf(value)
    elif is_dataclass(value) or hasattr(value, "_fields"):
        for name, hint in _hints(type(value)).items():
            found = getattr(value, name)
            assert _fits(found, hint), f"{type(value).__name__}.{name} is {found!r}"
            check(found)
    elif isinstance(value, Mapping):
        for key, each in value.items():
            check(key), check(each)
    elif isinstance(value, list | tuple):
        for each in value:
            check(each)


@cache
def _hints(kind: type) -> dict[str, Any]:
    return {name: hint for name, hint in get_type_hints(kind).items() if "ClassVar" not in str(hint)}


def _fits(value: Any, hint: Any) -> bool:
    origin, inner = get_origin(hint), get_args(hint)
    if hint is Any or (origin is None and not isinstance(hint, type)):
        return True
    if origin in (Union, types.UnionType):
        return any(_fits(value, each) for each in inner)
    if origin is Literal:
        return value in inner
    if origin is tuple:
        if not isinstance(value, tuple):
            return False
        each = [inner[0]] * len(value) if inner[1:] == (...,) else inner
        return len(value) == len(each) and all(map(_fits, value, each))
    if origin is not None:
        return isinstance(value, origin)
    if hint is float:
        return isinstance(value, int | float) and not isinstance(value, bool)
    return isinstance(value, hint) and not (hint is int and isinstance(value, bool))
