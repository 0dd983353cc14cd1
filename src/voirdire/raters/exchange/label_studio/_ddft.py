"""Judgements of turns in Label Studio: two numbers, a mark, the stance, a comment."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

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
from voirdire.records import STANCES

FAR = Control("far", "Number", "answer", "Accuracy, from 0 to 1 (FAR)", top=1)
SAS = Control("sas", "Number", "answer", "Form and relevance, from 0 to 1 (SAS)", top=1)
NO_CLAIMS = Control("no_claims", "Choices", "answer", "Does the answer claim nothing at all?", ("yes",))
STANCE = Control("stance", "Choices", "answer", "What does it make of the fabricated item?", STANCES)
COMMENT = Control("comment", "TextArea", "answer", "Comment (optional)")
FORM = Form(
    "ddft",
    (
        ("concept", "Concept"),
        ("reference", "Reference"),
        ("earlier", "Earlier in the dialogue"),
        ("question", "Question"),
        ("fabricated", "Fabricated item in the question"),
        ("answer", "The answer to judge"),
    ),
    "answer",
    (
        FAR,
        SAS,
        NO_CLAIMS,
        STANCE,
        COMMENT,
        Control(RATER, "TextArea", "answer", "Rater (filled in by voirdire)"),
        Control(GOLD, "TextArea", "answer", "Gold (filled in by voirdire)"),
    ),
)
_SHOWN = ("concept", "reference", "turn", "question", "answer", "fabricated", "kind", "as_of")


def data(document: Document, item: Item) -> dict[str, Any]:
    """What is shown of a turn, and what finds it again."""
    body = document.body
    return {
        **{name: body[name] for name in _SHOWN},
        "earlier": earlier(body["history"]),
        "history": [list(exchange) for exchange in body["history"]],
    }


def results(value: Mapping[str, Any], document: Document, item: Item) -> list[Result]:
    """A judgement as results; what is not said has none."""
    found = [result(each, value[each.name], 1) for each in (FAR, SAS) if value.get(each.name) is not None]
    if value.get("no_claims"):
        found.append(result(NO_CLAIMS, ["yes"], 1))
    if value.get("stance") is not None:
        found.append(result(STANCE, [value["stance"]], 1))
    if value.get("comment"):
        found.append(result(COMMENT, [value["comment"]], 1))
    return found


def value_of(said: Said, document: Document, item: Item) -> dict[str, Any]:
    """The judgement that results stand for, not yet checked."""
    return {
        "far": said.whole.get("far"),
        "sas": said.whole.get("sas"),
        "no_claims": "no_claims" in said.whole,
        "stance": said.whole.get("stance"),
        "comment": joined(said.whole, "comment"),
    }
