"""Annotations made in Label Studio, read from its JSON export and matched to the items of a project."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from voirdire.data.files import FileError, whole_text
from voirdire.data.json_text import JsonError, parse_json
from voirdire.errors import shown
from voirdire.raters.exchange.checking import FieldError, check_value, mapping, role_of, seconds_of, sequence, text
from voirdire.raters.exchange.label_studio.controls import GOLD, RATER, read_results
from voirdire.raters.exchange.label_studio.forms import Shape, shape_of
from voirdire.raters.exchange.records import CANCELLED, GOLDEN, PRACTICE, PREDICTED, Entry, ExchangeError, Read, told
from voirdire.raters.records import Item, Project

_COMPARED = ("context", "question", "answer", "reference", "concept", "turn", "start", "end")
"""Fields of `data` that must be equal where a task has them, beside the text that is rated."""


class Finder:
    """Finds items by id or by the text that is rated."""

    def __init__(self, project: Project) -> None:
        """Of this project."""
        self._project = project
        self._shape = shape_of(project.settings.task)
        self._main = self._shape.form.main
        self._by_text: dict[str, list[Item]] = {}
        for item in project.items.values():
            self._by_text.setdefault(self._data(item)[self._main], []).append(item)

    def find(self, data: Mapping[str, Any]) -> Item:
        """The item of this data.

        Raises:
            FieldError: there is none, more than one, or its text is another.
        """
        name = data.get("item")
        if name is not None:
            item = self._project.items.get(text("data.item", name))
            if item is None:
                raise FieldError("data.item", f"is {shown(name)}, and the project has no such item")
            different = self._different(item, data)
            if different:
                raise FieldError(f"data.{different}", f"is not that of the item {item.id} in the project")
            return item
        return self._by_its_text(data)

    def _by_its_text(self, data: Mapping[str, Any]) -> Item:
        said = text(f"data.{self._main}", data.get(self._main))
        found = [item for item in self._by_text.get(said, ()) if self._different(item, data) is None]
        if len(found) != 1:
            many = f"stands in {len(found)} items" if found else "stands in no item"
            raise FieldError(f"data.{self._main}", f"{many} of the project: name the item in data.item")
        return found[0]

    def _different(self, item: Item, data: Mapping[str, Any]) -> str | None:
        own = self._data(item)
        for name in (self._main, *_COMPARED):
            if name in own and name in data and data[name] != own[name]:
                return name
        return None

    def _data(self, item: Item) -> dict[str, Any]:
        return self._shape.data(self._project.documents[item.document], item)


def read_annotations(path: Path, project: Project) -> Read:
    """The ratings of a file that Label Studio has exported as JSON (not JSON-MIN), or that was exported for it.

    Args:
        path: of the file.
        project: whose items they are of; items are found by their id, and must hold the same text, or by their text.

    Raises:
        ExchangeError: the file can't be read, or a rating does not fit its item; task and field are named.
    """
    shape, finder = shape_of(project.settings.task), Finder(project)
    entries: list[Entry] = []
    passed: Counter[str] = Counter()
    for where, task in read_tasks(path):
        passed[PREDICTED] += len(_listed(where, task, "predictions"))
        for number, each in enumerate(_listed(where, task, "annotations"), start=1):
            try:
                found = _entry(f"{where}, annotation {number}", project, shape, finder, task, each)
            except FieldError as error:
                raise ExchangeError(f"{where}, annotation {number}: {error}.") from None
            if isinstance(found, Entry):
                entries.append(found)
            else:
                passed[found] += 1
    return Read(entries, told(passed))


def _listed(where: str, task: Mapping[str, Any], name: str) -> Sequence[Any]:
    try:
        return sequence(name, task.get(name) or [])
    except FieldError as error:
        raise ExchangeError(f"{where}: {error}.") from None


def read_tasks(path: Path) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """(where it stands, task) of every task of a file.

    Raises:
        ExchangeError: the file can't be read, or holds no list of tasks.
    """
    try:
        tasks = parse_json(whole_text(path), halves="keep")
    except FileError as error:
        raise ExchangeError(str(error)) from error
    except JsonError as error:
        raise ExchangeError(f"{path} holds no JSON: {error}.") from None
    if not isinstance(tasks, list) or not all(isinstance(task, Mapping) and "data" in task for task in tasks):
        raise ExchangeError(f"{path} holds no list of tasks with data; export from Label Studio as JSON.")
    for number, task in enumerate(tasks, start=1):
        yield f"{path}, task {number}", task


def _entry(
    where: str, project: Project, shape: Shape, finder: Finder, task: Mapping[str, Any], given: Any
) -> Entry | str:
    """A rating; or why it is passed over."""
    annotation = mapping("annotation", given)
    if annotation.get("was_cancelled"):
        return CANCELLED
    item = finder.find(mapping("data", task["data"]))
    said = read_results(annotation.get("result"), shape.form)
    if GOLD in said.whole:
        return GOLDEN
    if item.pool == "practice":
        return PRACTICE
    value = shape.value_of(said, project.documents[item.document], item)
    name, *role = said.whole.get(RATER) or [_account(annotation.get("completed_by"))]
    at = annotation.get("created_at")
    return Entry(
        where=where,
        item=item.id,
        rater=name,
        value=check_value(value, project, item),
        role=role_of(role[0] if role else None),
        seconds=seconds_of("lead_time", annotation.get("lead_time")),
        at=None if at is None else text("created_at", at),
    )


def _account(completed_by: Any) -> str | None:
    """What the account of whoever has annotated is called."""
    if isinstance(completed_by, Mapping):
        completed_by = completed_by.get("email") or completed_by.get("id")
    if completed_by is None:
        return None
    return f"user {completed_by}" if isinstance(completed_by, int) else text("completed_by", completed_by)
