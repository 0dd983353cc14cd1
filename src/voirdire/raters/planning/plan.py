"""What rating takes: the records of a plan, and its arithmetic."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from voirdire.data.json_values import as_plain
from voirdire.raters.records import Mode, RatersError
from voirdire.raters.tasks import open_task
from voirdire.raters.tasks.base import Phase, SourcedRange, known

SOURCES_CURRENCY = "USD"
_HOUR = 3600.0
_GIVEN = "given"
_PAIR = 2
End = Literal[0, 1]
"""The low or the high end of every figure."""


class Span(NamedTuple):
    """From the lowest to the highest that is expected; both the same where the number is known."""

    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanRequest:
    """What is to be rated, by how many, and on which figures the plan rests; `None` for the sources' own."""

    items: int
    task: str
    mode: Mode = "sequential"
    raters: int
    raters_per_item: int
    practice: int
    """Items that every rater rates first."""
    calibration: int = 0
    """How many of the items all raters rate, however few an item needs."""
    phases: tuple[Phase, ...]
    disagreement: SourcedRange
    questions: SourcedRange | None
    pay_per_item: SourcedRange | None
    """For every rating, practice and third ones included."""
    pay_per_hour: SourcedRange | None
    currency: str | None = None
    """Of the pay; `None` where nobody has said."""


class RaterSoFar(NamedTuple):
    """What a rater has done already."""

    practice: int = 0
    ratings: int = 0
    """Of live items."""
    hours: float = 0.0
    """At both, as far as they were rated here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectSoFar:
    """What is known of a project that is under way, so that only the rest is a forecast."""

    raters: tuple[RaterSoFar, ...] = ()
    certain: int = 0
    """Items of which it is known whether they go to a third person."""
    third: int = 0
    """How many of these do."""
    third_rated: int = 0
    third_hours: float = 0.0
    """Of the third ratings made."""
    questions: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class RemainingWork:
    """What is still to be done in a project that is under way; practice and third ratings are left out."""

    ratings_done: int
    ratings_left: int
    hours: Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What rating takes."""

    request: PlanRequest
    ratings: int
    """Of items to be rated, third ones left out."""
    practice_ratings: int
    adjudications: Span
    """Items that go to a third person."""
    questions: Span | None
    """To the organiser."""
    hours: Span
    """Of everybody, practice and third ratings included."""
    hours_per_rater: Span
    adjudication_hours: Span
    pay: Span | None
    pay_an_hour: Span | None
    """What the pay comes to, for an hour's work."""
    left: RemainingWork | None = None

    def as_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        request = self.request
        return {
            "task": request.task,
            "mode": request.mode if open_task(request.task).modes else None,
            "items": request.items,
            "raters": request.raters,
            "raters_per_item": request.raters_per_item,
            "practice_items": request.practice,
            "calibration_items": request.calibration,
            "ratings": self.ratings,
            "practice_ratings": self.practice_ratings,
            "adjudications": as_plain(self.adjudications),
            "questions": as_plain(self.questions),
            "hours": as_plain(self.hours),
            "hours_per_rater": as_plain(self.hours_per_rater),
            "adjudication_hours": as_plain(self.adjudication_hours),
            "pay": as_plain(self.pay),
            "pay_an_hour": as_plain(self.pay_an_hour),
            "currency": request.currency,
            "assumed": {
                "phases": as_plain(request.phases),
                "disagreement": as_plain(request.disagreement),
                "questions_per_item": as_plain(request.questions),
                "pay_per_item": as_plain(request.pay_per_item),
                "pay_per_hour": as_plain(request.pay_per_hour),
            },
            "left": None
            if self.left is None
            else {
                "ratings_done": self.left.ratings_done,
                "ratings": self.left.ratings_left,
                "hours": as_plain(self.left.hours),
            },
        }


def plan(
    items: int,
    raters_per_item: int = 2,
    disagreement_share: float | None = None,
    seconds_per_item: float | None = None,
    pay_per_item: float | None = None,
    pay_per_hour: float | None = None,
    practice: int | None = None,
    *,
    task: str,
    mode: Mode = "sequential",
    raters: int | None = None,
    currency: str | None = None,
) -> Plan:
    """What rating takes, from numbers given or, where `None`, from the sources' (see `Task.effort`).

    Args:
        items: to be rated, practice left out.
        raters_per_item: before a disagreement goes to a third person.
        disagreement_share: share of items on which two raters differ, in [0, 1].
        seconds_per_item: for one rating.
        pay_per_item: for one rating.
        pay_per_hour: instead of it.
        practice: items that every rater rates first; `None` for the packaged ones of the task.
        task: whose figures are taken.
        mode: of a task that can be rated in several.
        raters: people who rate; `None` for as many as an item needs.
        currency: of the pay that is given; the sources' is in USD.

    Raises:
        RatersError: a number is out of range, or both kinds of pay are given.
    """
    effort = open_task(task).effort(mode)
    seconds = None if seconds_per_item is None else (Phase("items", None, known(seconds_per_item, _GIVEN)),)
    share = effort.disagreement if disagreement_share is None else known(disagreement_share, _GIVEN)
    each, hourly = _pay(effort.pay, pay_per_item, pay_per_hour)
    if pay_per_item is None and pay_per_hour is None:
        currency = None if each is None else SOURCES_CURRENCY
    return make_plan(
        PlanRequest(
            items=items,
            task=task,
            mode=mode,
            raters=raters_per_item if raters is None else raters,
            raters_per_item=raters_per_item,
            practice=len(open_task(task).practice().items) if practice is None else practice,
            phases=effort.phases if seconds is None else seconds,
            disagreement=share,
            questions=effort.questions,
            pay_per_item=each,
            pay_per_hour=hourly,
            currency=currency,
        )
    )


