"""Rules of the kinds: a date for what is current, whose view for what is contested, steps and safety for know-how."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

from voirdire.ddft.concepts.checking.findings import Finding, Limits, error, warning
from voirdire.records import Concept, Fact
from voirdire.text import content_words

_STEPS = re.compile(
    r"\b(?:first|second|third|then|next|before|after|once|until|finally|step|steps|begin|begins|start|starts)\b", re.I
)
_SAFETY = re.compile(
    r"\b(?:never|not|only|unless|must|danger\w*|safe\w*|unsafe|warn\w*|risk\w*|stop|stops|at most|at least|"
    r"no more than|below|above|within|emergency|poison\w*|toxic|burn\w*|shock)\b",
    re.I,
)
_MIN_STEPS = 3
_MONTHS = tuple("January February March April May June July August September October November December".split())


def kind_findings(concept: Concept, limits: Limits, today: date | None = None) -> Iterator[Finding]:
    """What is wrong with a concept of its kind."""
    if concept.as_of:
        yield from _date(concept, limits, today or date.today())
    if concept.kind == "contested":
        yield from _contested(concept, limits)
    else:
        yield from _stray_positions(concept)
    if concept.kind == "practical":
        yield from _practical(concept, limits)


def dates_written(day: date) -> tuple[str, ...]:
    """The ways in which a text may state a date."""
    month = _MONTHS[day.month - 1]
    return (day.isoformat(), f"{day.day} {month} {day.year}", f"{month} {day.day}, {day.year}")


def _date(concept: Concept, limits: Limits, today: date) -> Iterator[Finding]:
    day = date.fromisoformat(concept.as_of)
    if day > today:
        yield error("as-of", "as_of", f"as_of is {concept.as_of}, which is in the future.")
    if concept.kind == "current" and not any(written in concept.reference for written in dates_written(day)):
        _, second, _ = dates_written(day)
        message = f"The reference must state its date, {second} or {concept.as_of}."
        yield Finding(limits.severity, "as-of", "reference", message)


def _contested(concept: Concept, limits: Limits) -> Iterator[Finding]:
    for place, fact in enumerate(concept.facts):
        if not fact.position:
            yield error("position", f"facts[{place}]", f"{fact.id} has no position: whose view is it?")
        elif not _names_whose(fact, concept):
            yield Finding(
                limits.severity,
                "position",
                f"facts[{place}].text",
                f"{fact.id} does not say in its own words that it is the view of {fact.position}.",
            )
    positions = {fact.position.casefold() for fact in concept.facts if fact.position}
    if len(positions) < 2:
        yield error("position", "facts", "A contested concept needs facts of at least two positions.")


def _names_whose(fact: Fact, concept: Concept) -> bool:
    """Whether the sentence names its position, or a person or body of the field."""
    said = set(content_words(fact.text))
    if said & set(content_words(fact.position)):
        return True
    people = [*concept.scholars, *(instance.person for instance in concept.instances if instance.person)]
    return any(person.split()[-1].casefold() in fact.text.casefold() for person in people)


def _stray_positions(concept: Concept) -> Iterator[Finding]:
    for place, fact in enumerate(concept.facts):
        if fact.position:
            yield warning(
                "position", f"facts[{place}].position", f"{fact.id} has a position, which only kind: contested reads."
            )


def _practical(concept: Concept, limits: Limits) -> Iterator[Finding]:
    if len(_STEPS.findall(concept.reference)) < _MIN_STEPS:
        yield Finding(limits.severity, "steps", "reference", "The reference names no order of steps (first, then …).")
    if not _SAFETY.search(concept.reference):
        yield Finding(limits.severity, "safety", "reference", "The reference names no limit of safety (never, only …).")
