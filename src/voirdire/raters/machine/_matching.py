"""Which of a project's live items a run holds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from voirdire.raters.machine.records import Unit
from voirdire.raters.records import Item, Project


def live_items(project: Project) -> dict[str, Item]:
    """Items that are not for practice, by id."""
    return {name: item for name, item in project.items.items() if item.pool == "live"}


def items_of_responses(project: Project) -> dict[str, str]:
    """Ids of the project's items by the ids that their responses have where they came from."""
    return {
        str(project.documents[item.document].source.get("item", name)): name
        for name, item in live_items(project).items()
    }


def matched(
    project: Project, units: Iterable[Unit], items: Mapping[str, str]
) -> tuple[dict[str, Unit], tuple[str, ...]]:
    """The units with the project's items entered, and the items that are none of them.

    Args:
        project: with its items.
        units: of the run.
        items: ids of the project's items by the ids of the units that they are.
    """
    found = {unit.id: replace(unit, item=items.get(unit.id)) for unit in units}
    seen = {unit.item for unit in found.values()}
    return found, tuple(name for name in live_items(project) if name not in seen)
