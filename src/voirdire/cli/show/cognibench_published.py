"""The CogniBench paper's numbers beside recomputed ones, as text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from voirdire.cli.show.cognibench_stats import percent
from voirdire.cli.show.paint import new_table, remarks, render
from voirdire.cli.show.replication import printed

if TYPE_CHECKING:
    from rich.console import RenderableType

    from voirdire.papers.claims import Outcome
    from voirdire.papers.cognibench.replication import Replication


def replication(found: Replication) -> str:
    """Every claim under its verdict, then Table 3 looked at closely, and what reading nothing gives."""
    parts: list[RenderableType] = [*remarks([found.paper.assumed, *found.dynamics.cautions])]
    for verdict, count in found.counts.items():
        if count:
            parts.append(f"\n[bold reverse] {verdict.capitalize()}: {count} [/]\n")
            parts += [_block(claim) for claim in found.claims if claim.verdict == verdict]
    counts = ", ".join(f"{count} {verdict}" for verdict, count in found.counts.items() if count)
    last = f"\n{found.paper.rule}\n\n{len(found.claims)} claims, {found.labelled} labelled responses: {counts}."
    return render(*parts, *_table_3(found), *_baselines(found), last)


def recomputed(found: Outcome[Any]) -> str:
    """A recomputed value with one decimal more than is printed, its interval and n."""
    value = found.value
    if value is None or isinstance(value, str):
        return value or ""
    decimals = found.claim.numbers[0].decimals + 1
    shown = f"{value:,.0f}" if float(value).is_integer() and found.interval is None else f"{value:,.{decimals}f}"
    if found.interval is not None:
        shown += f" [{found.interval[0]:.{decimals}f}, {found.interval[1]:.{decimals}f}]"
    return shown if found.result.n is None else f"{shown}, n {found.result.n}"


def _block(found: Outcome[Any]) -> RenderableType:
    """A claim in a few lines."""
    from rich.console import Group
    from rich.padding import Padding
    from rich.text import Text

    claim = found.claim
    first = Text.assemble((claim.id, "bold"), f"  {claim.says}", (f"  ({claim.section})", "dim"))
    shown = f"paper {printed(found)}"
    if found.value is not None:
        shown += f"   recomputed {recomputed(found)}"
    lines = [Padding(Text(shown), (0, 0, 0, 4))]
    lines += [Padding(Text(text, style="dim"), (0, 0, 0, 4)) for text in (found.definition, found.note) if text]
    return Group(first, *lines)


def _table_3(found: Replication) -> list[RenderableType]:
    table = new_table("Table 3, F1", "overall", "factual", "cognitive", "mean of both", "weight of cognitive")
    for row in found.table_3:
        cells = [f"{row[name]:.2f}" for name in ("overall", "factual", "cognitive", "macro", "cognitive_weight")]
        table.add_row(row["method"], *cells)
    said = (
        "Weight of cognitive: with which the printed overall lies between the two types' F1; 0.50 is a macro average."
    )
    return ["", table, said]


def _baselines(found: Replication) -> list[RenderableType]:
    table = new_table("without reading, flag", "overall F1", "factual", "cognitive")
    for each in found.baselines:
        table.add_row(each.flags, percent(each.overall), percent(each.factual), percent(each.cognitive))
    return ["", table, "On the data at hand, in %, counted in words: what Table 3 must be read beside."]
