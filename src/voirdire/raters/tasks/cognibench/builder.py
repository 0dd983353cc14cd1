"""Documents and items of a project, from whatever holds grounded dialogues."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from voirdire.cognibench.formats import read_data
from voirdire.cognibench.records import CognibenchError
from voirdire.detectors.records import Answer
from voirdire.raters.records import Document, Item, RatersError
from voirdire.raters.sampling import Drawn, simple, stratified
from voirdire.raters.tasks.base import Made, Making
from voirdire.raters.tasks.cognibench.guideline import practice
from voirdire.raters.tasks.cognibench.label_studio_source import documents_of, holds_tasks
from voirdire.run import RunFolderError


def make(path: Path, making: Making) -> Made:
    """Documents (answers) and items (their sentences), practice first.

    The sample is drawn by topic, each in proportion to its size, where all answers have a topic and the sample has room
    for every one; otherwise from all alike. No label, score or model's name is taken over: raters can't be told by
    what is not there.

    Args:
        path: anything that `read_data` reads: JSONL, CogniBench's release, RAGTruth, the folder of a labelling run;
            or Label Studio's tasks, whose predictions stay out of sight.
        making: how many, and the seed that draws and shuffles; its jury is of no concern here.

    Raises:
        RatersError: nothing there that can be rated, or a sample of less than one is wanted.
    """
    if holds_tasks(path):
        return _make_of_tasks(path, making)
    answers = {answer.id: answer for answer in _read(path, plain=making.plain) if answer.statements}
    if not answers:
        raise RatersError(f"{path} holds no answer with a sentence in it: there is nothing to rate.")
    first = practice() if making.practice else Made((), ())
    documents = [_document(answers[each.unit], each, path) for each in _draw(list(answers.values()), making)]
    items = [
        Item(id=f"{document.id}#{place}", document=document.id, place=place)
        for document in documents
        for place in range(len(document.body["statements"]))
    ]
    return Made((*first.documents, *documents), (*first.items, *items))


def _read(path: Path, *, plain: bool) -> list[Answer]:
    try:
        return read_data(path, plain=plain).answers
    except (CognibenchError, RunFolderError) as error:
        raise RatersError(str(error)) from error


def _draw(answers: Sequence[Answer], making: Making) -> list[Drawn]:
    units = [answer.id for answer in answers]
    wanted = len(units) if making.sample is None else making.sample
    topics = [answer.topic for answer in answers if answer.topic is not None]
    if len(topics) == len(answers) and wanted >= len(set(topics)):
        return stratified(units, topics, wanted, making.seed)
    return simple(units, wanted, making.seed)


def _document(answer: Answer, drawn: Drawn, path: Path) -> Document:
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
        stratum=drawn.stratum,
        weight=drawn.weight,
    )


def _make_of_tasks(path: Path, making: Making) -> Made:
    found = documents_of(path)
    by_id = {document.id: document for document in found.documents}
    drawn = simple(list(by_id), len(by_id) if making.sample is None else making.sample, making.seed)
    documents = tuple(replace(by_id[each.unit], weight=each.weight) for each in drawn)
    items_of: dict[str, list[Item]] = {}
    for item in found.items:
        items_of.setdefault(item.document, []).append(item)
    items = tuple(item for document in documents for item in items_of[document.id])
    first = practice() if making.practice else Made((), ())
    return Made((*first.documents, *documents), (*first.items, *items))
