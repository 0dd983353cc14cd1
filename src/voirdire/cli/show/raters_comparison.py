"""People beside a machine, and one mode of annotating beside the other, as text."""

from __future__ import annotations

from collections.abc import Sequence
from string import ascii_uppercase
from typing import TYPE_CHECKING

from voirdire.cli.show.paint import new_table, render
from voirdire.cli.show.raters_agreement import (
    NONE,
    agreement,
    cell,
    headline,
    percent_cell,
    plain,
    sentences,
    table_1,
)
from voirdire.text.counting import counted

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

    from voirdire.raters.agreement import Agreement, Figure
    from voirdire.raters.comparing import (
        Comparison,
        Confusion,
        FindingComparison,
        Flagging,
    )
    from voirdire.raters.tasks.cognibench.modes import ModeComparison

LEADING = ("ICC(2,1)", "kappa", "positive agreement")
"""The coefficients that single judges are shown by; --json has all."""
_SHOWN = 12
"""Findings of one side alone that are listed; --json has all."""


def everything(found: Agreement, compared: Comparison | None, modes: ModeComparison | None) -> str:
    """People with each other; beside a machine and in the other mode, where that was asked for."""
    parts = agreement(found)
    parts += [] if compared is None else comparison(compared)
    parts += [] if modes is None else comparison_of_modes(modes)
    return render(*parts)


def comparison(found: Comparison) -> list[RenderableType]:
    """What can be said, then the figures that it rests on."""
    from rich.text import Text

    parts: list[RenderableType] = [
        headline(f"People beside {found.by} ({found.run})"),
        *sentences(found.reading),
        *_judges(found),
    ]
    parts += [Text(f"· {note}", style="dim") for note in (_coverage(found), *found.notes)]
    parts += [headline("As close to people as people are to each other?"), _closeness(found)]
    if found.scores:
        parts += [headline("Scores: machine beside people"), _scores(found)]
    if found.flags:
        parts += [headline("Hallucinations found, people's view taken as right"), _flags(found.flags)]
    for each in found.confusions:
        if each.consensus and not each.scale.startswith("hallucinated") and len(_used(each)) > 1:
            title = f"{each.scale[0].upper()}{each.scale[1:]}: people down, machine across"
            parts += [headline(title), _confusion(each)]
    for each_findings in found.findings[:1]:
        parts += [headline("Violation by violation"), _found(each_findings), *_alone(each_findings)]
    if len(found.findings) > 1:
        parts += [headline("Positive agreement with people"), _auditors(found.findings)]
    return parts


def _coverage(found: Comparison) -> str:
    parts = [f"Rated items in the run: {found.matched:,} of {found.rated:,}, of {counted(found.groups, 'group')}"]
    parts += [f"{found.undecided:,} of them it left without a result"] if found.undecided else []
    return "; ".join(parts) + "."


def _letters(found: Comparison) -> dict[str, str]:
    """A letter for each judge, so that long names need no column."""
    return {judge: ascii_uppercase[place % 26] for place, judge in enumerate(found.judges)}


def _judges(found: Comparison) -> list[RenderableType]:
    single = [each for each in found.closeness if not each.consensus]
    if not single:
        return []
    return sentences([f"  {letter}  {judge}" for judge, letter in _letters(found).items()])


def _closeness(found: Comparison) -> Table:
    """The consensus by every coefficient, single judges by the leading ones."""
    table = new_table("", "items", "people with\neach other", "with the\nmachine", "difference")
    letters = _letters(found)
    for row in found.closeness:
        shown = row.coefficient != "percent" if row.consensus else row.coefficient in LEADING
        if shown and row.items:
            who = "" if row.consensus else f" [dim]{letters[row.machine]} alone[/]"
            figures = cell(row.people), cell(row.with_machine), cell(row.difference, "+.2f")
            table.add_row(f"{row.scale}, {row.coefficient}{who}", f"{row.items:,}", *figures)
    return table


