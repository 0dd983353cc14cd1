"""Anchored figures, as text."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING

from voirdire.cli.show.paint import new_table, remarks, render
from voirdire.text.counting import counted

if TYPE_CHECKING:
    from rich.console import RenderableType

    from voirdire.raters.anchoring.records import Anchoring, Distribution, Figure
    from voirdire.stats import Anchored, Corrected, Interval

_HALVE = "\nn: ratings that count for the figure. To halve: so many more would halve the anchored interval."
_LIMIT = (
    "* Ratings alone can't halve this interval: the run is the limit. A run of so many {cluster}s in all, with every "
    "unit rated, would."
)
_FEW = "° Fewer than {few} ratings: how often such intervals hold has not been measured."
_SILENT = {
    "unsettled": "Whether the judges are biased can't be told yet, with so many items in dispute",
    "too few": "Too few ratings to say whether the judges are biased",
}
"""Verdicts that say nothing of the judges: one line for all figures that have it."""


def anchoring(found: Anchoring) -> str:
    """Figures four times over, what they say of the judges, and what would narrow them."""
    from rich.text import Text

    from voirdire.raters.anchoring.records import FEW

    parts: list[RenderableType] = [
        Text(f"{found.rated:,} of {counted(found.units, 'unit')} of {found.run} rated by people; machine: {found.by}"),
        *remarks(found.notes),
    ]
    for model, figures in groupby(found.figures, key=lambda each: each.model):
        parts += list(_of_model(model, list(figures), found.clustered_by))
    for each in found.distributions:
        parts += list(_distribution(each))
    parts.append(Text(_HALVE))
    if any(each.more is not None and each.more.ratings is None for each in found.figures):
        parts.append(Text(_LIMIT.format(cluster=found.clustered_by)))
    if any(each.few for each in found.figures):
        parts.append(Text(_FEW.format(few=FEW)))
    parts.append(Text("\nNot anchored"))
    parts += [Text(f"  {name}: {why}") for name, why in found.not_anchored.items()]
    return render(*parts)


def _of_model(model: str | None, figures: list[Figure], cluster: str) -> Iterator[RenderableType]:
    from rich.text import Text

    yield Text(f"\n{'All models' if model is None else model}", style="bold")
    table = new_table("figure", "machine", "n", "people", "anchored", "corrected", "to halve")
    for each in figures:
        table.add_row(
            each.name,
            _with_ends(each.plain, each.top),
            f"{each.ratings}{'°' if each.few else ''}",
            _with_ends(each.people, each.top),
            _with_ends(each.anchored, each.top),
            _corrected(each.corrected),
            _more(each, cluster),
        )
    yield table
    yield from map(Text, _readings(figures))
    yield from map(Text, _uncorrected(figures))


def _readings(figures: list[Figure]) -> Iterator[str]:
    """What figures say of the judges; those that say nothing in one line."""
    for each in figures:
        if each.verdict not in _SILENT:
            yield f"{each.name}: {each.reading}"
    for verdict, said in _SILENT.items():
        names = [each.name for each in figures if each.verdict == verdict]
        if names:
            yield f"{said}: {', '.join(names)}."


def _uncorrected(figures: list[Figure]) -> Iterator[str]:
    """Figures that could have been corrected, by the reason why they are not."""
    reasons: dict[str, list[str]] = {}
    for each in figures:
        if each.corrected is not None and each.corrected.why:
            reasons.setdefault(each.corrected.why, []).append(each.name)
    for why, names in reasons.items():
        yield f"Not corrected: {', '.join(names)} ({why})."


def _more(found: Figure, cluster: str) -> str:
    """What would halve the anchored interval: ratings, or where they can't, a larger run."""
    if found.more is None:
        return ""
    if found.more.ratings is not None:
        return f"+{found.more.ratings:,}"
    return f"{found.groups_in_all:,} {cluster}s*, all rated"


def _distribution(found: Distribution) -> Iterator[RenderableType]:
    from rich.text import Text

    table = new_table(found.name, "machine", "people", "corrected", "95 %")
    values = found.corrected.values or {}
    for name in dict.fromkeys([*found.plain, *found.people]):
        interval = found.corrected.intervals.get(name)
        table.add_row(
            name,
            f"{found.plain.get(name, 0.0):.2f}",
            f"{found.people.get(name, 0.0):.2f}",
            f"{values[name]:.2f}" if name in values else "–",
            "" if interval is None else _ends(interval, 1.0),
        )
    yield Text(f"\nClasses; {found.n} rated by people", style="bold")
    yield table
    if found.corrected.why:
        yield Text(f"Not corrected: {found.corrected.why}.")


def _with_ends(found: Anchored | None, top: float | None) -> str:
    if found is None:
        return "–"
    return _value(found.value, top) + _below(found.interval, top)


def _corrected(found: Corrected | None) -> str:
    if found is None:
        return ""
    if found.value is None:
        return "–"
    return _value(found.value, 1.0) + _below(found.interval, 1.0)


def _below(interval: Interval | None, top: float | None) -> str:
    """An interval, under its figure."""
    return "" if interval is None else f"\n[dim]{_ends(interval, top)}[/]"


def _ends(interval: Interval, top: float | None) -> str:
    return f"{_value(interval.low, top)}–{_value(interval.high, top)}"


def _value(value: float, top: float | None) -> str:
    from voirdire.raters.anchoring.messages import number

    return number(value, top)
