"""Predictions that came with imported tasks: never shown to raters, given back where they fit the form."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from voirdire.raters.exchange.checking import FieldError
from voirdire.raters.exchange.label_studio.controls import Form, Result, read_results, result
from voirdire.raters.records import Document, Item

KEPT = "predictions"
"""In `Document.source`: [{"item": id or null, "prediction": as it was}]."""


class Predicted(NamedTuple):
    """The predictions of one item."""

    fitting: list[dict[str, Any]]
    others: list[Any]
    """As they were; Label Studio would refuse to import them as predictions."""


def predictions_of(document: Document, item: Item, form: Form) -> Predicted:
    """What was predicted of an item, or of all of its document, when it came."""
    found = Predicted([], [])
    for entry in document.source.get(KEPT, ()):
        if entry["item"] not in (None, item.id):
            continue
        fitting = _fitted(entry["prediction"], form)
        if fitting is None:
            found.others.append(entry["prediction"])
        else:
            found.fitting.append(fitting)
    return found


def _fitted(given: Any, form: Form) -> dict[str, Any] | None:
    """A prediction in the terms of the form; `None` where it can't be put so."""
    if not isinstance(given, Mapping):
        return None
    results = _in_our_terms(given.get("result"), form)
    if results is None:
        return None
    known = {name: given[name] for name in ("model_version", "score") if given.get(name) is not None}
    return {**known, "result": results}


def _in_our_terms(results: Any, form: Form) -> list[Result] | None:
    """As they are where they fit; or the one choice that they hold, whatever its control was called."""
    try:
        read_results(results, form)
        return list(results)
    except FieldError:
        return _one_choice(results, form)


def _one_choice(results: Any, form: Form) -> list[Result] | None:
    if not isinstance(results, list) or len(results) != 1 or not isinstance(results[0], Mapping):
        return None
    value = results[0].get("value")
    choices = value.get("choices") if isinstance(value, Mapping) else None
    if not isinstance(choices, list) or len(choices) != 1:
        return None
    for control in form.controls:
        if control.kind == "Choices" and control.required and choices[0] in control.choices:
            return [result(control, list(choices), 1)]
    return None
