"""The rows of a table whose labels lie within a span that a sentence names: "from March to May", "2022–2024"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from voirdire.evidence.calendar_parts import MONTH_NAMES, WEEKDAY_NAMES
from voirdire.evidence.context import ContextIndex, plain
from voirdire.evidence.matching import Match
from voirdire.evidence.record_sentences import Row, objects_of, scalars_of
from voirdire.evidence.row_records import Record, record_of, records_of

_SHORT = 3
"""Letters of "Jan" and "Mon"."""
_NAMES = (f"{name[:_SHORT]}(?:{name[_SHORT:]})?" for name in (*MONTH_NAMES, *WEEKDAY_NAMES))
_LABEL = rf"(?:(?:19|20)\d\d|{'|'.join(_NAMES)})"
_SPAN = re.compile(
    rf"(?i)(?:\b(?:(?P<between>between)|from)\s)?\b(?P<first>{_LABEL})"
    rf"(?:\s?[-–]\s?|\s(?:to|until|till|through|(?(between)and|to))\s)(?:the end of\s)?(?P<last>{_LABEL})\b"
)


class RowSpan(NamedTuple):
    """A span that a sentence names, and the rows within it, each once."""

    start: int
    end: int
    """Of the sentence's words."""
    rows: tuple[Record, ...]


def row_span(match: Match) -> RowSpan | None:
    """The one span of a sentence between two labels; `None` for none, or where a table lacks one or two have it."""
    spans = list(_SPAN.finditer(match.claim.text))
    if len(spans) != 1:
        return None
    (span,) = spans
    first, last = (_rank(span[end]) for end in ("first", "last"))
    if first is None or last is None or first[0] != last[0] or first >= last:
        return None
    within = sorted((each for each in _labelled(match.index) if first <= each[0] <= last), key=lambda each: each[0])
    is_whole = [rank for rank, _ in within] == [(first[0], place) for place in range(first[1], last[1] + 1)]
    rows = tuple(row for _, row in within)
    return RowSpan(*span.span(), rows) if is_whole and len({row.key for row in rows}) == 1 else None


_Rank = tuple[str, int]


def _rank(label: str) -> _Rank | None:
    """Where a year, month or weekday stands among its kind."""
    word = label.strip().lower().rstrip(".")
    if re.fullmatch(r"(?:19|20)\d\d", word):
        return "year", int(word)
    for kind, names in (("month", MONTH_NAMES), ("weekday", WEEKDAY_NAMES)):
        if word in names or (len(word) == _SHORT and word in [name[:_SHORT] for name in names]):
            return kind, next(place for place, name in enumerate(names) if name.startswith(word))
    return None


@lru_cache(maxsize=32)
def _labelled(index: ContextIndex) -> tuple[tuple[_Rank, Record], ...]:
    """The rows that are named by a year, month or weekday, with its rank; of JSON those that have one as a value."""
    rows = [*records_of(index), *map(record_of, _dated_objects(index))]
    unique = {each.text: each for each in rows}.values()
    return tuple((rank, each) for each in unique if (rank := _rank(each.name)) is not None)


def _dated_objects(index: ContextIndex) -> Iterator[Row]:
    for record, _ in objects_of(plain(index.text)):
        fields = scalars_of(record)
        key = next((key for key in fields if key.lower() in ("year", "month", "day", "weekday")), "")
        if key and len(fields) > 1:
            others = tuple((each, value) for each, value in fields.items() if each != key)
            text = "; ".join(f"{each}: {value}" for each, value in fields.items())
            yield Row(fields[key], others, text, key)
