"""How far judges agree: coefficients, pairs, and on which answers; from what the reliability module found."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

from voirdire.ddft.analysis.judges.report import JuryReport
from voirdire.ddft.report.number_format import Ends, count_cell, number, number_cell, text_cell
from voirdire.documents.cells import plain_table
from voirdire.documents.document import Cell, Column, Table
from voirdire.jury.reliability import CategoryReliability, Reliability, ScoreName, ScoreReliability
from voirdire.stats.agreement import Estimate
from voirdire.text.counting import counted

SCORES: tuple[ScoreName, ...] = ("FAR", "SAS")

_ESTIMATES: tuple[tuple[str, str, Callable[[ScoreReliability], Estimate]], ...] = (
    ("ICC(2,1)", "absolute, one judge", lambda s: s.intraclass.icc_2_1),
    ("ICC(2,k)", "absolute, their mean", lambda s: s.intraclass.icc_2_k),
    ("ICC(3,1)", "relative, one judge", lambda s: s.intraclass.icc_3_1),
    ("ICC(3,k)", "relative, their mean", lambda s: s.intraclass.icc_3_k),
    ("alpha, interval", "by squared difference", lambda s: s.alpha_interval),
    ("alpha, ordinal", "by difference in rank", lambda s: s.alpha_ordinal),
    ("AC1 at 0.7", "on one side of 0.7", lambda s: s.gwet_ac["0.7"]),
    ("AC2, bands", "in one band, or near it", lambda s: s.gwet_ac["bands"]),
    ("independent judges", "at most as many as the panel amounts to", lambda s: s.effective_raters.raters),
)
"""Name, what it is, and which it is; the whole panel's scores are the mean of all."""


def agreement(reliability: Reliability, suffix: str) -> Table:
    """Coefficients of agreement on FAR, SAS, stances, claims."""
    columns = [Column("measure", "measure")]
    for score in SCORES:
        columns += estimate_columns(score, score)
    rows = []
    for name, says, of in _ESTIMATES:
        row = {"measure": text_cell(name), "says": text_cell(says)}
        for score in SCORES:
            row |= estimate_cells(score, of(reliability.scores[score]))
        rows.append(row)
    difference = {"measure": text_cell("mean difference"), "says": text_cell("between two judges")}
    for score in SCORES:
        difference |= estimate_cells(
            score, Estimate(reliability.scores[score].mean_absolute_difference, math.nan, math.nan)
        )
    return Table(
        f"agreement{suffix}",
        (*columns, Column("says", "what it is")),
        (*rows, difference),
        "Agreement",
        "Intervals: over concepts. Absolute: leniency counts as disagreement; relative: it does not. alpha is "
        "Krippendorff's, AC Gwet's: docs/reliability.md explains each.",
    )


def pairs(report: JuryReport, suffix: str) -> Table:
    """Every two judges: correlation, difference, kappa; a row for each score, for stances and for claims."""
    columns = (
        Column("first", "judge"),
        Column("second", "judge"),
        Column("on", "on"),
        Column("r", "r", numeric=True, help="Pearson's correlation"),
        Column("difference", "diff.", numeric=True, help="mean absolute difference"),
        Column("kappa", "kappa", numeric=True, help="Cohen's; of scores, on the same side of 0.7"),
        Column("bands", "bands", numeric=True, help="weighted kappa over the rubric's five bands"),
    )
    rows = []
    reliability = report.reliability
    for score in SCORES:
        for pair in reliability.scores[score].pairs:
            numbers = (pair.pearson, pair.mean_absolute_difference, pair.kappa["0.7"], pair.kappa["bands"])
            rows.append((*map(text_cell, (*map(report.shown, pair.judges), score)), *map(number_cell, numbers)))
    for name, categories in (("stance", reliability.stance), ("claims", reliability.no_claims)):
        for each in categories.pairs if categories is not None else ():
            cells = (number_cell(None), number_cell(None), number_cell(each.kappa), number_cell(None))
            rows.append((*map(text_cell, (*map(report.shown, each.judges), name)), *cells))
    return plain_table(
        f"judge-pairs{suffix}", columns, rows, title="Every two judges", caption=_categories(reliability)
    )


def spread(reliability: Reliability, suffix: str) -> Table:
    """Disagreement by how good the answer is."""
    columns = [Column("region", "mean score of the turn")]
    for score in SCORES:
        columns += [
            Column(score, score, numeric=True),
            Column(f"{score}_n", f"turns ({score})", numeric=True),
        ]
    rows = []
    for far, sas in zip(reliability.scores["FAR"].spread, reliability.scores["SAS"].spread, strict=True):
        rows.append(
            {
                "region": text_cell(far.region),
                "FAR": number_cell(far.sd),
                "FAR_n": count_cell(far.items),
                "SAS": number_cell(sas.sd),
                "SAS_n": count_cell(sas.items),
            }
        )
    caption = (
        "Mean standard deviation between judges. Those whose mean is above 0.9 can't differ much: no score exceeds 1."
    )
    return Table(f"judge-spread{suffix}", tuple(columns), tuple(rows), "On which answers they differ", caption)


def remarks(reliability: Reliability) -> tuple[str, ...]:
    """What is undefined, and what must be kept in mind beside self-preference."""
    sentences = []
    for score in SCORES:
        if reliability.scores[score].cut:
            sentences.append(f"{score}: {reliability.scores[score].cut}.")
        reason = reliability.scores[score].effective_raters.reason
        if reason:
            sentences.append(f"Independent judges, {score}: no value, since {reason}.")
        elif reliability.scores[score].effective_raters.basis == "least alike pair":
            sentences.append(f"Independent judges, {score}, is an upper bound: errors that all share can't be seen.")
    for each in reliability.self_preference["FAR"]:
        remark = each.reason or each.caution
        if remark:
            sentences.append(f"Own kin, {each.judge}: {remark}.")
    return tuple(sentences)


def _categories(reliability: Reliability) -> str:
    parts = [
        _category(name, categories)
        for name, categories in (
            ("stances towards the fabrication", reliability.stance),
            ("claims or none", reliability.no_claims),
        )
        if categories is not None
    ]
    return " ".join(["Kappa falls towards 0 where nearly all turns are alike, however often judges agree.", *parts])


def _category(name: str, categories: CategoryReliability) -> str:
    parts = [
        f"{label} {number(each.value)}"
        + ("" if (ends := ends_of(each)) is None else f" ({number(ends[0])} to {number(ends[1])})")
        for label, each in (("nominal alpha", categories.alpha), ("AC1", categories.ac1))
    ]
    return f"On {name}: {', '.join(parts)}; {counted(categories.items, 'turn')}."


def estimate_columns(key: str, label: str) -> list[Column]:
    """Columns of an estimate and of its interval."""
    return [
        Column(key, label, numeric=True, with_ends=True),
        Column(f"{key}_interval", "95 % interval", numeric=True, says_ends=True),
    ]


def estimate_cells(key: str, each: Estimate, *, signed: bool = False) -> dict[str, Cell]:
    """Their cells."""
    ends = ends_of(each)
    interval_text = "" if ends is None else " to ".join(number(end, signed=signed) for end in ends)
    cell = number_cell(each.value, signed=signed)
    return {key: replace(cell, ends=ends), f"{key}_interval": text_cell(interval_text)}


def ends_of(each: Estimate) -> Ends:
    """The interval; `None` where there is none."""
    return None if math.isnan(each.value) or math.isnan(each.low) else (each.low, each.high)
