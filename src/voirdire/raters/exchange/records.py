"""What is to be exchanged with other tools, and what was; ratings made elsewhere, checked against their item."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, NamedTuple

from voirdire.data.plain import as_object
from voirdire.errors import InputError, shown
from voirdire.raters.records import Item, Project, Rater, RatersError, Rating, Role
from voirdire.raters.tasks import open_task
from voirdire.raters.tasks.base import Work

Which = Literal["live", "practice", "all"]

SOURCES = ("jsonl", "csv", "label-studio")
"""Forms of every task; a task may have others of its own."""
LOG = "log"
"""The form that holds every row, and is only written."""
TASKS = "tasks.json"
"""What Label Studio is given, and gives back with annotations."""

CANCELLED = "skipped annotations"
GOLDEN = "gold ratings (gold follows from ratings)"
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
    pool: Which = "live"
    names: bool = False
    """Whether raters are called by their names; otherwise by their ids: r1, r2 …"""
    rater: str | None = None
    """In a task's own form, ratings are this rater's (id or name), not the gold ones."""
    force: bool = False
    """Whether an earlier export may be replaced."""


@dataclass(frozen=True, slots=True)
class Exported:
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
    seconds: float = 0.0
    at: str | None = None
    """When it was made, as the file says it."""


class Read(NamedTuple):
    """The ratings of a file."""

    entries: list[Entry]
    skipped: tuple[str, ...]
    """What was passed over on purpose, and how much of it."""


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import came to."""

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


def chosen_items(project: Project, pool: Which) -> list[Item]:
    """The items of a pool, in their order."""
    return [item for item in project.items.values() if pool in ("all", item.pool)]


def chosen_ratings(project: Project, pool: Which) -> list[Rating]:
    """The ratings of a pool's items, item by item, and in the order of raters; seconds are rounded."""
    places = {item.id: place for place, item in enumerate(chosen_items(project, pool))}
    people = {rater: place for place, rater in enumerate(project.raters)}
    chosen = [rating for rating in project.ratings if rating.item in places]
    chosen = [replace(rating, seconds=rounded(rating.seconds)) for rating in chosen]
    return sorted(chosen, key=lambda rating: (places[rating.item], people[rating.rater]))


def rounded(seconds: float) -> float:
    """To milliseconds, as exports have it."""
    return round(seconds, 3)


def called(rater: Rater, names: bool) -> str:
    """What a rater is called in an export."""
    return rater.name if names else rater.id


_MAX_SECONDS = 10_000_000.0
"""A third of a year: nobody looks at one item for longer."""


class FieldError(InputError):
    """A field that can't be taken; whoever knows file and line adds them."""

    def __init__(self, field: str, says: str) -> None:
        super().__init__(f"{field} {says}")
        self.field = field


def check_names(value: Mapping[str, Any], known: Collection[str], within: str = "") -> None:
    """No field but the known ones: a misspelt one would be lost without a word."""
    for name in value:
        if name not in known:
            plain = name if name.isidentifier() else shown(name)
            raise FieldError(f"{within}{plain}", f"is no field of this rating; there are {', '.join(known)}")


def mapping(field: str, value: Any) -> Mapping[str, Any]:
    """An object."""
    if not isinstance(value, Mapping):
        raise FieldError(field, f"must be an object, not {_kind(value)}")
    return value


def sequence(field: str, value: Any) -> Sequence[Any]:
    """A list."""
    if not isinstance(value, list):
        raise FieldError(field, f"must be a list, not {_kind(value)}")
    return value


def text(field: str, value: Any) -> str:
    """A text that can be written as UTF-8: half of a surrogate pair is none."""
    if not isinstance(value, str):
        raise FieldError(field, f"must be a text, not {_kind(value)}")
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise FieldError(field, f"has half a character at {error.start} (a lone surrogate), which is no text") from None
    return value


def flag(field: str, value: Any) -> bool:
    """True or false."""
    if not isinstance(value, bool):
        raise FieldError(field, f"must be true or false, not {_kind(value)}")
    return value


def whole(field: str, value: Any, low: int, high: int) -> int:
    """A whole number in a range; 80.0 is one."""
    given = share(field, value, low, high)
    if given != int(given):
        raise FieldError(field, f"must be a whole number, not {value}")
    return int(given)


def share(field: str, value: Any, low: float = 0.0, high: float = 1.0) -> float:
    """A number in a range."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise FieldError(field, f"must be a number, not {_kind(value)}")
    if not low <= value <= high:  # NaN does not either
        raise FieldError(field, f"must lie from {low:g} to {high:g}, unlike {value}")
    return value


def one_of(field: str, value: Any, known: Sequence[str]) -> str:
    """One of some words."""
    if not isinstance(value, str) or value not in known:
        raise FieldError(field, f"is {shown(value)}, and must be one of {', '.join(known)}")
    return value


def role_of(value: Any) -> Role | None:
    """A rater's role, where it is said."""
    if value is None:
        return None
    return "adjudicator" if one_of("role", value, ("rater", "adjudicator")) == "adjudicator" else "rater"


def seconds_of(field: str, value: Any) -> float:
    """Time spent; 0 where it is not said."""
    return 0.0 if value is None else share(field, value, 0, _MAX_SECONDS)


def _kind(value: Any) -> str:
    return "null" if value is None else f"a {type(value).__name__}"


def check_value(value: Any, project: Project, item: Item) -> dict[str, Any]:
    """The value of a rating in its whole form, with what was left out filled in.

    Args:
        value: as given.
        project: whose task says what a value is.
        item: that it is of.

    Raises:
        FieldError: a field is unknown, missing, of the wrong kind, out of range, or stands nowhere in the item.
    """
    work = Work(settings=project.settings, document=project.documents[item.document], item=item, rows=())
    return open_task(project.settings.task).exchange().check(mapping("value", value), work)


def item_of(project: Project, name: Any) -> Item:
    """The item of this id.

    Raises:
        FieldError: there is none.
    """
    item = project.items.get(text("item", name))
    if item is None:
        raise FieldError("item", f"is {shown(name)}, and the project has no such item")
    return item
