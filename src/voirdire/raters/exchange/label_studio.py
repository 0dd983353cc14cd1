"""Label Studio's JSON: a project as its tasks, with ratings and predictions; annotations made there, read back.

Its format: https://labelstud.io/guide/task_format.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from voirdire.data.files import FileError, whole_text
from voirdire.data.json_text import JsonError, parse_json
from voirdire.errors import shown
from voirdire.raters.exchange.field_checks import FieldError, check_value, mapping, role_of, seconds_of, sequence, text
from voirdire.raters.exchange.label_studio_form import GOLD, RATER, Form, Result, TaskForm, read_results, result
from voirdire.raters.exchange.records import (
    CANCELLED,
    GOLDEN,
    PRACTICE,
    PREDICTED,
    Entry,
    ExchangeError,
    FileRatings,
    PoolChoice,
    chosen_items,
    chosen_ratings,
    exported_name,
    skipped_lines,
)
from voirdire.raters.records import Document, How, Item, Project, Rater, Rating
from voirdire.raters.tasks import task_of
from voirdire.text.counting import counted

_IN_SIGHT = "in sight of the others"
_DECIDED: Mapping[str, How] = {"kept in sight of the others": "kept", "changed in sight of the others": "changed"}
"""How an adjudicator rated who was not blind, and decided: further words of the control that says who has rated."""
PREDICTIONS = "predictions"
"""In `Document.source`: [{"item": id or null, "prediction": as it was}]."""


def task_form_of(project: Project) -> TaskForm:
    """How a project's task looks in Label Studio.

    Raises:
        ExchangeError: it has no form there.
    """
    form = task_of(project.settings).exchange().label_studio
    if form is None:
        raise ExchangeError(f"The task {project.settings.task} has no form for Label Studio: choose another one.")
    return form


class ItemPredictions(NamedTuple):
    """The predictions of one item."""

    fitting: list[dict[str, Any]]
    others: list[Any]
    """As they were; Label Studio would refuse to import them as predictions."""


def predictions_of(document: Document, item: Item, form: Form) -> ItemPredictions:
    """What was predicted of an item, or of all of its document, when it came."""
    predicted = ItemPredictions([], [])
    for entry in document.source.get(PREDICTIONS, ()):
        if entry["item"] not in (None, item.id):
            continue
        fitting = _fit_prediction(entry["prediction"], form)
        if fitting is None:
            predicted.others.append(entry["prediction"])
        else:
            predicted.fitting.append(fitting)
    return predicted


def _fit_prediction(prediction: Any, form: Form) -> dict[str, Any] | None:
    """A prediction in the terms of the form; `None` where it can't be put so."""
    if not isinstance(prediction, Mapping):
        return None
    results = _fit_results(prediction.get("result"), form)
    if results is None:
        return None
    details = {name: prediction[name] for name in ("model_version", "score") if prediction.get(name) is not None}
    return {**details, "result": results}


def _fit_results(results: Any, form: Form) -> list[Result] | None:
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


def tasks_of(project: Project, *, pool: PoolChoice = "live", names: bool = False, gold: bool = False) -> Tasks:
    """A task for every item, in Label Studio's JSON format.

    Who has rated stands in a control of its own; `completed_by` is given only where raters are called by names that are
    mail addresses: Label Studio refuses to import people whom it does not know.

    Args:
        project: as it stands.
        pool: whose items.
        names: whether raters are called by their names.
        gold: whether gold is written, as an annotation that is ground truth.
    """
    shape = task_form_of(project)
    ratings: dict[str, list[Rating]] = {}
    for rating in chosen_ratings(project, pool):
        ratings.setdefault(rating.item, []).append(rating)
    numbered = enumerate(chosen_items(project, pool), start=1)
    tasks = [_task(project, shape, number, item, ratings.get(item.id, ()), names, gold) for number, item in numbered]
    return Tasks(tasks, tuple(_notes(project, tasks)))


