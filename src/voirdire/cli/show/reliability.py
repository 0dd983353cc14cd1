"""The reliability of a jury as text."""

from __future__ import annotations

import math
import string
from collections.abc import Callable
from typing import TYPE_CHECKING

from voirdire.cli.show.paint import new_table, remarks, render
from voirdire.text.counting import counted

if TYPE_CHECKING:
    from rich.console import RenderableType

    from voirdire.ddft.analysis.judges.report import JuryReport
    from voirdire.jury.reliability import CategoryReliability, Reliability, ScoreName, ScoreReliability
    from voirdire.stats.agreement import Estimate

_ESTIMATES: tuple[tuple[str, str, Callable[[ScoreReliability], Estimate]], ...] = (
    ("ICC(2,1)", "absolute, one judge", lambda s: s.intraclass.icc_2_1),
    ("ICC(2,k)", "absolute, their mean", lambda s: s.intraclass.icc_2_k),
    ("ICC(3,1)", "relative, one judge", lambda s: s.intraclass.icc_3_1),
    ("ICC(3,k)", "relative, their mean", lambda s: s.intraclass.icc_3_k),
    ("alpha, interval", "by squared difference", lambda s: s.alpha_interval),
    ("alpha, ordinal", "by difference in rank", lambda s: s.alpha_ordinal),
    ("AC1 at 0.7", "on one side of 0.7", lambda s: s.gwet_ac["0.7"]),
    ("AC2, bands", "in one band, or near it", lambda s: s.gwet_ac["bands"]),
)
_SCORES: tuple[ScoreName, ...] = ("FAR", "SAS")
_NONE = "–"


def reliability(report: JuryReport) -> str:
    """How far a run's judges agree, in what they differ, and what the results owe to each."""
    from rich.markup import escape

    found = report.reliability
    labels = dict(zip(found.judges, _letters(len(found.judges)), strict=True))
    parts: list[RenderableType] = remarks(report.cautions)
    parts.append(
        f"{counted(report.turns, 'turn')} on {counted(report.concepts, 'concept')}, judged by\n"
        + "\n".join(f"  [bold]{label}[/]  {escape(judge)}" for judge, label in labels.items())
    )
    parts += ["\n[bold]Agreement[/], with 95 % intervals by concept", _agreement(found), *_remarks(found)]
    parts += ["\n[bold]Every two judges[/]: correlation r, mean difference, kappa at 0.7 and over bands", _pairs(found)]
    parts += ["[bold]Standard deviation between judges[/], by the mean score they give a turn", _spread(found)]
    for name, categories in (("Stance towards the trap", found.stance), ("Claims or none", found.no_claims)):
        if categories is not None:
            parts += [f"[bold]{name}[/]", _categories(categories, labels)]
    parts += ["[bold]Leniency[/]: how much higher a judge scores than the others do", _leniency(found, labels)]
    parts += ["[bold]Self-preference[/]: how much more lenient it is to its own family than to others"]
    parts += _preferences(found, labels)
    parts += _left_out(report, labels)
    parts += [f"[dim]· {escape(note)}[/]" for note in found.notes]
    return render(*parts)


def _agreement(found: Reliability) -> RenderableType:
    table = new_table("", "FAR", "interval", "SAS", "interval", "what it says", numbers=4)
    for shown, says, of in _ESTIMATES:
        cells = [text for name in _SCORES for text in _value_and_ends(of(found.scores[name]))]
        table.add_row(shown, *cells, says)
    difference = [_number(found.scores[name].mean_absolute_difference) for name in _SCORES]
    table.add_row("mean difference", difference[0], "", difference[1], "", "between two judges")
    worth = [found.scores[name].effective_raters for name in _SCORES]
    bound = "at most, " if worth[0].basis == "least alike pair" else ""
    cells = [text for each in worth for text in _value_and_ends(each.raters)]
    table.add_row("independent judges", *cells, f"{bound}of {len(found.judges)}")
    return table


def _remarks(found: Reliability) -> list[str]:
    reasons = {name: found.scores[name].effective_raters.reason for name in _SCORES}
    unknown = [f"[dim]Independent judges, {name}: {reason}.[/]" for name, reason in reasons.items() if reason]
    return [
        "[dim]Absolute: leniency counts as disagreement; relative: it does not. docs/reliability.md explains each.[/]",
        *unknown,
    ]


