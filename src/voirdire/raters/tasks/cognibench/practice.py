"""The qualification set as documents and items."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import accumulate
from typing import Any

from voirdire.raters.records import Document, Item
from voirdire.raters.tasks.base import Made
from voirdire.raters.tasks.cognibench.ladder import walk
from voirdire.raters.tasks.cognibench.texts import practice_answers


def practice() -> Made:
    """The packaged practice answers: one item for each statement, with its key.

    Returns:
        Documents, and items whose key holds `label`, `path` (question and answer of each step) and `why`.
    """
    answers = practice_answers()
    items = (
        Item(id=f"{_name(each)}#{place}", document=_name(each), place=place, pool="practice", key=_key(statement))
        for each in answers
        for place, statement in enumerate(each["statements"])
    )
    return Made(tuple(map(_document, answers)), tuple(items))


def _name(answer: Mapping[str, Any]) -> str:
    return f"practice:{answer['id']}"


def _document(answer: Mapping[str, Any]) -> Document:
    texts = [statement["text"] for statement in answer["statements"]]
    starts = accumulate((len(text) + 1 for text in texts[:-1]), initial=0)
    body = {
        "context": answer["context"],
        "question": answer["question"],
        "answer": " ".join(texts),
        "history": [],
        "statements": [
            {"text": text, "start": start, "end": start + len(text)} for text, start in zip(texts, starts, strict=True)
        ],
    }
    return Document(id=_name(answer), body=body, group=_name(answer), source={"practice": answer["id"]})


def _key(statement: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "label": statement["label"],
        "path": [list(step) for step in walk(statement["path"])],
        "why": statement["why"],
    }
