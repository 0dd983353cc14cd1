"""What is written from a document's facts: the reference, and a false version of every fact."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from voirdire.ddft.drafting.asking import (
    Drafter,
    read_reference,
    read_wrong,
    reference_schema,
    repeat_request,
    step_request,
    wrong_schema,
)
from voirdire.ddft.drafting.records import DraftError
from voirdire.ddft.drafting.verifying import false_fault, invented_in, reference_faults, reference_words
from voirdire.jury import ParseFault
from voirdire.records import Fact, Fenced, Instance


class _Try(NamedTuple):
    reference: str
    invented: list[str]
    weak: list[str]


_FACTS_A_PARAGRAPH = 6


async def draft_reference(facts: Sequence[Fact], instances: Sequence[Instance], document: str, drafter: Drafter) -> str:
    """The reference, the best of up to three tries; what is still weak about it is listed.

    Where every try holds something that the document does not, the facts themselves stand in its place, and that is
    listed: judges will take every sentence for true.

    Raises:
        DraftError: no reply could be read.
    """
    tries: list[_Try] = []

    def read(text: str) -> str | ParseFault:
        reference = read_reference(text)
        if isinstance(reference, ParseFault):
            return reference
        brief = drafter.brief
        latest = _Try(reference, invented_in(reference, document, brief), reference_faults(reference, document, brief))
        tries.append(latest)
        faults = [*latest.invented, *latest.weak]
        return ParseFault("; ".join(faults)) if faults else reference

    least, most = reference_words(document)
    request = step_request(
        "reference",
        0,
        reference_schema(),
        name=drafter.brief.name,
        least=str(least),
        most=str(most),
        kind=drafter.progress_message("reference"),
        facts=Fenced("facts", _material(facts, instances)),
    )
    try:
        return await drafter.ask_until_read(request, read, "reference")
    except DraftError:
        if not tries:
            raise
    return _best(tries, facts, drafter)


def _best(tries: Sequence[_Try], facts: Sequence[Fact], drafter: Drafter) -> str:
    best = min(tries, key=lambda each: (len(each.invented), len(each.weak)))
    for fault in (*best.invented, *best.weak):
        drafter.refusals.add("the reference", fault)
    if not best.invented:
        return best.reference
    drafter.refusals.add("the reference", "the facts stand in its place; write it from them")
    texts = [fact.text for fact in facts]
    starts = range(0, len(texts), _FACTS_A_PARAGRAPH)
    return "\n\n".join(" ".join(texts[at : at + _FACTS_A_PARAGRAPH]) for at in starts)


async def draft_wrong(facts: Sequence[Fact], reference: str, drafter: Drafter) -> list[Fact]:
    """The facts with false versions; one for which none stands has "".

    Raises:
        DraftError: no reply could be read.
    """
    request = step_request(
        "wrong",
        0,
        wrong_schema(),
        kind=drafter.progress_message("wrong"),
        facts=Fenced("facts", "\n".join(f"{fact.id}: {fact.text}" for fact in facts)),
    )
    wrong_versions = await drafter.ask_until_read(request, read_wrong, "wrong versions")
    faults = _faults(facts, wrong_versions, reference)
    if faults:
        again = repeat_request(request, [f"{fact_id}: {why}" for fact_id, why in faults.items()])
        repaired = await drafter.ask_until_read(again, read_wrong, "wrong versions")
        wrong_versions |= {fact_id: wrong for fact_id, wrong in repaired.items() if fact_id in faults}
        faults = _faults(facts, wrong_versions, reference)
    for fact_id, why in faults.items():
        drafter.refusals.add(f"the wrong version of {fact_id} ({wrong_versions.get(fact_id, 'none')})", why)
    return [replace(fact, wrong="" if fact.id in faults else wrong_versions[fact.id]) for fact in facts]


def _faults(facts: Sequence[Fact], wrong_versions: dict[str, str], reference: str) -> dict[str, str]:
    """Why false versions can't stand, by the facts' ids."""
    faults = {}
    for fact in facts:
        wrong = wrong_versions.get(fact.id, "")
        why = false_fault(replace(fact, wrong=wrong), facts, reference) if wrong else "nothing was given"
        if why is not None:
            faults[fact.id] = why
    return faults


def _material(facts: Sequence[Fact], instances: Sequence[Instance]) -> str:
    lines = ["Facts:", *(f"- {fact.text}" for fact in facts)]
    if instances:
        lines += ["", "Instances:", *(f"- {_instance(each)}" for each in instances)]
    return "\n".join(lines)


def _instance(instance: Instance) -> str:
    fields = (instance.name, instance.person, instance.date, instance.place, instance.work)
    return ", ".join(field for field in fields if field)
