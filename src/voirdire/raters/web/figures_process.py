"""The organiser's figures, worked out in a process of its own: raters never wait for statistics.

That process is this module, run as a program: for every line that it reads it works the figures out anew. It ends with
the server, whose end closes what it reads.

Records go over the pipe as JSON and not as pickle, so that nothing can run: as the name of a class and its fields. They
come back only if the class is one of those that `Dashboard` is made of.
"""

from __future__ import annotations

import dataclasses
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args, get_type_hints

from voirdire.raters.records import RatersError

if TYPE_CHECKING:
    from voirdire.raters.web.dashboard import Dashboard

_SIZE = 8
"""Bytes that say how long an answer is."""
_SCALARS = (str, int, float, bool, type(None))
_POLITE = 10
"""How far the process stands back behind those that raters wait for."""


class FiguresProcess:
    """A process that computes the figures of a project; one call at a time."""

    def __init__(self, path: Path) -> None:
        """Work on the project at `path`."""
        self._path = path
        self._child: subprocess.Popen[bytes] | None = None
        self._closed = False

    def dashboard(self) -> Dashboard:
        """The figures as they stand now; call it in a thread, for it takes its time.

        Raises:
            RatersError: the project can't be read, or the process was ended.
        """
        child = self._child = self._child or self._start()
        if self._closed:
            self.close()
        try:
            child.stdin.write(b"\n")  # type: ignore[union-attr]  # both are pipes
            child.stdin.flush()  # type: ignore[union-attr]
            size = int.from_bytes(child.stdout.read(_SIZE))  # type: ignore[union-attr]
            refused, figures = _answer(child.stdout.read(size))  # type: ignore[union-attr]
        except (OSError, ValueError):
            self._child = None  # it has ended: the next call begins anew
            raise RatersError("The figures could not be worked out; load the page again.") from None
        if refused is not None:
            raise RatersError(refused)
        return figures

    def close(self) -> None:
        """End the process, whatever it is at, for good."""
        self._closed = True
        if (child := self._child) is not None:
            child.kill()
            child.wait()

    def _start(self) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "voirdire.raters.web.figures_process", str(self._path)]
        pipe = subprocess.PIPE
        return subprocess.Popen(command, stdin=pipe, stdout=pipe, start_new_session=True)  # noqa: S603 - ourselves


def _answer(message: bytes) -> tuple[str | None, Dashboard]:
    """Why there are no figures, and the figures; a process that has ended said nothing, which is no JSON."""
    refused, figures = read_plainly(message.decode())
    return refused, figures


def main(path: Path) -> None:
    """Answer line after line, until there are no more."""
    from voirdire.raters.project_loader import read_project
    from voirdire.raters.web.dashboard import dashboard

    os.nice(_POLITE)
    for _ in sys.stdin:
        try:
            answer = plainly((None, dashboard(read_project(path))))
        except RatersError as error:
            answer = plainly((str(error), None))
        data = answer.encode()
        sys.stdout.buffer.write(len(data).to_bytes(_SIZE) + data)
        sys.stdout.buffer.flush()


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
    from voirdire.raters.web.dashboard import Dashboard

    records: dict[str, Any] = {}
    _gather(Dashboard, records)
    return records


def _gather(kind: Any, records: dict[str, Any]) -> None:
    for part in get_args(kind):
        _gather(part, records)
    if isinstance(kind, type) and _fields(kind) and kind.__qualname__ not in records:
        records[kind.__qualname__] = kind
        for part in get_type_hints(kind).values():
            _gather(part, records)


def _fields(kind: Any) -> tuple[str, ...]:
    if dataclasses.is_dataclass(kind):
        return tuple(field.name for field in dataclasses.fields(kind) if field.init)
    return tuple(getattr(kind, "_fields", ()))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
