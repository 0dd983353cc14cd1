"""The three kinds of rating, by name."""

from __future__ import annotations

from importlib import import_module

from voirdire.raters.records import TASKS, RatersError
from voirdire.raters.tasks.base import Maker, Task


def open_task(name: str) -> Task:
    """The task of this name.

    Raises:
        RatersError: there is none.
    """
    task: Task = _module(name, "TASK")
    return task


def maker_of(name: str) -> Maker:
    """What makes documents and items for the task of this name.

    Raises:
        RatersError: there is none.
    """
    maker: Maker = _module(name, "make")
    return maker


def _module(name: str, wanted: str):  # type: ignore[no-untyped-def]
    if name not in TASKS:
        raise RatersError(f"There is no task {name!r}; there are {', '.join(TASKS)}.")
    return getattr(import_module(f"voirdire.raters.tasks.{name}"), wanted)
