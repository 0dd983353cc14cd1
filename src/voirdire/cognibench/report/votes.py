"""How far the votes agree, and what is missing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from voirdire.cognibench.labelling.report import LISTED, UNDECIDED, undecided
from voirdire.cognibench.report.loader import ReportedRun
from voirdire.documents.cells import count, percent, text
from voirdire.documents.document import Block, Cell, Column, Section, Table, Text
from voirdire.documents.run_description import with_run
from voirdire.text.counting import counted


def votes_section(runs: Sequence[ReportedRun]) -> Section:
    """The votes on each statement, and the statements that have no label."""
    blocks: list[Block] = [Text(_votes_summary(run, several=len(runs) > 1)) for run in runs]
    columns = (
        Column("votes", "votes for hallucinated"),
        Column("statements", "statements", numeric=True),
        Column("share", "share", numeric=True),
    )
    blocks.append(with_run(Table("votes", columns, (), "Votes"), {run.name: _votes(run) for run in runs}))
    unlabelled = {run.name: undecided(run.summary) for run in runs}
    if any(unlabelled.values()):
        lacking = max(len(run.summary.undecided) for run in runs)
        more = f"The first {LISTED} of {lacking}; all are found among the answers." if lacking > LISTED else ""
        blocks.append(with_run(replace(UNDECIDED, caption=more), unlabelled))
    return Section("votes", "How sure the labels are", tuple(blocks), short="Votes")


def _votes_summary(run: ReportedRun, *, several: bool) -> str:
    summary = run.summary
    split = sum(len(set(judged.votes) - {None}) > 1 for each in run.labelled for judged in each.judged)
    plan = run.manifest["plan"]
    notes = "" if plan["tiers"] else " There was no second stage: conclusions were not graded."
    if summary.used_in_prompt:
        notes += f" The prompt's examples are from {counted(len(summary.used_in_prompt), 'answer')}."
    return (
        f"{run.name + ': ' if several else ''}{counted(plan['votes'], 'vote')} a statement; on {split:,} of "
        f"{counted(summary.statements, 'statement')} they differ. Missing votes: {summary.missing_votes:,} of "
        f"{summary.votes:,}, after {counted(summary.repairs, 'repair')}.{notes}"
    )


def _votes(run: ReportedRun) -> list[dict[str, Cell]]:
    judged = [each for answer in run.labelled for each in answer.judged]
    whole = Counter(each.votes.count("hallu") for each in judged if None not in each.votes)
    rows = [(f"{votes} of {run.manifest['plan']['votes']}", whole[votes]) for votes in sorted(whole)]
    lacking = sum(None in each.votes for each in judged)
    rows += [("some votes are missing", lacking)] if lacking else []
    return [
        {"votes": text(kind), "statements": count(number), "share": percent(number / len(judged))}
        for kind, number in rows
    ]
