"""What `voirdire rate plan` shows: what rating takes, what is left of it, and what the numbers rest on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from voirdire.documents.cells import plain_table
from voirdire.documents.document import Block, Document, Text, document
from voirdire.raters.tasks import open_task
from voirdire.text.counting import counted

if TYPE_CHECKING:
    from voirdire.raters.planning import Figure, Plan, Span, Wanted

_MINUTE = 60.0


def plan_document(result: Plan) -> Document:
    """Amounts, what is left, and the source of each number."""
    wanted, item = result.wanted, open_task(result.wanted.task).nouns.item
    rated = (
        f"{counted(wanted.items, item)}, rated by {wanted.raters_per_item} each of {counted(wanted.raters, 'rater')}"
    )
    amounts = plain_table("amounts", ("it takes", " ", ""), _amounts(result), numbers=1)
    blocks: list[Block] = [Text(rated, "strong"), amounts]
    if result.left is not None and result.left.ratings_done:
        left = result.left
        blocks.append(
            Text(
                f"Ratings done: {left.ratings_done:,}, which count above as they were. Left: {left.ratings_left:,}, "
                f"{_span(left.hours, 1)} hours, third ratings aside."
            )
        )
    sources = plain_table("sources", ("it rests on", " ", "source"), _sources(wanted, item), numbers=1)
    return document(*blocks, sources)


def _amounts(result: Plan) -> Iterator[tuple[str, str, str]]:
    wanted = result.wanted
    more = f", and {wanted.calibration:,} for calibration by everybody" if wanted.calibration else ""
    yield "ratings", f"{result.ratings:,}", f"{wanted.items:,} x {wanted.raters_per_item}{more}"
    if result.practice_ratings:
        yield "practice ratings", f"{result.practice_ratings:,}", f"{wanted.practice} by every rater, first of all"
    yield "third ratings", _span(result.adjudications), "items on which raters differ"
    if result.questions is not None:
        yield "questions", _span(result.questions), "to the organiser, in the moment or afterwards"
    yield "hours", _span(result.hours, 1), "of everybody, practice and third ratings included"
    yield "hours per rater", _span(result.hours_per_rater, 1), "idle time left out"
    yield "hours of third ratings", _span(result.adjudication_hours, 1), ""
    if result.pay is None:
        yield "pay", "unknown", "give --pay-per-item or --pay-per-hour"
    else:
        yield "pay", _money(wanted, *result.pay), "practice and third ratings included"
    if result.pay_an_hour is not None and wanted.pay_per_item is not None:
        yield "pay for an hour", _money(wanted, *result.pay_an_hour), "what the pay per rating comes to"


def _sources(wanted: Wanted, item: str) -> Iterator[tuple[str, str, str]]:
    for phase in wanted.phases:
        yield f"time for one: {phase.name}", _time(phase.seconds), phase.seconds.source
    yield "raters differ", _share(wanted.disagreement), wanted.disagreement.source
    if wanted.questions is not None:
        questions = wanted.questions
        yield f"questions per {item}", _ends(questions.low, questions.high, ".3f"), questions.source
    for name, pay in (("pay per rating", wanted.pay_per_item), ("pay per hour", wanted.pay_per_hour)):
        if pay is not None:
            yield name, _money(wanted, pay.low, pay.high), pay.source


def _time(figure: Figure) -> str:
    if figure.high < 2 * _MINUTE:
        return f"{_ends(figure.low, figure.high, '.0f')} s"
    return f"{_ends(figure.low / _MINUTE, figure.high / _MINUTE, '.3g')} min"


def _share(figure: Figure) -> str:
    return f"{_ends(100 * figure.low, 100 * figure.high, '.3g')} %"


def _money(wanted: Wanted, low: float, high: float) -> str:
    return f"{_ends(low, high, ',.2f')} {wanted.currency or ''}".rstrip()


def _span(span: Span, decimals: int = 0) -> str:
    return _ends(*span, f",.{decimals}f")


def _ends(low: float, high: float, form: str) -> str:
    """One number, or from one to the other where they are not shown alike."""
    shown = format(low, form), format(high, form)
    return shown[0] if shown[0] == shown[1] else f"{shown[0]} to {shown[1]}"
