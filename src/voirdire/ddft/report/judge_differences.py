"""In what judges differ: leniency, turns, kin, and what the results owe to each of them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import pandas as pd

from voirdire.ddft.analysis.judges.leave_one_out import LEFT_OUT, RANKED, order_changes
from voirdire.ddft.analysis.judges.report import JuryReport
from voirdire.ddft.metric_labels import LABELS
from voirdire.ddft.report import chart_panels as panels
from voirdire.ddft.report.judge_agreement import SCORES, ends_of, estimate_cells, estimate_columns
from voirdire.ddft.report.judge_turns import furthest_apart, shifts_by_turn
from voirdire.ddft.report.number_format import number, number_cell, text_cell
from voirdire.documents.document import Block, Bullets, Cell, Chart, Column, Table
from voirdire.jury.reliability import Reliability
from voirdire.text.counting import counted

_PAPERS_INDEX = (
    "The paper's index often rests on a handful of turns, and is then not reliable, whoever judges: `voirdire show` "
    "says of which model. The order by ER counts."
)
_FURTHEST = 12
"""Turns that are named: enough to see what judges quarrel about."""


def leniency(report: JuryReport, suffix: str) -> Table:
    """How much higher a judge scores than the others do."""
    columns = [Column("judge", "judge")]
    for score in SCORES:
        columns += estimate_columns(score, score)
    rows = []
    for judge in report.reliability.judges:
        row = {"judge": text_cell(report.shown(judge))}
        for score in SCORES:
            row |= estimate_cells(score, report.reliability.leniency[score][judge], signed=True)
        rows.append(row)
    caption = (
        "How much higher a judge scores than the others do. Where verdicts are missing: the judge's part in a model of "
        "turn + judge, fitted by least squares, so that no judge gains by having scored the easier turns."
    )
    return Table(f"leniency{suffix}", tuple(columns), tuple(rows), "Leniency", caption)


def leniency_chart(reliability: Reliability, suffix: str) -> Chart:
    """The same, drawn."""
    drawn = []
    for score in SCORES:
        rows = []
        for judge in reliability.judges:
            each = reliability.leniency[score][judge]
            if math.isnan(each.value):
                continue
            ends = ends_of(each)
            low, high = ends or (None, None)
            reach = f", 95 % interval {number(low, 2, signed=True)} to {number(high, 2, signed=True)}" if ends else ""
            label = f"{judge}: {number(each.value, 2, signed=True)} in {score}{reach}"
            rows.append({"name": judge, "value": each.value, "low": low, "high": high, "label": label})
        summary = "; ".join(str(row["label"]) for row in rows)
        drawn.append(panels.forest(f"Leniency in {score}", rows, f"Leniency of the judges. {summary}.", zero=True))
    return Chart(f"leniency-chart{suffix}", tuple(drawn))


def leniency_by_turn(report: JuryReport, verdicts: pd.DataFrame, names: Sequence[str], suffix: str) -> Table:
    """Leniency by number of the turn."""
    shifts = {score: shifts_by_turn(verdicts, names, score.lower()) for score in SCORES}
    turns = sorted({int(turn) for shift in shifts.values() for turn in shift.columns})
    columns = (
        Column("judge", "judge"),
        Column("score", "score"),
        *(Column(f"turn_{turn}", f"turn {turn}", numeric=True) for turn in turns),
    )
    rows = tuple(
        {
            "judge": text_cell(report.shown(judge)),
            "score": text_cell(score),
            **{f"turn_{turn}": number_cell(_at(shifts[score], judge, turn), 2, signed=True) for turn in turns},
        }
        for judge in names
        for score in SCORES
    )
    return Table(
        f"judge-turns{suffix}",
        columns,
        rows,
        "Who differs where",
        "By how much a judge's score lies above the mean of the others', by number of the turn.",
    )


def furthest_apart_table(verdicts: pd.DataFrame, names: Sequence[str], suffix: str, *, with_model: bool) -> Table:
    """The single turns on which they differ most."""
    turns = furthest_apart(verdicts, names, _FURTHEST)
    columns = [Column("model", "model")] if with_model else []
    columns += [Column("concept", "concept"), Column("level", "compression", numeric=True)]
    columns += [Column("turn", "turn", numeric=True), Column("FAR", "FAR apart", numeric=True)]
    columns.append(Column("SAS", "SAS apart", numeric=True))
    columns += [Column(name, f"{name}: FAR, SAS") for name in names]
    rows = []
    for each in turns:
        row: dict[str, Cell] = {"model": text_cell(each.model)} if with_model else {}
        row |= {
            "concept": text_cell(each.concept),
            "level": Cell(each.level, f"{each.level:g}"),
            "turn": Cell(each.turn, str(each.turn)),
            "FAR": number_cell(each.far, 2),
            "SAS": number_cell(each.sas, 2),
        }
        for name in names:
            far, sas = each.scores.get(name, (None, None))
            row[name] = text_cell(f"{number(far, 2)}, {number(sas, 2)}")
        rows.append(row)
    caption = (
        f"The {counted(len(turns), 'turn')} with the largest gap in either score, among the dialogues below."
        if turns
        else "There is no turn to which two judges gave different scores."
    )
    return Table(f"judges-apart{suffix}", tuple(columns), tuple(rows), "Furthest apart", caption)


def preferences(reliability: Reliability, suffix: str) -> Table | None:
    """Whether a judge is kinder to its own family; `None` where no judge has kin among the models."""
    columns = [Column("judge", "judge"), Column("family", "family")]
    for score in SCORES:
        columns += estimate_columns(score, score)
    rows = []
    for far, sas in zip(reliability.self_preference["FAR"], reliability.self_preference["SAS"], strict=True):
        if far.reason is None:
            row = {"judge": text_cell(far.judge), "family": text_cell(f"{far.family}: {', '.join(far.own)}")}
            row |= estimate_cells("FAR", far.shift, signed=True) | estimate_cells("SAS", sas.shift, signed=True)
            rows.append(row)
    if not rows:
        return None
    caption = "How much more lenient a judge is to models of its own family than to those of no judge's family."
    return Table(f"self-preference{suffix}", tuple(columns), tuple(rows), "Own kin", caption)


def leave_one_out_blocks(report: JuryReport, suffix: str) -> Iterator[Block]:
    """ER and the CI index with one judge left out, and what that does to the order of the models."""
    order = []
    for metric in RANKED:
        models = report.left_out[0].metrics
        if all(of[metric].panel is None for of in models.values()):
            continue
        columns = (
            Column("model", "model"),
            Column("all", "all judges", numeric=True),
            *(Column(f"without {each.judge}", f"without {each.judge}", numeric=True) for each in report.left_out),
        )
        rows = tuple(
            {
                "model": text_cell(model),
                "all": number_cell(of[metric].panel),
                **{
                    f"without {each.judge}": number_cell(each.metrics[model][metric].without)
                    for each in report.left_out
                },
            }
            for model, of in models.items()
        )
        label = LABELS[metric]
        caption = _PAPERS_INDEX if metric == "CI_raw" else ""
        yield Table(f"without-{metric}{suffix}", columns, rows, f"{label} with one judge left out", caption)
        if len(models) > 1:
            order += [f"{label}: {sentence}" for sentence in order_changes(report.left_out, metric)]
    if order:
        yield Bullets((*order, LEFT_OUT))


def _at(shifts: pd.DataFrame, judge: str, turn: int) -> float | None:
    return float(shifts.loc[judge, turn]) if turn in shifts.columns else None  # type: ignore[arg-type]
