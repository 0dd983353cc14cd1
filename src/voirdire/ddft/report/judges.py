"""The judges side by side: how far they agree, who is lenient, where they differ, what each of them changes."""

from __future__ import annotations

import math
from collections.abc import Iterator

from voirdire.ddft.analysis.judges.leave_one_out import order_changes
from voirdire.ddft.analysis.judges.report import JuryReport
from voirdire.ddft.metric_labels import in_full
from voirdire.ddft.plan import few_to_compare
from voirdire.ddft.questions import LAST_TURN
from voirdire.ddft.report import judge_agreement, judge_differences
from voirdire.ddft.report.material import JuryResults, Material
from voirdire.ddft.report.number_format import number
from voirdire.ddft.validity.score_checks import GOOD_STANCES
from voirdire.documents.cells import cautions
from voirdire.documents.document import Block, Bullets, Document, Notice, Section, Text, document, more
from voirdire.text.counting import counted, listed

_ONE_STANCE = ("one_stance_of_all", "rejected_though_false", "accepted_though_right")
"""That all judges gave every answer one stance, which is no disagreement."""
_AGREEMENT = ((0.9, "excellent"), (0.75, "good"), (0.5, "moderate"), (-math.inf, "poor"))
"""The least reliability, and the word for it."""


def judges(material: Material) -> Section:
    """One part per jury."""
    blocks = [block for of_jury in material.jury_results for block in _blocks_of(material, of_jury)]
    several = any(of_jury.report is not None for of_jury in material.jury_results)
    return Section("judges", "Judges side by side" if several else "The judge", tuple(blocks), "Judges", detail=True)


def _run_names(material: Material, of_jury: JuryResults) -> str:
    return listed([material.run_name(run) for run in material.report_runs if run.result.jury == of_jury.jury])


def _blocks_of(material: Material, of_jury: JuryResults) -> Iterator[Block]:
    jury = f"{_run_names(material, of_jury)} (jury {of_jury.jury}): " if len(material.jury_results) > 1 else ""
    if of_jury.report is None:
        yield Notice(
            f"{jury}{of_jury.panel.judges[0]} judged alone. Whether another judge would have said the same can't be "
            "told from this; have the runs judged by several (voirdire score RUN --jury A,B,C).",
            "info",
        )
        return
    names, report = of_jury.panel.judges, of_jury.report
    suffix = f"-{of_jury.jury}" if len(material.jury_results) > 1 else ""
    verdicts = material.verdicts[material.verdicts["jury"] == of_jury.jury]
    yield Text(f"{jury}{_judged_by(report)}")
    yield from (Notice(str(why)) for why in report.copies)
    yield judge_agreement.agreement(report.reliability, suffix)
    yield judge_agreement.pairs(report, suffix)
    yield judge_differences.leniency(report, suffix)
    yield judge_differences.leniency_chart(report.reliability, suffix)
    yield judge_differences.leniency_by_turn(report, verdicts, names, suffix)
    yield judge_differences.furthest_apart_table(verdicts, names, suffix, with_model=len(material.models) > 1)
    yield from _and_what_follows(report, suffix)


def reliability_document(report: JuryReport) -> Document:
    """How far a run's judges agree; in what they differ, and what the results owe to each, are details."""
    figures = (
        judge_agreement.agreement(report.reliability, ""),
        judge_agreement.pairs(report, ""),
        judge_differences.leniency(report, ""),
        *_and_what_follows(report, ""),
    )
    return document(
        *cautions(report.cautions),
        *map(Text, _conclusions(report)),
        *map(Text, _leniency(report)),
        Text(_judged_by(report)),
        more("All measures, each two judges, and the results without each judge"),
        Section("judges-in-detail", "", figures, detail=True),
    )


def _leniency(report: JuryReport) -> Iterator[str]:
    """Who scores accuracy surely higher or lower than the others, the farthest."""
    result = report.reliability.leniency["FAR"]
    ends_of = {judge: ends for judge, each in result.items() if (ends := judge_agreement.ends_of(each)) is not None}
    by_far = {judge for judge in ends_of if round(abs(result[judge].value), 2)}  # as shown: 0.00 is no difference
    sure = {judge: ends for judge, ends in ends_of.items() if judge in by_far and (min(ends) > 0 or max(ends) < 0)}
    if not sure:
        return
    judge = max(sure, key=lambda judge: abs(result[judge].value))
    least, most = sorted(map(abs, sure[judge]))
    kind, way = ("most lenient", "higher") if result[judge].value > 0 else ("strictest", "lower")
    yield (
        f"{judge} is the {kind}: it scores accuracy {number(abs(result[judge].value), 2)} {way} than the others do "
        f"(95 % interval {number(least, 2)} to {number(most, 2)})."
    )


def _conclusions(report: JuryReport) -> Iterator[str]:
    """How far each score of the jury can be relied on, and whether the order of the models rests on one judge."""
    for score in judge_agreement.SCORES if report.different_judges > 1 else ():
        called, result = in_full(score), report.reliability.scores[score].intraclass.icc_2_k
        if math.isnan(result.value):
            yield f"How far the judges agree on {called} can't be told: their scores hardly vary, or are too few."
            continue
        ends = judge_agreement.ends_of(result)
        reach = f"95 % interval {number(ends[0], 2)} to {number(ends[1], 2)}" if ends else "no interval"
        words = list(dict.fromkeys(map(_agreement_in_words, ends or (result.value,))))
        yield (
            f"The judges' agreement on {called} is {' to '.join(words)}: the reliability of their mean, ICC(2,k), is "
            f"{number(result.value, 2)} ({reach})."
        )
    alike = [str(why) for why in report.stances.evidence if why.code in _ONE_STANCE]
    yield from alike
    stances = report.stances
    if not alike and (stances.status == "fail" or (stances.value is not None and stances.value < GOOD_STANCES)):
        yield (
            f"The judges {'hardly' if stances.status == 'fail' else 'do not always'} agree on which answers "
            f"accept the fabrication, and {in_full('ER')} rests on that: {stances.evidence[0]}"
        )
    models = len(report.left_out[0].metrics)
    if models > 1:
        dialogues = report.turns // LAST_TURN // models
        undecidable = few_to_compare(report.left_out[0].ranks["ER"].models, report.concepts, dialogues)
        yield from (
            (f"Ranked by ER: {sentence[0].lower()}{sentence[1:]}" for sentence in order_changes(report.left_out, "ER"))
            if undecidable is None
            else (str(undecidable),)
        )


def _agreement_in_words(icc: float) -> str:
    """What a reliability is called, after Koo and Li (2016), doi:10.1016/j.jcm.2016.02.012."""
    return next(word for least, word in _AGREEMENT if icc >= least)


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
