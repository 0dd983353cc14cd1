"""A plan for raters as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from voirdire.cli.show.paint import new_table, render
from voirdire.text.counting import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import RenderableType
    from rich.table import Table

    from voirdire.raters.planning import Figure, Plan, Span, Wanted

_UNITS = {"cognibench": "statements", "integrity": "responses", "ddft": "turns"}
_MINUTE = 60.0


def plan(found: Plan) -> str:
    """What rating takes, what is left of it, and what the numbers rest on."""
    wanted = found.wanted
    parts: list[RenderableType] = [
        f"[bold]{wanted.items:,} {_UNITS[wanted.task]}[/], rated by {wanted.raters_per_item} each of "
        f"{counted(wanted.raters, 'rater')}",
        _amounts(found),
    ]
    if found.left is not None and found.left.ratings_done:
        left = found.left
        parts.append(
            f"Ratings done: {left.ratings_done:,}, which count above as they were. Left: {left.ratings_left:,}, "
            f"{_span(left.hours, 1)} hours, third ratings aside."
        )
    return render(*parts, _sources(found))


def _amounts(found: Plan) -> Table:
    table = new_table("it takes", "", "", numbers=1)
    for name, amount, says in _rows(found):
        table.add_row(name, amount, says)
    return table


def _rows(found: Plan) -> Iterator[tuple[str, str, str]]:
    wanted = found.wanted
    more = f", and {wanted.calibration:,} for calibration by everybody" if wanted.calibration else ""
    yield "ratings", f"{found.ratings:,}", f"{wanted.items:,} x {wanted.raters_per_item}{more}"
    if found.practice_ratings:
        yield "practice ratings", f"{found.practice_ratings:,}", f"{wanted.practice} by every rater, first of all"
    yield "third ratings", _span(found.adjudications), "items on which raters differ"
    if found.questions is not None:
        yield "questions", _span(found.questions), "to the organiser, in the moment or afterwards"
    yield "hours", _span(found.hours, 1), "of everybody, practice and third ratings included"
    yield "hours per rater", _span(found.hours_per_rater, 1), "idle time left out"
    yield "hours of third ratings", _span(found.adjudication_hours, 1), ""
    if found.pay is None:
        yield "pay", "unknown", "give --pay-per-item or --pay-per-hour"
    else:
        yield "pay", _money(wanted, *found.pay), "practice and third ratings included"
    if found.pay_an_hour is not None and wanted.pay_per_item is not None:
        yield "pay for an hour", _money(wanted, *found.pay_an_hour), "what the pay per rating comes to"


def _sources(found: Plan) -> Table:
    from rich.markup import escape

    wanted = found.wanted
    table = new_table("it rests on", "", "source", numbers=1)
    for phase in wanted.phases:
        table.add_row(f"time for one: {phase.name}", _time(phase.seconds), escape(phase.seconds.source))
    table.add_row("raters differ", _share(wanted.disagreement), escape(wanted.disagreement.source))
    if wanted.questions is not None:
        table.add_row(
            f"questions per {_UNITS[wanted.task].removesuffix('s')}",
            _ends(wanted.questions.low, wanted.questions.high, ".3f"),
            escape(wanted.questions.source),
        )
    for name, pay in (("pay per rating", wanted.pay_per_item), ("pay per hour", wanted.pay_per_hour)):
        if pay is not None:
            table.add_row(name, _money(wanted, pay.low, pay.high), escape(pay.source))
    return table


def _time(figure: Figure) -> str:
    if figure.high < 2 * _MINUTE:
        return f"{_ends(figure.low, figure.high, '.0f')} s"
    return f"{_ends(figure.low / _MINUTE, figure.high / _MINUTE, '.3g')} min"


def _share(figure: Figure) -> str:
    return f"{_ends(100 * figure.low, 100 * figure.high, '.3g')} %"


def _money(wanted: Wanted, low: float, high: float) -> str:
    from rich.markup import escape

    return f"{_ends(low, high, ',.2f')} {escape(wanted.currency or '')}".rstrip()


def _span(span: Span, decimals: int = 0) -> str:
    return _ends(*span, f",.{decimals}f")


def _ends(low: float, high: float, form: str) -> str:
    """One number, or from one to the other where they are not shown alike."""
    shown = format(low, form), format(high, form)
    return shown[0] if shown[0] == shown[1] else f"{shown[0]} to {shown[1]}"
