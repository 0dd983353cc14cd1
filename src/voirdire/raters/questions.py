"""Questions to the organiser, with their replies."""

from __future__ import annotations

from collections.abc import Iterable

from voirdire.raters.records import Question, Row
from voirdire.raters.undo import QUESTION, REPLY


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
