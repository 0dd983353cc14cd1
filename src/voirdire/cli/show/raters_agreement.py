"""How far people agree, as text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from voirdire.cli.show.paint import new_table, remarks
from voirdire.text.counting import counted

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

    from voirdire.raters.agreement import (
        Agreement,
        CategoryAgreement,
        Figure,
        FindingAgreement,
        HolisticGap,
        PhaseAgreement,
        ScoreAgreement,
        Workload,
    )

NONE = "–"
_ROOM = 100
"""Columns below which an interval takes two lines, so that no number is cut."""
_ORDERED = "* ordered: near misses count in part (linear weights; alpha by ranks)."
_FLAGS = (
    "hallucinated (… required): a factual statement that is not faithful, or a cognitive one below what is required, "
    "counts as hallucinated."
)
_UNITS = {"cognibench": "statements", "integrity": "responses", "ddft": "turns"}


def agreement(found: Agreement) -> list[RenderableType]:
    """What can be said, then the figures that it rests on."""
    from rich.text import Text

    parts: list[RenderableType] = [
        *remarks(found.warnings),
        headline(f"{found.title}: how far people agree"),
        *sentences(found.reading),
    ]
    parts += [Text(f"· {note}", style="dim") for note in found.notes]
    for phase in found.phases:
        parts += _phase(found, phase)
    if found.workload is not None and found.workload.statements:
        parts += [headline("Per 500 statements, as in CogniBench's table 1"), table_1([found.workload])]
    if found.left_out:
        left = f"{counted(found.left_out, 'rating is', 'ratings are')} left out"
        parts.append(Text(f"{left}: of a third person, or not blind.", style="dim"))
    return parts


def headline(text: str) -> RenderableType:
    """A line above a part."""
    from rich.text import Text

    return Text(f"\n{text}", style="bold")


def sentences(said: Sequence[str]) -> list[RenderableType]:
    """What can be said, one sentence a line."""
    from rich.text import Text

    return [Text(sentence) for sentence in said]


def cell(figure: Figure, form: str = ".2f") -> str:
    """A figure, and under it its interval; in two lines where the terminal is narrow."""
    from shutil import get_terminal_size

    if figure.value is None:
        return NONE
    if figure.low is None or figure.high is None:
        return f"{figure.value:{form}}"
    dots = ".." if get_terminal_size((_ROOM, 24)).columns >= _ROOM else "..\n"
    return f"{figure.value:{form}}\n[dim]{figure.low:{form}}{dots}{figure.high:{form}}[/]"


def percent_cell(figure: Figure) -> str:
    """The same of a share."""
    return cell(figure, ".1%").replace("%..", "..")


def _phase(found: Agreement, phase: PhaseAgreement) -> list[RenderableType]:
    from rich.text import Text

    name = "" if phase.phase == "live" else f"{phase.phase.capitalize()}: "
    people = ", ".join(found.names.get(rater, rater) for rater in phase.raters)
    parts: list[RenderableType] = [
        headline(
            f"{name}{phase.paired:,} of {phase.items:,} {_UNITS[found.task]} rated twice or more, of "
            f"{counted(phase.groups, 'group')}; by {people}"
        )
    ]
    if not phase.paired:
        return parts
    if phase.scores:
        parts += [_scores(phase.scores), *_leniency(phase.scores, found.names)]
    parts.append(_categories(phase.categories))
    pairs = [text for each in phase.categories[:1] for text in _pairs(each, found.names)]
    parts += [Text("  ".join(pairs), style="dim")] if pairs else []
    if phase.findings is not None:
        parts += [headline("Violations: of what one marks, how much another marks too"), _findings(phase.findings)]
    if phase.holistic:
        parts += [headline("Deductions beside first impressions"), _holistic(phase.holistic, found.names)]
    return parts


def _categories(rows: Sequence[CategoryAgreement]) -> Table:
    table = new_table("category", "twice", "agree", "Cohen κ", "Fleiss κ", "alpha", "AC1/AC2")
    shown = [row for row in rows if row.paired]
    for row in shown:
        figures = [cell(each) for each in (row.cohen, row.fleiss, row.alpha, row.ac)]
        table.add_row(row.name + (" *" if row.ordered else ""), f"{row.paired:,}", percent_cell(row.percent), *figures)
    said = [_ORDERED] if any(row.ordered for row in shown) else []
    said += [_FLAGS] if any(row.name.startswith("hallucinated") for row in shown) else []
    if said:
        table.caption = "\n".join(said)
        table.caption_justify = "left"
    return table


def _pairs(row: CategoryAgreement, names: Mapping[str, str]) -> list[str]:
    if len(row.cohen_pairs) < 2:
        return []
    return [
        f"{'–'.join(names.get(rater, rater) for rater in pair.raters)}: "
        f"κ {NONE if pair.kappa is None else f'{pair.kappa:.2f}'} ({pair.items:,})"
        for pair in row.cohen_pairs
    ]


def _scores(rows: Sequence[ScoreAgreement]) -> Table:
    table = new_table("score", "twice", "ICC(2,1)", "ICC(2,k)", "k", "ICC(3,1)", "alpha", "mean\ngap")
    for row in rows:
        digits = ".1f" if row.top > 1 else ".2f"
        figures = [cell(each) for each in (row.icc_2_1, row.icc_2_k)]
        table.add_row(
            *(row.name, f"{row.paired:,}", *figures, NONE if row.k is None else f"{row.k:.3g}"),
            *(cell(row.icc_3_1), cell(row.alpha), cell(row.mean_absolute_difference, digits)),
        )
    return table


def _leniency(rows: Sequence[ScoreAgreement], names: Mapping[str, str]) -> list[RenderableType]:
    table = new_table("higher than the others by", *(row.name for row in rows))
    for rater in dict.fromkeys(rater for row in rows for rater in row.leniency):
        cells = [
            cell(row.leniency[rater], "+.1f" if row.top > 1 else "+.2f") if rater in row.leniency else NONE
            for row in rows
        ]
        table.add_row(plain(names.get(rater, rater)), *cells)
    return [table] if table.row_count else []


def _findings(found: FindingAgreement) -> Table:
    table = new_table("family", "positive agreement")
    table.add_row("all", percent_cell(found.positive_agreement))
    for family, figure in found.by_family.items():
        table.add_row(plain(family), percent_cell(figure))
    return table


def _holistic(rows: Sequence[HolisticGap], names: Mapping[str, str]) -> Table:
    table = new_table("", "responses", "score -\nimpression", "mean\ngap", "over\n10", "changed", "r")
    for row in rows:
        r = NONE if row.pearson is None else f"{row.pearson:.2f}"
        cells = [f"{row.items:,}", cell(row.difference, "+.1f"), f"{row.mean_absolute:.1f}"]
        table.add_row(plain(names.get(row.rater, row.rater)), *cells, f"{row.over:,}", f"{row.changed:,}", r)
    return table


def table_1(rows: Sequence[Workload]) -> Table:
    """A project's lines beside the paper's."""
    from voirdire.raters.tasks.cognibench.task import PUBLISHED

    table = new_table("", "statements", "agree", "questions", "in the\nmoment", "afterwards")
    for row in rows:
        rates = [cell(each, ".1f") for each in (row.questions, row.in_the_moment, row.afterwards)]
        table.add_row(f"here, {row.mode}", f"{row.statements:,}", percent_cell(row.agreement), *rates)
    for mode, paper in PUBLISHED.items():
        counts = [str(each) for each in paper[1:]]
        table.add_row(f"[dim]paper, {mode}[/]", "", f"[dim]{paper.agreement:.2%}[/]", *counts)
    return table


def plain(text: str) -> str:
    """A name as it stands: what looks like markup in it is none."""
    from rich.markup import escape

    return escape(text)