def _pairs(found: Reliability) -> RenderableType:
    columns = [f"{score} {what}" for score in _SCORES for what in ("r", "diff.", "κ 0.7", "κ bands")]
    table = new_table("", *columns)
    letters = dict(zip(found.judges, _letters(len(found.judges)), strict=True))
    for far, sas in zip(found.scores["FAR"].pairs, found.scores["SAS"].pairs, strict=True):
        cells = [
            _number(value)
            for pair in (far, sas)
            for value in (pair.pearson, pair.mean_absolute_difference, pair.kappa["0.7"], pair.kappa["bands"])
        ]
        table.add_row("–".join(letters[judge] for judge in far.judges), *cells)
    return table


def _spread(found: Reliability) -> RenderableType:
    table = new_table("mean score", "FAR", "turns", "SAS", "turns")
    for far, sas in zip(found.scores["FAR"].spread, found.scores["SAS"].spread, strict=True):
        table.add_row(far.region, _number(far.sd), f"{far.items:,}", _number(sas.sd), f"{sas.items:,}")
    return table


def _categories(found: CategoryReliability, labels: dict[str, str]) -> RenderableType:
    kappas = ", ".join(
        f"{'–'.join(labels[judge] for judge in pair.judges)} {_number(pair.kappa)}" for pair in found.pairs
    )
    table = new_table("", "alpha, nominal", "AC1", "turns", "kappa of every two", numbers=3)
    table.add_row("", _with_ends(found.alpha), _with_ends(found.ac1), f"{found.items:,}", kappas)
    return table


def _leniency(found: Reliability, labels: dict[str, str]) -> RenderableType:
    table = new_table("", "FAR", "interval", "SAS", "interval")
    for judge, label in labels.items():
        cells = [text for name in _SCORES for text in _value_and_ends(found.leniency[name][judge], signed=True)]
        table.add_row(label, *cells)
    return table


def _preferences(found: Reliability, labels: dict[str, str]) -> list[RenderableType]:
    from rich.markup import escape

    table = new_table("", "FAR", "interval", "SAS", "interval", "family", numbers=4)
    remarks = []
    for far, sas in zip(found.self_preference["FAR"], found.self_preference["SAS"], strict=True):
        if far.reason is None:
            cells = [text for each in (far, sas) for text in _value_and_ends(each.shift, signed=True)]
            table.add_row(labels[far.judge], *cells, f"{far.family}, {len(far.own)} of the subjects")
        remark = far.reason or far.caution
        if remark:
            remarks.append(f"[dim]{labels[far.judge]}: {escape(remark)}.[/]")
    return [*([table] if table.row_count else []), *remarks]


def _left_out(report: JuryReport, labels: dict[str, str]) -> list[RenderableType]:
    from rich.markup import escape

    from voirdire.ddft.analysis.judges.leave_one_out import LEFT_OUT, order_changes

    parts: list[RenderableType] = []
    for metric, shown in (("CI_raw", "CI index"), ("ER", "ER")):
        rows = report.left_out[0].metrics
        if all(of[metric].panel is None for of in rows.values()):
            continue
        table = new_table("model", "all judges", *(f"without {labels[each.judge]}" for each in report.left_out))
        order = sorted(rows, key=lambda model: -(rows[model][metric].panel or -math.inf))
        for model in order:
            values = [rows[model][metric].panel, *(each.metrics[model][metric].without for each in report.left_out)]
            table.add_row(model, *(_NONE if value is None else f"{value:z.3f}" for value in values))
        parts += [f"\n[bold]{shown} with one judge left out[/]", table]
        if len(rows) > 1:
            said = order_changes(report.left_out, metric, labels.__getitem__)
            parts += [f"[dim]{escape(each)}[/]" for each in said]
    return [*parts, f"[dim]{LEFT_OUT}[/]"] if parts else []


def _letters(count: int) -> list[str]:
    return [string.ascii_uppercase[n] if n < 26 else f"J{n + 1}" for n in range(count)]


def _number(value: float) -> str:
    return _NONE if math.isnan(value) else f"{value:z.3f}"


def _value_and_ends(estimate: Estimate, *, signed: bool = False) -> tuple[str, str]:
    form = "+z.3f" if signed else "z.3f"
    if math.isnan(estimate.value):
        return _NONE, ""
    return f"{estimate.value:{form}}", "" if math.isnan(
        estimate.low
    ) else f"{estimate.low:{form}} to {estimate.high:{form}}"


def _with_ends(estimate: Estimate) -> str:
    value, ends = _value_and_ends(estimate)
    return f"{value} ({ends})" if ends else value
