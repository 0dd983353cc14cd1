"""Deductions outside a project: checked and scored again, as columns of tables, in Label Studio.

In Label Studio violations are labels on stretches of the response.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from voirdire.errors import shown
from voirdire.integrity import EstablishedFact, load_taxonomy, score
from voirdire.integrity.records import IntegrityError, Violation
from voirdire.integrity.taxonomy import ViolationType
from voirdire.raters.exchange.field_checks import (
    FieldError,
    check_names,
    flag,
    mapping,
    one_of,
    sequence,
    text,
    whole_number,
)
from voirdire.raters.exchange.label_studio_form import (
    GOLD,
    RATER,
    Answers,
    Control,
    Form,
    Region,
    Result,
    TaskForm,
    fact_lines,
    joined_text,
    result,
)
from voirdire.raters.records import Document, Item
from voirdire.raters.tasks.base import Column, RatingsExchange, Value, Work
from voirdire.raters.tasks.integrity.deduction import RATER as SOURCE
from voirdire.raters.tasks.integrity.deduction import PickedViolation, State, facts_of
from voirdire.raters.tasks.integrity.rating import value_of

FIELDS = ("holistic", "violations", "score", "band", "ambiguous", "note", "second_look", "omissible")
VIOLATION = ("type", "sentence", "span", "fact", "reason", "ambiguous", "note", "penalty")
SECOND_LOOK = ("missed", "twice", "values", "note", "score_before")
_ASKED = SECOND_LOOK[:3]


def check(value: Mapping[str, Any], work: Work) -> dict[str, Any]:
    """A holistic score, violations, and what they come to.

    A violation without a span concerns its whole sentence; an omission, the whole response. What follows from these
    (score, band, penalties, rungs of omission) is worked out here; a score or band that says otherwise is refused.

    Raises:
        FieldError: one of them can't be taken.
    """
    check_names(value, FIELDS)
    facts = facts_of(work)
    violations = sequence("violations", value.get("violations", []))
    marks: list[PickedViolation] = []
    omissions: list[Violation] = []
    for place, each in enumerate(violations):
        field = f"violations[{place}]"
        fields = mapping(field, each)
        check_names(fields, VIOLATION, f"{field}.")
        kind = _type(f"{field}.type", fields.get("type"))
        if kind.rung is None:
            marks.append(_mark(field, kind, fields, work, len(marks)))
        else:
            omissions.append(_omission(field, kind, fields, facts))
    rating = value_of(_state(value, marks, omissions, facts, work))
    if rating is None:
        raise FieldError("holistic", "is missing: the score by impression comes first")
    if "score" in value and whole_number("score", value["score"], 0, 100) != rating["score"]:
        raise FieldError("score", f"is {value['score']}, but these violations come to {rating['score']}")
    if "band" in value and value["band"] != rating["band"]:
        raise FieldError("band", f"is {shown(value['band'])}, but a score of {rating['score']} is {rating['band']}")
    return rating


def _state(
    value: Mapping[str, Any],
    marks: Sequence[PickedViolation],
    omissions: Sequence[Violation],
    facts: tuple[EstablishedFact, ...],
    work: Work,
) -> State:
    """The trial as it stands once it is finished."""
    body = work.document.body
    sentences = tuple(each["text"] for each in body["sentences"])
    try:
        scored = score(
            [*(mark.violation for mark in marks), *omissions],
            facts,
            response=body["response"],
            taxonomy=load_taxonomy(),
        )
    except IntegrityError as error:
        raise FieldError("violations", f"can't be scored: {str(error).rstrip('.')}") from None
    return State(
        facts=facts,
        sentences=sentences,
        holistic=whole_number("holistic", value.get("holistic"), 0, 100),
        marks=tuple(marks),
        done=frozenset(range(len(sentences))),
        focus=None,
        omitted=tuple(each.fact or "" for each in omissions),
        omission_reason="",
        ambiguous=flag("ambiguous", value.get("ambiguous", False)),
        note=text("note", value.get("note", "")),
        second_look=_second_look(value.get("second_look")),
        stage="complete",
        closed=False,
        score=scored,
    )


def _type(field: str, value: Any) -> ViolationType:
    try:
        kind = load_taxonomy().type_of(text(field, value))
    except IntegrityError as error:
        raise FieldError(field, f"is unknown: {str(error).rstrip('.')}") from None
    if kind.severity == "critical":
        raise FieldError(field, f"is {kind.name}, which is no violation of its own: it follows from severe ones")
    return kind


def _mark(field: str, kind: ViolationType, fields: Mapping[str, Any], work: Work, number: int) -> PickedViolation:
    body = work.document.body
    if fields.get("sentence") is None:
        raise FieldError(f"{field}.sentence", "is missing: only omissions concern the whole response")
    if not body["sentences"]:
        raise FieldError(f"{field}.sentence", "is given, but the response has no sentences")
    place = whole_number(f"{field}.sentence", fields["sentence"], 0, len(body["sentences"]) - 1)
    sentence = body["sentences"][place]["text"]
    span = sentence if fields.get("span") is None else text(f"{field}.span", fields["span"])
    if not span or span not in sentence:
        raise FieldError(f"{field}.span", f"does not stand in sentence {place} (counted from 0)")
    return PickedViolation(
        id=number,
        seq=number,
        type=kind.name,
        sentence=place,
        span=span,
        fact=_fact(f"{field}.fact", fields.get("fact"), body["facts"]),
        reason=text(f"{field}.reason", fields.get("reason", "")),
        ambiguous=flag(f"{field}.ambiguous", fields.get("ambiguous", False)),
        note=text(f"{field}.note", fields.get("note", "")),
    )


def _omission(
    field: str, kind: ViolationType, fields: Mapping[str, Any], facts: Sequence[EstablishedFact]
) -> Violation:
    for name in ("sentence", "span"):
        if fields.get(name) is not None:
            raise FieldError(f"{field}.{name}", "is given, but an omission concerns the whole response")
    if flag(f"{field}.ambiguous", fields.get("ambiguous", False)):
        raise FieldError(f"{field}.ambiguous", "is true, but omissions are not marked so: mark the whole trial")
    fact = _fact(f"{field}.fact", fields.get("fact"), [{"id": fact.id} for fact in facts])
    return Violation(kind.name, fact=fact, reason=text(f"{field}.reason", fields.get("reason", "")), source=SOURCE)


def _fact(field: str, value: Any, facts: Sequence[Mapping[str, Any]]) -> str | None:
    return None if value is None else one_of(field, value, [fact["id"] for fact in facts])


def _second_look(raw: Any) -> dict[str, Any] | None:
    if raw is None:
        return None
    value = mapping("second_look", raw)
    check_names(value, SECOND_LOOK, "second_look.")
    return {
        **{name: flag(f"second_look.{name}", value.get(name, False)) for name in _ASKED},
        "note": text("second_look.note", value.get("note", "")),
        "score_before": whole_number("second_look.score_before", value.get("score_before"), 0, 100),
    }


ON = "response"
HOLISTIC = Control("holistic", "Number", ON, "Impression of the whole, from 0 to 100", required=True, top=100)
FACT = Control("fact", "TextArea", ON, "Id of the fact concerned (none for inventions)", per_region=True)
REASON = Control("reason", "TextArea", ON, "Why? (optional)", per_region=True)
UNSURE = Control("unsure", "Choices", ON, "Is this violation ambiguous?", ("yes",), per_region=True)
WHY_UNSURE = Control("why_unsure", "TextArea", ON, "What makes it ambiguous", per_region=True)
AMBIGUOUS = Control("ambiguous", "Choices", ON, "Is the trial ambiguous?", ("yes",))
NOTE = Control("note", "TextArea", ON, "Note (optional)")
LOOK = Control("second_look", "Choices", ON, "Second look", ("missed", "twice", "values"), several=True)
LOOK_NOTE = Control("second_look_note", "TextArea", ON, "Note on the second look")
BEFORE = Control("score_before", "Number", ON, "Score before the second look", top=100)


@cache
def _violation_control() -> Control:
    """The labels are the taxonomy's types."""
    kinds = load_taxonomy().types.values()
    names = tuple(each.name for each in kinds if each.severity != "critical")  # what follows from others is not marked
    return Control("violation", "Labels", ON, "Mark the words at fault; for an omission, any words", names)


