"""Limits as they are given: `NAME=NUMBER` on the command line, mappings in Python, a YAML file."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from voirdire.adapters.gate.records import GateError, Limit, Limits
from voirdire.data import untrusted
from voirdire.instruments.figures import Side

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
    try:
        read = untrusted.yaml_of(untrusted.read_text(path, _LARGEST))
    except untrusted.UntrustedError as error:
        raise GateError(error.of(f"The file of limits {path}")) from error
    if not isinstance(read, dict) or not read.keys() <= set(_KEYS):
        unknown = ", ".join(map(str, read.keys() - set(_KEYS))) if isinstance(read, dict) else repr(read)
        raise GateError(f"{path} must hold {', '.join(_KEYS)} and nothing else; it has {unknown}.")
    return Limits(
        limits=tuple(limit for side in ("min", "max") for limit in _side(side, read.get(side), path)),
        bound=_flag("bound", read, path),
        sound=_flag("sound", read, path),
        allow_incomplete=_flag("allow_incomplete", read, path),
    )


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
