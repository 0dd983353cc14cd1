"""The published study, recomputed, as text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

from voirdire.cli.show.paint import figure, new_table, render

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

    from voirdire.papers.claims import Outcome
    from voirdire.papers.ddft.replication import Replication, Row

_NUMBERS = (
    ("CI_raw", "CI index"),
    ("HOC", "HOC"),
    ("CRI", "CRI"),
    ("FAR_prime", "FAR'"),
    ("SAS_prime", "SAS'"),
)
_DECIMALS = 3
"""Of what is recomputed where no number is printed."""

_BLOCKS = "▁▂▃▄▅▆▇█"

_ORDER = ("not reproduced", "reproduced under another definition", "not checkable", "reproduced")


def replication(found: Replication) -> str:
    """Table 2, labels, curves and every claim."""
    parts: list[RenderableType] = [
        "[bold]Table 2, recomputed; below each row what the paper prints[/]",
        _table_2(found.models),
        "[bold]Labels (7.3) and turns in the danger zone (8.2.3)[/]",
        _labels(found.models),
        "\n[bold]Factual accuracy (FAR) by compression, means of all turns at a level[/]",
        _curve(found.models, "far"),
        "[bold]Semantic coherence (SAS) by compression, likewise[/]",
        _curve(found.models, "sas"),
    ]
    for verdict in _ORDER:
        claims = [claim for claim in found.claims if claim.verdict == verdict]
        if claims:
            parts += [f"\n[bold reverse] {verdict.capitalize()}: {len(claims)} [/]\n", *map(_block_of, claims)]
    counts = ", ".join(f"{count} {verdict}" for verdict, count in found.counts.items())
    last = f"\n{found.rule}\nA claim's exact definition: voirdire ddft replicate --claim ID\n"
    return render(*parts, last, f"{len(found.claims)} claims: {counts}.")


def claim(found: Outcome[Any]) -> str:
    """One claim with its definition."""
    table = new_table("claim", found.claim.id, numbers=0)
    for name, text in (
        ("says", f"{found.claim.says} ({found.claim.section})"),
        ("published", printed(found)),
        ("recomputed", recomputed(found)),
        ("definition", found.definition),
        ("verdict", found.verdict.value),
        ("why", found.why),
    ):
        if text:
            table.add_row(name, _plain(text))
    return render(table)


def _table_2(rows: Sequence[Row]) -> Table:
    table = new_table("model", *(label for _, label in _NUMBERS))
    for row in rows:
        metrics, published = row.profile.metrics, row.published.row
        table.add_row(row.profile.model, *(_figure(name, metrics[name].value) for name, _ in _NUMBERS))
        table.add_row("  printed", *(published[name].text for name, _ in _NUMBERS), style="dim")
    return table


def _labels(rows: Sequence[Row]) -> Table:
    table = new_table("model", "danger %", "printed", "n of FAR'", "label", "by min-max", "printed", numbers=3)
    for row in rows:
        danger, index = row.profile.danger_zone_pct, row.profile.paper_index
        table.add_row(
            row.profile.model,
            _figure("danger_zone_pct", danger),
            row.published.row["danger_zone_pct"].text,
            f"{index.far_prime_n:,}",
            str(index.phenotype),
            str(index.phenotype_relative),
            row.published.phenotype,
        )
    return table


def _curve(rows: Sequence[Row], score: Literal["far", "sas"]) -> Table:
    levels = [f"{at.level:g}" for at in rows[0].profile.curves]
    table = new_table("model", *levels, "", numbers=len(levels))
    for row in rows:
        means: list[float | None] = [getattr(at, score) for at in row.profile.curves]
        shown = ("–" if mean is None else f"{mean:.2f}" for mean in means)
        table.add_row(row.profile.model, *shown, "".join(_block(mean) for mean in means))
    return table


def _block_of(found: Outcome[Any]) -> RenderableType:
    """A claim in a few lines."""
    from rich.console import Group
    from rich.padding import Padding
    from rich.text import Text

    lines: list[RenderableType] = [
        Text.assemble((found.claim.id, "bold"), f"  {found.claim.says}", (f"  ({found.claim.section})", "dim"))
    ]
    shown = f"paper {printed(found)}"
    if found.value is not None:
        shown += f"   data {recomputed(found)}"
    lines.append(Padding(Text(shown), (0, 0, 0, 4)))
    # Under which other definition it holds is the point of that verdict; the others' can be asked for.
    which = found.definition if found.verdict == "reproduced under another definition" else ""
    lines += [Padding(Text(text, style="dim"), (0, 0, 0, 4)) for text in (which, found.note) if text]
    return Group(*lines)


def printed(found: Outcome[Any]) -> str:
    """What the paper prints."""
    published = found.claim.published
    return f"{published:,}" if isinstance(published, int) else found.claim.printed


def recomputed(found: Outcome[Any]) -> str:
    """A recomputed value with one decimal more than is printed, and its interval."""
    value = found.value
    if value is None:
        return ""
    of_number = _DECIMALS if isinstance(found.claim.published, str) else found.claim.numbers[0].decimals + 1
    decimals = of_number if isinstance(value, float) else 0
    shown = value if isinstance(value, str) else f"{value:,.{decimals}f}"
    if found.interval is None:
        return shown
    low, high = found.interval
    return f"{shown} [{low:.{decimals}f}, {high:.{decimals}f}]"


def _figure(name: str, value: float | None) -> str:
    return "none" if value is None else figure(name, value)


def _block(share: float | None) -> str:
    """A score in [0, 1] as one of eight heights; nothing where there is no score."""
    return " " if share is None else _BLOCKS[min(int(share * len(_BLOCKS)), len(_BLOCKS) - 1)]


def _plain(text: str) -> RenderableType:
    """Text in which square brackets are no markup."""
    from rich.text import Text

    return Text(text)
