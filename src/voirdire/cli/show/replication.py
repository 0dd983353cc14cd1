"""The published study, recomputed, as text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from voirdire.cli.show.paint import figure, render

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

    from voirdire.ddft.published.claims import Claim
    from voirdire.ddft.published.replicate import Replication, Row

_NUMBERS = (
    ("CI_raw", "CI"),
    ("HOC", "HOC"),
    ("CRI", "CRI"),
    ("FAR_prime", "FAR'"),
    ("SAS_prime", "SAS'"),
    ("danger_zone_pct", "danger %"),
)
_NAME_WIDTH = 26
_DECIMALS = 3
"""Of what is recomputed where no number is printed."""

_BLOCKS = "▁▂▃▄▅▆▇█"

_ORDER = ("not reproduced", "reproduced under another definition", "not checkable", "reproduced")


def replication(found: Replication) -> str:
    """Table 2, the curves and every claim."""
    from voirdire.ddft.published.claims import RULE

    parts: list[RenderableType] = [
        "[bold]Table 2 and the danger zone (8.2.3), recomputed; below each row what the paper prints[/]",
        _table_2(found.models),
        "\n[bold]FAR and SAS by compression, means of all turns at a level[/]",
        _curves(found),
    ]
    for verdict in _ORDER:
        claims = [claim for claim in found.claims if claim.verdict == verdict]
        if claims:
            parts += [f"\n[bold reverse] {verdict.capitalize()}: {len(claims)} [/]\n", *map(_block_of, claims)]
    counts = ", ".join(f"{count} {verdict}" for verdict, count in found.counts.items())
    last = f"\n{RULE}\nA claim's exact definition: voirdire ddft replicate --claim ID\n"
    return render(*parts, last, f"{len(found.claims)} claims: {counts}.")


def claim(found: Claim) -> str:
    """One claim with its definition."""
    from rich.table import Table

    table = Table(box=None, pad_edge=False, show_header=False, padding=(0, 2, 0, 0))
    table.add_column(style="dim", no_wrap=True)
    table.add_column()
    for name, text in (
        ("claim", f"{found.said.claim} ({found.said.section})"),
        ("published", printed(found)),
        ("recomputed", recomputed(found)),
        ("definition", found.definition),
        ("verdict", found.verdict),
        ("why", found.why),
    ):
        if text:
            table.add_row(name, _plain(text))
    return render(table)


def _table_2(rows: Sequence[Row]) -> Table:
    table = _columns("model", *(label for _, label in _NUMBERS), "phenotype", "by min-max CI", numbers=len(_NUMBERS))
    for row in rows:
        metrics, published = row.profile.metrics, row.published.row
        table.add_row(
            _short(row.profile.model),
            *(_figure(name, metrics[name].value) for name, _ in _NUMBERS),
            str(row.profile.paper_index.phenotype),
            str(row.profile.paper_index.phenotype_relative),
        )
        table.add_row(
            "  printed", *(published[name].text for name, _ in _NUMBERS), row.published.phenotype, "", style="dim"
        )
    return table


def _curves(found: Replication) -> Table:
    levels = " ".join(f"{level:<4g}" for level in sorted(found.curves["level"].unique()))
    table = _columns("model", "FAR", f"at {levels}", "SAS", f"at {levels}", numbers=0)
    for model, points in found.curves.groupby("model", sort=False):
        cells: list[str] = []
        for score in ("far", "sas"):
            values = points.sort_values("level")[score].tolist()
            cells += ["".join(map(_block, values)), "   " + " ".join(f"{value:.2f}" for value in values)]
        table.add_row(_short(str(model)), *cells)
    return table


def _columns(first: str, *others: str, numbers: int) -> Table:
    """A table without lines, for what must fit into 100 columns."""
    from rich.table import Table

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column(first, no_wrap=True)
    for place, name in enumerate(others):
        table.add_column(name, no_wrap=True, justify="right" if place < numbers else "left")
    return table


def _block_of(found: Claim) -> RenderableType:
    """A claim in a few lines."""
    from rich.console import Group
    from rich.padding import Padding
    from rich.text import Text

    lines: list[RenderableType] = [
        Text.assemble((found.said.id, "bold"), f"  {found.said.claim}", (f"  ({found.said.section})", "dim"))
    ]
    shown = f"paper {printed(found)}"
    if found.recomputed is not None:
        shown += f"   data {recomputed(found)}"
    lines.append(Padding(Text(shown), (0, 0, 0, 4)))
    # Under which other definition it holds is the point of that verdict; the others' can be asked for.
    which = found.definition if found.verdict == "reproduced under another definition" else ""
    lines += [Padding(Text(text, style="dim"), (0, 0, 0, 4)) for text in (which, found.note) if text]
    return Group(*lines)


def printed(found: Claim) -> str:
    """What the paper prints."""
    published = found.said.published
    return f"{published:,}" if isinstance(published, int) else found.said.printed


def recomputed(found: Claim) -> str:
    """A recomputed value with one decimal more than is printed, and its interval."""
    value = found.recomputed
    if value is None:
        return ""
    of_number = _DECIMALS if isinstance(found.said.published, str) else found.said.numbers[0].decimals + 1
    decimals = of_number if isinstance(value, float) else 0
    shown = value if isinstance(value, str) else f"{value:,.{decimals}f}"
    if found.interval is None:
        return shown
    low, high = found.interval
    return f"{shown} [{low:.{decimals}f}, {high:.{decimals}f}]"


def _figure(name: str, value: float | None) -> str:
    return "none" if value is None else figure(name, value)


def _block(share: float) -> str:
    """A score in [0, 1] as one of eight heights; nothing where there is no score."""
    return " " if share != share else _BLOCKS[min(int(share * len(_BLOCKS)), len(_BLOCKS) - 1)]


def _short(model: str) -> str:
    return model if len(model) <= _NAME_WIDTH else f"{model[: _NAME_WIDTH - 1]}…"


def _plain(text: str) -> RenderableType:
    """Text in which square brackets are no markup."""
    from rich.text import Text

    return Text(text)
