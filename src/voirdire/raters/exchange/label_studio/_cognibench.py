"""Labels of statements in Label Studio: one task per statement, one choice."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from voirdire.detectors.records import LABELS
from voirdire.errors import shown
from voirdire.raters.exchange.checking import FieldError
from voirdire.raters.exchange.label_studio.controls import (
    GOLD,
    RATER,
    Control,
    Form,
    Result,
    Said,
    earlier,
    joined,
    result,
)
from voirdire.raters.records import Document, Item

LABEL = Control("label", "Choices", "statement", "What is the statement?", LABELS, required=True)
REASON = Control("reason", "TextArea", "statement", "Why? (optional)")
STEPS = Control("steps", "TextArea", "statement", "Questions and answers that led to it (filled in by voirdire)")
FORM = Form(
    "cognibench",
    (
        ("context", "Context"),
        ("earlier", "Earlier in the dialogue"),
        ("question", "Question"),
        ("answer", "Answer"),
        ("statement", "The statement to judge"),
    ),
    "statement",
    (
        LABEL,
        REASON,
        STEPS,
        Control(RATER, "TextArea", "statement", "Rater (filled in by voirdire)"),
        Control(GOLD, "TextArea", "statement", "Gold (filled in by voirdire)"),
    ),
)
_BETWEEN = ": "


def data(document: Document, item: Item) -> dict[str, Any]:
    """What is shown of a statement, and what finds it again."""
    body = document.body
    statement = body["statements"][item.place]
    return {
        "context": body["context"],
        "earlier": earlier(body["history"]),
        "question": body["question"],
        "answer": body["answer"],
        "statement": statement["text"],
        "start": statement["start"],
        "end": statement["end"],
        "history": [list(exchange) for exchange in body["history"]],
    }


def results(value: Mapping[str, Any], document: Document, item: Item) -> list[Result]:
    """A label as results."""
    found = [result(LABEL, [value["label"]], 1)]
    if value.get("reason"):
        found.append(result(REASON, [value["reason"]], 1))
    if value.get("steps"):
        found.append(result(STEPS, [_BETWEEN.join(step) for step in value["steps"]], 1))
    return found


def value_of(said: Said, document: Document, item: Item) -> dict[str, Any]:
    """The label that results stand for, not yet checked.

    Raises:
        FieldError: a step is no question and answer.
    """
    steps = [step.partition(_BETWEEN) for step in said.whole.get("steps", ())]
    for question, between, _ in steps:
        if not between:
            raise FieldError("steps", f"has {shown(question)}; a question, a colon and an answer are expected")
    return {
        "label": said.whole.get("label"),
        "reason": joined(said.whole, "reason"),
        "steps": [[question, answer] for question, _, answer in steps],
    }
