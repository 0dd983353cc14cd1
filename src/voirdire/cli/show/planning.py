"""A planned comparison as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from voirdire.cli.show.paint import new_table, render
from voirdire.text.counting import counted
from voirdire.text.money import dollars

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

    from voirdire.ddft.analysis.planning.material import Layout
    from voirdire.ddft.analysis.planning.paper import Resolution
    from voirdire.ddft.analysis.planning.power import Detection, Recommendation

_LISTED_PAIRS = _LISTED_DESIGNS = 5
_WITHOUT = "–"
_NAMES = {"K": "K (FAR, turns 1-3)", "S": "S (SAS, turns 1-3)", "danger_zone_pct": "danger zone %"}


def detection(found: Detection) -> str:
    """Designs that tell two models apart, and what the published study could."""
    from rich.markup import escape

    asked = found.question
    pairs = "" if asked.pairs == 1 else f" in the first of {asked.pairs} pairs after Holm"
    parts: list[RenderableType] = [
        f"[bold]To tell two models apart that differ by {asked.detect:g} in {found.metric}[/]\n"
        f"with a chance of {asked.power:.0%}: their {1 - asked.alpha:.0%} interval over concepts excludes 0{pairs}.",
        f"Variances from {escape(_source(found))}.",
        _components(found),
    ]
    parts += _designs(found)
    parts.append(_detectable(found))
    parts += _paper(found)
    parts += [f"[dim]· {escape(note)}[/]" for note in found.notes]
    return render(*parts)


def _source(found: Detection) -> str:
    name, material = found.source.name, found.source.material
    models = counted(len(material.models), "model")
    held = f"{models}, {_of(material.layout)}"
    if not found.source.estimated:
        return f"the assumption {name}, simulated ({held})"
    return f"the published scores ({held})" if name == "published" else f"the pilot {name} ({held})"


def _of(layout: Layout) -> str:
    counts = ((layout.concepts, "concept"), (layout.levels, "level"), (layout.samples, "sample"))
    each = " x ".join(counted(number, name) for number, name in counts)
    return f"{each}, {counted(layout.judges, 'judge')}"


def _components(found: Detection) -> Table:
    own, parts = found.source.layout, found.components
    each = own.levels * own.samples
    rows = (
        ("concepts", parts.concept, 1, "lessened by more concepts alone"),
        ("levels", parts.level, own.levels, "by concepts and levels"),
        ("dialogues", parts.dialogue, each, "by concepts, levels and samples"),
        ("judges", parts.judge, each * own.judges, "by all these and by judges"),
    )
    total = parts.variance(own)
    table = new_table("the difference varies between", "SD", f"share at {counted(own.levels, 'level')}", "", numbers=2)
    for name, variance, number, says in rows:
        if variance is None:
            table.add_row(name, _WITHOUT, _WITHOUT, "not told apart by this source")
        else:
            share = variance / number / total if total > 0 else 0.0
            table.add_row(name, f"{variance**0.5:.3g}", f"{share:.0%}", says)
    return table


def _designs(found: Detection) -> list[RenderableType]:
    best, priced = found.recommended, any(design.cost.usd is not None for design in found.designs)
    listed = (
        found.efficient
        if best is not None
        else sorted(found.designs, key=lambda design: -design.power)[:_LISTED_DESIGNS]
    )
    table = new_table(
        "concepts", "levels", "samples", "judges", "dialogues", "calls", *(("USD",) if priced else ()), "power"
    )
    for design in listed:
        layout, cost = design.layout, design.cost
        numbers = [layout.concepts, layout.levels, layout.samples, layout.judges, cost.dialogues, cost.calls]
        shown = [f"{number:,}" for number in numbers] + ([dollars(cost.usd)] if priced else [])
        style = "bold" if best is not None and design is best.design else None
        table.add_row(*shown, f"{design.power:.0%}", style=style)
    if best is None:
        return [table, "[bold]No design asked for reaches this power[/]; these come nearest."]
    return [table, _recommended(best, len(listed) > 1)]


def _recommended(best: Recommendation, others: bool) -> str:
    layout, cost, simulated = best.design.layout, best.design.cost, best.simulated
    time = "" if cost.minutes is None else f", about {_duration(cost.minutes)}"
    money = "" if cost.usd is None else f", {dollars(cost.usd)}"
    said = f"[bold]Cheapest: {_of(layout)}[/] - {counted(cost.calls, 'call')}{money}{time}"
    said += "; fewer concepts cost more." if others else "."
    if best.concepts_interval is not None:
        low, high = (_number(end) for end in best.concepts_interval)
        said += f"\nHow sure: {low} to {high} concepts (95 %), for the variances are estimates"
        if best.noisy_pair_concepts is not None:
            said += f"; the noisiest tenth of pairs needs {best.noisy_pair_concepts:,} or more"
        said += "."
    return (
        f"{said}\nOf {simulated.studies:,} simulated studies, {simulated.interval:.0%} have an interval without 0; "
        f"a test that swaps whole concepts finds {simulated.swap_test:.0%}."
    )


def _number(concepts: int | None) -> str:
    return "over 10,000" if concepts is None else f"{concepts:,}"


def _duration(minutes: float) -> str:
    return f"{minutes:.0f} min" if minutes < 120 else f"{minutes / 60:.0f} h"


def _detectable(found: Detection) -> str:
    corrected = (
        f"; {found.smallest_after_holm:.3g} after Holm over {found.question.pairs} pairs"
        if found.smallest_after_holm is not None
        else ""
    )
    return (
        f"With {_of(found.source.layout)}, the smallest difference told with this chance is "
        f"[bold]{found.smallest_detectable:.3g}[/]{corrected}."
    )


def _paper(found: Detection) -> list[RenderableType]:
    table = new_table(
        "metric", "smallest", "pairs apart", "smallest after Holm", "pairs apart", "all pairs", "interval excludes 0"
    )
    for each in found.paper:
        table.add_row(
            _NAMES.get(each.metric, each.metric),
            f"{each.smallest_detectable:.3g}",
            str(each.distinguishable(each.smallest_detectable)),
            f"{each.after_holm:.3g}",
            str(each.distinguishable(each.after_holm)),
            str(len(each.pairs)),
            str(sum(pair.interval_excludes_0 is True for pair in each.pairs)),
        )
    return [
        f"\n[bold]What the paper's {_of(found.paper_layout)} could tell apart[/] "
        f"(difference of a typical pair, power {found.question.power:.0%})",
        table,
        _above(found.paper[0]),
        _all_pairs(found.paper[0], found.paper_layout.concepts),
    ]


def _all_pairs(first: Resolution, concepts: int) -> str:
    if concepts >= first.concepts_for_holm:
        return ""
    return (
        f"With {counted(concepts, 'concept')} a test that swaps them gives no p below {first.smallest_p:.2g}: after "
        f"Holm it tells none of {counted(len(first.pairs), 'pair')}; that takes {first.concepts_for_holm} concepts."
    )


def _above(first: Resolution) -> str:
    from rich.markup import escape

    above = [pair for pair in first.pairs if abs(pair.difference) >= first.smallest_detectable]
    if not above:
        return f"No pair of its models differs by so much in {first.metric}."
    named = "; ".join(f"{pair.a} / {pair.b} ({abs(pair.difference):.3g})" for pair in above[:_LISTED_PAIRS])
    more = f"; and {len(above) - _LISTED_PAIRS} more (--json lists all)" if len(above) > _LISTED_PAIRS else ""
    return escape(f"By {first.metric} these: {named}{more}.")
