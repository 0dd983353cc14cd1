"""Deductions from responses that come from elsewhere: spans stand in their sentences, the arithmetic is done again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from voirdire.errors import shown
from voirdire.integrity import EstablishedFact, load_taxonomy, score
from voirdire.integrity.records import IntegrityError, Violation
from voirdire.integrity.taxonomy import ViolationType
from voirdire.raters.exchange.checking._fields import (
    FieldError,
    check_names,
    flag,
    mapping,
    one_of,
    sequence,
    text,
    whole,
)
from voirdire.raters.tasks.base import Work
from voirdire.raters.tasks.integrity.deduction import RATER, Mark, State, facts_of
from voirdire.raters.tasks.integrity.rating import value_of

FIELDS = ("holistic", "violations", "score", "band", "ambiguous", "note", "second_look", "omissible")
VIOLATION = ("type", "sentence", "span", "fact", "reason", "ambiguous", "note", "penalty")
SECOND_LOOK = ("missed", "twice", "values", "note", "score_before")
_ASKED = SECOND_LOOK[:3]


def check(value: Mapping[str, Any], work: Work) -> dict[str, Any]:
    """A holistic score, violations, and what they come to.

    A violation without a span concerns its whole sentence; an omission, the whole response. What follows from these
    (score, band, penalties, rungs of omission) is worked out here; a score or band that says otherwise is refused.

    Args:
        value: as given.
        work: the item, in nobody's hands.

    Raises:
        FieldError: one of them can't be taken.
    """
    check_names(value, FIELDS)
    facts = facts_of(work)
    listed = sequence("violations", value.get("violations", []))
    marks: list[Mark] = []
    omissions: list[Violation] = []
    for place, each in enumerate(listed):
        field = f"violations[{place}]"
        given = mapping(field, each)
        check_names(given, VIOLATION, f"{field}.")
        kind = _type(f"{field}.type", given.get("type"))
        if kind.rung is None:
            marks.append(_mark(field, kind, given, work, len(marks)))
        else:
            omissions.append(_omission(field, kind, given, facts))
    found = value_of(_state(value, marks, omissions, facts, work))
    if found is None:
        raise FieldError("holistic", "is missing: the score by impression comes first")
    if "score" in value and whole("score", value["score"], 0, 100) != found["score"]:
        raise FieldError("score", f"is {value['score']}, but these violations come to {found['score']}")
    if "band" in value and value["band"] != found["band"]:
        raise FieldError("band", f"is {shown(value['band'])}, but a score of {found['score']} is {found['band']}")
    return found


def _state(
    value: Mapping[str, Any],
    marks: Sequence[Mark],
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
        holistic=whole("holistic", value.get("holistic"), 0, 100),
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


def _type(field: str, given: Any) -> ViolationType:
    try:
        kind = load_taxonomy().type_of(text(field, given))
    except IntegrityError as error:
        raise FieldError(field, f"is unknown: {str(error).rstrip('.')}") from None
    if kind.severity == "critical":
        raise FieldError(field, f"is {kind.name}, which is no violation of its own: it follows from severe ones")
    return kind


def _mark(field: str, kind: ViolationType, given: Mapping[str, Any], work: Work, number: int) -> Mark:
    body = work.document.body
    if given.get("sentence") is None:
        raise FieldError(f"{field}.sentence", "is missing: only omissions concern the whole response")
    if not body["sentences"]:
        raise FieldError(f"{field}.sentence", "is given, but the response has no sentences")
    place = whole(f"{field}.sentence", given["sentence"], 0, len(body["sentences"]) - 1)
    sentence = body["sentences"][place]["text"]
    span = sentence if given.get("span") is None else text(f"{field}.span", given["span"])
    if not span or span not in sentence:
        raise FieldError(f"{field}.span", f"does not stand in sentence {place} (counted from 0)")
    return Mark(
        id=number,
        seq=number,
        type=kind.name,
        sentence=place,
        span=span,
        fact=_fact(f"{field}.fact", given.get("fact"), body["facts"]),
        reason=text(f"{field}.reason", given.get("reason", "")),
        ambiguous=flag(f"{field}.ambiguous", given.get("ambiguous", False)),
        note=text(f"{field}.note", given.get("note", "")),
    )


def _omission(field: str, kind: ViolationType, given: Mapping[str, Any], facts: Sequence[EstablishedFact]) -> Violation:
    for name in ("sentence", "span"):
        if given.get(name) is not None:
            raise FieldError(f"{field}.{name}", "is given, but an omission concerns the whole response")
    if flag(f"{field}.ambiguous", given.get("ambiguous", False)):
        raise FieldError(f"{field}.ambiguous", "is true, but omissions are not marked so: mark the whole trial")
    fact = _fact(f"{field}.fact", given.get("fact"), [{"id": fact.id} for fact in facts])
    return Violation(kind.name, fact=fact, reason=text(f"{field}.reason", given.get("reason", "")), source=RATER)


def _fact(field: str, given: Any, facts: Sequence[Mapping[str, Any]]) -> str | None:
    return None if given is None else one_of(field, given, [fact["id"] for fact in facts])


def _second_look(given: Any) -> dict[str, Any] | None:
    if given is None:
        return None
    value = mapping("second_look", given)
    check_names(value, SECOND_LOOK, "second_look.")
    return {
        **{name: flag(f"second_look.{name}", value.get(name, False)) for name in _ASKED},
        "note": text("second_look.note", value.get("note", "")),
        "score_before": whole("second_look.score_before", value.get("score_before"), 0, 100),
    }
