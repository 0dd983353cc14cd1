"""Our runs as logs that `inspect view` opens and `inspect_ai.log` reads.

from voirdire.adapters.inspect.export import write_eval
write_eval(Path("runs/first"), Path("logs"))
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from inspect_ai.log import EvalLog, write_eval_log

from voirdire.adapters.inspect.log_building import Subject, log_of
from voirdire.adapters.loading import load
from voirdire.data.paths import check_folder_of
from voirdire.errors import InputError
from voirdire.instruments import instrument_of, instruments
from voirdire.models.secrets import without_known_secrets

_SUFFIX = ".eval"


class LogError(InputError):
    """A run that can't be written as Inspect's logs: one sentence says why, and what to do."""


def write_eval(run: Path, out: Path, jury: str | None = None) -> list[Path]:
    """Write a run as logs of Inspect's, one for each model that was examined, without known secrets.

    `inspect view --log-dir OUT` shows them.

    Args:
        run: folder of a run whose instrument has such logs (`Instrument.inspect_log`).
        out: a folder, or a file whose name ends in .eval where the run has one model.
        jury: of a run that several have judged; `None` for the one it was held with.

    Returns:
        The files.

    Raises:
        LogError: another kind of run, nothing in it yet, or a file that is there already.
        RunFolderError, LoadError, StudyError, JuryError: the run can't be read, or no such jury has judged it.
    """
    loaded = load(run, jury)
    subjects = _subjects(run, loaded.instrument, loaded.manifest, loaded.jury)
    if not any(subject.samples for subject in subjects):
        raise LogError(f"Nothing in {run} has been judged yet; continue the run first.")
    if out.suffix == _SUFFIX and len(subjects) > 1:
        raise LogError(f"{run} has {len(subjects)} models, and each has a log of its own: give a folder, not {out}.")
    logs = [EvalLog.model_validate(without_known_secrets(log_of(subject).model_dump())) for subject in subjects]
    targets = [out if out.suffix == _SUFFIX else out / _file_name(log) for log in logs]
    there = next((target for target in targets if target.exists()), None)
    if there is not None:
        raise LogError(f"{there} already exists: give another place.")
    if out.suffix == _SUFFIX:
        check_folder_of(out, LogError)
    else:
        out.mkdir(parents=True, exist_ok=True)
    for target, log in zip(targets, logs, strict=True):
        write_eval_log(log, target, format="eval")
    return targets


def _subjects(run: Path, instrument: str, manifest: Mapping[str, Any], jury: str | None) -> list[Subject]:
    module = instrument_of(instrument).inspect_log
    if not module:
        others = ", ".join(each.name for each in instruments() if each.inspect_log)
        raise LogError(f"{run} is a run of {instrument}; logs are made of runs of {others}.")
    subjects: list[Subject] = import_module(module).subjects(run, manifest, jury)
    return subjects


def _file_name(log: EvalLog) -> str:
    """As Inspect names its own: time, task, model, id."""
    time = re.sub(r"[^0-9A-Za-z+-]+", "-", log.eval.created)  # a journal of others can hold any text there
    model = re.sub(r"[^A-Za-z0-9.-]+", "-", log.eval.model).strip("-")
    return f"{time}_{log.eval.task.rpartition('/')[2]}_{model[:80]}_{log.eval.task_id}{_SUFFIX}"
