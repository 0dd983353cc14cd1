"""How concepts and what is wrong with them are shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from voirdire.cli.show.paint import new_table, remarks, render
from voirdire.text.counting import counted
from voirdire.text.terminal import Rendered

if TYPE_CHECKING:
    from pathlib import Path

    from rich.console import RenderableType
    from rich.text import Text

    from voirdire.ddft.concepts.checking import Checked, Finding
    from voirdire.ddft.concepts.packs import ListedPack
    from voirdire.ddft.drafting import Draft
    from voirdire.ddft.pilot import Pilot


def listing(packs: Sequence[ListedPack]) -> str:
    """The packs, and the concepts of each."""
    parts: list[RenderableType] = []
    for each in packs:
        parts += _pack(each)
    names = ", ".join(each.pack.name for each in packs)
    parts.append(f"Choose with --pack ({names}, all) or --concepts ID,…; a run is held on core otherwise.")
    return render(*parts)


def _pack(listed: ListedPack) -> list[RenderableType]:
    from rich.text import Text

    pack = listed.pack
    said = [f"{pack.description} {pack.note}".strip()]
    table = new_table("id", "name", "domain", "kind", "facts", "as of", numbers=0)
    for concept in listed.concepts:
        table.add_row(concept.id, concept.name, concept.domain, concept.kind, str(len(concept.facts)), concept.as_of)
    return [Text.assemble((pack.name, "bold"), f": {pack.title}"), *said, table]


def checked(files: Sequence[Checked]) -> Rendered:
    """What is wrong with each file, and a line that counts."""
    parts: list[RenderableType] = []
    for file in files:
        parts += _file(file)
    errors = sum(len(file.errors) for file in files)
    warnings = sum(len(file.warnings) for file in files)
    parts.append(f"{counted(len(files), 'file')}: {counted(errors, 'error')}, {counted(warnings, 'warning')}.")
    return render(*parts)


def examined(files: Sequence[Checked], pilot: Pilot | None) -> str:
    """What is wrong with each file, and what a pilot of them came to."""
    return checked(files) if pilot is None else Rendered(f"{checked(files)}\n\n{piloted(pilot)}")


def drafted(draft: Draft, out: Path) -> str:
    """What was drafted, what was refused, and what is still to be mended."""
    from rich.text import Text

    from voirdire.ddft.drafting.records import NOTE

    concept = draft.concept
    parts_of_it = {
        "word": concept.reference.split(),
        "fact": concept.facts,
        "instance": concept.instances,
        "topic": concept.topics,
    }
    counts = ", ".join(counted(len(listed), noun) for noun, listed in parts_of_it.items())
    parts: list[RenderableType] = [Text(f"{out} ({concept.name}, {concept.kind}): {counts}."), Text(NOTE, "bold")]
    if draft.refused:
        parts += ["What the model gave and the rules refused:", *(Text(f"  - {each}") for each in draft.refused)]
    if draft.findings:
        table = new_table("", "field", "finding", numbers=0)
        for finding in draft.findings:
            table.add_row(_severity(finding), Text(finding.field), Text(finding.message))
        parts += ["What the rules find in the rest:", table]
    parts.append(Text(f"Then: voirdire ddft concepts check {out}"))
    return render(*parts)


def piloted(pilot: Pilot) -> str:
    """The paper's criteria for each concept of a pilot."""
    from rich.text import Text

    parts: list[RenderableType] = [
        Text(
            f"Pilot: {', '.join(pilot.models)}, judged by {pilot.jury}; {counted(pilot.dialogues, 'dialogue')}. "
            f"Run: {pilot.run}"
        ),
        *remarks([pilot.banner] if pilot.banner else []),
    ]
    for each in pilot.concepts:
        table = new_table("criterion (DDFT 4.2)", "status", "evidence", numbers=0)
        for criterion in each.criteria:
            named = f"{criterion.number} {criterion.name}"
            table.add_row(
                named, Text(criterion.status, style=_STATUS[criterion.status]), Text("\n".join(criterion.evidence))
            )
        parts += [Text(each.concept.name, "bold"), table]
    if pilot.stopped:
        parts.append(Text(f"Not complete: {pilot.stopped}", "yellow"))
    return render(*parts)


_STATUS = {"met": "green", "not met": "red", "not shown": "yellow"}


def _severity(finding: Finding) -> Text:
    from rich.text import Text

    return Text(finding.severity, style="red" if finding.severity == "error" else "yellow")


def _file(file: Checked) -> list[RenderableType]:
    from rich.text import Text

    concept = file.concept
    about = f"{concept.name}, {concept.kind}, {counted(len(concept.facts), 'fact')}" if concept else "no concept"
    head = Text(f"{file.where} ({about}){'' if file.findings else ': nothing to mend'}")
    if not file.findings:
        return [head]
    table = new_table("line", "", "field", "finding", numbers=0)
    for finding in file.findings:
        line = file.lines.of(finding)
        table.add_row(
            "" if line is None else str(line),
            _severity(finding),
            Text(finding.field),
            Text(finding.message),
        )
    return [head, table]
