"""Records as JSON and back, for a pipe between two processes of this program: no pickle, so that nothing can run.

A record goes over as the name of its class and its fields, and comes back only if its class is one of those that
`Dashboard` is made of.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from functools import cache
from typing import Any, get_args, get_type_hints

from voirdire.raters.web.dashboard import Dashboard

_SCALARS = (str, int, float, bool, type(None))


def plainly(value: Any) -> str:
    """A record, and all within it, as JSON text.

    Raises:
        TypeError: it holds something of another kind.
    """
    return json.dumps(_written(value))


def read_plainly(text: str) -> Any:
    """What `plainly` wrote.

    Raises:
        ValueError: it is something else.
    """
    try:
        return _read(json.loads(text))
    except (TypeError, KeyError, RecursionError) as error:
        raise ValueError(f"no record ({error})") from error


def _written(value: Any) -> Any:
    if hasattr(value, "dtype"):
        value = value.item()  # a number of numpy's
    if isinstance(value, _SCALARS):
        return value
    name = type(value).__qualname__
    if name in _records():
        return [name, *(_written(getattr(value, field)) for field in _fields(type(value)))]
    if isinstance(value, Mapping):
        return ["dict", *([_written(key), _written(each)] for key, each in value.items())]
    if isinstance(value, (tuple, list)):
        return ["tuple" if isinstance(value, tuple) else "list", *map(_written, value)]
    raise TypeError(f"{name} is no record of a dashboard")


def _read(value: Any) -> Any:
    if not isinstance(value, list):
        return value
    kind, *parts = value
    if kind == "dict":
        return {_read(key): _read(each) for key, each in parts}
    if kind in ("tuple", "list"):
        return tuple(map(_read, parts)) if kind == "tuple" else list(map(_read, parts))
    record = _records()[kind]
    return record(**dict(zip(_fields(record), map(_read, parts), strict=True)))


@cache
def _records() -> Mapping[str, Any]:
    """The classes of records that a dashboard is made of, by name."""
    found: dict[str, Any] = {}
    _gather(Dashboard, found)
    return found


def _gather(kind: Any, found: dict[str, Any]) -> None:
    for part in get_args(kind):
        _gather(part, found)
    if isinstance(kind, type) and _fields(kind) and kind.__qualname__ not in found:
        found[kind.__qualname__] = kind
        for part in get_type_hints(kind).values():
            _gather(part, found)


def _fields(kind: Any) -> tuple[str, ...]:
    if dataclasses.is_dataclass(kind):
        return tuple(field.name for field in dataclasses.fields(kind) if field.init)
    return tuple(getattr(kind, "_fields", ()))