@cache
def _form() -> Form:
    """Of this task."""
    return Form(
        (("context", "Context"), ("facts_text", "Established facts"), (ON, "The response to judge")),
        ON,
        (
            HOLISTIC,
            _violation_control(),
            FACT,
            REASON,
            UNSURE,
            WHY_UNSURE,
            AMBIGUOUS,
            NOTE,
            LOOK,
            LOOK_NOTE,
            BEFORE,
            Control(RATER, "TextArea", ON, "Rater (filled in by voirdire)"),
            Control(GOLD, "TextArea", ON, "Gold (filled in by voirdire)"),
        ),
    )


def _data(document: Document, item: Item) -> dict[str, Any]:
    """What is shown of a response, and what finds it again."""
    body = document.body
    return {
        "context": body["context"],
        "facts_text": fact_lines(body["facts"]),
        "response": body["response"],
        "facts": list(body["facts"]),
    }


def _results(value: Mapping[str, Any], document: Document, item: Item) -> list[Result]:
    """A deduction as results; score and band follow from the violations."""
    results = [result(HOLISTIC, value["holistic"], 1)]
    for number, each in enumerate(value.get("violations", ()), start=1):
        results += _violation_results(each, document.body, number)
    if value.get("ambiguous"):
        results.append(result(AMBIGUOUS, ["yes"], 1))
    if value.get("note"):
        results.append(result(NOTE, [value["note"]], 1))
    return results + _look_results(value.get("second_look"))


def _look_results(look: Mapping[str, Any] | None) -> list[Result]:
    if look is None:
        return []
    results = [result(BEFORE, look["score_before"], 1)]
    if yes := [name for name in LOOK.choices if look[name]]:
        results.append(result(LOOK, yes, 1))
    if look["note"]:
        results.append(result(LOOK_NOTE, [look["note"]], 1))
    return results


