"""A rating as it grows row by row: an answer, marks in the texts, or why an item is left out."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from voirdire.raters.records import Row
from voirdire.raters.rows import IMPORTED
from voirdire.raters.tasks.guided.guide import FIRST, SECOND

ANSWER, MARK, UNMARK, LEAVE = "answer", "mark", "unmark", "skip"
"""Actions, and the kinds of their rows."""
OUTPUT = "output"
Status = Literal["answered", "unsure", "skipped"]
MAX_REASON = 4_000
"""Characters."""


class MarkedSpan(NamedTuple):
    """A marked stretch of a text."""

    part: str
    """"output", or the passage of the context: "passage-1" …"""
    start: int
    end: int
    label: str
    """"" for evidence."""
    seq: int = 0
    """Of the row that made it; 0 where it was imported."""


@dataclass(frozen=True, slots=True)
class RatingState:
    """How an item stands for a rater."""

    answer: Any = None
    status: Status | None = None
    """`None` before anything is answered."""
    reason: str = ""
    order: tuple[str, ...] = ()
    """Of a pair: which of the two was shown first, and which second."""
    marks: tuple[MarkedSpan, ...] = ()
    """In the order in which they were made."""
    seq: int | None = None
    """Of the row that holds the answer."""


def state_of(rows: Iterable[Row]) -> RatingState:
    """What rows come to, in their order; those of an import begin anew.

    Once a mark is changed, an answer must be given again: until then the rating is not complete.
    """
    answer: Mapping[str, Any] = {}
    seq: int | None = None
    marks: dict[int, MarkedSpan] = {}
    for row in rows:
        if row.kind == IMPORTED:
            answer, seq = row.body["value"], None
            marks = {-number: mark for number, mark in enumerate(_marks_of(answer), start=1)}
            continue
        if row.kind in (MARK, UNMARK):
            answer = {**answer, "status": None, "answer": None}
        if row.kind == MARK:
            body = row.body
            marks[row.seq] = MarkedSpan(body["part"], body["start"], body["end"], body["label"], row.seq)
        elif row.kind == UNMARK:
            marks.pop(row.body["mark"], None)
        elif row.kind in (ANSWER, LEAVE):
            answer, seq = row.body, row.seq
    return RatingState(
        answer=answer.get("answer"),
        status=answer.get("status"),
        reason=answer.get("reason", ""),
        order=tuple(answer.get("order") or ()),
        marks=tuple(mark._replace(seq=number) for number, mark in marks.items()),
        seq=seq,
    )


def value_of(state: RatingState, *, spans: bool) -> dict[str, Any] | None:
    """The rating, once there is an answer."""
    if state.status is None:
        return None
    value: dict[str, Any] = {"status": state.status, "answer": state.answer, "reason": state.reason}
    if state.order:
        value["order"] = list(state.order)
    if spans:
        value["spans"] = merged([mark for mark in state.marks if mark.part == OUTPUT])
    value["evidence"] = [
        {"part": part, **stretch}
        for part in dict.fromkeys(mark.part for mark in state.marks if mark.part != OUTPUT)
        for stretch in merged([mark for mark in state.marks if mark.part == part], labelled=False)
    ]
    return value


def merged(marks: Sequence[MarkedSpan], *, labelled: bool = True) -> list[dict[str, Any]]:
    """Marks of one text in their order; those of one label that touch or overlap are one."""
    spans: list[dict[str, Any]] = []
    last: dict[str, dict[str, Any]] = {}
    for mark in sorted(marks, key=lambda mark: (mark.start, mark.end)):
        before = last.get(mark.label)
        if before is not None and mark.start <= before["end"]:
            before["end"] = max(before["end"], mark.end)
            continue
        last[mark.label] = {"start": mark.start, "end": mark.end, **({"label": mark.label} if labelled else {})}
        spans.append(last[mark.label])
    return spans


def order_of(seed: int, rater: str, item: str) -> tuple[str, str]:
    """Which of a pair this rater is shown first: the same whenever they look, as likely one as the other."""
    chance = random.Random(f"{seed}/{rater}/{item}").random()  # noqa: S311 (an order to be repeated, not a secret)
    return (FIRST, SECOND) if chance < 0.5 else (SECOND, FIRST)


_BEFORE = re.compile(r"""[\s"'“‘(\[{«]*""")
_AFTER = re.compile(r"""[\s.,;:!?…。！？"'”’)\]}»]*$""")  # both as in `marks.js`
_BEHIND = ".,;:!?…。！？\"'”’)]}»"
_OTHER_HALF = dict(zip("\"'“‘([{«", "\"'”’)]}»", strict=True))
_ALIKE = "\"'"
"""These open where white space is before them."""
_HALF = re.compile(r"""["“”([{«)\]}»]|(?<!\w)['‘’]|['‘’](?!\w)""")
"""An apostrophe within a word is none."""


def trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """A stretch without the white space around it."""
    inner = text[start:end]
    return start + len(inner) - len(inner.lstrip()), end - len(inner) + len(inner.rstrip())


def without_punctuation(text: str, start: int, end: int) -> tuple[int, int]:
    """A stretch from its first word to the end of its last, however it was selected; one without a word as it is.

    A quotation mark or bracket at either end belongs to it where only its other half would be in it.
    """
    inner = text[start:end]
    before, after = _BEFORE.match(inner), _AFTER.search(inner)
    first = start + (before.end() if before else 0)
    last = start + (after.start() if after else len(inner))
    if first >= last:
        return trimmed(text, start, end)
    opened, closed = _halves(text[first:last])
    while closed and first and _OTHER_HALF.get(text[first - 1]) == closed[0]:
        first, closed = first - 1, closed[1:]
    place = last
    while opened and place < len(text) and text[place] in _BEHIND:
        place += 1
        if text[place - 1] == _OTHER_HALF[opened[-1]]:
            last, opened = place, opened[:-1]
    return first, last


def _halves(text: str) -> tuple[str, str]:
    """The marks that are opened in a text and not closed there, and those that are closed and were not opened."""
    opened = closed = ""
    for match in _HALF.finditer(text):
        mark = match[0]
        if opened and mark == _OTHER_HALF[opened[-1]]:
            opened = opened[:-1]
        elif mark in _OTHER_HALF and (mark not in _ALIKE or not text[: match.start()][-1:].strip()):
            opened += mark
        elif mark in _OTHER_HALF.values():
            closed += mark
    return opened, closed


def _marks_of(value: Mapping[str, Any]) -> Iterable[MarkedSpan]:
    for each in value.get("spans") or ():
        yield MarkedSpan(OUTPUT, each["start"], each["end"], each["label"])
    for each in value.get("evidence") or ():
        yield MarkedSpan(each["part"], each["start"], each["end"], "")
