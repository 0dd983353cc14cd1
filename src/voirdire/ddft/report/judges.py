"""The judges side by side: how far they agree, who is lenient, where they differ, what each of them changes."""

from __future__ import annotations

from collections.abc import Iterator

from voirdire.ddft.analysis.judges.report import JuryReport
from voirdire.ddft.report import judge_agreement, judge_differences
from voirdire.ddft.report.material import Bench, Material
from voirdire.documents.cells import cautions
from voirdire.documents.document import Block, Bullets, Document, Notice, Section, Text, document
from voirdire.text.counting import counted, listed


def judges(material: Material) -> Section:
    """One part per jury."""
    blocks = [block for bench in material.benches for block in _of_bench(material, bench)]
    return Section("judges", "Judges side by side", tuple(blocks), "Judges")


def _run_names(material: Material, bench: Bench) -> str:
    return listed([material.run_name(run) for run in material.report_runs if run.result.jury == bench.jury])


def _of_bench(material: Material, bench: Bench) -> Iterator[Block]:
    jury = f"{_run_names(material, bench)} (jury {bench.jury}): " if len(material.benches) > 1 else ""
    if bench.report is None:
        yield Notice(
            f"{jury}{bench.seating.judges[0]} judged alone. Whether another judge would have said the same can't be "
            "told from this; have the runs judged by several (voirdire score RUN --jury A,B,C).",
            "info",
        )
        return
    names, report = bench.seating.judges, bench.report
    suffix = f"-{bench.jury}" if len(material.benches) > 1 else ""
    verdicts = material.verdicts[material.verdicts["jury"] == bench.jury]
    yield Text(f"{jury}{_judged_by(report)}")
    yield judge_agreement.agreement(report.reliability, suffix)
    yield judge_agreement.pairs(report.reliability, suffix)
    yield judge_differences.leniency(report.reliability, suffix)
    yield judge_differences.leniency_chart(report.reliability, suffix)
    yield judge_differences.leniency_by_turn(verdicts, names, suffix)
    yield judge_differences.furthest_apart_table(verdicts, names, suffix, with_model=len(material.models) > 1)
    yield from _and_what_follows(report, suffix)


def reliability_document(report: JuryReport) -> Document:
    """How far a run's judges agree, in what they differ, and what the results owe to each."""
    return document(
        *cautions(report.cautions),
        Text(_judged_by(report)),
        judge_agreement.agreement(report.reliability, ""),
        judge_agreement.pairs(report.reliability, ""),
        judge_differences.leniency(report.reliability, ""),
        *_and_what_follows(report, ""),
    )


def _judged_by(report: JuryReport) -> str:
    return (
        f"{counted(report.turns, 'turn')} on {counted(report.concepts, 'concept')}, judged by "
        f"{listed(report.reliability.judges)}, each alone. Agreement of 1 means that judges rank and score alike, 0 "
        "that they might as well toss a coin."
    )


def _and_what_follows(report: JuryReport, suffix: str) -> Iterator[Block]:
    yield judge_agreement.spread(report.reliability, suffix)
    preferences = judge_differences.preferences(report.reliability, suffix)
    if preferences is not None:
        yield preferences
    yield from judge_differences.leave_one_out_blocks(report, suffix)
    yield Bullets((*report.reliability.notes, *judge_agreement.remarks(report.reliability)))