def _violation_results(violation: Mapping[str, Any], body: Mapping[str, Any], number: int) -> list[Result]:
    start, end = _place(violation, body)
    region = (f"violation-{number}", start, end)
    marked = result(_violation_control(), [violation["type"]], number, region)
    marked["value"]["text"] = body["response"][start:end]
    more: list[tuple[Control, Any]] = [(FACT, [violation["fact"]])] if violation.get("fact") is not None else []
    more += [(REASON, [violation["reason"]])] if violation.get("reason") else []
    more += [(UNSURE, ["yes"])] if violation.get("ambiguous") else []
    more += [(WHY_UNSURE, [violation["note"]])] if violation.get("note") else []
    return [marked, *(result(control, payload, number, region) for control, payload in more)]


def _place(violation: Mapping[str, Any], body: Mapping[str, Any]) -> tuple[int, int]:
    """Where the words stand; what concerns no sentence marks the whole response."""
    if violation.get("sentence") is None:
        return 0, len(body["response"])
    sentence = body["sentences"][violation["sentence"]]
    if violation.get("span") is None:
        return sentence["start"], sentence["end"]
    start = body["response"].index(violation["span"], sentence["start"])
    return start, start + len(violation["span"])


def _value_of(answers: Answers, document: Document, item: Item) -> dict[str, Any]:
    """The deduction that results stand for, not yet checked.

    Raises:
        FieldError: a stretch is not of this response.
    """
    whole = answers.whole
    has_look = BEFORE.name in whole
    if not has_look and (LOOK.name in whole or LOOK_NOTE.name in whole):
        raise FieldError(BEFORE.name, "is missing: a second look changes an earlier score")
    return {
        "holistic": whole.get("holistic"),
        "violations": [_read(each, document.body) for each in answers.regions],
        "ambiguous": "ambiguous" in whole,
        "note": joined_text(whole, "note"),
        "second_look": {
            **{name: name in whole.get(LOOK.name, ()) for name in LOOK.choices},
            "note": joined_text(whole, LOOK_NOTE.name),
            "score_before": whole[BEFORE.name],
        }
        if has_look
        else None,
    }


def _read(region: Region, body: Mapping[str, Any]) -> dict[str, Any]:
    answers = region.answers
    if region.end > len(body["response"]):
        raise FieldError(region.id, f"ends at {region.end}, but the response has {len(body['response'])} characters")
    kind = answers[_violation_control().name]
    is_omission = load_taxonomy().type_of(kind).rung is not None
    return {
        "type": kind,
        "sentence": None if is_omission else _sentence(region, body),
        "span": None if is_omission else body["response"][region.start : region.end],
        "fact": _fact_named(joined_text(answers, FACT.name), body),
        "reason": joined_text(answers, REASON.name),
        "ambiguous": UNSURE.name in answers,
        "note": joined_text(answers, WHY_UNSURE.name),
    }


def _fact_named(name: str, body: Mapping[str, Any]) -> str | None:
    """As it was typed in, or without the space around it."""
    return name if any(name == fact["id"] for fact in body["facts"]) else name.strip() or None


def _sentence(region: Region, body: Mapping[str, Any]) -> int:
    for number, each in enumerate(body["sentences"]):
        if each["start"] <= region.start and region.end <= each["end"]:
            return number
    raise FieldError(region.id, f"marks {region.start} to {region.end}, which does not lie within one sentence")


_LOOK = "second_look_"


def _flatten(value: Value) -> Mapping[str, Any]:
    look = value.get("second_look") or {}
    return {**value, **{f"{_LOOK}{name}": each for name, each in look.items()}}


def _gather(fields: Mapping[str, Any]) -> Mapping[str, Any]:
    own = {name: each for name, each in fields.items() if not name.startswith(_LOOK)}
    look = {name.removeprefix(_LOOK): each for name, each in fields.items() if name.startswith(_LOOK)}
    return {**own, "second_look": look if "score_before" in look else None}


EXCHANGE = RatingsExchange(
    check=check,
    columns=(
        Column("holistic", "whole"),
        Column("score", "whole"),
        Column("band", "word"),
        Column("ambiguous", "flag"),
        Column("note", "text"),
        Column("second_look_missed", "flag"),
        Column("second_look_twice", "flag"),
        Column("second_look_values", "flag"),
        Column("second_look_note", "text"),
        Column("second_look_score_before", "whole"),
    ),
    needed="holistic",
    lists={
        "violations": (
            Column("type", "word"),
            Column("sentence", "whole"),
            Column("span", "verbatim"),
            Column("fact", "verbatim"),
            Column("reason", "text"),
            Column("ambiguous", "flag"),
            Column("note", "text"),
            Column("penalty", "whole"),
        )
    },
    flatten=_flatten,
    gather=_gather,
    described=("prompt", "answer"),
    describe=lambda document, item, value: {"prompt": document.body["context"], "answer": document.body["response"]},
    label_studio=TaskForm(_form(), _data, _results, _value_of),
)
