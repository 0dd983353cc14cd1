"""Documents and items of a project, from whatever holds grounded dialogues: data, runs, tasks of Label Studio."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from voirdire.cognibench.detection_reader import is_detected
from voirdire.cognibench.formats import read_data
from voirdire.cognibench.records import CognibenchError
from voirdire.data.json_text import without_halves
from voirdire.detectors.records import Answer
from voirdire.errors import shown
from voirdire.raters.exchange.field_checks import FieldError, mapping, sequence, text
from voirdire.raters.exchange.label_studio import PREDICTIONS, read_tasks
from voirdire.raters.exchange.records import TASKS, ExchangeError
from voirdire.raters.records import Document, Item, RatersError
from voirdire.raters.sampling import SampledUnit, simple, stratified
from voirdire.raters.tasks.base import DrawOptions, Materials, left_out
from voirdire.runs import RunFolderError
from voirdire.text.sentences import cut_answer

_CONTEXTS = ("context", "contexts", "reference")
_QUESTIONS = ("question", "query", "prompt")
_ANSWERS = ("answer", "response", "output")
_STATEMENTS = ("statement", "sentence")


@dataclass(slots=True)
class _TaskAnswer:
    """What tasks tell of one answer."""

    context: str
    question: str
    answer: str
    history: list[list[str]]
    task: str | int | None
    """Id of its first task."""
    places: dict[int, int] = field(default_factory=dict)
    """Ends of statements, by where they begin."""
    predictions: list[tuple[int | None, Any]] = field(default_factory=list)
    """(where its statement begins, prediction); `None`: of the whole answer."""


def holds_tasks(path: Path) -> bool:
    """Whether a file holds Label Studio's tasks; one that can't be read is left to others to complain of."""
    if path.suffix != ".json" or not path.is_file():
        return False
    try:
        first = next(read_tasks(path), None)
    except ExchangeError:
        return False
    return first is not None and isinstance(first[1]["data"], Mapping)


def tasks_in(source: Path) -> Path:
    """The file with the tasks, where the source is the folder of an export for Label Studio; else the source."""
    return source / TASKS if holds_tasks(source / TASKS) else source


def documents_of(path: Path) -> Materials:
    """Documents and items from Label Studio's tasks, in their order.

    `data` must hold a context and an answer; a question, a `history` of [user, assistant] and an id (`document`) are
    optional. Tasks with a `statement` are of one sentence each: those of one answer become one document. Without it the
    answer is cut into sentences. Predictions stand in `Document.source["predictions"]`.

    Raises:
        ExchangeError: a file or task that can't be used.
    """
    answers: dict[str, _TaskAnswer] = {}
    for where, task in read_tasks(path):
        try:
            _add_task(mapping("data", task["data"]), task, answers)
        except FieldError as error:
            raise ExchangeError(f"{where}: {error}.") from None
    if not answers:
        raise ExchangeError(f"{path} holds no tasks.")
    documents = [_document(name, answer, path) for name, answer in answers.items()]
    items = [
        Item(id=f"{document.id}#{place}", document=document.id, place=place)
        for document in documents
        for place in range(len(document.body["statements"]))
    ]
    return Materials(tuple(documents), tuple(items))


def _add_task(data: Mapping[str, Any], task: Mapping[str, Any], answers: dict[str, _TaskAnswer]) -> None:
    """Add what one task tells."""
    answer = _TaskAnswer(
        context=_context(data),
        question=_text(data, _QUESTIONS) or "",
        answer=_required_text(data, _ANSWERS),
        history=_history(data.get("history") or []),
        task=_id(task.get("id")),
    )
    name = _name(data, task, answer)
    task_answer = answers.setdefault(name, answer)
    if (task_answer.context, task_answer.question, task_answer.answer) != (
        answer.context,
        answer.question,
        answer.answer,
    ):
        raise FieldError("data.document", f"is {shown(name)}, as that of another answer")
    start = _place(data, task_answer)
    predictions = task.get("predictions") or []
    task_answer.predictions += [(start, without_halves(each)) for each in sequence("predictions", predictions)]


def _name(data: Mapping[str, Any], task: Mapping[str, Any], answer: _TaskAnswer) -> str:
    """The answer's id: as given, or else a hash of it where its statements are tasks, or the task's."""
    name = data.get("document")
    if name is None and _text(data, _STATEMENTS) is None:
        name = task.get("id")
    if isinstance(name, int) and not isinstance(name, bool):
        return str(name)
    return _hash(answer.context, answer.question, answer.answer) if name is None else text("data.document", name)


def _id(value: Any) -> str | int | None:
    """A task's id; what is none is left out."""
    if isinstance(value, str):
        return text("id", value)
    return value if isinstance(value, int) else None


def _place(data: Mapping[str, Any], answer: _TaskAnswer) -> int | None:
    """Where the task's statement begins; `None` where the task is of the whole answer."""
    statement = _text(data, _STATEMENTS)
    if statement is None:
        for sentence in cut_answer(answer.answer):
            _add_place(answer, sentence.start, sentence.end)
        return None
    start = data.get("start")
    if start is None:
        start = answer.answer.find(statement, max(answer.places.values(), default=0))
    if (
        not statement
        or not isinstance(start, int)
        or start < 0
        or answer.answer[start : start + len(statement)] != statement
    ):
        raise FieldError("data.statement", "does not stand in the answer, or not after the one before it")
    _add_place(answer, start, start + len(statement))
    return start


