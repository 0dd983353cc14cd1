"""What a project is made from: is it of the right kind, and which bytes were it; Label Studio's tasks too."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from voirdire.raters.exchange.label_studio import documents_of, holds_tasks
from voirdire.raters.records import Item, RatersError, TaskName
from voirdire.raters.sampling import simple
from voirdire.raters.tasks.base import Made, Making
from voirdire.raters.tasks.cognibench.guideline import practice

_MANIFEST = "run.json"
_CHUNK = 1 << 20
_INSTRUMENTS: Mapping[str, tuple[str, ...]] = {
    "cognibench": ("cognibench", "cognibench-dialogues"),
    "integrity": ("integrity",),
    "ddft": ("ddft",),
}
"""Of which instruments' runs a task is made."""


def check_source(task: TaskName, source: Path) -> None:
    """See that a run is of an instrument that the task can use; data are the maker's to read.

    Raises:
        RatersError: nothing is there, no run where one is needed, or a run of another kind.
    """
    if not source.exists():
        raise RatersError(f"There is nothing at {source}; name a run folder{'' if task == 'ddft' else ' or data'}.")
    if not (source / _MANIFEST).is_file():
        if task == "ddft":
            raise RatersError(
                f"{source} is no run folder (it has no {_MANIFEST}); the task ddft is made of a run of voirdire ddft "
                "run or ddft import."
            )
        return
    found = _instrument(source)
    if found in _INSTRUMENTS[task]:
        return
    fits = next((other for other, named in _INSTRUMENTS.items() if found in named), None)
    advice = f"give --task {fits}, or another run" if fits else "give another run"
    raise RatersError(
        f"{source} holds a run of {found!r}, and the task {task} is made of runs of "
        f"{' or '.join(repr(each) for each in _INSTRUMENTS[task])}: {advice}."
    )


def _instrument(run: Path) -> str:
    from voirdire.run import JournalError, RunFolder, RunFolderError

    try:
        with RunFolder.open(run, read_only=True) as folder:
            return str(folder.manifest.get("instrument", "no instrument"))
    except (RunFolderError, JournalError) as error:
        raise RatersError(str(error)) from error


def sha256_of(source: Path) -> str:
    """Of a file; of a run's manifest; of a data folder's files, with their names, in order.

    Raises:
        RatersError: a file can't be read.
    """
    if (source / _MANIFEST).is_file():
        source = source / _MANIFEST
    digest = hashlib.sha256()
    for file in [source] if source.is_file() else sorted(path for path in source.rglob("*") if path.is_file()):
        if file != source:
            digest.update(f"{file.relative_to(source).as_posix()}\n".encode())
        try:
            with file.open("rb") as opened:
                while part := opened.read(_CHUNK):
                    digest.update(part)
        except OSError as error:
            raise RatersError(f"{file} can't be read: {error.strerror}.") from error
    return digest.hexdigest()


_TASKS = "tasks.json"


def tasks_in(source: Path) -> Path:
    """The file with the tasks, where the source is the folder of an export for Label Studio; else the source."""
    return source / _TASKS if holds_tasks(source / _TASKS) else source


def make_of_tasks(path: Path, making: Making) -> Made:
    """Documents and items of Label Studio's tasks, practice first; their predictions are kept out of sight.

    Args:
        path: of the file.
        making: how many answers, and the seed that draws and shuffles.

    Raises:
        RatersError: a file or task that can't be used, or a sample larger than what is there.
    """
    found = documents_of(path, "cognibench")
    by_id = {document.id: document for document in found.documents}
    drawn = simple(list(by_id), len(by_id) if making.sample is None else making.sample, making.seed)
    documents = tuple(replace(by_id[each.unit], weight=each.weight) for each in drawn)
    items_of: dict[str, list[Item]] = {}
    for item in found.items:
        items_of.setdefault(item.document, []).append(item)
    items = tuple(item for document in documents for item in items_of[document.id])
    first = practice() if making.practice else Made((), ())
    return Made((*first.documents, *documents), (*first.items, *items))
