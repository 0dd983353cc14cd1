"""What `voirdire rate plan` shows: what rating takes, what is left of it, and what the numbers rest on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from voirdire.documents.cells import plain_table
from voirdire.documents.document import Block, Document, Text, detail, document, more
from voirdire.raters.tasks import open_task
from voirdire.text.counting import counted

if TYPE_CHECKING:
    from voirdire.raters.planning import Plan, PlanRequest, SourcedRange, Span

_MINUTE = 60.0


def plan_document(result: Plan) -> Document:
    """Amounts, what is left, and the source of each number."""
    request, item = result.request, open_task(result.request.task).nouns.item
    rated = (
        f"{counted(request.items, item)}, rated by {request.raters_per_item} each of {counted(request.raters, 'rater')}"
    )
    amounts = plain_table("amounts", ("it takes", " ", ""), _amounts(result), numbers=1)
    money = "" if result.pay is None else f" and cost {_money(request, *result.pay)}"
    takes = f"{rated}, {'takes' if request.items == 1 else 'take'} {_span(result.hours, 1)} hours in all{money}."
    blocks: list[Block] = [Text(takes, "strong")]
    if result.left is not None and result.left.ratings_done:
        remaining = result.left
        blocks.append(
            Text(
                f"Ratings done: {remaining.ratings_done:,}, which count above as they were. "
                f"Left: {remaining.ratings_left:,}, {_span(remaining.hours, 1)} hours, third ratings aside."
            )
        )
    sources = plain_table("sources", ("it rests on", " ", "source"), _sources(request, item), numbers=1)
    few = [("hours per rater", _span(result.hours_per_rater, 1)), ("ratings", f"{result.ratings:,}")]
    return document(
        *blocks,
        more(
            "Third ratings, questions, pay, and what the figures rest on", plain_table("short", ("it takes", ""), few)
        ),
        detail("amounts", amounts, sources),
    )


def _amounts(result: Plan) -> Iterator[tuple[str, str, str]]:
    request = result.request
    more = f", and {request.calibration:,} for calibration by everybody" if request.calibration else ""
    yield "ratings", f"{result.ratings:,}", f"{request.items:,} x {request.raters_per_item}{more}"
    if result.practice_ratings:
        yield "practice ratings", f"{result.practice_ratings:,}", f"{request.practice} by every rater, first of all"
    yield "third ratings", _span(result.adjudications), "items on which raters differ"
    if result.questions is not None:
        yield "questions", _span(result.questions), "to the organiser, while rating or afterwards"
    yield "hours", _span(result.hours, 1), "of everybody, practice and third ratings included"
    yield "hours per rater", _span(result.hours_per_rater, 1), "idle time left out"
    yield "hours of third ratings", _span(result.adjudication_hours, 1), ""
    if result.pay is None:
        yield "pay", "unknown", "give --pay-per-item or --pay-per-hour"
    else:
        yield "pay", _money(request, *result.pay), "practice and third ratings included"
    if result.pay_an_hour is not None and request.pay_per_item is not None:
        yield "pay for an hour", _money(request, *result.pay_an_hour), "what the pay per rating comes to"


def _sources(request: PlanRequest, item: str) -> Iterator[tuple[str, str, str]]:
    for phase in request.phases:
        yield f"time for one: {phase.name}", _time(phase.seconds), phase.seconds.source
    yield "raters differ", _share(request.disagreement), request.disagreement.source
    if request.questions is not None:
        questions = request.questions
        yield f"questions per {item}", _ends(questions.low, questions.high, ".3f"), questions.source
    for name, pay in (("pay per rating", request.pay_per_item), ("pay per hour", request.pay_per_hour)):
        if pay is not None:
            yield name, _money(request, pay.low, pay.high), pay.source


def _time(figure: SourcedRange) -> str:
    if figure.high < 2 * _MINUTE:
        return f"{_ends(figure.low, figure.high, '.0f')} s"
    return f"{_ends(figure.low / _MINUTE, figure.high / _MINUTE, '.3g')} min"


def _share(figure: SourcedRange) -> str:
    return f"{_ends(100 * figure.low, 100 * figure.high, '.3g')} %"


def _money(request: PlanRequest, low: float, high: float) -> str:
    return f"{_ends(low, high, ',.2f')} {request.currency or ''}".rstrip()


def _span(span: Span, decimals: int = 0) -> str:
    return _ends(*span, f",.{decimals}f")


def _ends(low: float, high: float, form: str) -> str:
    """One number, or from one to the other where they are not shown alike."""
    ends = format(low, form), format(high, form)
    return ends[0] if ends[0] == ends[1] else f"{ends[0]} to {ends[1]}"
