"""The auditors beside one another, and scores by deduction beside those by impression."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from voirdire.documents.cells import UNDEFINED, count, number, percent, text
from voirdire.documents.document import Block, Cell, Column, Section, Table, Text
from voirdire.documents.run_description import with_run
from voirdire.integrity.report.loader import ReportedRun

_LISTED = 50


def auditors_section(runs: Sequence[ReportedRun]) -> Section:
    """Each auditor's scores, findings, void and missing ones, and how far they agree."""
    columns = (
        Column("auditor", "auditor"),
        Column("mean", "mean score", numeric=True),
        Column("of", "of", numeric=True, help="the responses that every auditor scored, which the mean is of"),
        Column("findings", "findings", numeric=True, help="without omissions"),
        Column("omissions", "omissions", numeric=True, help="responses that leave out established facts"),
        Column("void", "void", numeric=True, help="the words or the fact that it names are not there"),
        Column("missing", "missing", numeric=True, help="audits that could not be had"),
    )
    blocks: list[Block] = [with_run(Table("auditors", columns, ()), {run.name: _auditors(run) for run in runs})]
    several = [run for run in runs if len(run.auditors) > 1]
    if several:
        blocks += [*_agreement(several), *_pairs(several)]
    else:
        blocks.append(Text("One auditor alone: whether another one would find the same is not known."))
    return Section("auditors", "Auditors beside one another", tuple(blocks), short="Auditors")


def holistic_section(runs: Sequence[ReportedRun]) -> Section | None:
    """Responses whose two scores lie apart; `None` where no score by impression was given."""
    compared = [run for run in runs if run.summary.compared]
    if not compared:
        return None
    columns = (
        Column("id", "response"),
        Column("score", "by deduction", numeric=True),
        Column("holistic", "by impression", numeric=True),
        Column("apart", "apart", numeric=True),
    )
    note = Text("A score by impression is given before the deductions are seen. More than 10 points apart: look again.")
    table = with_run(
        Table("divergent", columns, (), "More than 10 points apart", f"The {_LISTED} farthest apart at most."),
        {run.name: _divergent(run) for run in compared},
    )
    return Section("impression", "Beside scores by impression", (note, table), short="Impression")


def _auditors(run: ReportedRun) -> list[dict[str, Cell]]:
    result, omitted = Counter[str](), Counter[str]()
    for each in run.audits:
        for audit in each.decision.requested_audits:
            findings, omissions = each.decision.finding_counts(audit.auditor)
            result[audit.auditor] += findings
            omitted[audit.auditor] += omissions
    return [
        {
            "auditor": text(row["auditor"]),
            "mean": number(row["mean_score"], 1),
            "of": count(row["scored_by_all"]),
            "findings": count(result[row["auditor"]]),
            "omissions": count(omitted[row["auditor"]]),
            "void": count(row["voided_findings"], "warn" if row["voided_findings"] else ""),
            "missing": count(row["missing"], "warn" if row["missing"] else ""),
        }
        for row in run.summary.as_dict()["auditors"]
    ]


def _agreement(runs: Sequence[ReportedRun]) -> list[Block]:
    columns = (
        Column("measure", "agreement of the scores"),
        Column("value", "value", numeric=True),
        Column("low", "from", numeric=True),
        Column("high", "to", numeric=True),
    )
    rows = {
        run.name: [
            {
                "measure": text(name),
                "value": _known(estimate.value),
                "low": _known(estimate.low),
                "high": _known(estimate.high),
            }
            for name, estimate in (run.summary.agreement() or {}).items()
        ]
        for run in runs
    }
    caption = "1: the same scores; 0: no more alike than by chance."
    return (
        [with_run(Table("agreement", columns, (), "Do they score alike?", caption), rows)] if any(rows.values()) else []
    )


def _pairs(runs: Sequence[ReportedRun]) -> list[Block]:
    columns = (
        Column("one", "auditor"),
        Column("other", "and"),
        Column("shared", "findings in common", numeric=True),
        Column("positive", "positive agreement", numeric=True, help="twice those in common over all of both"),
    )
    rows = {
        run.name: [
            {
                "one": text(pair["auditors"][0]),
                "other": text(pair["auditors"][1]),
                "shared": count(pair["shared"]),
                "positive": percent(pair["positive_agreement"]),
            }
            for pair in run.summary.positive_agreement()
        ]
        for run in runs
    }
    return [with_run(Table("findings", columns, (), "Do they find the same?"), rows)] if any(rows.values()) else []


def _divergent(run: ReportedRun) -> list[dict[str, Cell]]:
    farthest = sorted(run.summary.divergent, key=lambda each: -abs(each.score - each.holistic))[:_LISTED]
    return [
        {
            "id": text(each.id),
            "score": count(each.score),
            "holistic": Cell(each.holistic, f"{each.holistic:g}"),
            "apart": Cell(each.score - each.holistic, f"{each.score - each.holistic:+g}"),
        }
        for each in farthest
    ]


def _known(value: float) -> Cell:
    return Cell(None, UNDEFINED) if math.isnan(value) else number(value)
