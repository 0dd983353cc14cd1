"""Ratings of a guided task outside a project: checked, as columns of a table, in Label Studio; other tools' forms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from voirdire.jury.worth.tables import COUNTS_AS
from voirdire.raters.exchange.field_checks import FieldError, check_names, mapping, one_of, sequence, text, whole_number
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
from voirdire.raters.records import Document, Item, Refused
from voirdire.raters.tasks.base import Column, OwnForm, RatingsExchange, Work
from voirdire.raters.tasks.guided import evaluation, inspect_scores, statements
from voirdire.raters.tasks.guided.guide import DONE, FIRST, SECOND, TIE
from voirdire.raters.tasks.guided.values import OUTPUT, without_punctuation

if TYPE_CHECKING:
    from voirdire.raters.tasks.guided.task import GuidedTask

STATUSES = ("answered", "unsure", "skipped")
_SPAN = (Column("start", "whole"), Column("end", "whole"), Column("label", "word"))
_EVIDENCE = (Column("part", "word"), Column("start", "whole"), Column("end", "whole"))


def exchange_of(task: GuidedTask) -> RatingsExchange:
    """How ratings of a task look elsewhere."""
    column = task.answer_column
    pair, spans = task.kind == "preference", task.kind == "spans"

    def check(value: Mapping[str, Any], work: Work) -> dict[str, Any]:
        return _checked(task, value, work)

    def flatten(value: Mapping[str, Any]) -> dict[str, Any]:
        answer = len(value.get("spans", ())) if spans else value.get("answer")
        return {
            "status": value["status"],
            column.name: answer,
            "reason": value.get("reason", ""),
            **({"shown_first": (value.get("order") or [None])[0]} if pair else {}),
        }

    def gather(fields: Mapping[str, Any]) -> dict[str, Any]:
        value = {"status": fields.get("status", "answered"), "reason": fields.get("reason", "")}
        value["answer"] = DONE if spans else fields.get(column.name)
        first = fields.get("shown_first")
        if first in (FIRST, SECOND):
            value["order"] = [first, SECOND if first == FIRST else FIRST]
        return value

    return RatingsExchange(
        check=check,
        columns=(
            Column("status", "word"),
            column,
            *((Column("shown_first", "word"),) if pair else ()),
            Column("reason", "text"),
        ),
        needed=column.name,
        described=(
            *_SOURCE,
            *((COUNTS_AS,) if task.kind == "labels" else ()),
            *(name for place in _places(task) for name in place),
            *((_MARKED,) if spans else ()),
        ),
        describe=partial(_described, task),
        models=tuple(model for model, _ in _places(task)),
        quotes={"spans": _quote, "evidence": _quote},
        lists={
            **({"spans": _SPAN} if spans else {}),
            **({"evidence": _EVIDENCE} if task.guide.evidence else {}),
        },
        flatten=flatten,
        gather=gather,
        label_studio=_studio(task),
        own={
            "inspect-scores": OwnForm("scores.json", inspect_scores.write, says="settled ratings as Inspect's scores"),
            "every-eval-ever": OwnForm("data", evaluation.write, says="settled ratings as an evaluation, for audit"),
            **({"answers": _ANSWERS} if spans else {}),
        },
    )


_SOURCE = ("source_item", "epoch", "prompt")
_MARKED = "marked_words"


def _places(task: GuidedTask) -> tuple[tuple[str, str], ...]:
    """Columns of each model and its answer."""
    return (("model_1", "answer_1"), ("model_2", "answer_2")) if task.kind == "preference" else (("model", "answer"),)


def _described(task: GuidedTask, document: Document, item: Item, value: Mapping[str, Any]) -> dict[str, str]:
    """What was rated: the source's item, so that it is found there again, the question, whose answers, and these."""
    source, body = document.source, document.body
    models, answers = source.get("models") or [source.get("model")], body["outputs"] or [body[OUTPUT]]
    cells = {
        "source_item": str(source.get("item", document.id)),
        "epoch": "" if source.get("epoch") is None else str(source["epoch"]),
        "prompt": body["prompt"],
    }
    for (of_model, of_answer), model, answer in zip(_places(task), [*models, None], answers, strict=False):
        cells |= {of_model: model or "", of_answer: answer}
    if task.kind == "labels":
        cells[COUNTS_AS] = _counts_as(task, value)
    if task.kind == "spans":
        cells[_MARKED] = "\n".join(f"{each['label']}: {_quote(document, each)}" for each in value.get("spans") or ())
    return cells


def _counts_as(task: GuidedTask, value: Mapping[str, Any]) -> str:
    """From 0 to 1 how good a label is, where the task knows; "" else."""
    number = task.number(value) if task.has_numbers and value.get("status") == STATUSES[0] else None
    if number is None or task.top == task.bottom:
        return ""
    share = (number - task.bottom) / (task.top - task.bottom)
    return f"{1 - share if task.high_is_bad else share:g}"