def _task(
    project: Project, shape: TaskForm, number: int, item: Item, ratings: Iterable[Rating], names: bool, gold: bool
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
    unfit = {"predictions": predicted.others} if predicted.others else {}
    return {
        "id": number,
        "data": {"item": item.id, "document": item.document, **shape.data(document, item)},
        "annotations": annotations,
        "predictions": predicted.fitting,
        "meta": {"task": project.settings.task, "practice": item.pool == "practice", **unfit},
    }


def _annotation(
    project: Project, shape: TaskForm, number: int, item: Item, rating: Rating, rater: Rater, names: bool
) -> dict[str, Any]:
    name = exported_name(rater, names)
    sight = [*([] if rating.blind else [_IN_SIGHT]), *(say for say, how in _DECIDED.items() if how == rating.decision)]
    role = [rating.role, *sight] if rating.role != "rater" else []
    results = shape.results(rating.value, project.documents[item.document], item)
    answers = [*results, result(shape.form.control(RATER), [name, *role], 1)]
    author = {"completed_by": {"email": name}} if names and _is_address(name) else {}
    return {
        **_annotation_fields(number, answers, skipped=shape.is_skipped(results), truth=False),
        **author,
        "lead_time": rating.seconds,
        "created_at": rating.at,
    }


def _golden(project: Project, shape: TaskForm, number: int, item: Item) -> dict[str, Any]:
    gold = project.gold[item.id]
    results = shape.results(gold.value, project.documents[item.document], item)
    answers = [*results, result(shape.form.control(GOLD), [gold.how], 1)]
    return _annotation_fields(number, answers, skipped=shape.is_skipped(results), truth=True)


def _annotation_fields(number: int, results: list[Result], *, skipped: bool, truth: bool) -> dict[str, Any]:
    # Without `ground_truth`, Label Studio takes whatever is imported for ground truth.
    return {"id": 0, "task": number, "result": results, "was_cancelled": skipped, "ground_truth": truth}


def _is_address(name: str) -> bool:
    before, at, after = name.partition("@")
    return bool(before and at and "." in after and not any(character.isspace() for character in name))


def _notes(project: Project, tasks: Iterable[dict[str, Any]]) -> Iterable[str]:
    if project.questions:
        yield "Questions to the organiser are not in it: --to jsonl has them."
    odd = sum("predictions" in task["meta"] for task in tasks)
    if odd:
        yield f"Predictions of {counted(odd, 'task')} do not fit the labeling configuration, and stand under meta."
    if any("completed_by" in each for task in tasks for each in task["annotations"]):
        yield "Label Studio must know the raters' mail addresses before it imports this."


_COMPARED = ("context", "question", "answer", "reference", "concept", "turn", "start", "end")
"""Fields of `data` that must be equal where a task has them, beside the text that is rated."""


class Finder:
    """Finds items by id or by the text that is rated."""

    def __init__(self, project: Project) -> None:
        """Of this project."""
        self._project = project
        self._shape = task_form_of(project)
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
            difference = self._difference(item, data)
            if difference:
                raise FieldError(f"data.{difference}", f"is not that of the item {item.id} in the project")
            return item
        return self._by_its_text(data)

    def _by_its_text(self, data: Mapping[str, Any]) -> Item:
        main = text(f"data.{self._main}", data.get(self._main))
        fitting = [item for item in self._by_text.get(main, ()) if self._difference(item, data) is None]
        if len(fitting) != 1:
            many = f"stands in {len(fitting)} items" if fitting else "stands in no item"
            raise FieldError(f"data.{self._main}", f"{many} of the project: name the item in data.item")
        return fitting[0]

    def _difference(self, item: Item, data: Mapping[str, Any]) -> str | None:
        own = self._data(item)
        for name in (self._main, *_COMPARED):
            if name in own and name in data and data[name] != own[name]:
                return name
        return None

    def _data(self, item: Item) -> dict[str, Any]:
        return self._shape.data(self._project.documents[item.document], item)


def read_annotations(path: Path, project: Project) -> FileRatings:
    """The ratings of a file that Label Studio has exported as JSON (not JSON-MIN), or that was exported for it.

    Args:
        path: of the file.
        project: whose items they are of; items are found by their id, and must hold the same text, or by their text.

    Raises:
        ExchangeError: the file can't be read, or a rating does not fit its item; task and field are named.
    """
    shape, finder = task_form_of(project), Finder(project)
    entries: list[Entry] = []
    passed: Counter[str] = Counter()
    for where, task in read_tasks(path):
        passed[PREDICTED] += len(_list_field(where, task, "predictions"))
        for number, each in enumerate(_list_field(where, task, "annotations"), start=1):
            try:
                entry = _entry(f"{where}, annotation {number}", project, shape, finder, task, each)
            except FieldError as error:
                raise ExchangeError(f"{where}, annotation {number}: {error}.") from None
            if isinstance(entry, Entry):
                entries.append(entry)
            else:
                passed[entry] += 1
    return FileRatings(entries, skipped_lines(passed))


def _list_field(where: str, task: Mapping[str, Any], name: str) -> Sequence[Any]:
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
    where: str, project: Project, shape: TaskForm, finder: Finder, task: Mapping[str, Any], raw: Any
) -> Entry | str:
    """A rating; or why it is passed over."""
    annotation = mapping("annotation", raw)
    if annotation.get("was_cancelled") and not shape.is_skipped(annotation.get("result")):
        return CANCELLED
    item = finder.find(mapping("data", task["data"]))
    answers = read_results(annotation.get("result"), shape.form)
    if GOLD in answers.whole:
        return GOLDEN
    if item.pool == "practice":
        return PRACTICE
    value = shape.value_of(answers, project.documents[item.document], item)
    name, *role = answers.whole.get(RATER) or [_account(annotation.get("completed_by"))]
    at = annotation.get("created_at")
    return Entry(
        where=where,
        item=item.id,
        rater=name,
        value=check_value(value, project, item),
        role=role_of(role[0] if role else None),
        blind=_IN_SIGHT not in role[1:],
        decision=next((how for say, how in _DECIDED.items() if say in role[1:]), None),
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
