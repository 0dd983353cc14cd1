"""What people say of an item, in words, for its organiser."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from voirdire.raters.records import Document, GoldRating, Rating, Role
from voirdire.raters.tasks.base import Task


class Vote(NamedTuple):
    """What one person says of an item."""

    name: str
    role: Role
    says: str
    """The rating in words."""
    details: tuple[str, ...]
    """How it came about, and the reason."""
    seconds: float
    """0 where it was not measured."""
    sight: str
    """Of an adjudicator: whether they had seen what others said."""


def votes_of(task: Task, document: Document, ratings: Iterable[Rating], names: Mapping[str, str]) -> tuple[Vote, ...]:
    """The ratings of an item in words: raters' first, then adjudicators'."""
    return tuple(
        Vote(
            name=names[each.rater],
            role=each.role,
            says=task.vote_in_words(document, each.value),
            details=task.details_in_words(each.value),
            seconds=each.seconds,
            sight=_sight(each),
        )
        for each in sorted(ratings, key=lambda rating: rating.role == "adjudicator")
    )


def _sight(rating: Rating) -> str:
    if rating.decision is not None:
        return f"blind, then {rating.decision} after seeing the others"
    return "blind" if rating.blind else "having seen the others"


def outcome_of(task: Task, document: Document, gold: GoldRating | None) -> str:
    """What became of an item, in words; "" while it is open."""
    if gold is None:
        return ""
    says = task.vote_in_words(document, gold.value)
    return f"no label ({says}, {gold.how})" if task.no_answer(gold.value) else f"{says} ({gold.how})"
