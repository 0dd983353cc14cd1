"""The models of an evaluation ranked: a chart with intervals and possible places, and the same as a table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from voirdire.documents.cells import UNDEFINED, count, number, text
from voirdire.documents.document import Block, Cell, Chart, Column, Table, Text
from voirdire.documents.drawing import Point, named_ranges
from voirdire.evaluation.comparison import EvaluationComparison, Placed
from voirdire.evaluation.records import Evaluation
from voirdire.text.counting import counted
from voirdire.text.shortening import shortened

MOST_DRAWN = 40
"""Models of a chart; the table has all."""
_NAME = 21
"""Characters of a name beside a chart."""
_COLUMNS = (
    Column("places", "Places", with_ends=True, help="those that the paired differences allow"),
    Column("model", "Model"),
    Column("score", "Score", numeric=True, with_ends=True),
    Column("interval", "95 % interval", numeric=True, says_ends=True),
    Column("se", "Standard error", numeric=True),
    Column("n", "Items", numeric=True),
)
_FIRST = 4
"""Columns up to the score's interval."""
_ADJUSTED = (
    Column(
        "adjusted",
        "At equal length",
        numeric=True,
        with_ends=True,
        help="the score if all outputs had one length, with its 95 % interval; what has no answer keeps its score",
    ),
    Column("adjusted_place", "Places then", numeric=True),
)
_PRINTED = (
    Column("model", "Model"),
    Column("value", "Printed", numeric=True),
    Column("se", "Standard error", numeric=True),
    Column("n", "Items", numeric=True),
    Column("source", "Where it is printed"),
)


def ranks(evaluation: Evaluation, comparison: EvaluationComparison, place: int) -> Iterator[Block]:
    """Chart and table; of an evaluation without a score, what is printed of it."""
    if not comparison.placed:
        yield from _without_scores(evaluation, place)
        return
    if len(comparison.placed) > 1:
        yield ranking_chart(evaluation, comparison, place)
    yield _table(comparison, place)


def first_of_ranks(comparison: EvaluationComparison, place: int) -> Table:
    """Places and scores alone."""
    table = _table(comparison, place)
    return replace(table, columns=table.columns[:_FIRST])


def rest_of_ranks(comparison: EvaluationComparison, place: int) -> Table:
    """What else the table says of each model."""
    table = _table(comparison, place)
    return replace(table, id=f"errors-{place}", columns=(table.columns[1], *table.columns[_FIRST:]), caption="")


def _without_scores(evaluation: Evaluation, place: int) -> Iterator[Block]:
    if len(evaluation.rows):
        states = evaluation.rows["status"].value_counts(sort=False)
        listed = ", ".join(f"{counted(int(n), 'row')} {_STATES[str(name)]}" for name, n in states.items() if n)
        yield Text(f"No item has a score: {listed}.", "warn")
    elif evaluation.printed:
        yield Text(
            "Only the printed headline is here, and no item: nothing that rests on items can be checked.", "warn"
        )
    else:
        yield Text("The files hold neither a headline nor an item, so there is nothing to check.", "warn")
    if evaluation.printed:
        rows = tuple(
            {
                "model": text(each.model),
                "value": number(each.value, min(each.decimals, 4)),
                "se": number(each.se, 4),
                "n": count(each.n),
                "source": text(each.source),
            }
            for each in evaluation.printed
        )
        yield Table(f"printed-{place}", _PRINTED, rows)


_STATES: Mapping[str, str] = {
    "scored": "scored",
    "error": "ended in an error",
    "limit": "hit a limit",
    "missing": "without a verdict",
    "unparsed": "with a verdict that can't be read",
}


def ranking_chart(evaluation: Evaluation, comparison: EvaluationComparison, place: int) -> Chart:
    """Scores with their intervals, and the places that each model can have."""
    drawn = comparison.placed[:MOST_DRAWN]
    short = shortened([each.model for each in drawn], _NAME)
    scores = [
        Point(short[each.model], "", each.headline.value, *(each.headline.interval or (None, None))[:2])
        for each in drawn
    ]
    places = [Point(short[each.model], "", float(each.place), float(each.best), float(each.worst)) for each in drawn]
    order = [short[each.model] for each in drawn]
    more = (
        f" The first {len(drawn)} of {len(comparison.placed)} are drawn." if len(comparison.placed) > len(drawn) else ""
    )
    return Chart(
        f"ranking-{place}",
        (
            named_ranges(scores, order, evaluation.metric, ends=evaluation.bounds).panel(),
            named_ranges(places, order, "place", ends=(0.5, len(comparison.placed) + 0.5), whole=True).panel(),
        ),
        caption="A point is a model's score or place; its line is the 95 % interval, or the places that the paired "
        f"differences allow.{more}",
    )


def _table(comparison: EvaluationComparison, place: int) -> Table:
    adjusted = any(each.length_adjusted is not None for each in comparison.placed)
    columns = (*_COLUMNS, *(_ADJUSTED if adjusted else ()))
    unit = "items" if comparison.unit == "item" else "clusters of items"
    level = f"{100 * comparison.alpha:g} %"
    compared = f"Paired differences by {unit}, Holm's correction over all pairs, {level}."
    if comparison.not_at_equal_length is not None:
        compared += f" No score at equal length: {comparison.not_at_equal_length}."
    caption = compared if len(comparison.placed) > 1 else ""
    return Table(f"ranks-{place}", columns, tuple(map(_row, comparison.placed)), caption=caption)


def _row(placed: Placed) -> dict[str, Cell]:
    headline = placed.headline
    ends = None if headline.interval is None else (headline.interval.low, headline.interval.high)
    return {
        "places": _places((placed.best, placed.worst), placed.place),
        "model": text(placed.model),
        "score": Cell(headline.value, number(headline.value, 3).shown, ends=ends),
        "interval": text(UNDEFINED if ends is None else f"{ends[0]:z.3f} to {ends[1]:z.3f}"),
        "se": number(headline.interval_se, 4),
        "n": count(headline.n),
        "adjusted": _at_equal_length(placed),
        "adjusted_place": _places(placed.length_adjusted_places),
    }


def _places(allowed: tuple[int, int] | None, own: int | None = None) -> Cell:
    """The best and the worst place that the data allow."""
    if allowed is None:
        return text(UNDEFINED)
    best, worst = allowed
    return Cell(own or best, str(best) if best == worst else f"{best} to {worst}", ends=allowed)


def _at_equal_length(placed: Placed) -> Cell:
    value, ends = placed.length_adjusted, placed.length_adjusted_interval
    shown = number(value, 3).shown
    return Cell(value, shown if ends is None else f"{shown} ({ends[0]:z.3f} to {ends[1]:z.3f})", ends=ends)
