"""Labels of statements outside a project: checked, as columns of a table, in Label Studio, in CogniBench's layout."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from voirdire.detectors.records import LABELS
from voirdire.errors import shown
from voirdire.raters.exchange.field_checks import FieldError, check_names, one_of, sequence, text
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
from voirdire.raters.exchange.records import ExportPlan, FileRatings
from voirdire.raters.records import Document, Item, Project
from voirdire.raters.tasks.base import Column, OwnForm, RatingsExchange, Work
from voirdire.raters.tasks.cognibench import ladder
from voirdire.raters.tasks.cognibench.ladder import CHOICES, outcome, walk

FIELDS = ("label", "steps", "reason")


def check(value: Mapping[str, Any], work: Work) -> dict[str, Any]:
    """A label, with the steps that led to it where they are known, and a reason.

    Raises:
        FieldError: one of them can't be taken, or the steps lead elsewhere.
    """
    check_names(value, FIELDS)
    label = one_of("label", value.get("label"), LABELS)
    listed = sequence("steps", value.get("steps", []))
    steps = [_step(f"steps[{place}]", step) for place, step in enumerate(listed)]
    if steps and not _lead_to(steps, label):
        raise FieldError("steps", f"do not lead to the label {label}; leave them empty if they are not known")
    return {"label": label, "steps": steps, "reason": text("reason", value.get("reason", ""))}


def _step(field: str, step: Any) -> list[str]:
    parts = [text(field, part) for part in sequence(field, step)]
    if len(parts) != 2 or parts[1] not in CHOICES.get(parts[0], ()):
        raise FieldError(field, "must hold a question of the ladder and an answer to it")
    return parts


def _lead_to(steps: Sequence[Sequence[str]], label: str) -> bool:
    """Whether they are the ladder's, in order, or the class asked directly; and end in this label."""
    question, answer = steps[-1]
    if outcome(question, answer)[1] != label:
        return False
    if question == ladder.LABEL:
        return len(steps) == 1
    return [list(step) for step in walk([answer for _, answer in steps])] == [list(step) for step in steps]


LABEL = Control("label", "Choices", "statement", "What is the statement?", LABELS, required=True)
REASON = Control("reason", "TextArea", "statement", "Why? (optional)")
STEPS = Control("steps", "TextArea", "statement", "Questions and answers that led to it (filled in by voirdire)")
FORM = Form(
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


def _data(document: Document, item: Item) -> dict[str, Any]:
    """What is shown of a statement, and what finds it again."""
    body = document.body
    statement = body["statements"][item.place]
    return {
        "context": body["context"],
        "earlier": history_text(body["history"]),
        "question": body["question"],
        "answer": body["answer"],
        "statement": statement["text"],
        "start": statement["start"],
        "end": statement["end"],
        "history": [list(exchange) for exchange in body["history"]],
    }


def _results(value: Mapping[str, Any], document: Document, item: Item) -> list[Result]:
    """A label as results."""
    results = [result(LABEL, [value["label"]], 1)]
    if value.get("reason"):
        results.append(result(REASON, [value["reason"]], 1))
    if value.get("steps"):
        results.append(result(STEPS, [_BETWEEN.join(step) for step in value["steps"]], 1))
    return results


def _value_of(answers: Answers, document: Document, item: Item) -> dict[str, Any]:
    """The label that results stand for, not yet checked.

    Raises:
        FieldError: a step is no question and answer.
    """
    steps = [step.partition(_BETWEEN) for step in answers.whole.get("steps", ())]
    for question, between, _ in steps:
        if not between:
            raise FieldError("steps", f"has {shown(question)}; a question, a colon and an answer are expected")
    return {
        "label": answers.whole.get("label"),
        "reason": joined_text(answers.whole, "reason"),
        "steps": [[question, answer] for question, _, answer in steps],
    }


def _rated_texts(document: Document, item: Item) -> Mapping[str, Any]:
    """The statement, and the texts of its answer."""
    body = dict(document.body)
    return {**body.pop("statements")[item.place], **body}


def _write_released(project: Project, plan: ExportPlan, folder: Path) -> list[str]:
    from voirdire.raters.tasks.cognibench.release import write_labels

    return write_labels(project, plan, folder)


def _read_released(path: Path, project: Project) -> FileRatings:
    from voirdire.raters.tasks.cognibench.release import read_labels

    return read_labels(path, project)


EXCHANGE = RatingsExchange(
    check=check,
    columns=(Column("label", "word"), Column("reason", "text"), Column("steps", "json")),
    needed="label",
    rated_texts=_rated_texts,
    described=("prompt", "statement"),
    describe=lambda document, item, value: {
        "prompt": document.body["question"],
        "statement": document.body["statements"][item.place]["text"],
    },
    label_studio=TaskForm(FORM, _data, _results, _value_of),
    own={
        "released": OwnForm(
            "labels.json", _write_released, _read_released, "settled (gold) labels in CogniBench's layout"
        )
    },
)
