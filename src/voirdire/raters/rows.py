"""Which rows of a project stand, once undone ones are taken away; questions to the organiser, with their replies."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from voirdire.raters.records import Question, Row

UNDO, IMPORTED = "undo", "imported"
QUESTION, REPLY, READ = "question", "reply", "read"
ASSIGN, RELEASE = "assign", "release"
RETAKE = "retake"
SIGHT = "sight"
"""From here on an adjudicator who rates blind sees what the raters said: no rating had a majority."""
DECISION = "decision"
"""An adjudicator who has seen them settles the item with the rating that stands; whatever comes after it reopens it."""
TEXT_FIELDS = frozenset({"reason", "comment"})
"""What a rater writes with an answer."""
EVERYBODYS = frozenset({QUESTION, REPLY, READ, ASSIGN, RELEASE, RETAKE, SIGHT})
"""Kinds that say nothing of how an item is rated."""


def current_rows(rows: Iterable[Row]) -> tuple[Row, ...]:
    """The rows of one rater on one item that a task goes by: neither undone nor everybody's; in their order.

    An undo takes away the row that it replaces; it can't be undone itself (answering again does that).
    """
    rows = [row for row in rows if row.kind not in EVERYBODYS]
    undone = {row.replaces for row in rows if row.kind == UNDO}
    return tuple(row for row in rows if row.kind not in (UNDO, DECISION) and row.seq not in undone)


def undone_last(rows: Sequence[Row]) -> Row | None:
    """Of a rater's rows on one item the one undone last, where nothing was done since."""
    rows = [row for row in rows if row.kind not in EVERYBODYS]
    if not rows or rows[-1].kind != UNDO:
        return None
    return next((row for row in rows if row.seq == rows[-1].replaces), None)


def unsent_text(rows: Sequence[Row]) -> Row | None:
    """Of a rater's rows on one item the last that takes a text, if it is undone: the text is theirs to send again."""
    written = [row for row in rows if TEXT_FIELDS & row.body.keys()]
    if not written or all(row.replaces != written[-1].seq for row in rows if row.kind == UNDO):
        return None
    return written[-1]


def last_of(rows: Sequence[Row]) -> int:
    """`seq` of the last row that changed how an item stands, undo included; 0 where there is none."""
    return max((row.seq for row in rows if row.kind not in EVERYBODYS), default=0)


def has_sight(rows: Iterable[Row], before: float = math.inf) -> bool:
    """Whether others' ratings were shown because no rating had a majority.

    Args:
        rows: a rater's, on one item.
        before: only by a row that was written before the one of this `seq`.
    """
    return any(row.kind == SIGHT and row.seq < before for row in rows)


def decision_of(rows: Iterable[Row]) -> Row | None:
    """The decision that stands among an adjudicator's rows on one item: nothing was changed or undone since."""
    last = max((row for row in rows if row.kind not in EVERYBODYS), key=lambda row: row.seq, default=None)
    return last if last is not None and last.kind == DECISION else None


def awaits_decision(rows: Sequence[Row]) -> bool:
    """Whether others' ratings were shown to an adjudicator of one item, and nothing is decided yet."""
    return has_sight(rows) and decision_of(rows) is None


def questions_of(rows: Iterable[Row]) -> tuple[Question, ...]:
    """All questions, oldest first; of several replies to one the last stands.

    Args:
        rows: of kinds "question" and "reply" at least, in their order.
    """
    rows = list(rows)
    replies = {row.replaces: row for row in rows if row.kind == REPLY}
    return tuple(_question(row, replies.get(row.seq)) for row in rows if row.kind == QUESTION)


def _question(row: Row, reply: Row | None) -> Question:
    return Question(
        seq=row.seq,
        rater=row.rater,
        item=row.item,
        text=row.body["text"],
        at=row.at,
        afterwards=row.body["afterwards"],
        reply=None if reply is None else reply.body["text"],
        replied_at=None if reply is None else reply.at,
    )
