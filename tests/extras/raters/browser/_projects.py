"""Small projects of each task, written by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from voirdire.raters.records import Document, Item, Settings
from voirdire.raters.store import Store

PEOPLE = (("Ann", "rater"), ("Ben", "rater"), ("Cleo", "adjudicator"))
CONTEXT = "The library on the square opens at nine from Monday to Friday. The reading room closes at five."
STATEMENTS = ("The library opens at nine on Mondays.", "It suits people who rise early.", "Ask me anything.")
FACTS = (
    {"id": "F1", "text": "The council passed the budget by nine to four.", "central": True, "relevant": True},
    {"id": "F2", "text": "Taxes rise by three percent.", "central": True, "relevant": True},
    {"id": "F3", "text": "Two members spoke against it.", "central": False, "relevant": True},
)
SENTENCES = ("The council passed the budget by nine to four.", "Taxes will rise by two percent.")
CONCEPT = "Photosynthesis"
REFERENCE = "Plants make sugar of carbon dioxide and water with the energy of light; oxygen is set free."
TRAP = "the Lindgren cycle"


def make(
    path: Path,
    task: str,
    *,
    documents: int = 1,
    text: str | None = None,
    practice: Sequence[tuple[Document, Item]] = (),
    **settings: Any,
) -> Path:
    """A project's file.

    Args:
        path: where it is to be.
        task: which.
        documents: how many.
        text: what the model has said, in the place of what is written here.
        practice: what comes before the documents.
        settings: beyond those that all have.
    """
    made = [_MAKERS[task](number, text) for number in range(1, documents + 1)]
    items = [
        Item(id=f"{document.id}#{place}" if task == "cognibench" else document.id, document=document.id, place=place)
        for document in made
        for place in range(len(document.body["statements"]) if task == "cognibench" else 1)
    ]
    told = Settings(**{"task": task, "title": f"The project of {task}", "gold": "adjudicated", **settings})
    first_documents, first_items = zip(*practice, strict=True) if practice else ((), ())
    Store.create(path, told, [*first_documents, *made], [*first_items, *items], PEOPLE)
    return path


def _answer(number: int, text: str | None) -> Document:
    statements = (text,) if text else STATEMENTS
    body = {
        "context": CONTEXT,
        "question": "When does the library open?",
        "answer": " ".join(statements),
        "history": [["Is there a library?", "Yes, on the square."]],
        "statements": _cut(statements),
    }
    return _document(f"answer-{number}", body)


def _response(number: int, text: str | None) -> Document:
    sentences = (text,) if text else SENTENCES
    body = {
        "context": "Should the town raise its taxes?",
        "facts": [{**fact, "side": None} for fact in FACTS],
        "response": " ".join(sentences),
        "sentences": _cut(sentences),
    }
    return _document(f"response-{number}", body)


def _turn(number: int, text: str | None) -> Document:
    body = {
        "concept": CONCEPT,
        "reference": REFERENCE,
        "turn": number,
        "history": [["What is it?", "How plants make sugar."]] * (number - 1),
        "question": "Where does the oxygen come from?",
        "answer": text or "From the water that is split.",
        "fabricated": TRAP if number == 2 else "",
        "kind": "",
        "as_of": "",
    }
    return _document(f"turn-{number}", body)


def _anything(number: int, text: str | None) -> Document:
    body = {
        "passages": [CONTEXT, text or "The café is closed."],
        "history": [["Is there a library?", "Yes, on the square."]],
        "prompt": f"When does the library open, {number}?",
        "reference": "At nine.",
        "choices": [],
        "output": text or " ".join(STATEMENTS),
        "outputs": [],
        "flags": [{"start": 4, "end": 11, "says": "number"}],
    }
    return _document(f"answer-{number}", body)


def _pair(number: int, text: str | None) -> Document:
    document = _anything(number, text)
    return replace(document, body={**document.body, "output": "", "outputs": [text or "At nine.", "At ten."]})


def _document(name: str, body: Mapping[str, Any]) -> Document:
    return Document(id=name, body=body, group=name, source={"item": name})


def _cut(sentences: Sequence[str]) -> list[dict[str, Any]]:
    found, start = [], 0
    for sentence in sentences:
        found.append({"text": sentence, "start": start, "end": start + len(sentence)})
        start += len(sentence) + 1
    return found


_MAKERS = {
    "cognibench": _answer,
    "integrity": _response,
    "ddft": _turn,
    "labels": _anything,
    "score": _anything,
    "preference": _pair,
    "spans": _anything,
}
