"""A project as Label Studio's tasks: what is shown, people's ratings, predictions that came with it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from voirdire.raters.exchange.checking import FieldError
from voirdire.raters.exchange.label_studio.controls import GOLD, RATER, Form, Result, read_results, result
from voirdire.raters.exchange.label_studio.forms import Shape, shape_of
from voirdire.raters.exchange.records import Which, called, chosen_items, chosen_ratings
from voirdire.raters.records import Document, Item, Project, Rater, Rating
from voirdire.text.counting import counted

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


class Tasks(NamedTuple):
    """Tasks, and what is to be said of them."""

    tasks: list[dict[str, Any]]
    notes: tuple[str, ...]


def tasks_of(project: Project, *, pool: Which = "live", names: bool = False, gold: bool = False) -> Tasks:
    """A task for every item, in Label Studio's JSON format.

    Who has rated stands in a control of its own; `completed_by` is given only where raters are called by names that are
    mail addresses: Label Studio refuses to import people whom it does not know.

    Args:
        project: as it stands.
        pool: whose items.
        names: whether raters are called by their names.
        gold: whether gold is written, as an annotation that is ground truth.
    """
    shape = shape_of(project.settings.task)
    ratings: dict[str, list[Rating]] = {}
    for rating in chosen_ratings(project, pool):
        ratings.setdefault(rating.item, []).append(rating)
    numbered = enumerate(chosen_items(project, pool), start=1)
    tasks = [_task(project, shape, number, item, ratings.get(item.id, ()), names, gold) for number, item in numbered]
    return Tasks(tasks, tuple(_notes(project, tasks)))


def _task(
    project: Project, shape: Shape, number: int, item: Item, ratings: Iterable[Rating], names: bool, gold: bool
) -> dict[str, Any]:
    document = project.documents[item.document]
    annotations = [
        _annotation(project, shape, number, item, rating, project.raters[rating.rater], names) for rating in ratings
    ]
    if gold and item.id in project.gold:
        annotations.append(_golden(project, shape, number, item))
    for place, annotation in enumerate(annotations, start=1):
        annotation["id"] = 1000 * number + place  # unique as long as fewer than a thousand people rate an item
    predicted = predictions_of(document, item, shape.form)
    others = {"predictions": predicted.others} if predicted.others else {}
    return {
        "id": number,
        "data": {"item": item.id, "document": item.document, **shape.data(document, item)},
        "annotations": annotations,
        "predictions": predicted.fitting,
        "meta": {"task": project.settings.task, "pool": item.pool, **others},
    }


def _annotation(
    project: Project, shape: Shape, number: int, item: Item, rating: Rating, rater: Rater, names: bool
) -> dict[str, Any]:
    who = called(rater, names)
    role = [rating.role] if rating.role != "rater" else []
    results = shape.results(rating.value, project.documents[item.document], item)
    said = [*results, result(shape.form.control(RATER), [who, *role], 1)]
    known = {"completed_by": {"email": who}} if names and _is_address(who) else {}
    return {**_made(number, said, truth=False), **known, "lead_time": rating.seconds, "created_at": rating.at}


def _golden(project: Project, shape: Shape, number: int, item: Item) -> dict[str, Any]:
    gold = project.gold[item.id]
    results = shape.results(gold.value, project.documents[item.document], item)
    return _made(number, [*results, result(shape.form.control(GOLD), [gold.how], 1)], truth=True)


def _made(number: int, results: list[Result], *, truth: bool) -> dict[str, Any]:
    # Without `ground_truth`, Label Studio takes whatever is imported for ground truth.
    return {"id": 0, "task": number, "result": results, "was_cancelled": False, "ground_truth": truth}


def _is_address(name: str) -> bool:
    before, at, after = name.partition("@")
    return bool(before and at and "." in after and not any(character.isspace() for character in name))


def _notes(project: Project, tasks: Iterable[dict[str, Any]]) -> Iterable[str]:
    if project.questions:
        yield "Questions to the organiser are not in it: --to jsonl has them."
    kept = sum("predictions" in task["meta"] for task in tasks)
    if kept:
        yield f"Predictions of {counted(kept, 'task')} do not fit the labeling configuration, and stand under meta."
    if any("completed_by" in each for task in tasks for each in task["annotations"]):
        yield "Label Studio must know the raters' mail addresses before it imports this."