def _quote(document: Document, mark: Mapping[str, Any]) -> str:
    """The words that are marked."""
    part = mark.get("part", OUTPUT)
    passages = document.body["passages"]
    text = document.body[OUTPUT] if part == OUTPUT else passages[int(part.removeprefix("passage-")) - 1]
    return str(text[mark["start"] : mark["end"]])


_ANSWERS = OwnForm(statements.FILE, statements.write, says="answers with a label for each sentence, for detectors")


def _checked(task: GuidedTask, value: Mapping[str, Any], work: Work) -> dict[str, Any]:
    """A rating in its whole form.

    Raises:
        FieldError: a field is unknown, missing or can't be.
    """
    pair, spans = task.kind == "preference", task.kind == "spans"
    known = ("status", "answer", "reason", "evidence", *(("order",) if pair else ()), *(("spans",) if spans else ()))
    check_names(value, known)
    status = one_of("status", value.get("status", "answered"), STATUSES)
    texts = task.texts(work.document)
    checked: dict[str, Any] = {
        "status": status,
        "answer": _answer(task, value.get("answer"), work) if status == "answered" else None,
        "reason": text("reason", value.get("reason", "")),
    }
    if pair and value.get("order"):
        order = [one_of("order", each, (FIRST, SECOND)) for each in sequence("order", value["order"])]
        if sorted(order) != [FIRST, SECOND]:
            raise FieldError("order", "must hold first and second, as they were shown")
        checked["order"] = order
    if spans:
        checked["spans"] = [
            {
                **_place(f"spans[{number}]", each, texts[OUTPUT]),
                "label": one_of("label", each["label"], task.guide.names),
            }
            for number, each in enumerate(_entries("spans", value, ("start", "end", "label")))
        ]
    checked["evidence"] = [
        {
            "part": one_of("part", each["part"], [part for part in texts if part != OUTPUT]),
            **_place(f"evidence[{number}]", each, texts.get(str(each["part"]), "")),
        }
        for number, each in enumerate(_entries("evidence", value, ("part", "start", "end")))
    ]
    return checked


def _answer(task: GuidedTask, answer: Any, work: Work) -> Any:
    if task.kind == "preference":
        return one_of("answer", answer, (FIRST, SECOND, *((TIE,) if task.guide.tie else ())))
    if isinstance(answer, bool) or not isinstance(answer, str | int | float):
        raise FieldError("answer", "is missing")
    try:
        return task.read_answer(str(answer), work)
    except Refused as refused:
        raise FieldError("answer", f"can't be taken: {str(refused).rstrip('.')}") from None


def _entries(name: str, value: Mapping[str, Any], fields: Sequence[str]) -> list[Mapping[str, Any]]:
    entries = [mapping(name, each) for each in sequence(name, value.get(name) or [])]
    for each in entries:
        check_names(each, fields, f"{name}.")
        missing = [field for field in fields if each.get(field) is None]
        if missing:
            raise FieldError(f"{name}.{missing[0]}", "is missing")
    return entries


def _place(name: str, each: Mapping[str, Any], within: str) -> dict[str, int]:
    start = whole_number(f"{name}.start", each["start"], 0, len(within))
    end = whole_number(f"{name}.end", each["end"], 0, len(within))
    if start >= end:
        raise FieldError(name, f"begins at {start} and ends at {end}")
    start, end = without_punctuation(within, start, end)
    return {"start": start, "end": end}


# --- Label Studio ---

_STATUS = "status"
_NAMES = {FIRST: "answer 1 is better", SECOND: "answer 2 is better", TIE: "equally good"}
_NO_ANSWER = {"unsure": "not sure", "skipped": "left out"}
_BETWEEN = "\n\n"
"""Stands between the passages of a context."""
_EVIDENCE_STUDIO = Control("evidence", "Labels", "context", "Words that your rating rests on (optional)", ("evidence",))


