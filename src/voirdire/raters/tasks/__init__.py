"""Which rating tasks there are."""

from __future__ import annotations

from importlib import import_module

from voirdire.raters.records import RatersError
from voirdire.raters.tasks.base import Task

MODULES = {
    "cognibench": "voirdire.raters.tasks.cognibench.task",
    "integrity": "voirdire.raters.tasks.integrity.task",
    "ddft": "voirdire.raters.tasks.ddft.task",
}
"""Where each one is described. They are imported when one is asked for."""


def open_task(name: str) -> Task:
    """The task of this name.

    Raises:
        RatersError: there is none.
    """
    if name not in MODULES:
        raise RatersError(f"There is no task {name!r}; there are {', '.join(MODULES)}.")
    task: Task = import_module(MODULES[name]).TASK
    return task
