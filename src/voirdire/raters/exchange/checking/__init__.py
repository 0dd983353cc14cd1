"""Ratings that were made elsewhere, held against the item that they are of."""

from __future__ import annotations

from typing import Any

from voirdire.errors import shown
from voirdire.raters.exchange.checking._fields import (
    FieldError,
    check_names,
    mapping,
    one_of,
    role_of,
    seconds_of,
    sequence,
    share,
    text,
)
from voirdire.raters.records import Item, Project
from voirdire.raters.tasks.base import Work

__all__ = [
    "FieldError",
    "check_names",
    "check_value",
    "item_of",
    "mapping",
    "one_of",
    "role_of",
    "seconds_of",
    "sequence",
    "share",
    "text",
]


def check_value(value: Any, project: Project, item: Item) -> dict[str, Any]:
    """The value of a rating in its whole form, with what was left out filled in.

    Args:
        value: as given.
        project: whose task says what a value is.
        item: that it is of.

    Raises:
        FieldError: a field is unknown, missing, of the wrong kind, out of range, or stands nowhere in the item.
    """
    given = mapping("value", value)
    document = project.documents[item.document]
    if project.settings.task == "cognibench":
        from voirdire.raters.exchange.checking._cognibench import check as check_label

        return check_label(given)
    if project.settings.task == "ddft":
        from voirdire.raters.exchange.checking._ddft import check as check_turn

        return check_turn(given, trapped=bool(document.body["fabricated"]))
    from voirdire.raters.exchange.checking._integrity import check as check_deduction

    return check_deduction(given, Work(settings=project.settings, document=document, item=item, rows=()))


def item_of(project: Project, name: Any) -> Item:
    """The item of this id.

    Raises:
        FieldError: there is none.
    """
    item = project.items.get(text("item", name))
    if item is None:
        raise FieldError("item", f"is {shown(name)}, and the project has no such item")
    return item
