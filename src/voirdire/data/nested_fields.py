"""Fields of nested objects, by a path: "a.b" is the field b of the field a, "a.0" the first of the list a."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


def field_at(entry: Mapping[str, Any], name: str) -> Any:
    """The field of that name, or at that path. Of a list, "a.b" is the list of the fields b of all its objects.

    Raises:
        LookupError: there is none.
    """
    return entry[name] if name in entry else _along(entry, name.split("."))


def has_field(entry: Mapping[str, Any], name: str) -> bool:
    """Whether `field_at` finds something."""
    try:
        field_at(entry, name)
    except LookupError:
        return False
    return True


def _along(value: Any, path: Sequence[str]) -> Any:
    if not path:
        return value
    part, *rest = path
    if isinstance(value, Mapping):
        return _along(value[part], rest)
    if not isinstance(value, list):
        raise LookupError(part)
    if part.isdecimal():
        return _along(value[int(part)], rest)
    matches = [_along(each, path) for each in value]
    return [each for some in matches for each in (some if isinstance(some, list) else [some])]
