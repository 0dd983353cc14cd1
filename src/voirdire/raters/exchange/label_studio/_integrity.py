"""Deductions in Label Studio: violations are labels on stretches of the response."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from voirdire.integrity import load_taxonomy
from voirdire.raters.exchange.checking import FieldError
from voirdire.raters.exchange.label_studio.controls import (
    GOLD,
    RATER,
    Control,
    Form,
    Region,
    Result,
    Said,
    joined,
    listed,
    result,
)
from voirdire.raters.records import Document, Item

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
def violation() -> Control:
    """The labels are the taxonomy's types."""
    kinds = load_taxonomy().types.values()
    names = tuple(each.name for each in kinds if each.severity != "critical")  # what follows from others is not marked
    return Control("violation", "Labels", ON, "Mark the words at fault; for an omission, any words", names)


@cache
def form() -> Form:
    """Of this task."""
    return Form(
        "integrity",
        (("context", "Context"), ("facts_text", "Established facts"), (ON, "The response to judge")),
        ON,
        (
            HOLISTIC,
            violation(),
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


def data(document: Document, item: Item) -> dict[str, Any]:
    """What is shown of a response, and what finds it again."""
    body = document.body
    return {
        "context": body["context"],
        "facts_text": listed(body["facts"]),
        "response": body["response"],
        "facts": list(body["facts"]),
    }


def results(value: Mapping[str, Any], document: Document, item: Item) -> list[Result]:
    """A deduction as results; score and band follow from the violations."""
    found = [result(HOLISTIC, value["holistic"], 1)]
    for number, each in enumerate(value.get("violations", ()), start=1):
        found += _violation(each, document.body, number)
    if value.get("ambiguous"):
        found.append(result(AMBIGUOUS, ["yes"], 1))
    if value.get("note"):
        found.append(result(NOTE, [value["note"]], 1))
    return found + _second_look(value.get("second_look"))


def _second_look(look: Mapping[str, Any] | None) -> list[Result]:
    if look is None:
        return []
    found = [result(BEFORE, look["score_before"], 1)]
    if yes := [name for name in LOOK.choices if look[name]]:
        found.append(result(LOOK, yes, 1))
    if look["note"]:
        found.append(result(LOOK_NOTE, [look["note"]], 1))
    return found


def _violation(given: Mapping[str, Any], body: Mapping[str, Any], number: int) -> list[Result]:
    start, end = _place(given, body)
    region = (f"violation-{number}", start, end)
    marked = result(violation(), [given["type"]], number, region)
    marked["value"]["text"] = body["response"][start:end]
    said: list[tuple[Control, Any]] = [(FACT, [given["fact"]])] if given.get("fact") is not None else []
    said += [(REASON, [given["reason"]])] if given.get("reason") else []
    said += [(UNSURE, ["yes"])] if given.get("ambiguous") else []
    said += [(WHY_UNSURE, [given["note"]])] if given.get("note") else []
    return [marked, *(result(control, payload, number, region) for control, payload in said)]


def _place(given: Mapping[str, Any], body: Mapping[str, Any]) -> tuple[int, int]:
    """Where the words stand; what concerns no sentence marks the whole response."""
    if given.get("sentence") is None:
        return 0, len(body["response"])
    sentence = body["sentences"][given["sentence"]]
    if given.get("span") is None:
        return sentence["start"], sentence["end"]
    start = body["response"].index(given["span"], sentence["start"])
    return start, start + len(given["span"])


def value_of(said: Said, document: Document, item: Item) -> dict[str, Any]:
    """The deduction that results stand for, not yet checked.

    Raises:
        FieldError: a stretch is not of this response.
    """
    whole = said.whole
    looked = BEFORE.name in whole
    if not looked and (LOOK.name in whole or LOOK_NOTE.name in whole):
        raise FieldError(BEFORE.name, "is missing: a second look changes an earlier score")
    return {
        "holistic": whole.get("holistic"),
        "violations": [_read(each, document.body) for each in said.regions],
        "ambiguous": "ambiguous" in whole,
        "note": joined(whole, "note"),
        "second_look": {
            **{name: name in whole.get(LOOK.name, ()) for name in LOOK.choices},
            "note": joined(whole, LOOK_NOTE.name),
            "score_before": whole[BEFORE.name],
        }
        if looked
        else None,
    }


def _read(region: Region, body: Mapping[str, Any]) -> dict[str, Any]:
    said = region.said
    if region.end > len(body["response"]):
        raise FieldError(region.id, f"ends at {region.end}, but the response has {len(body['response'])} characters")
    kind = said[violation().name]
    whole = load_taxonomy().type_of(kind).rung is not None
    return {
        "type": kind,
        "sentence": None if whole else _sentence(region, body),
        "span": None if whole else body["response"][region.start : region.end],
        "fact": _fact(joined(said, FACT.name), body),
        "reason": joined(said, REASON.name),
        "ambiguous": UNSURE.name in said,
        "note": joined(said, WHY_UNSURE.name),
    }


def _fact(given: str, body: Mapping[str, Any]) -> str | None:
    """As it was typed in, or without the space around it."""
    return given if any(given == fact["id"] for fact in body["facts"]) else given.strip() or None


def _sentence(region: Region, body: Mapping[str, Any]) -> int:
    for number, each in enumerate(body["sentences"]):
        if each["start"] <= region.start and region.end <= each["end"]:
            return number
    raise FieldError(region.id, f"marks {region.start} to {region.end}, which does not lie within one sentence")