def _add_place(answer: _TaskAnswer, start: int, end: int) -> None:
    if start in answer.places:
        raise FieldError("data", "is of a statement that was already given")
    answer.places[start] = end


def _document(name: str, answer: _TaskAnswer, path: Path) -> Document:
    places = sorted(answer.places.items())
    items = {start: f"{name}#{number}" for number, (start, _) in enumerate(places)}
    predictions = [
        {"item": None if start is None else items[start], "prediction": each} for start, each in answer.predictions
    ]
    return Document(
        id=name,
        body={
            "context": answer.context,
            "question": answer.question,
            "answer": answer.answer,
            "history": answer.history,
            "statements": [{"text": answer.answer[start:end], "start": start, "end": end} for start, end in places],
        },
        group=_hash(answer.context),
        source={"answer": name, "path": str(path), "task": answer.task, PREDICTIONS: predictions},
    )


def _context(data: Mapping[str, Any]) -> str:
    for name in _CONTEXTS:
        if isinstance(data.get(name), list):
            return "\n\n".join(text(f"data.{name}", part) for part in data[name])
    return _required_text(data, _CONTEXTS)


def _required_text(data: Mapping[str, Any], names: Sequence[str]) -> str:
    value = _text(data, names)
    if value is None:
        raise FieldError(f"data.{names[0]}", f"is missing (or {', '.join(names[1:])})")
    return value


def _text(data: Mapping[str, Any], names: Sequence[str]) -> str | None:
    """The first of these fields that is there."""
    return next((text(f"data.{name}", data[name]) for name in names if data.get(name) is not None), None)


def _history(turns: Any) -> list[list[str]]:
    exchanges = []
    for place, each in enumerate(sequence("data.history", turns)):
        name = f"data.history[{place}]"
        parts = [each.get("user"), each.get("assistant")] if isinstance(each, Mapping) else sequence(name, each)
        if len(parts) != 2:
            raise FieldError(name, "must hold what the user and the assistant said")
        exchanges.append([text(name, part) for part in parts])
    return exchanges


def _hash(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:12]


def make(path: Path, options: DrawOptions) -> Materials:
    """Documents (answers) and items (their sentences).

    The sample is drawn by topic, each in proportion to its size, where all answers have a topic and the sample has room
    for every one; otherwise from all alike. No label, score or model's name is taken over: raters can't be told by
    what is not there.

    Args:
        path: anything that `read_data` reads: JSONL, CogniBench's release, RAGTruth, the folder of a labelling run;
            or Label Studio's tasks, whose predictions stay out of sight.
        options: how many, and the seed that draws and shuffles; its jury is of no concern here.

    Raises:
        RatersError: nothing there that can be rated, or a sample of less than one is wanted.
    """
    if is_detected(path):
        raise RatersError(
            f"{path} is what voirdire detect wrote: sentences without their contexts. Name the answers that it was "
            "made of in --from, or choose a task that takes them, such as --task spans."
        )
    if holds_tasks(path):
        return _make_of_tasks(path, options)
    read = _read(path, plain=options.plain)
    answers = {answer.id: answer for answer in read if answer.statements}
    if not answers:
        raise RatersError(f"{path} holds no answer with a sentence in it: there is nothing to rate.")
    documents = [_document_of(answers[each.unit], each, path) for each in _draw(list(answers.values()), options)]
    items = [
        Item(id=f"{document.id}#{place}", document=document.id, place=place)
        for document in documents
        for place in range(len(document.body["statements"]))
    ]
    silent = [answer.id for answer in read if not answer.statements]
    return Materials(tuple(documents), tuple(items), left_out=left_out("no_sentence", silent))


def _read(path: Path, *, plain: bool) -> list[Answer]:
    try:
        return read_data(path, plain=plain).answers
    except (CognibenchError, RunFolderError) as error:
        raise RatersError(str(error)) from error


def _draw(answers: Sequence[Answer], options: DrawOptions) -> list[SampledUnit]:
    units = [answer.id for answer in answers]
    wanted = len(units) if options.sample is None else options.sample
    topics = [answer.topic for answer in answers if answer.topic is not None]
    if len(topics) == len(answers) and wanted >= len(set(topics)):
        return stratified(units, topics, wanted, options.seed)
    return simple(units, wanted, options.seed)


def _document_of(answer: Answer, sampled: SampledUnit, path: Path) -> Document:
    return Document(
        id=answer.id,
        body={
            "context": answer.context,
            "question": answer.question,
            "answer": answer.text,
            "history": [list(exchange) for exchange in answer.history],
            "statements": [{"text": each.text, "start": each.start, "end": each.end} for each in answer.statements],
        },
        group=answer.group,
        source={"answer": answer.id, "path": str(path), "dialogue": answer.dialogue, "turn": answer.turn},
        stratum=sampled.stratum,
        weight=sampled.weight,
    )


def _make_of_tasks(path: Path, options: DrawOptions) -> Materials:
    read = documents_of(path)
    by_id = {document.id: document for document in read.documents}
    sample = simple(list(by_id), len(by_id) if options.sample is None else options.sample, options.seed)
    documents = tuple(replace(by_id[each.unit], weight=each.weight) for each in sample)
    items_of: dict[str, list[Item]] = {}
    for item in read.items:
        items_of.setdefault(item.document, []).append(item)
    items = tuple(item for document in documents for item in items_of[document.id])
    return Materials(tuple(documents), tuple(items))
