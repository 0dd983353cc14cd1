"""What is to be exchanged with other tools, and what was."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, NamedTuple

from voirdire.data.json_values import as_object
from voirdire.raters.records import How, Item, Project, Rater, RatersError, Rating, Role

PoolChoice = Literal["live", "practice", "all"]

SOURCES = ("jsonl", "csv", "label-studio")
"""Forms of every task; a task may have others of its own."""
LOG = "log"
"""The form that holds every row, and is only written."""
TASKS = "tasks.json"
"""What Label Studio is given, and gives back with annotations."""

CANCELLED = "skipped annotations"
GOLDEN = "gold ratings (what items are settled as follows from the others)"
PRACTICE = "ratings of practice items (people pass those in the project itself)"
ASKED = "questions to the organiser (they are asked and answered in a project)"
PREDICTED = "predictions (they are what a machine says, and no ratings)"
STRANGE = "labels of answers that the project does not have"
"""What in a file is not imported, and why."""


class ExchangeError(RatersError):
    """What can't be exported or imported: one sentence says where, what is wrong, and what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportPlan:
    """What to export, and how."""

    target: str
    """One of `SOURCES`, `LOG`, or a form of the task's own."""
    out: Path
    """A folder; nothing may be there yet but an empty one."""
    gold: bool = False
    """Whether what items are taken to be is written too."""
    pool: PoolChoice = "live"
    names: bool = False
    """Whether raters are called by their names; otherwise by their ids: r1, r2 …"""
    rater: str | None = None
    """In a task's own form, ratings are this rater's (id or name), not the gold ones."""
    force: bool = False
    """Whether an earlier export may be replaced."""


@dataclass(frozen=True, slots=True)
class RatingsExport:
    """What was written."""

    out: Path
    files: tuple[Path, ...]
    manifest: Mapping[str, Any]
    notes: tuple[str, ...] = ()
    """What the form can't hold, or how to use it, in sentences."""

    def as_dict(self) -> dict[str, Any]:
        """As JSON."""
        return {"out": str(self.out), "files": [str(path) for path in self.files], **self.manifest}


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A rating made elsewhere, checked against the item that it is of."""

    where: str
    """File and line, for whoever has to mend it."""
    item: str
    rater: str | None
    """Name; `None` where the file does not say."""
    value: Mapping[str, Any]
    role: Role | None = None
    blind: bool = True
    """`False`: an adjudicator gave it in sight of the others'."""
    decision: How | None = None
    blind_value: Mapping[str, Any] | None = None
    """What they had said before they saw them."""
    seconds: float = 0.0
    at: str | None = None
    """When it was made, as the file says it."""


class FileRatings(NamedTuple):
    """The ratings of a file."""

    entries: list[Entry]
    skipped: tuple[str, ...]
    """What was passed over on purpose, and how much of it."""


@dataclass(frozen=True, slots=True)
class ImportResult:
    """The counts of an import."""

    added: int
    known: int
    """Ratings that the project had already."""
    skipped: tuple[str, ...]
    """What was passed over on purpose, and how much of it."""
    raters: tuple[str, ...]
    """Names of raters that were added."""

    def as_dict(self) -> dict[str, Any]:
        """As JSON."""
        return as_object(self)


def skipped_lines(passed: Counter[str]) -> tuple[str, ...]:
    """What was passed over, and how much of it."""
    return tuple(f"{what}: {count:,}." for what, count in passed.items() if count)


def chosen_items(project: Project, pool: PoolChoice) -> list[Item]:
    """The items of a pool, in their order."""
    return [item for item in project.items.values() if pool in ("all", item.pool)]


def chosen_ratings(project: Project, pool: PoolChoice) -> list[Rating]:
    """The ratings of a pool's items, item by item, and in the order of raters; seconds are rounded."""
    places = {item.id: place for place, item in enumerate(chosen_items(project, pool))}
    people = {rater: place for place, rater in enumerate(project.raters)}
    chosen = [rating for rating in project.ratings if rating.item in places]
    chosen = [replace(rating, seconds=rounded(rating.seconds)) for rating in chosen]
    return sorted(chosen, key=lambda rating: (places[rating.item], people[rating.rater]))


def rounded(seconds: float) -> float:
    """To milliseconds, as exports have it."""
    return round(seconds, 3)


def exported_name(rater: Rater, names: bool) -> str:
    """What a rater is called in an export."""
    return rater.name if names else rater.id


def rater_of(project: Project, name: str) -> str:
    """The id of the rater of this name or id.

    Raises:
        ExchangeError: there is none.
    """
    for rater in project.raters.values():
        if name in (rater.name, rater.id):
            return rater.id
    known = ", ".join(rater.name for rater in project.raters.values()) or "none"
    raise ExchangeError(f"There is no rater {name!r} in this project; there are: {known}.")
