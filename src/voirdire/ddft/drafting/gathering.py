"""What a document holds: facts with quotes and names, part by part; only what stands in the document is kept."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import partial

from voirdire.ddft.drafting.asking import (
    LISTS,
    Drafter,
    facts_schema,
    gather_results,
    names_schema,
    read_facts,
    read_names,
    repeat_request,
    step_request,
)
from voirdire.ddft.drafting.document import Part
from voirdire.ddft.drafting.records import DraftFact, Names
from voirdire.ddft.drafting.verifying import fact_fault, topic_form, verified_instance, verified_names, verified_topics
from voirdire.records import Fenced

WANTED_FACTS = 24
"""More do not fit into a reference of 450 words."""
_PER_PART = (3, 20)
_SPARE = 1.25
"""More is asked for than is wanted, since some will not stand."""
_NO_TOPIC = (
    "a topic has 2 to 7 words, all from the document, and none that gives a fabrication away or speaks to a judge"
)
_NOT_THERE = "it does not stand in the document, or speaks to a judge"


async def draft_facts(parts: Sequence[Part], drafter: Drafter) -> list[DraftFact]:
    """Facts from all over the document, in its order, no more than `WANTED_FACTS`.

    Raises:
        DraftError: a part gave nothing that could be read.
    """
    least, most = _PER_PART
    count = max(least, min(most, math.ceil(WANTED_FACTS * _SPARE / len(parts))))
    by_part = await gather_results([_facts_of(number, parts, count, drafter) for number in range(len(parts))])
    by_rank = sorted((rank, number) for number, facts in enumerate(by_part) for rank in range(len(facts)))
    chosen: dict[str, tuple[int, int]] = {}
    for rank, number in by_rank:  # the first of every part, then the second …
        chosen.setdefault(by_part[number][rank].text.casefold(), (number, rank))
    return [by_part[number][rank] for number, rank in sorted(list(chosen.values())[:WANTED_FACTS])]


async def draft_names(parts: Sequence[Part], drafter: Drafter) -> Names:
    """What the document names, each once, in its order.

    Raises:
        DraftError: a part gave nothing that could be read.
    """
    by_part = await gather_results([_names_of(number, parts, drafter) for number in range(len(parts))])
    instances = {each.name.casefold(): each for names in reversed(by_part) for each in reversed(names.instances)}
    lists = {name: _distinct(entry for names in by_part for entry in getattr(names, name)) for name in LISTS}
    return Names(tuple(reversed(instances.values())), **lists)


async def _facts_of(number: int, parts: Sequence[Part], count: int, drafter: Drafter) -> list[DraftFact]:
    part, contested = parts[number], drafter.brief.kind == "contested"
    request = step_request(
        "facts",
        number + 1,
        facts_schema(contested),
        name=drafter.brief.name,
        part=str(number + 1),
        parts=str(len(parts)),
        kind=drafter.progress_message("facts"),
        document=Fenced("document", part.text),
        count=str(count),
        extra=", and position: the party whose view it is" if contested else "",
    )
    read = partial(read_facts, section=part.heading)
    good, bad = _sort_facts(await drafter.ask_until_read(request, read, "facts"), part, parts, drafter)
    if bad:
        again = repeat_request(request, [f"{fact.text} ({why})" for fact, why in bad])
        repaired, still_bad = _sort_facts(await drafter.ask_until_read(again, read, "facts"), part, parts, drafter)
        good, bad = good + repaired, bad + still_bad
    valid = {fact.text for fact in good}
    for text, why in {fact.text: why for fact, why in bad}.items():
        if text not in valid:
            drafter.refusals.add(text, why)
    drafter.progress.dialogue_done()
    return good


def _sort_facts(
    facts: Sequence[DraftFact], part: Part, parts: Sequence[Part], drafter: Drafter
) -> tuple[list[DraftFact], list[tuple[DraftFact, str]]]:
    """Facts that stand, and those that don't, with the reason."""
    document = "\n\n".join(each.text for each in parts)
    good: list[DraftFact] = []
    bad: list[tuple[DraftFact, str]] = []
    for fact in facts:
        why = fact_fault(fact, part.text, document, drafter.brief)
        if why is None:
            good.append(fact)
        else:
            bad.append((fact, why))
    return good, bad


async def _names_of(number: int, parts: Sequence[Part], drafter: Drafter) -> Names:
    part = parts[number]
    request = step_request(
        "names",
        number + 1,
        names_schema(),
        name=drafter.brief.name,
        part=str(number + 1),
        parts=str(len(parts)),
        document=Fenced("document", part.text),
    )
    names = await drafter.ask_until_read(request, read_names, "names")
    verified = {name: verified_names(getattr(names, name), part.text) for name in LISTS if name != "topics"}
    verified["topics"] = verified_topics(names.topics, part.text)
    for name in LISTS:
        for entry in getattr(names, name):
            form = topic_form(entry) if name == "topics" else " ".join(entry.split())
            if form not in verified[name]:
                drafter.refusals.add(f"{entry} ({name})", _NO_TOPIC if name == "topics" else _NOT_THERE)
    instances = [(each, verified_instance(each, part.text)) for each in names.instances]
    for each, stays in instances:
        if stays is None:
            drafter.refusals.add(f"the instance {each.name}", "no paragraph of the document has it with a detail")
    drafter.progress.dialogue_done()
    return Names(
        tuple(stays for _, stays in instances if stays is not None), **{name: tuple(verified[name]) for name in LISTS}
    )


def _distinct(entries: Iterable[str]) -> tuple[str, ...]:
    first: dict[str, str] = {}
    for entry in entries:
        first.setdefault(entry.casefold(), entry)
    return tuple(first.values())
