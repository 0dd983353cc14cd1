"""Ratings that were made elsewhere, checked against their item: fields of the right kind, in range, writable."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from voirdire.errors import InputError, a_type, shown
from voirdire.raters.records import How, Item, Project, Role
from voirdire.raters.tasks import task_of
from voirdire.raters.tasks.base import Work

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


def whole_number(field: str, value: Any, low: int, high: int) -> int:
    """A whole number in a range; 80.0 is one."""
    number = share(field, value, low, high)
    if number != int(number):
        raise FieldError(field, f"must be a whole number, not {value}")
    return int(number)


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


def blind_of(value: Any) -> bool:
    """Whether a rating was given without sight of the others'; also where it is not said."""
    if value is None or isinstance(value, bool):
        return value is not False
    return one_of("blind", value, ("yes", "no")) == "yes"


def decision_of(value: Any) -> How | None:
    """What an adjudicator who saw the others' ratings did with their own, where it is said."""
    if value is None:
        return None
    return "kept" if one_of("decision", value, ("kept", "changed")) == "kept" else "changed"


def seconds_of(field: str, value: Any) -> float:
    """Time spent; 0 where it is not said."""
    return 0.0 if value is None else share(field, value, 0, _MAX_SECONDS)


def _kind(value: Any) -> str:
    return "null" if value is None else a_type(value)


def check_value(value: Any, project: Project, item: Item) -> dict[str, Any]:
    """The value of a rating in its whole form, with what was left out filled in.

    Raises:
        FieldError: a field is unknown, missing, of the wrong kind, out of range, or stands nowhere in the item.
    """
    work = Work(settings=project.settings, document=project.documents[item.document], item=item, rows=())
    return task_of(project.settings).exchange().check(mapping("value", value), work)


def blind_value_of(value: Any, project: Project, item: Item) -> dict[str, Any] | None:
    """What an adjudicator had said before they saw the others' ratings, where it is said."""
    return None if value is None else check_value(value, project, item)


def item_of(project: Project, name: Any) -> Item:
    """The item of this id.

    Raises:
        FieldError: there is none.
    """
    item = project.items.get(text("item", name))
    if item is None:
        raise FieldError("item", f"is {shown(name)}, and the project has no such item")
    return item
