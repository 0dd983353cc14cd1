"""What `voirdire label` shows: what a run holds, and what it would take."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from voirdire.cognibench.labelling.cost import LabelEstimate
from voirdire.cognibench.labelling.summary import LabelSummary
from voirdire.documents.cells import UNDEFINED, cautions, count, percent, plain_table, text
from voirdire.documents.document import Cell, Column, Document, Table, Text, document
from voirdire.documents.run_description import duration, estimate_blocks, estimate_line
from voirdire.text.counting import counted
from voirdire.text.money import dollars

LISTED = 50
"""Undecided statements that are listed."""
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


def labels_document(result: LabelSummary) -> Document:
    """What a labelling run holds."""
    more = len(result.undecided) - LISTED
    caption = f"and {counted(more, 'more statement')}; statements.parquet has them all." if more > 0 else ""
    table = replace(UNDECIDED, rows=tuple(undecided(result)), caption=caption)
    return document(
        *cautions(result.cautions), _labels(result), *([table] if table.rows else []), *map(Text, _counts(result))
    )


def undecided(result: LabelSummary) -> list[dict[str, Cell]]:
    """The first statements without a label, each with the reason; one that was just given is not repeated."""
    first = result.undecided[:LISTED]
    whys = ["; ".join([each["why"], *each["reasons"]]) for each in first]
    return [
        {
            "id": text(each["id"]),
            "sentence": count(each["position"] + 1),
            "text": text(each["text"]),
            "why": text("as above" if why == before else why),
        }
        for each, why, before in zip(first, whys, ["", *whys], strict=False)
    ]


def estimate_document(expected: LabelEstimate) -> Document:
    """What a labelling run would take."""
    stages = {each.name: each for each in expected.stages}
    counts = (
        counted(expected.answers, "answer"),
        counted(expected.statements, "statement"),
        counted(expected.calls, "call"),
    )
    line = estimate_line(counts, expected, duration(expected.minutes))
    return document(*estimate_blocks("stage", stages, line, expected.assumptions))


def _labels(result: LabelSummary) -> Table:
    decided = result.statements - result.lacking
    rows: list[tuple[Cell | str, ...]] = []
    for label, number_of in result.labels.items():
        if number_of is None:
            rows.append((label, UNDEFINED, UNDEFINED))
        elif label != UNDECIDED.id:
            rows.append((label, count(number_of), percent(number_of / decided if decided else None)))
        elif number_of:
            rows.append((label, count(number_of), ""))
    caption = f"Shares are of the {counted(decided, 'statement')} with a label."
    return plain_table("labels", ("label", "statements", "share"), rows, caption=caption)


def _counts(result: LabelSummary) -> Iterator[str]:
    yield (
        f"{counted(result.statements, 'statement')} of {counted(result.answers, 'answer')}, labelled by {result.model} "
        f"(required: {result.require})."
    )
    money = "cost unknown" if result.totals.unknown_price else dollars(result.totals.cost_usd)
    repairs = counted(result.repairs, "repair")
    yield (
        f"{result.missing_votes:,} of {counted(result.votes, 'vote')} missing after {repairs}; "
        f"{counted(result.totals.calls, 'call')} ({result.totals.errors:,} failed), {money}."
    )
    if result.ungraded:
        yield result.ungraded
    if result.used_in_prompt:
        yield f"Scoring leaves out the prompt's examples: {counted(len(result.used_in_prompt), 'answer')}."
    yield f"The run is in {result.path}."
    if result.stopped is not None:
        yield f"Not complete: {result.stopped}"
