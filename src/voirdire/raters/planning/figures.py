"""The numbers that a plan rests on, each with its source; a range where it is an assumption."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from voirdire.raters.records import Mode, TaskName

_MINUTE = 60.0


class Span(NamedTuple):
    """From the lowest to the highest that is expected; both the same where the number is known."""

    low: float
    high: float


class Figure(NamedTuple):
    """A number, or the range that it lies in, and where it comes from."""

    low: float
    high: float
    source: str


class Phase(NamedTuple):
    """A stretch of one rater's ratings in which one takes about as long as another."""

    name: str
    ratings: int | None
    """How many of them, before the next phase begins; `None` for all that are left."""
    seconds: Figure
    """For one rating."""


def known(value: float, source: str) -> Figure:
    """A number without a range."""
    return Figure(value, value, source)


_ASSUMED = "an assumption, measured nowhere"
_GUIDE = 'the guide, "Calibration Process"'

PHASES: Mapping[TaskName, tuple[Phase, ...]] = {
    # A context of the release has 685 words on average, and an answer 9.4 sentences: reading takes some 18 s of these.
    "cognibench": (Phase("statements", None, Figure(30.0, 75.0, _ASSUMED)),),
    "integrity": (
        Phase("trials 1-5", 5, Figure(25 * _MINUTE, 30 * _MINUTE, _GUIDE)),
        Phase("trials 6-15", 10, Figure(18 * _MINUTE, 22 * _MINUTE, _GUIDE)),
        Phase("trials from 16 on", None, Figure(15 * _MINUTE, 20 * _MINUTE, _GUIDE)),
    ),
    "ddft": (Phase("turns", None, Figure(1 * _MINUTE, 3 * _MINUTE, _ASSUMED)),),
}
"""How long one rating takes, in the order in which a rater goes through the phases."""

_TABLE_1: Mapping[Mode, tuple[float, int]] = {"sequential": (0.9619, 13), "independent": (0.9151, 25)}
"""Agreement, and questions to the organiser per 500 statements (CogniBench, table 1)."""
_DISAGREEMENT: Mapping[TaskName, Figure] = {
    "integrity": Figure(0.1, 0.4, _ASSUMED),
    "ddft": Figure(0.1, 0.3, _ASSUMED),
}

PAY: Mapping[TaskName, Figure | None] = {
    "cognibench": known(0.30, "CogniBench, A.5: per statement"),
    "integrity": None,
    "ddft": known(10.0, "DDFT paper, its estimate for experts: per evaluation"),
}
"""For one rating, in `SOURCES_CURRENCY`; `None` where no source names a pay."""
SOURCES_CURRENCY = "USD"


def disagreement_of(task: TaskName, mode: Mode) -> Figure:
    """The share of items on which two raters differ, so that a third is needed."""
    if task != "cognibench":
        return _DISAGREEMENT[task]
    agreement = _TABLE_1[mode][0]
    return known(round(1 - agreement, 4), f"CogniBench, table 1: {agreement:.2%} agreement, {mode}")


def questions_of(task: TaskName, mode: Mode) -> Figure | None:
    """Questions to the organiser for one statement; `None` where no source tells."""
    if task != "cognibench":
        return None
    asked = _TABLE_1[mode][1]
    return known(asked / 500, f"CogniBench, table 1: {asked} per 500 statements, {mode}")
