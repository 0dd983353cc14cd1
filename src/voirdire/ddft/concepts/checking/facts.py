"""Rules for facts: few words, one statement, in the reference, and a false version that is false in one thing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence, Set
from difflib import SequenceMatcher
from typing import NamedTuple

from voirdire.ddft.concepts.checking.findings import MIN_FACTS, BrokenRule, Limits, error, warning
from voirdire.ddft.concepts.checking.support import carried_facts, support_findings
from voirdire.records import Concept, Fact
from voirdire.text.counting import counted
from voirdire.text.overlap import content_words, words

MAX_WORDS = 25
MAX_CHANGES = 4
"""Places in which a wrong version may differ, unless it only puts the fact's words in another order."""
MAX_NEW_IN_SWAP = 2
"""Words that may be lost where roles are swapped."""
MIN_SHARED = 0.35
"""Share of a fact's words that its wrong version must keep."""
ONE_THING = "wrong-one-thing"
_ENDS = (".", '."', ".”", "?", "!")


def fact_findings(concept: Concept, limits: Limits) -> Iterator[BrokenRule]:
    """What is wrong with a concept's facts."""
    yield from _number(concept, limits)
    yield from _reference_findings(concept, limits)
    yield from support_findings(concept)
    yield from _twins(concept.facts, limits)
    true = {fact.text for fact in concept.facts}
    for place, fact in enumerate(concept.facts):
        yield from _form(fact.text, f"facts[{place}].text", f"Fact {fact.id}", limits)
        yield from _wrong(fact, f"facts[{place}].wrong", true, concept.reference, limits)


class WrongFault(NamedTuple):
    """Why a wrong version does not do: which rule it breaks, and how."""

    rule: str
    why: str


def wrong_fault(fact: Fact, true: Set[str], reference: str) -> WrongFault | None:
    """Why a fact's wrong version does not do; `None` when it does."""
    wrong = _plain(fact.wrong)
    if wrong == _plain(fact.text):
        return WrongFault("wrong-differs", "is the fact itself")
    if wrong in map(_plain, true):
        return WrongFault("wrong-true", "is another fact of the concept")
    if wrong.rstrip(".") in _plain(reference):
        return WrongFault("wrong-in-reference", "stands in the reference")
    before, after = words(fact.text), words(fact.wrong)
    same_words = (Counter(before) & Counter(after)).total()
    opcodes = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    changes = sum(tag != "equal" for tag, *_ in opcodes)
    swapped = len(before) - same_words <= MAX_NEW_IN_SWAP
    if (changes > MAX_CHANGES and not swapped) or same_words < MIN_SHARED * len(before):
        shared_words = f"{same_words} of {counted(len(before), 'word')}"
        why = f"differs in {counted(changes, 'place')} and keeps {shared_words}, where it should be false in one thing"
        return WrongFault(ONE_THING, why)
    return None


def _number(concept: Concept, limits: Limits) -> Iterator[BrokenRule]:
    count = len(concept.facts)
    if count < MIN_FACTS:
        yield error(
            "facts-number", "facts", f"There are {count} facts, too few for a test: write at least {MIN_FACTS}."
        )
    elif count < limits.facts:
        yield BrokenRule(
            limits.severity, "facts-number", "facts", f"There are {count} facts: write at least {limits.facts}."
        )


def _reference_findings(concept: Concept, limits: Limits) -> Iterator[BrokenRule]:
    carried = len(carried_facts(concept))
    if carried < min(limits.carried, len(concept.facts)):
        yield BrokenRule(
            limits.severity,
            "facts-carried",
            "reference",
            f"The reference has the figures and names of {carried} of {counted(len(concept.facts), 'fact')}, fewer "
            f"than the {limits.carried} wanted: add the figures and names of more facts.",
        )


def _twins(facts: Sequence[Fact], limits: Limits) -> Iterator[BrokenRule]:
    """Facts that say the same: the same content words, in whatever order."""
    first_of: dict[tuple[str, ...], str] = {}
    for place, fact in enumerate(facts):
        key = tuple(sorted(set(content_words(fact.text))))
        earlier = first_of.setdefault(key, fact.id)
        if earlier != fact.id:
            message = f"Fact {fact.id} says the same as fact {earlier}: remove one, or let it say something else."
            yield BrokenRule(limits.severity, "facts-twice", f"facts[{place}].text", message)


def _form(sentence: str, field: str, what: str, limits: Limits) -> Iterator[BrokenRule]:
    count = len(sentence.split())
    if count > MAX_WORDS:
        message = f"{what} has {count} words: shorten it to at most {MAX_WORDS}."
        yield BrokenRule(limits.severity, "fact-length", field, message)
    if not sentence.endswith(_ENDS):
        message = f"{what} has no full stop at its end: write a whole sentence."
        yield BrokenRule(limits.severity, "fact-sentence", field, message)


def _wrong(fact: Fact, field: str, true: Set[str], reference: str, limits: Limits) -> Iterator[BrokenRule]:
    if not fact.wrong:
        message = f"Fact {fact.id} has no wrong version: write one that is false in one thing."
        yield BrokenRule(limits.severity, "wrong-missing", field, message)
        return
    yield from _form(fact.wrong, field, f"The wrong version of fact {fact.id}", limits)
    fault = wrong_fault(fact, true, reference)
    if fault is not None:
        severity = warning if fault.rule == ONE_THING else error
        message = f"The wrong version of fact {fact.id} {fault.why}: take the fact's words and change one detail."
        yield severity(fault.rule, field, message)


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())
