"""Records as JSON knows them: the one conversion that every `as_dict` and every writer of JSON uses."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from pathlib import PurePath
from typing import Any


def as_plain(value: Any) -> Any:
    """A value as JSON knows it, all the way down.

    A record (a dataclass or a NamedTuple) becomes an object: what its own `as_dict` says, where it has one, else its
    fields. Tuples, other series and arrays become lists, paths texts, and numbers that are not finite `None`.
    """
    if value is None or isinstance(value, (str, int)):
        return value
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    if isinstance(value, dict):  # before what takes longer to ask: a report has a million values
        return {name: as_plain(each) for name, each in value.items()}
    if isinstance(value, list):
        return [as_plain(each) for each in value]
    if hasattr(value, "as_dict"):
        return value.as_dict()
    if isinstance(value, Mapping) or hasattr(value, "_asdict") or is_dataclass(value):
        return as_object(value)
    if hasattr(value, "tolist"):  # an array or a number of numpy's
        return as_plain(value.tolist())
    if isinstance(value, Iterable):
        return [as_plain(each) for each in value]
    return str(value) if isinstance(value, PurePath) else value


def as_object(value: Any) -> dict[str, Any]:
    """The values of a mapping, or the fields of a record, each as `as_plain` has it.

    Of a record its fields are taken also where it has an `as_dict`, which can be made with this.
    """
    if is_dataclass(value):
        value = {each.name: getattr(value, each.name) for each in fields(value)}
    elif hasattr(value, "_asdict"):
        value = value._asdict()
    return {name: as_plain(each) for name, each in value.items()}
