"""What `voirdire raters anchor` shows: figures four times over, what they say of the judges, what would narrow them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING

from voirdire.documents.cells import UNDEFINED, cautions, number, plain_table, text
from voirdire.documents.document import Cell, Document, Section, Text, document
from voirdire.raters.anchoring.messages import number as shown_as
from voirdire.raters.anchoring.records import FEW
from voirdire.text.counting import counted

if TYPE_CHECKING:
    from voirdire.raters.anchoring.records import Anchoring, Distribution, Figure
    from voirdire.stats import Anchored, Corrected, Interval

_HALVE = "n: ratings that count for the figure. To halve: so many more would halve the anchored interval."
_LIMIT = (
    "* Ratings alone can't halve this interval: the run is the limit. A run of so many {cluster}s in all, with every "
    "unit rated, would."
)
_LOW_N = "° Fewer than {few} ratings: how often such intervals hold has not been measured."
_SILENT = {
    "unsettled": "Whether the judges are biased can't be told yet, with so many items in dispute",
    "too few": "Too few ratings to say whether the judges are biased",
}
"""Verdicts that say nothing of the judges: one line for all figures that have it."""


def anchoring_document(found: Anchoring) -> Document:
    """The figures of every model, classes, and what was not anchored."""
    rated = f"{found.rated:,} of {counted(found.units, 'unit')} of {found.run} rated by people; machine: {found.by}"
    by_model = groupby(found.figures, key=lambda each: each.model)
    not_anchored = (Text(f"{name}: {why}") for name, why in found.not_anchored.items())
    return document(
        Text(rated),
        *cautions(found.notes),
        *(_of_model(model, list(figures), found.clustered_by) for model, figures in by_model),
        *map(_distribution, found.distributions),
        Section("key", "", tuple(map(Text, _key(found)))),
        Section("not-anchored", "Not anchored", tuple(not_anchored)),
    )


def _key(found: Anchoring) -> Iterator[str]:
    yield _HALVE
    if any(each.more is not None and each.more.ratings is None for each in found.figures):
        yield _LIMIT.format(cluster=found.clustered_by)
    if any(each.few for each in found.figures):
        yield _LOW_N.format(few=FEW)


def _of_model(model: str | None, figures: list[Figure], cluster: str) -> Section:
    rows = (
        (
            each.name,
            _figure(each.plain, each.top),
            Cell(each.ratings, f"{each.ratings}{'°' if each.few else ''}"),
            _figure(each.people, each.top),
            _figure(each.anchored, each.top),
            _corrected(each.corrected),
            _more(each, cluster),
        )
        for each in figures
    )
    id, title = ("all", "All models") if model is None else (model, model)
    heads = ("figure", "machine", "n", "people", "anchored", "corrected", "to halve")
    sentences = (Text(sentence) for sentence in (*_readings(figures), *_uncorrected(figures)))
    return Section(f"figures-{id}", title, (plain_table(f"figures-{id}", heads, rows, numbers=5), *sentences))


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


def _distribution(found: Distribution) -> Section:
    values = found.corrected.values or {}
    rows = (
        (
            name,
            number(found.plain.get(name, 0.0)),
            number(found.people.get(name, 0.0)),
            number(values.get(name)),
            _ends(found.corrected.intervals.get(name), 1.0),
        )
        for name in dict.fromkeys([*found.plain, *found.people])
    )
    table = plain_table(f"classes-{found.name}", (found.name, "machine", "people", "corrected", "95 %"), rows)
    why = (Text(f"Not corrected: {found.corrected.why}."),) if found.corrected.why else ()
    return Section(f"classes-{found.name}", f"Classes; {found.n} rated by people", (table, *why))


def _figure(found: Anchored | None, top: float | None) -> Cell:
    return Cell(None, UNDEFINED) if found is None else _with_ends(found.value, found.interval, top)


def _corrected(found: Corrected | None) -> Cell:
    if found is None:
        return text("")
    return Cell(None, UNDEFINED) if found.value is None else _with_ends(found.value, found.interval, 1.0)


def _with_ends(value: float, interval: Interval | None, top: float | None) -> Cell:
    """A value, and under it its interval."""
    return Cell(value, f"{shown_as(value, top)}\n{_ends(interval, top)}".rstrip())


def _ends(interval: Interval | None, top: float | None) -> str:
    return "" if interval is None else f"{shown_as(interval.low, top)}–{shown_as(interval.high, top)}"
