"""From a document to a drafted concept, in a run folder: every call is kept, and the same call again goes on."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from voirdire.data.json_values import as_object
from voirdire.ddft.concepts import KINDS
from voirdire.ddft.concepts.checking import check_concept
from voirdire.ddft.drafting.asking import Drafter, prompt_hashes
from voirdire.ddft.drafting.derived_texts import draft_reference, draft_wrong
from voirdire.ddft.drafting.document import SourceDocument, parts_of
from voirdire.ddft.drafting.gathering import draft_facts, draft_names
from voirdire.ddft.drafting.records import Brief, Draft, DraftError, DraftFact, Names, Refusals
from voirdire.jury import Asks
from voirdire.records import Concept, Fact
from voirdire.runs import DEFAULTS, Progress, RunOptions, open_run, options_for, run_workers

MIN_FACTS = 3


def steps_of(document: SourceDocument) -> int:
    """How many steps a draft has: facts and names of every part, the reference, the wrong versions."""
    return 2 * len(parts_of(document)[0]) + 2


async def draft_concept(
    document: SourceDocument, brief: Brief, spec: str, asker: Asks, progress: Progress = DEFAULTS.progress
) -> Draft:
    """Draft a concept from a document, with whoever makes the calls.

    Raises:
        DraftError: a step gave nothing that could be read, or too few facts stand.
    """
    drafter = Drafter(asker, spec, brief, Refusals(), progress)
    parts, left_out = parts_of(document)
    if left_out:
        last = "its last part was" if left_out == 1 else f"its last {left_out} parts were"
        drafter.refusals.add(document.name, f"{last} not read; draft from what is left apart")
    facts_by_rank = await draft_facts(parts, drafter)
    if len(facts_by_rank) < MIN_FACTS:
        raise DraftError(
            f"Of the facts that {spec} drafted, {len(facts_by_rank) or 'none'} can stand by {document.name}; at least "
            f"{MIN_FACTS} are needed: give a stronger model, or a document that states more."
        )
    names = await draft_names(parts, drafter)
    text = "\n\n".join(part.text for part in parts)
    facts = [_fact(number, fact, document) for number, fact in enumerate(facts_by_rank, start=1)]
    reference = await draft_reference(facts, names.instances, text, drafter)
    progress.dialogue_done()
    concept = _concept(brief, reference, await draft_wrong(facts, reference, drafter), names)
    progress.dialogue_done()
    return Draft(concept, tuple(drafter.refusals.problems), tuple(check_concept(concept)))


def _fact(number: int, fact: DraftFact, document: SourceDocument) -> Fact:
    place = f"{document.name}, {fact.section}" if fact.section else document.name
    quote = " ".join(fact.quote.split())
    return Fact(f"f{number:02}", fact.text, f'{place}: "{quote}"', position=fact.position)


def _concept(brief: Brief, reference: str, facts: Sequence[Fact], names: Names) -> Concept:
    return Concept(
        id=brief.id,
        name=brief.name,
        domain=brief.domain,
        reference=reference,
        facts=tuple(facts),
        instances=names.instances,
        scholars=names.people,
        topics=names.topics,
        real={"paper": names.papers, "event": names.events, "law": names.laws},
        kind=brief.kind,
        as_of=brief.as_of,
    )


def brief_of(out: Path, name: str | None, domain: str | None, kind: str, as_of: str | None) -> Brief:
    """What is to be drafted, from what the user gave; the id is the name of the file to be written.

    The name is never taken from the document: it stands outside the fences in every prompt.

    Raises:
        DraftError: an unknown kind, a date that is none or missing, or a file name that is no id.
    """
    known = [each for each in KINDS if each == kind]
    if not known:
        raise DraftError(f"The kind {kind!r} is unknown; choose one of {', '.join(KINDS)}.")
    if kind == "current" and not as_of:
        raise DraftError("A draft of the kind current needs --as-of, the date at which the document holds.")
    try:
        day = date.fromisoformat(as_of).isoformat() if as_of else ""
    except ValueError:
        raise DraftError(f"--as-of is {as_of!r}; give a date such as 2025-06-30.") from None
    if out.suffix not in (".yaml", ".yml") or not re.fullmatch(r"[a-z0-9]+(?:-[a-z0-9]+)*", out.stem):
        raise DraftError(f"{out} can't be the file: its name is the concept's id; name it such as leave-policy.yaml.")
    titled = name or out.stem.replace("-", " ").capitalize()
    return Brief(out.stem, titled, domain or titled, known[0], day)


CONNECTIONS = 8
"""Calls at once that suit the few parts of a document."""


@dataclass(frozen=True, slots=True)
class Drafted:
    """What a session of drafting came to."""

    draft: Draft | None
    """`None` when it was stopped."""
    stopped: str | None
    """Why it is not complete; the same call goes on."""


async def run_draft(
    document: SourceDocument,
    brief: Brief,
    spec: str,
    path: Path,
    options: RunOptions = DEFAULTS,
    *,
    base_url: str | None = None,
) -> Drafted:
    """Draft a concept in a run folder, or go on with the draft that is there.

    Raises:
        DraftError: nothing usable was drafted.
        SpecError, RunFolderError, BudgetError: before anything is asked.
    """
    models = {spec: options_for(spec, base_url)}
    manifest = {
        "instrument": "ddft-draft",
        "drafter": spec,
        "base_url": base_url,
        "document": {"name": document.name, "sha256": document.sha256},
        "brief": as_object(brief),
        "prompts": prompt_hashes(),
    }
    drafts: list[Draft] = []
    progress = options.progress
    async with open_run(path, manifest, models, options) as (_, runner):

        async def work() -> None:
            drafts.append(await draft_concept(document, brief, spec, runner, progress))

        stopped = await run_workers([work()], runner)
    return Drafted(drafts[0] if drafts else None, stopped)
