"""A project's own figures: how long its raters take, and how often they differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from statistics import fmean
from typing import Any

from voirdire.raters.planning.plan import Plan, ProjectSoFar, RaterSoFar, make_plan, plan
from voirdire.raters.project_loader import is_disputed
from voirdire.raters.records import Project, Rating
from voirdire.raters.tasks import task_of
from voirdire.raters.tasks.base import Phase, SourcedRange
from voirdire.raters.timing import phase_at
from voirdire.stats import special

MIN_RATINGS = 10
"""Of a phase, and of items with two ratings: fewer say too little to go by."""
MIN_QUESTIONED = 20
"""Ratings, before the questions asked during them tell how many there will be."""
_PAIR = 2
_HOUR = 3600.0


def plan_project(
    project: Project,
    *,
    items: int | None = None,
    raters: int | None = None,
    disagreement_share: float | None = None,
    seconds_per_item: float | None = None,
    pay_per_item: float | None = None,
    pay_per_hour: float | None = None,
) -> Plan:
    """What a project takes, by its own times, disagreements and questions where it has enough of them.

    What is done is known; what is left of it is a forecast.

    Args:
        project: as it stands; a pilot, say.
        items: to be rated; `None` for the project's own, otherwise a larger one is planned by its figures.
        raters: people who rate; `None` for those of the project, or as many as an item needs.
        disagreement_share: instead of the project's; as in `plan`.
        seconds_per_item: instead of the project's.
        pay_per_item: instead of the project's.
        pay_per_hour: as in `plan`.

    Raises:
        RatersError: a number is out of range, or both kinds of pay are given.
    """
    settings = project.settings
    live = sum(item.pool == "live" for item in project.items.values())
    there = sum(rater.role == "rater" for rater in project.raters.values())
    per_item = pay_per_item if pay_per_item is not None or pay_per_hour is not None else settings.pay_per_item
    planned = plan(
        live if items is None else items,
        settings.raters_per_item,
        disagreement_share,
        seconds_per_item,
        per_item,
        pay_per_hour,
        len(project.items) - live,
        task=settings.task,
        mode=settings.mode,
        raters=max(there, settings.raters_per_item) if raters is None else raters,
        currency=settings.currency,
    ).request
    if items is None:
        planned = replace(planned, calibration=_calibration(project))
    if seconds_per_item is None:
        planned = replace(planned, phases=measured_phases(project, planned.phases))
    if disagreement_share is None:
        planned = replace(planned, disagreement=measured_disagreement(project) or planned.disagreement)
    planned = replace(planned, questions=measured_questions(project) or planned.questions)
    return make_plan(planned, _project_so_far(project) if items is None else None)


def measured_phases(project: Project, phases: Sequence[Phase]) -> tuple[Phase, ...]:
    """The phases with the mean seconds that this project's ratings took, where it has ten of a phase or more.

    Idle time is left out already. Imported ratings took no time here and do not count, nor do adjudicators'.
    """
    seconds_by_phase: list[list[float]] = [[] for _ in phases]
    for ratings in _by_rater(project).values():
        for number, rating in enumerate(ratings, start=1):
            if rating.seconds > 0:
                seconds_by_phase[phase_at(phases, number)].append(rating.seconds)
    return tuple(
        phase._replace(seconds=_mean(seconds)) if len(seconds) >= MIN_RATINGS else phase
        for phase, seconds in zip(phases, seconds_by_phase, strict=True)
    )


def measured_disagreement(project: Project) -> SourcedRange | None:
    """The share of live items on which two blind ratings differ; `None` with fewer than ten that have two."""
    from voirdire.stats.intervals import share_interval

    differ = task_of(project.settings).differ
    values: dict[str, list[Rating]] = {}
    for ratings in _by_rater(project).values():
        for rating in ratings:
            if rating.pool == "live" and rating.blind:
                values.setdefault(rating.item, []).append(rating)
    rated_twice = [each for each in values.values() if len(each) >= _PAIR]
    if len(rated_twice) < MIN_RATINGS:
        return None
    differing = sum(any(differ(one.value, other.value) for one, other in combinations(each, 2)) for each in rated_twice)
    low, high, *_ = share_interval(differing, len(rated_twice))
    return SourcedRange(low, high, f"measured: {differing} of {len(rated_twice)} items (95 % interval)")


def measured_questions(project: Project) -> SourcedRange | None:
    """Questions for one live item, from all its raters; `None` with fewer than twenty ratings made here."""
    people = _by_rater(project)
    ratings = sum(rating.pool == "live" and rating.seconds > 0 for each in people.values() for rating in each)
    if ratings < MIN_QUESTIONED:
        return None
    live = {item.id for item in project.items.values() if item.pool == "live"}
    count = sum(question.rater in people and question.item in live for question in project.questions)
    # The exact interval of a Poisson count (Garwood 1936), as a rating may lead to several questions.
    low = float(special.gammaincinv(count, 0.025)) if count else 0.0
    high = float(special.gammaincinv(count + 1, 0.975))
    of_one = project.settings.raters_per_item / ratings
    return SourcedRange(low * of_one, high * of_one, f"measured: {count} in {ratings} ratings (95 % interval)")


def _calibration(project: Project) -> int:
    """Items of the first live documents, which all raters get."""
    live = [item.document for item in project.items.values() if item.pool == "live"]
    first = set(list(dict.fromkeys(live))[: project.settings.calibration])
    return sum(document in first for document in live)


def _project_so_far(project: Project) -> ProjectSoFar:
    """What is known already: who has rated how much, which items go to a third person, what was asked."""
    by_rater = _by_rater(project)
    first: dict[str, list[Mapping[str, Any]]] = {}
    for rating in (rating for ratings in by_rater.values() for rating in ratings if rating.pool == "live"):
        first.setdefault(rating.item, []).append(rating.value)
    thirds = [each for each in project.ratings if each.role == "adjudicator" and each.pool == "live"]
    task, settings = task_of(project.settings), project.settings
    full = {item for item, values in first.items() if len(values) >= settings.raters_per_item}
    third = {each.item for each in thirds} | {item for item in full if is_disputed(task, settings, first[item])}
    return ProjectSoFar(
        raters=tuple(_rater_so_far(ratings) for ratings in by_rater.values()),
        certain=len(full | third),
        third=len(third),
        third_rated=len({each.item for each in thirds}),
        third_hours=sum(each.seconds for each in thirds) / _HOUR,
        questions=len(project.questions),
    )


def _rater_so_far(ratings: Sequence[Rating]) -> RaterSoFar:
    practice = sum(rating.pool == "practice" for rating in ratings)
    return RaterSoFar(practice, len(ratings) - practice, sum(rating.seconds for rating in ratings) / _HOUR)


def _by_rater(project: Project) -> Mapping[str, list[Rating]]:
    """What each rater (no adjudicator) has rated, practice too, in the order in which they did."""
    result: dict[str, list[Rating]] = {rater.id: [] for rater in project.raters.values() if rater.role == "rater"}
    for rating in sorted(project.ratings, key=lambda rating: rating.seq):
        if rating.rater in result:
            result[rating.rater].append(rating)
    return result


def _mean(seconds: Sequence[float]) -> SourcedRange:
    from voirdire.stats.intervals import jackknife_t

    mean, n = fmean(seconds), len(seconds)
    source = f"measured: mean of {n} ratings (95 % interval)"
    if max(seconds) == min(seconds):
        return SourcedRange(mean, mean, source)
    total = sum(seconds)
    low, high, *_ = jackknife_t(mean, [(total - each) / (n - 1) for each in seconds])
    return SourcedRange(max(low, 0.0), high, source)
