"""Reading a run beside a project: `machine_ratings`."""

from __future__ import annotations

from pathlib import Path

from voirdire.raters.machine.records import Machine
from voirdire.raters.records import Project, RatersError
from voirdire.run import RunFolder


def machine_ratings(project: Project, run: Path, jury: str | None = None) -> Machine:
    """What a run says of each of its units, and which of them the project has.

    Args:
        project: of any of the tasks.
        run: a run folder of the same instrument; for cognibench also what `voirdire detect --out` wrote; for
            integrity also a file of scored trials.
        jury: id of a jury that has judged a DDFT run; `None` for the run's own.

    Raises:
        RatersError: the run is another instrument's, holds nothing yet, or no such jury has judged it.
        RunFolderError: there is no run, or its manifest is damaged.
    """
    task = project.settings.task
    if run.is_file():
        return _of_file(project, run)
    _check_instrument(run, task)
    if jury is not None and task != "ddft":
        raise RatersError(f"Only runs of ddft have juries to choose from; {run} is a run of {task}.")
    if task == "ddft":
        from voirdire.raters.machine.turns import read_turns

        return read_turns(project, run, jury)
    if task == "cognibench":
        from voirdire.raters.machine.statements import read_statements

        return read_statements(project, run)
    from voirdire.raters.machine.responses import read_responses

    return read_responses(project, run)


def _of_file(project: Project, path: Path) -> Machine:
    task = project.settings.task
    if task == "cognibench":
        from voirdire.raters.machine.statements import read_detections

        return read_detections(project, path)
    if task == "integrity":
        from voirdire.raters.machine.responses import read_scored_trials

        return read_scored_trials(project, path)
    raise RatersError(f"{path} is a file; the project rates {task}, and a run folder of {task} is expected.")


def _check_instrument(run: Path, task: str) -> None:
    with RunFolder.open(run, read_only=True) as folder:
        instrument = folder.manifest.get("instrument")
    if instrument != task:
        raise RatersError(f"The run in {run} is one of {instrument}; the project rates {task}: name a run of {task}.")
