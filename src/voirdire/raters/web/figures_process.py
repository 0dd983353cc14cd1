"""The organiser's figures, worked out in a process of its own: raters never wait for statistics.

That process is this module, run as a program: for every line that it reads it works the figures out anew.

Records go over the pipe as JSON and not as pickle, so that nothing can run: as the name of a class and its fields. They
come back only if the class is one of those that `Dashboard` is made of.
"""

from __future__ import annotations

import dataclasses
import json
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast, get_args, get_type_hints

from voirdire.raters.records import RatersError
from voirdire.web.helper_process import Helper, HelperEnded, answer_lines

if TYPE_CHECKING:
    from voirdire.raters.web.dashboard import Dashboard

_SCALARS = (str, int, float, bool, type(None))
_POLITE = 10
"""How far the process stands back behind those that raters wait for."""


class FiguresProcess:
    """A process that computes the figures of a project; one call at a time."""

    def __init__(self, path: Path) -> None:
        """Work on the project at `path`."""
        self._helper = Helper("voirdire.raters.web.figures_process", str(path))

    def dashboard(self) -> Dashboard:
        """The figures as they stand now; call it in a thread, for it takes its time.

        Raises:
            RatersError: the project can't be read, or the process was ended.
        """
        try:
            refused, figures = read_plainly(self._helper.ask().decode())
        except HelperEnded:
            raise RatersError("The figures could not be worked out; load the page again.") from None
        if refused is not None:
            raise RatersError(refused)
        return cast("Dashboard", figures)

    def close(self) -> None:
        """End the process, whatever it is at, for good."""
        self._helper.close()


def main(path: Path) -> None:
    """Answer line after line, until there are no more."""
    from voirdire.raters.project_loader import read_project
    from voirdire.raters.web.dashboard import dashboard

    def answer(_: str) -> bytes:
        try:
            return plainly((None, dashboard(read_project(path)))).encode()
        except RatersError as error:
            return plainly((str(error), None)).encode()

    answer_lines(answer, polite=_POLITE)


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