def make_plan(request: PlanRequest, project: ProjectSoFar | None = None) -> Plan:
    """The plan for what is wanted. Low ends of all figures make the low end of the result, high ones the high end.

    Args:
        request: all of it, done or not.
        project: what of it is done already; `None` where nobody has begun.

    Raises:
        RatersError: a number is out of range.
    """
    _check(request)
    so_far = project or ProjectSoFar()
    people = [*so_far.raters, *[RaterSoFar()] * (request.raters - len(so_far.raters))]
    ratings_done = sum(begun.ratings for begun in people)
    remaining = max(ratings_of(request) - ratings_done, 0)
    practice = [max(request.practice - begun.practice, 0) if remaining else 0 for begun in people]
    practice_ratings = sum(begun.practice for begun in people) + sum(practice)
    to_rate = [
        (begun.practice + begun.ratings, more, remaining / len(people))
        for begun, more in zip(people, practice, strict=True)
    ]
    spent = sum(begun.hours for begun in people)
    own = _span_of(
        lambda end: spent + sum(rating_hours(request.phases, more + live, end, at) for at, more, live in to_rate)
    )
    still = _span_of(lambda end: sum(rating_hours(request.phases, live, end, at + more) for at, more, live in to_rate))
    third = _span_of(lambda end: so_far.third + _adjudications(request, request.items - so_far.certain, end))
    third_hours = _span_of(
        lambda end: so_far.third_hours + (third[end] - so_far.third_rated) * request.phases[-1].seconds[end] / _HOUR
    )
    hours = _span_of(lambda end: own[end] + third_hours[end])
    total_pay = _total_pay(request, ratings_done + remaining + practice_ratings, third, hours)
    questions = request.questions
    return Plan(
        request=request,
        ratings=ratings_done + remaining,
        practice_ratings=practice_ratings,
        adjudications=third,
        questions=None
        if questions is None
        else _span_of(lambda end: so_far.questions + remaining / request.raters_per_item * questions[end]),
        hours=hours,
        hours_per_rater=_span_of(lambda end: own[end] / len(people)),
        adjudication_hours=third_hours,
        pay=total_pay,
        pay_an_hour=None if total_pay is None else _pay_per_hour(total_pay, hours),
        left=None if project is None else RemainingWork(ratings_done=ratings_done, ratings_left=remaining, hours=still),
    )


def ratings_of(request: PlanRequest) -> int:
    """Ratings of items, practice and third ones left out; calibration items get one from everybody."""
    return request.items * request.raters_per_item + request.calibration * (request.raters - request.raters_per_item)


def rating_hours(phases: Sequence[Phase], ratings: float, end: End, already_rated: int = 0) -> float:
    """Hours that one rater takes, going through the phases in order.

    Args:
        phases: of which the last has no end.
        ratings: how many of this rater's; need not be whole, as a mean over raters is not.
        end: the low or the high end of the phases' seconds.
        already_rated: ratings of this rater that lie before them.
    """
    seconds, first, last = 0.0, 0.0, already_rated + ratings
    for phase in phases:
        until = last if phase.ratings is None else min(first + phase.ratings, last)
        seconds += max(until - max(first, already_rated), 0.0) * phase.seconds[end]
        first = until
    return seconds / _HOUR


def _adjudications(request: PlanRequest, items: int, end: End) -> float:
    """Of so many, those that go to a third person. Of three and more raters any two may differ, or most may agree."""
    if request.raters_per_item < _PAIR:
        return 0.0
    if request.raters_per_item == _PAIR:
        return items * request.disagreement[end]
    return items * min(1.0, math.comb(request.raters_per_item, 2) * request.disagreement.high) * end


def _total_pay(request: PlanRequest, ratings: int, third: Span, hours: Span) -> Span | None:
    each, hourly = request.pay_per_item, request.pay_per_hour
    if each is not None:
        return _span_of(lambda end: (ratings + third[end]) * each[end])
    return None if hourly is None else _span_of(lambda end: hours[end] * hourly[end])


def _pay_per_hour(total_pay: Span, hours: Span) -> Span | None:
    if not hours.low > 0:
        return None
    ends = [money / time for money, time in zip(total_pay, hours, strict=True)]
    return Span(min(ends), max(ends))


def _pay(
    per_item: SourcedRange | None, each: float | None, hourly: float | None
) -> tuple[SourcedRange | None, SourcedRange | None]:
    if each is not None and hourly is not None:
        raise RatersError("Pay per item and pay per hour were both given; give one of them.")
    if hourly is not None:
        return None, known(hourly, _GIVEN)
    return (per_item if each is None else known(each, _GIVEN)), None


def _check(request: PlanRequest) -> None:
    for what, number, least in (
        ("items", request.items, 1),
        ("raters per item", request.raters_per_item, 1),
        ("practice items", request.practice, 0),
    ):
        if number < least:
            raise RatersError(f"{number} {what} were given; give at least {least}.")
    if request.raters < request.raters_per_item:
        raise RatersError(f"{request.raters_per_item} ratings per item need as many raters, not {request.raters}.")
    figures = [
        request.disagreement,
        *(phase.seconds for phase in request.phases),
        request.pay_per_item,
        request.pay_per_hour,
    ]
    for figure in figures:
        if figure is not None and not (0 <= figure.low <= figure.high < math.inf):
            raise RatersError(f"Seconds, pay and shares are numbers from 0 on; {figure.low:g} was given.")
    if request.disagreement.high > 1:
        raise RatersError(f"The share of disagreements lies from 0 to 1; {request.disagreement.high:g} was given.")


def _span_of(value_at: Callable[[End], float]) -> Span:
    return Span(value_at(0), value_at(1))
