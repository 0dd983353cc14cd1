"""What is asked of a plan, and what it says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from voirdire.data.plain import as_plain
from voirdire.raters.planning.figures import Figure, Phase, Span
from voirdire.raters.records import Mode, TaskName


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What is to be rated, by how many, and on which figures the plan rests; `None` for the sources' own."""

    items: int
    task: TaskName = "cognibench"
    mode: Mode = "sequential"
    raters: int
    raters_per_item: int
    practice: int
    """Items that every rater rates first."""
    calibration: int = 0
    """How many of the items all raters rate, however few an item needs."""
    phases: tuple[Phase, ...]
    disagreement: Figure
    questions: Figure | None
    pay_per_item: Figure | None
    """For every rating, practice and third ones included."""
    pay_per_hour: Figure | None
    currency: str | None = None
    """Of the pay; `None` where nobody has said."""


class Begun(NamedTuple):
    """What a rater has done already."""

    practice: int = 0
    ratings: int = 0
    """Of live items."""
    hours: float = 0.0
    """At both, as far as they were rated here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """What is known of a project that is under way, so that only the rest is a forecast."""

    raters: tuple[Begun, ...] = ()
    certain: int = 0
    """Items of which it is known whether they go to a third person."""
    third: int = 0
    """How many of these do."""
    third_rated: int = 0
    third_hours: float = 0.0
    """Of the third ratings made."""
    questions: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Left:
    """What is still to be done in a project that is under way; practice and third ratings are left out."""

    ratings_done: int
    ratings_left: int
    hours: Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What rating takes."""

    wanted: Wanted
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
    left: Left | None = None

    def as_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        wanted = self.wanted
        return {
            "task": wanted.task,
            "mode": wanted.mode if wanted.task == "cognibench" else None,
            "items": wanted.items,
            "raters": wanted.raters,
            "raters_per_item": wanted.raters_per_item,
            "practice_items": wanted.practice,
            "calibration_items": wanted.calibration,
            "ratings": self.ratings,
            "practice_ratings": self.practice_ratings,
            "adjudications": as_plain(self.adjudications),
            "questions": as_plain(self.questions),
            "hours": as_plain(self.hours),
            "hours_per_rater": as_plain(self.hours_per_rater),
            "adjudication_hours": as_plain(self.adjudication_hours),
            "pay": as_plain(self.pay),
            "pay_an_hour": as_plain(self.pay_an_hour),
            "currency": wanted.currency,
            "assumed": {
                "phases": as_plain(wanted.phases),
                "disagreement": as_plain(wanted.disagreement),
                "questions_per_item": as_plain(wanted.questions),
                "pay_per_item": as_plain(wanted.pay_per_item),
                "pay_per_hour": as_plain(wanted.pay_per_hour),
            },
            "left": None
            if self.left is None
            else {
                "ratings_done": self.left.ratings_done,
                "ratings": self.left.ratings_left,
                "hours": as_plain(self.left.hours),
            },
        }
