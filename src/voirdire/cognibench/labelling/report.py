"""What `voirdire cognibench label` shows: what a run holds, and what it would take."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from voirdire.cognibench.labelling.cost import LabelEstimate
from voirdire.cognibench.labelling.records import UNGRADED
from voirdire.cognibench.labelling.summary import LabelSummary
from voirdire.documents.cells import UNDEFINED, cautions, count, percent, plain_table, text
from voirdire.documents.document import Cell, Column, Document, Table, Text, document
from voirdire.documents.runs import duration, estimate_table
from voirdire.text.counting import counted
from voirdire.text.money import dollars

LISTED = 50
"""Undecided statements that are listed."""
_GRADED = ("misleading", "irrefutable")
"""Labels that only a second stage gives."""
UNDECIDED = Table(
    "undecided",
    (
        Column("id", "answer"),
        Column("sentence", "sentence", numeric=True),
        Column("text", "text"),
        Column("why", "why"),
    ),
    (),
    "Without a label",
)
"""The table of `undecided`, without its rows."""


def labels_document(found: LabelSummary) -> Document:
    """What a labelling run holds."""
    more = len(found.undecided) - LISTED
    caption = f"and {counted(more, 'more statement')}; statements.parquet has them all." if more > 0 else ""
    table = replace(UNDECIDED, rows=tuple(undecided(found)), caption=caption)
    return document(
        *cautions(found.cautions), _labels(found), *([table] if table.rows else []), *map(Text, _counts(found))
    )


def undecided(found: LabelSummary) -> list[dict[str, Cell]]:
    """The first statements without a label, each with the reason."""
    return [
        {
            "id": text(each["id"]),
            "sentence": count(each["position"] + 1),
            "text": text(each["text"]),
            "why": text("; ".join([each["why"], *each["reasons"]])),
        }
        for each in found.undecided[:LISTED]
    ]


def estimate_document(expected: LabelEstimate) -> Document:
    """What a labelling run would take."""
    return document(
        estimate_table("stage", {each.name: each for each in expected.stages}),
        Text(
            f"{counted(expected.answers, 'answer')}, {counted(expected.statements, 'statement')}, "
            f"{counted(expected.calls, 'call')}, about {dollars(expected.usd)} and {duration(expected.minutes)}."
        ),
        Text(f"Assumed: {'; '.join(expected.assumptions)}."),
    )


def _labels(found: LabelSummary) -> Table:
    rows: list[tuple[Cell | str, ...]] = []
    for label, number_of in found.labels.items():
        if not found.tiers and label in _GRADED:
            rows.append((label, UNDEFINED, UNDEFINED))
        elif number_of or label != "undecided":
            rows.append((label, count(number_of), percent(number_of / max(1, found.statements))))
    return plain_table("labels", ("label", "statements", "share"), rows)


def _counts(found: LabelSummary) -> Iterator[str]:
    yield (
        f"{counted(found.statements, 'statement')} of {counted(found.answers, 'answer')}, labelled by {found.model} "
        f"(required: {found.require})."
    )
    money = "cost unknown" if found.totals.unknown_price else dollars(found.totals.cost_usd)
    yield (
        f"{found.missing_votes:,} of {counted(found.votes, 'vote')} missing after {counted(found.repairs, 'repair')}; "
        f"{counted(found.totals.calls, 'call')} ({found.totals.errors:,} failed), {money}."
    )
    if not found.tiers:
        yield f"Undefined (–): {UNGRADED}."
    if found.used_in_prompt:
        yield f"Scoring leaves out the prompt's examples: {counted(len(found.used_in_prompt), 'answer')}."
    yield f"The run is in {found.path}."
    if found.stopped is not None:
        yield f"Not complete: {found.stopped}"
