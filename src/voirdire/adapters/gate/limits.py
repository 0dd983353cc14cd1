"""Limits as they are given: `NAME=NUMBER` on the command line, mappings in Python, a YAML file."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from voirdire.adapters.gate.records import GateError, Limit, Limits, Side

_KEYS = ("min", "max", "bound", "sound", "allow_incomplete")
_LARGEST = 100_000
"""Bytes; nobody writes a longer file of limits."""


def read_limits(
    *,
    floors: Iterable[str] = (),
    ceilings: Iterable[str] = (),
    file: Path | None = None,
    bound: bool = False,
    sound: bool = False,
    allow_incomplete: bool = False,
) -> Limits:
    """The limits of a command line; those of a file come first, and a limit given twice counts as given last.

    Raises:
        GateError: no limit at all, or one that can't be read.
    """
    named: list[tuple[Side, Iterable[str]]] = [("min", floors), ("max", ceilings)]
    given = [_parsed(side, text) for side, texts in named for text in texts]
    base = Limits(limits=()) if file is None else _read_file(file)
    return Limits(
        limits=_distinct([*base.limits, *given]),
        bound=bound or base.bound,
        sound=sound or base.sound,
        allow_incomplete=allow_incomplete or base.allow_incomplete,
    )


def limits_of(
    floors: Mapping[str, float],
    ceilings: Mapping[str, float],
    *,
    bound: bool = False,
    sound: bool = False,
    allow_incomplete: bool = False,
) -> Limits:
    """Limits from mappings of metric to number.

    Raises:
        GateError: no limit at all, one that is no number, or no mapping.
    """
    named: list[tuple[Side, Mapping[str, float]]] = [("min", floors), ("max", ceilings)]
    for side, each in named:
        if not isinstance(each, Mapping):
            raise GateError(f"{side} is a mapping of metrics to numbers, such as {{'ER': 0.5}}; {each!r} was given.")
    given = [
        _limit(side, str(name), value, f"{side}={{{name!r}: {value!r}}}")
        for side, each in named
        for name, value in each.items()
    ]
    return Limits(limits=_distinct(given), bound=bound, sound=sound, allow_incomplete=allow_incomplete)


def _parsed(side: Side, text: str) -> Limit:
    name, equals, number = text.partition("=")
    given = f"--{side} {text}"
    if not equals or not name.strip():
        raise GateError(f"A limit is NAME=NUMBER, such as --{side} ER=0.5; {given!r} was given.")
    try:
        value = float(number)
    except ValueError:
        raise GateError(f"A limit is NAME=NUMBER, such as --{side} ER=0.5; {given!r} was given.") from None
    return _limit(side, name.strip(), value, given)


def _limit(side: Side, metric: str, value: Any, given: str) -> Limit:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise GateError(f"A limit is a finite number; {given!r} was given.")
    return Limit(metric, side, float(value))


def _distinct(limits: Iterable[Limit]) -> tuple[Limit, ...]:
    last = {(limit.metric, limit.side): limit for limit in limits}
    if not last:
        raise GateError("A gate needs a limit: --min ER=0.5, --max danger_zone_pct=10, or a file with --limits.")
    return tuple(last.values())


def _read_file(path: Path) -> Limits:
    import yaml

    try:
        if path.stat().st_size > _LARGEST:
            raise GateError(f"{path} is too long for a file of limits.")
        text = path.read_text(encoding="utf-8")
        read = yaml.safe_load(text)
        twice = _twice(yaml.compose(text, yaml.SafeLoader))
    except OSError as error:
        raise GateError(f"The file of limits {path} can't be read: {error.strerror}.") from error
    except (yaml.YAMLError, UnicodeDecodeError, RecursionError) as error:
        raise GateError(f"The file of limits {path} is no YAML: {' '.join(str(error).split())}.") from error
    if twice is not None:
        raise GateError(f"{path}: {twice!r} stands there twice; keep one of the two.")
    if not isinstance(read, dict) or not read.keys() <= set(_KEYS):
        unknown = ", ".join(map(str, read.keys() - set(_KEYS))) if isinstance(read, dict) else repr(read)
        raise GateError(f"{path} must hold {', '.join(_KEYS)} and nothing else; it has {unknown}.")
    return Limits(
        limits=tuple(limit for side in ("min", "max") for limit in _side(side, read.get(side), path)),
        bound=_flag("bound", read, path),
        sound=_flag("sound", read, path),
        allow_incomplete=_flag("allow_incomplete", read, path),
    )


def _twice(node: Any) -> str | None:
    """A key that the file, or a mapping in it, has twice; YAML would take the last one without a word.

    Args:
        node: as YAML composes a file: keys and values of a mapping are pairs of nodes.
    """
    whole = _pairs(node)
    for keys in (whole, *(_pairs(value) for _, value in whole)):
        named = [key.value for key, _ in keys if key.id == "scalar"]
        for place, key in enumerate(named):
            if key in named[:place]:
                return str(key)
    return None


def _pairs(node: Any) -> list[tuple[Any, Any]]:
    return list(node.value) if node is not None and node.id == "mapping" else []


def _side(side: Side, given: Any, path: Path) -> list[Limit]:
    if given is None:
        return []
    if not isinstance(given, dict):
        raise GateError(f"{path}: {side} must hold metrics with a number each, such as 'ER: 0.5'; it has {given!r}.")
    return [_limit(side, str(name), value, f"{path}: {name}: {value}") for name, value in given.items()]


def _flag(name: str, read: Mapping[str, Any], path: Path) -> bool:
    given = read.get(name, False)
    if not isinstance(given, bool):
        raise GateError(f"{path}: {name} is true or false; {given!r} was given.")
    return given
