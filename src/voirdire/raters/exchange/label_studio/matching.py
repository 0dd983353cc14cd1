"""Which item of a project a task of Label Studio is of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from voirdire.errors import shown
from voirdire.raters.exchange.checking import FieldError, text
from voirdire.raters.exchange.label_studio.forms import shape_of
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
