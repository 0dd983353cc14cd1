"""The CogniBench paper's numbers beside recomputed ones, as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from voirdire.cli.show.paint import new_table, remarks, render
from voirdire.cognibench.dynamics.tables import in_percent

if TYPE_CHECKING:
    from rich.console import RenderableType

    from voirdire.cognibench.dynamics.published import Claim, Replication


def replication(found: Replication) -> str:
    """Every claim under its verdict, then Table 3 looked at closely, and what reading nothing gives."""
    from voirdire.cognibench.dynamics.published import ASSUMED, RULE

    parts: list[RenderableType] = [*remarks([ASSUMED, *found.found.cautions])]
    for verdict, count in found.counts.items():
        if count:
            parts.append(f"\n[bold reverse] {verdict.capitalize()}: {count} [/]\n")
            parts += [_block(claim) for claim in found.claims if claim.verdict == verdict]
    counts = ", ".join(f"{count} {verdict}" for verdict, count in found.counts.items() if count)
    last = f"\n{RULE}\n\n{len(found.claims)} claims, {found.labelled} labelled responses: {counts}."
    return render(*parts, *_table_3(found), *_baselines(found), last)


def printed(claim: Claim) -> str:
    """What the paper prints."""
    published = claim.said.published
    return f"{published:,}" if isinstance(published, int) else claim.said.printed


def recomputed(claim: Claim) -> str:
    """A recomputed value with one decimal more than is printed, its interval and n."""
    value = claim.recomputed
    if value is None or isinstance(value, str):
        return value or ""
    decimals = claim.said.decimals + 1
    shown = f"{value:,.0f}" if float(value).is_integer() and claim.interval is None else f"{value:,.{decimals}f}"
    if claim.interval is not None:
        shown += f" [{claim.interval[0]:.{decimals}f}, {claim.interval[1]:.{decimals}f}]"
    return shown if claim.n is None else f"{shown}, n {claim.n}"


def _block(claim: Claim) -> RenderableType:
    """A claim in a few lines."""
    from rich.console import Group
    from rich.padding import Padding
    from rich.text import Text

    first = Text.assemble((claim.said.id, "bold"), f"  {claim.said.claim}", (f"  ({claim.said.section})", "dim"))
    shown = f"paper {printed(claim)}"
    if claim.recomputed is not None:
        shown += f"   recomputed {recomputed(claim)}"
    lines = [Padding(Text(shown), (0, 0, 0, 4))]
    lines += [Padding(Text(text, style="dim"), (0, 0, 0, 4)) for text in (claim.definition, claim.note) if text]
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
        table.add_row(each.flags, *(in_percent(share).shown for share in (each.overall, each.factual, each.cognitive)))
    return ["", table, "On the data at hand, in %, counted in words: what Table 3 must be read beside."]
