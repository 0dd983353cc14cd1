"""Items and ratings in a line each, for lists: people know a statement by its words, not by its id."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from voirdire.raters.records import Document, Item, TaskName
from voirdire.raters.tasks.cognibench.guideline import class_of
from voirdire.text.counting import counted

_SHORT = 140
"""Characters of a text in a list."""

Value = Mapping[str, Any]


def item_in_words(task: TaskName, document: Document, item: Item) -> str:
    """What is rated, in a line."""
    return shortened(_ITEMS[task](document.body, item))


def rating_in_words(task: TaskName, value: Value) -> str:
    """What a rating says, in a line."""
    return _RATINGS[task](value)


def shortened(text: str, limit: int = _SHORT) -> str:
    """The beginning of a text, in one line."""
    line = " ".join(text[: 4 * limit].split())
    return line if len(line) <= limit and len(text) <= 4 * limit else f"{line[: limit - 1].rstrip()}…"


def duration(seconds: float) -> str:
    """A span of time as people say it: "45 s", "12 min", "3.5 h"."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 100 * 60 else f"{seconds / 3600:.1f} h"


def _statement(body: Value, item: Item) -> str:
    return str(body["statements"][item.place]["text"])


def _response(body: Value, _: Item) -> str:
    return str(body["response"] or body["context"])  # not the case first: several responses answer the same one


def _turn(body: Value, _: Item) -> str:
    return f"{body['concept']}, question {body['turn']}: {body['question']}"


def _label(value: Value) -> str:
    return class_of(value["label"])["name"]


def _score(value: Value) -> str:
    found = counted(len(value["violations"]), "violation")
    return f"Score {value['score']} ({value['band']}), {found}; first impression {value['holistic']}"


def _far_sas(value: Value) -> str:
    far = "no checkable claims" if value["no_claims"] else f"FAR {value['far']:g}"
    stance = f", {value['stance']}" if value["stance"] else ""
    return f"{far}, SAS {value['sas']:g}{stance}"


_ITEMS: Mapping[TaskName, Callable[[Value, Item], str]] = {
    "cognibench": _statement,
    "integrity": _response,
    "ddft": _turn,
}
_RATINGS: Mapping[TaskName, Callable[[Value], str]] = {"cognibench": _label, "integrity": _score, "ddft": _far_sas}
