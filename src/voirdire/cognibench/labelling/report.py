"""What `voirdire label` shows: what a run holds, and what it would take."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from voirdire.cognibench.labelling.cost import LabelEstimate
from voirdire.cognibench.labelling.summary import LabelSummary
from voirdire.documents.cells import UNDEFINED, as_percent, cautions, count, percent, plain_table, share_ends, text
from voirdire.documents.document import Cell, Column, Document, Hint, Section, Table, Text, brief, detail, document
from voirdire.documents.messages import not_complete
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


def nothing_labelled(result: LabelSummary) -> str:
    """That every vote is missing, and where to see why."""
    return (
        f"Nothing is labelled: all {counted(result.votes, 'vote')} are missing. Why: voirdire show {result.path} --all"
    )


def labels_document(result: LabelSummary) -> Document:
    """What a labelling run holds."""
    more = len(result.undecided) - LISTED
    caption = f"and {counted(more, 'more statement')}; statements.parquet has them all." if more > 0 else ""
    table = replace(UNDECIDED, rows=tuple(undecided(result)), caption=caption)
    notes = [] if result.stopped is None else [Text(not_complete(result.stopped), "warn")]
    if result.ungraded:
        notes.append(Text(result.ungraded))
    return document(
        Text(_verdict(result), "strong"),
        *notes,
        *cautions(result.cautions),
        *(
            [brief(Text(f"{counted(result.lacking, 'statement has', 'statements have')} no label."))]
            if table.rows
            else []
        ),
        brief(
            Hint(
                f"Every label, and what the calls cost: voirdire show {result.path} --all",
                "quiet",
                "Every label, and what the calls cost: ",
            )
        ),
        Section("path", "", (Text(f"The run is in {result.path}."),)),
        detail("labels", _labels(result), *([table] if table.rows else []), *map(Text, _counts(result))),
    )


def _verdict(result: LabelSummary) -> str:
    """How many statements are hallucinated, with an interval where there is one."""
    share = result.hallucinated
    if share is None or share.value is None:
        return f"No statement of {counted(result.answers, 'answer')} has a label by {result.model} yet."
    ends = share_ends(share.interval)
    reach = f" (95 % interval {ends})" if ends else " (no interval: fewer than three contexts)"
    return (
        f"{result.model} calls {as_percent(share.value)} of {counted(share.n, 'labelled statement')} hallucinated"
        f"{reach}, in {counted(result.answers, 'answer')}."
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
        f"{counted(result.totals.calls, 'call')} ({result.totals.failed:,} failed), {money}."
    )
    if result.used_in_prompt:
        yield f"Scoring leaves out the prompt's examples: {counted(len(result.used_in_prompt), 'answer')}."
