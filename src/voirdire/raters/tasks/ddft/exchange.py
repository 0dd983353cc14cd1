"""Judgements of turns outside a project: checked, as columns of a table, in Label Studio."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from voirdire.raters.exchange.field_checks import FieldError, check_names, flag, one_of, share, text
from voirdire.raters.exchange.label_studio_form import (
    GOLD,
    RATER,
    Answers,
    Control,
    Form,
    Result,
    TaskForm,
    history_text,
    joined_text,
    result,
)
from voirdire.raters.records import Document, Item
from voirdire.raters.tasks.base import Column, RatingsExchange, Work
from voirdire.records import STANCES

FIELDS = ("far", "sas", "no_claims", "stance", "comment")


def check(value: Mapping[str, Any], work: Work) -> dict[str, Any]:
    """FAR and SAS in [0, 1], whether nothing was claimed, the stance, and a comment.

    Args:
        value: as given.
        work: the turn. Where something fabricated was brought in there is a stance, and otherwise none.

    Raises:
        FieldError: one of them can't be taken.
    """
    check_names(value, FIELDS)
    trapped = bool(work.document.body["fabricated"])
    no_claims = flag("no_claims", value.get("no_claims", False))
    far = None if value.get("far") is None else share("far", value["far"])
    if no_claims and far is not None:
        raise FieldError("far", "must be empty where no_claims is true: an answer without claims has no accuracy")
    if not no_claims and far is None:
        raise FieldError("far", "is missing: give a score from 0 to 1, or say that there are no_claims")
    stance = value.get("stance")
    if not trapped and stance is not None:
        raise FieldError("stance", "is given, but nothing fabricated was brought in at this turn")
    return {
        "far": far,
        "sas": share("sas", value.get("sas")),
        "no_claims": no_claims,
        "stance": one_of("stance", stance, STANCES) if trapped else None,
        "comment": text("comment", value.get("comment", "")),
    }


FAR = Control("far", "Number", "answer", "Accuracy, from 0 to 1 (FAR)", top=1)
SAS = Control("sas", "Number", "answer", "Form and relevance, from 0 to 1 (SAS)", top=1)
NO_CLAIMS = Control("no_claims", "Choices", "answer", "Does the answer claim nothing at all?", ("yes",))
STANCE = Control("stance", "Choices", "answer", "What does it make of the fabricated item?", STANCES)
COMMENT = Control("comment", "TextArea", "answer", "Comment (optional)")
FORM = Form(
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


def _data(document: Document, item: Item) -> dict[str, Any]:
    """What is shown of a turn, and what finds it again."""
    body = document.body
    return {
        **{name: body[name] for name in _SHOWN},
        "earlier": history_text(body["history"]),
        "history": [list(exchange) for exchange in body["history"]],
    }


def _results(value: Mapping[str, Any], document: Document, item: Item) -> list[Result]:
    """A judgement as results; what is not said has none."""
    results = [result(each, value[each.name], 1) for each in (FAR, SAS) if value.get(each.name) is not None]
    if value.get("no_claims"):
        results.append(result(NO_CLAIMS, ["yes"], 1))
    if value.get("stance") is not None:
        results.append(result(STANCE, [value["stance"]], 1))
    if value.get("comment"):
        results.append(result(COMMENT, [value["comment"]], 1))
    return results


def _value_of(answers: Answers, document: Document, item: Item) -> dict[str, Any]:
    """The judgement that results stand for, not yet checked."""
    return {
        "far": answers.whole.get("far"),
        "sas": answers.whole.get("sas"),
        "no_claims": "no_claims" in answers.whole,
        "stance": answers.whole.get("stance"),
        "comment": joined_text(answers.whole, "comment"),
    }


EXCHANGE = RatingsExchange(
    check=check,
    columns=(
        Column("far", "number"),
        Column("sas", "number"),
        Column("no_claims", "flag"),
        Column("stance", "word"),
        Column("comment", "text"),
    ),
    needed="far",
    described=("prompt", "answer"),
    describe=lambda document, item, value: {"prompt": document.body["question"], "answer": document.body["answer"]},
    label_studio=TaskForm(FORM, _data, _results, _value_of),
)
