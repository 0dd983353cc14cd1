"""Label Studio's tasks as what a project is made of: drawn and shuffled like any other data."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from voirdire.raters.exchange.label_studio import documents_of, holds_tasks
from voirdire.raters.records import Item
from voirdire.raters.sampling import simple
from voirdire.raters.tasks.base import Made, Making
from voirdire.raters.tasks.cognibench.practice import practice

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
