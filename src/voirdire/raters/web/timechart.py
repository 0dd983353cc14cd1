"""Time per item over a rater's items as a small picture: its geometry; the template draws it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from voirdire.raters.records import Project
from voirdire.raters.timing import Trial, trials
from voirdire.raters.web.descriptions import duration

WIDTH, HEIGHT = 480, 150
_LEFT, _RIGHT, _TOP, _BOTTOM = 44, 10, 10, 24
_MOST = 400
"""Dots drawn; of more items, the last."""


class Dot(NamedTuple):
    """An item."""

    x: float
    y: float
    title: str


class Expected(NamedTuple):
    """What the guide expects of a stretch of items, as a rectangle."""

    x: float
    y: float
    width: float
    height: float


class Tick(NamedTuple):
    """A label on an axis, and where it stands."""

    at: float
    text: str


class TimeChart(NamedTuple):
    """One rater's items: number across, minutes up."""

    name: str
    said: str
    """In a sentence, for whoever does not see it."""
    dots: tuple[Dot, ...]
    expected: tuple[Expected, ...]
    across: tuple[Tick, ...]
    up: tuple[Tick, ...]
    width: int = WIDTH
    height: int = HEIGHT
    left: int = _LEFT
    floor: int = HEIGHT - _BOTTOM
    right: int = WIDTH - _RIGHT


def time_charts(project: Project) -> tuple[TimeChart, ...]:
    """One chart for each rater who has finished two live items or more; all to one scale."""
    by_rater = {rater: done[-_MOST:] for rater, done in trials(project).items() if len(done) > 1}
    minutes = [each.seconds / 60 for done in by_rater.values() for each in done]
    hopes = [each.expected[1] / 60 for done in by_rater.values() for each in done if each.expected]
    top = _round_up(max(minutes + hopes, default=1.0))
    return tuple(_chart(project.raters[rater].name, done, top) for rater, done in by_rater.items())


def _chart(name: str, done: Sequence[Trial], top: float) -> TimeChart:
    first, last = done[0].number, done[-1].number
    step = (WIDTH - _LEFT - _RIGHT) / (last - first + 1)

    def across(number: float) -> float:
        return round(_LEFT + (number - first + 0.5) * step, 1)

    def up(minutes: float) -> float:
        return round(_TOP + (1 - minutes / top) * (HEIGHT - _TOP - _BOTTOM), 1)

    dots = (Dot(across(each.number), up(each.seconds / 60), f"Item {each.number}: {_said(each)}") for each in done)
    expected = (
        Expected(
            round(across(each.number) - step / 2, 1),
            up(each.expected[1] / 60),
            round(step + 0.1, 1),
            round(up(each.expected[0] / 60) - up(each.expected[1] / 60), 1),
        )
        for each in done
        if each.expected
    )
    return TimeChart(
        name=name,
        said=f"{len(done)} items; the first took {_said(done[0])}, the last {_said(done[-1])}.",
        dots=tuple(dots),
        expected=tuple(expected),
        across=tuple(Tick(across(number), str(number)) for number in sorted({first, (first + last) // 2, last})),
        up=tuple(Tick(up(share * top), f"{share * top:g}") for share in (0, 0.5, 1)),
    )


def _said(trial: Trial) -> str:
    return duration(trial.seconds)


def _round_up(minutes: float) -> float:
    """To 1, 2 or 5 times a power of ten, so that the axis has round labels."""
    power = 10.0 ** math.floor(math.log10(max(minutes, 0.1)))
    return next(each * power for each in (1, 2, 5, 10) if each * power >= minutes)