def _studio(task: GuidedTask) -> TaskForm:
    pair = task.kind == "preference"
    main = "output_1" if pair else OUTPUT
    answer = _control(task, main)
    shown_first = Control("shown_first", "TextArea", main, "Shown first (filled in by voirdire)")
    controls = (
        answer,
        Control(_STATUS, "Choices", main, "Or no answer, because", tuple(_NO_ANSWER.values())),
        Control("reason", "TextArea", main, "Why? (optional)"),
        Control(RATER, "TextArea", main, "Rater (filled in by voirdire)"),
        Control(GOLD, "TextArea", main, "Gold (filled in by voirdire)"),
        *((shown_first,) if pair else ()),
        *((_EVIDENCE_STUDIO,) if task.guide.evidence else ()),
    )
    outputs = (("output_1", "Answer 1"), ("output_2", "Answer 2")) if pair else ((OUTPUT, "Answer"),)
    beside = (("context", "Context"), ("earlier", "Earlier"), ("prompt", "Question"), ("reference", "Reference"))
    form = Form((*beside, *outputs), main, controls)

    def data(document: Document, item: Item) -> dict[str, Any]:
        body = document.body
        named = zip(("output_1", "output_2"), body["outputs"], strict=True) if pair else ((OUTPUT, body["output"]),)
        return {
            "context": _BETWEEN.join(body["passages"]),
            "earlier": history_text(body["history"]),
            "prompt": _BETWEEN.join(filter(None, (body["prompt"], body.get("whole")))),
            "reference": body["reference"],
            **dict(named),
        }

    def results(value: Mapping[str, Any], document: Document, item: Item) -> list[Result]:
        reason = [result(controls[2], [value["reason"]], 1)] if value.get("reason") else []
        order = [result(shown_first, [value["order"][0]], 1)] if value.get("order") else []
        beside = [*reason, *order, *_evidence_results(value, document.body["passages"])]
        if value["status"] != "answered":
            spans = _answer_results(task, answer, value, document.body[OUTPUT]) if "spans" in value else []
            return [result(controls[1], [_NO_ANSWER[value["status"]]], 1), *spans, *beside]
        return [*_answer_results(task, answer, value, document.body[OUTPUT]), *beside]

    def value_of(answers: Answers, document: Document, item: Item) -> dict[str, Any]:
        value: dict[str, Any] = {
            "reason": joined_text(answers.whole, "reason"),
            "evidence": _evidence_of(answers, document.body["passages"]),
        }
        first = joined_text(answers.whole, shown_first.name)
        if pair and first:
            value["order"] = [first, SECOND if first == FIRST else FIRST]
        status = answers.whole.get(_STATUS)
        if status is not None:
            value["status"] = next(name for name, says in _NO_ANSWER.items() if says == status)
            return {**_answer_of(task, answers), **value} if task.kind == "spans" else value
        return {**value, "status": "answered", **_answer_of(task, answers)}

    return TaskForm(form, data, results, value_of, skip=(_STATUS, _NO_ANSWER["skipped"]))


def _control(task: GuidedTask, main: str) -> Control:
    question, guide = task.guide.question, task.guide
    if task.kind == "spans":
        return Control("answer", "Labels", main, question, guide.names)
    if task.kind == "score":
        return Control("answer", "Number", main, question, top=task.top)
    choices = guide.names if task.kind == "labels" else tuple(_NAMES[name] for name in (FIRST, SECOND, TIE))
    return Control("answer", "Choices", main, question, choices)


def _answer_results(task: GuidedTask, control: Control, value: Mapping[str, Any], within: str) -> list[Result]:
    if task.kind == "spans":
        return [
            _marked(control, f"span-{number}", each["label"], each["start"], each["end"], within)
            for number, each in enumerate(value["spans"], start=1)
        ]
    answer = value["answer"]
    payload = answer if task.kind == "score" else [_NAMES.get(answer, answer)]
    return [result(control, payload, 1)]


def _marked(control: Control, name: str, label: str, start: int, end: int, within: str) -> Result:
    marked = result(control, [label], 1, (name, start, end))
    return {**marked, "value": {**marked["value"], "text": within[start:end]}}


def _starts(passages: Sequence[str]) -> dict[str, int]:
    """Where each part begins in the context."""
    lengths = accumulate((len(passage) + len(_BETWEEN) for passage in passages), initial=0)
    return {f"passage-{number}": start for number, start in enumerate(lengths, start=1)}


def _evidence_results(value: Mapping[str, Any], passages: Sequence[str]) -> list[Result]:
    starts, context = _starts(passages), _BETWEEN.join(passages)
    return [
        _marked(_EVIDENCE_STUDIO, f"evidence-{number}", "evidence", start + each["start"], start + each["end"], context)
        for number, each in enumerate(value.get("evidence") or (), start=1)
        for start in [starts[each["part"]]]
    ]


def _evidence_of(answers: Answers, passages: Sequence[str]) -> list[dict[str, Any]]:
    """Each mark in the passage in which it begins."""
    starts = _starts(passages)
    marks = [(each.start, each.end) for each in answers.regions if _EVIDENCE_STUDIO.name in each.answers]
    parts = [max((part for part in starts if starts[part] <= start), key=starts.__getitem__) for start, _ in marks]
    return [
        {"part": part, "start": start - starts[part], "end": end - starts[part]}
        for part, (start, end) in zip(parts, marks, strict=True)
    ]


def _answer_of(task: GuidedTask, answers: Answers) -> dict[str, Any]:
    if task.kind == "spans":
        spans = [
            {"start": region.start, "end": region.end, "label": region.answers["answer"]}
            for region in answers.regions
            if "answer" in region.answers
        ]
        return {"answer": DONE, "spans": spans}
    answer = answers.whole.get("answer")
    return {"answer": next((name for name, says in _NAMES.items() if says == answer), answer)}
