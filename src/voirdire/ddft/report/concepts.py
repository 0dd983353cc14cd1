"""What is known of concepts: the packs, what is wrong with a file, a draft, a pilot."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from voirdire.ddft.concepts.checking import BrokenRule, Checked
from voirdire.ddft.concepts.packs import ListedPack
from voirdire.ddft.drafting import Draft
from voirdire.ddft.drafting.records import NOTE
from voirdire.ddft.pilot import Pilot
from voirdire.documents.cells import cautions, count, plain_table, text
from voirdire.documents.document import Block, Bullets, Cell, Document, Section, Text, Tone, document
from voirdire.documents.messages import not_complete
from voirdire.text.counting import counted

_STATUS: dict[str, Tone] = {"met": "good", "not met": "bad", "not shown": "warn"}


def packs_document(packs: Sequence[ListedPack]) -> Document:
    """The packs, and the concepts of each."""
    names = ", ".join(each.pack.name for each in packs)
    return document(
        *map(_pack, packs),
        Text(f"Choose with --pack ({names}, all) or --concepts ID,…; a run is held on core otherwise."),
    )


def _pack(listed: ListedPack) -> Section:
    pack = listed.pack
    rows = (
        (each.id, each.name, each.domain, each.kind, count(len(each.facts)), each.as_of) for each in listed.concepts
    )
    table = plain_table(f"pack-{pack.name}", ("id", "name", "domain", "kind", "facts", "as of"), rows, numbers=0)
    return Section(pack.name, f"{pack.name}: {pack.title}", (Text(f"{pack.description} {pack.note}".strip()), table))


def checked_document(files: Sequence[Checked], pilot: Pilot | None) -> Document:
    """What is wrong with each file, a line that counts, and what a pilot of them came to."""
    errors = sum(len(file.errors) for file in files)
    warnings = sum(len(file.warnings) for file in files)
    return document(
        *(block for file in files for block in _file(file)),
        Text(f"{counted(len(files), 'file')}: {counted(errors, 'error')}, {counted(warnings, 'warning')}."),
        *(_piloted(pilot) if pilot is not None else ()),
    )


def _file(file: Checked) -> Iterator[Block]:
    concept = file.concept
    about = f"{concept.name}, {concept.kind}, {counted(len(concept.facts), 'fact')}" if concept else "no concept"
    yield Text(f"{file.where} ({about}){'' if file.findings else ': nothing to mend'}")
    if file.findings:
        rows = ((str(file.lines.line_number(finding) or ""), *_finding(finding)) for finding in file.findings)
        yield plain_table(f"findings-{file.where}", ("line", "", "field", "finding"), rows, numbers=0)


def _finding(finding: BrokenRule) -> tuple[Cell | str, ...]:
    return text(finding.severity, "bad" if finding.severity == "error" else "warn"), finding.field, finding.message


def _piloted(pilot: Pilot) -> Iterator[Block | Section]:
    """The paper's criteria for each concept of a pilot."""
    yield Section(
        "pilot",
        "Pilot",
        (
            Text(
                f"{', '.join(pilot.models)}, judged by {pilot.jury}; {counted(pilot.dialogues, 'dialogue')}. "
                f"Run: {pilot.run}"
            ),
            *cautions([pilot.banner] if pilot.banner else []),
        ),
    )
    for each in pilot.concepts:
        rows = (
            (
                f"{criterion.number} {criterion.name}",
                text(criterion.status, _STATUS[criterion.status]),
                "\n".join(map(str, criterion.evidence)),
            )
            for criterion in each.criteria
        )
        heads = ("criterion (DDFT 4.2)", "status", "evidence")
        table = plain_table(f"criteria-{each.concept.id}", heads, rows, numbers=0)
        yield Section(each.concept.id, each.concept.name, (table,))
    if pilot.stopped:
        yield Text(not_complete(pilot.stopped), "warn")


def draft_document(draft: Draft, out: Path) -> Document:
    """What was drafted, what was refused, and what is still to be mended."""
    concept = draft.concept
    parts = {
        "word": concept.reference.split(),
        "fact": concept.facts,
        "instance": concept.instances,
        "topic": concept.topics,
    }
    counts = ", ".join(counted(len(names), noun) for noun, names in parts.items())
    blocks: list[Block] = [Text(f"{out} ({concept.name}, {concept.kind}): {counts}."), Text(NOTE, "strong")]
    if draft.refused:
        blocks += [Text("What the model gave and the rules refused:"), Bullets(tuple(map(str, draft.refused)))]
    if draft.findings:
        rows = map(_finding, draft.findings)
        title = "What the rules find in the rest:"
        blocks.append(plain_table("findings", ("", "field", "finding"), rows, numbers=0, title=title))
    return document(*blocks, Text(f"Then: voirdire concepts check {out}"))
