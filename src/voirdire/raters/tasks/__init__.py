"""Which rating tasks there are."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from voirdire.raters.records import RatersError, Settings

if TYPE_CHECKING:
    from voirdire.raters.tasks.base import Task

MODULES = {
    "cognibench": "voirdire.raters.tasks.cognibench.task",
    "integrity": "voirdire.raters.tasks.integrity.task",
    "ddft": "voirdire.raters.tasks.ddft.task",
    "labels": "voirdire.raters.tasks.guided.labels",
    "score": "voirdire.raters.tasks.guided.score",
    "preference": "voirdire.raters.tasks.guided.preference",
    "spans": "voirdire.raters.tasks.guided.spans",
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


def task_of_run(run: Path) -> Task:
    """The task that rates a run, as the description of the run's instrument says.

    Raises:
        RatersError: none does.
        RunFolderError: there is no run, or its manifest is damaged.
    """
    from voirdire.instruments import instrument_of_run

    return open_task(instrument_of_run(run).rating_task)


def task_of(settings: Settings) -> Task:
    """The task of a project, with its guide where it has one of its own.

    Raises:
        RatersError: there is no such task, or the guide is none.
    """
    task = open_task(settings.task).guided(settings.guide)
    return task.of_sentences() if settings.only_flagged else task
