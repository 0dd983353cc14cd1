"""The judges side by side: how far they agree, who is lenient, where they differ, what each of them changes."""

from __future__ import annotations

from collections.abc import Iterator

from voirdire.ddft.report import judge_agreement, judge_differences
from voirdire.ddft.report.material import Bench, Material
from voirdire.documents.document import Block, Bullets, Notice, Section, Text
from voirdire.text.counting import counted, listed


def judges(material: Material) -> Section:
    """One part per jury."""
    blocks = [block for bench in material.benches for block in _of_bench(material, bench)]
    return Section("judges", "Judges side by side", tuple(blocks), "Judges")


def _runs_of(material: Material, bench: Bench) -> str:
    return listed([material.called(held) for held in material.held if held.result.jury == bench.jury])


def _of_bench(material: Material, bench: Bench) -> Iterator[Block]:
    jury = f"{_runs_of(material, bench)} (jury {bench.jury}): " if len(material.benches) > 1 else ""
    if bench.report is None:
        yield Notice(
            f"{jury}{bench.seating.judges[0]} judged alone. Whether another judge would have said the same can't be "
            "told from this; have the runs judged by several (voirdire ddft score RUN --jury A,B,C).",
            "info",
        )
        return
    names, report = bench.seating.judges, bench.report
    yield Text(
        f"{jury}{counted(report.turns, 'turn')} on {counted(report.concepts, 'concept')}, judged by "
        f"{counted(len(names), 'judge')}, each alone. Agreement of 1 means that judges rank and score alike, 0 that "
        "they might as well toss a coin."
    )
    suffix = f"-{bench.jury}" if len(material.benches) > 1 else ""
    verdicts = material.verdicts[material.verdicts["jury"] == bench.jury]
    yield judge_agreement.agreement(report.reliability, suffix)
    yield judge_agreement.pairs(report.reliability, suffix)
    yield judge_differences.leniency(report.reliability, suffix)
    yield judge_differences.leniency_chart(report.reliability, suffix)
    yield judge_differences.by_turn(verdicts, names, suffix)
    yield judge_differences.apart(verdicts, names, suffix, with_model=len(material.models) > 1)
    yield judge_agreement.spread(report.reliability, suffix)
    preferences = judge_differences.preferences(report.reliability, suffix)
    if preferences is not None:
        yield preferences
    yield from judge_differences.without_each(report, suffix)
    yield Bullets((*report.reliability.notes, *judge_agreement.remarks(report.reliability)))