def _scores(found: Comparison) -> Table:
    table = new_table("", "n", "r", "rho", "ICC(2,1)", "ICC(3,1)", "bias", "mean\ngap")
    letters = _letters(found)
    for row in found.scores:
        if row.people and not row.consensus:
            continue
        form = "+.2f" if abs(row.people_mean) <= 1 and abs(row.machine_mean) <= 1 else "+.1f"
        who = plain(found.names.get(row.people, row.people)) or "people"
        machine = "machine" if row.consensus else letters[row.machine]
        table.add_row(
            *(f"{row.scale}, {machine}–{who}", f"{row.items:,}", cell(row.pearson), _bare(row.spearman)),
            *(cell(row.icc_2_1), cell(row.icc_3_1), cell(row.bias, form), _bare(row.mean_absolute, form.lstrip("+"))),
        )
    return table


def _bare(figure: Figure, form: str = ".2f") -> str:
    """A figure without its interval, where there is no room."""
    return NONE if figure.value is None else f"{figure.value:{form}}"


def _flags(rows: Sequence[Flagging]) -> Table:
    table = new_table("required", "in", "n", "precision", "recall", "F1", "could\nnot say")
    for row in rows:
        figures = [percent_cell(each) for each in (row.precision, row.recall, row.f1)]
        table.add_row(row.require, row.unit, f"{row.items:,}", *figures, f"{row.unsaid:,}")
    return table


def _confusion(found: Confusion) -> Table:
    used = _used(found)
    table = new_table("", *(found.categories[place] for place in used))
    for column in table.columns[1:]:
        column.no_wrap, column.overflow = False, "fold"  # their names are longer than their numbers
    for row in used:
        cells = [f"{found.counts[row][column]:,}" if found.counts[row][column] else "·" for column in used]
        cells[used.index(row)] = f"[bold]{cells[used.index(row)]}[/]"
        table.add_row(found.categories[row], *cells)
    return table


def _used(found: Confusion) -> list[int]:
    """The categories that either side puts anything in."""
    return [
        place
        for place in range(len(found.categories))
        if any(found.counts[place]) or any(row[place] for row in found.counts)
    ]


def _found(found: FindingComparison) -> Table:
    table = new_table("", "both", "people\nonly", "machine\nonly")
    for row in found.families:
        table.add_row(plain(row.name), f"{row.both:,}", f"{row.people_only:,}", f"{row.machine_only:,}")
    table.add_section()
    for row in found.types:
        table.add_row(f"[dim]{plain(row.name)}[/]", f"{row.both:,}", f"{row.people_only:,}", f"{row.machine_only:,}")
    return table


def _alone(found: FindingComparison) -> list[RenderableType]:
    """Findings of one side, as far as there is room."""
    alone = [row for row in found.findings if (row.people_type is None) != (row.machine_type is None)]
    if not alone:
        return []
    table = new_table("response", "sentence", "fact", "type", "found by", "words", numbers=1)
    for row in alone[:_SHOWN]:
        people = f"{row.people} of {counted(row.of, 'person', 'people')}"
        by = people if row.machine_type is None else f"machine, {row.people} of {row.of}"
        sentence = "" if row.sentence is None else str(row.sentence + 1)
        kind = row.people_type or row.machine_type or ""
        table.add_row(
            *(plain(row.item), sentence, plain(row.fact or ""), plain(kind), by, plain(_short(row.span or "")))
        )
    more = f" ({_SHOWN} of {len(alone):,}; --json has all)" if len(alone) > _SHOWN else ""
    return [headline(f"Found by one side only{more}"), table]


def _auditors(rows: Sequence[FindingComparison]) -> Table:
    table = new_table("", "responses", "positive agreement")
    for row in rows:
        table.add_row(plain(row.machine), f"{row.items:,}", percent_cell(row.positive_agreement))
    return table


def comparison_of_modes(found: ModeComparison) -> list[RenderableType]:
    """Sequential decisions beside direct classification, and the paper's two lines."""
    from rich.text import Text

    table = new_table("sequential - independent", "difference")
    for name, figure in found.differences.items():
        shown = cell(figure, "+.1%") if name == "agreement" else cell(figure, "+.2f")
        table.add_row(name, shown)
    return [
        headline("Sequential decisions beside direct classification, per 500 statements"),
        *sentences(found.reading),
        *(Text(f"· {note}", style="dim") for note in found.notes),
        table_1([found.sequential, found.independent]),
        table,
    ]


def _short(text: str, width: int = 60) -> str:
    return text if len(text) <= width else f"{text[: width - 1]}…"
