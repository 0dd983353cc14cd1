"""The rows and records of a context, and the words of each."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from voirdire.evidence.context import ContextIndex, plain
from voirdire.evidence.matching import Match
from voirdire.evidence.record_sentences import Row, objects_of, rows_and_prose, scalars_of, unnamed_records
from voirdire.evidence.tokens import parse

_REMEMBERED = 32
_STATUS = frozenset(("status", "state"))
"""Words of a key."""
_STATUS_WORDS = 3
"""Of a status, at most."""
TITLES = frozenset("mr mrs ms dr".split())
"""Before the name of a person, which a record may give without."""
DAYS = frozenset("monday tuesday wednesday thursday friday saturday sunday".split())
_WORD = 3
"""Letters of a word that may name a row alone."""
_NAMED_CELLS = 2
"""Cells by which a sentence names a row that has no name of its own: "at 08:00 the West room"."""
_STRENGTH = re.compile(r"(?<=\w) \d[\d.,]*\s?(?:%|[a-zµ°]{1,3}\b)")
"""In a name, behind what it is of: "Hypochlorite 13 %", "Cord 5 mm"."""
_LABEL = re.compile(r"[\"']([\w -]{1,60})[\"']\s?:|(?m:^#+ (.+)$)")
TIME = re.compile(r"(?<![\d:])\d{1,2}:\d\d(?![\d:])")
_DAY = re.compile(r"\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun)(?:(?:s|nes|rs|ur)?days?\b|(?:rs?|s)?\.?(?=,? \d|$))")
"""A weekday, or what is short for it before a date or alone: "Wed 4 Feb", not "Sun cream"."""
_MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*"
_DATE = re.compile(
    rf"\b(?P<day>\d{{1,2}})(?:st|nd|rd|th)? (?:of )?(?P<month>{_MONTH})\b"
    rf"|\b(?P<earlier>{_MONTH})\.? (?P<later>\d{{1,2}})\b"
)


class Record(NamedTuple):
    """A row and its words."""

    name: str
    words: frozenset[str]
    """Of its name."""
    values: tuple[tuple[str, str, frozenset[str]], ...]
    """Each key with its value, and the words of that."""
    all_words: frozenset[str]
    text: str
    key: frozenset[str]
    """The stems of the column or key of its name."""
    times: frozenset[str]
    """Of day, as it writes them."""


class RecordStatus(NamedTuple):
    """The one field of a record that gives its state."""

    record: Record
    key: str
    value: str


@lru_cache(maxsize=_REMEMBERED)
def prose_of(index: ContextIndex) -> tuple[frozenset[str], ...]:
    """The words of each paragraph that is no row."""
    return tuple(map(words_of, rows_and_prose(plain(index.text))[1]))


@lru_cache(maxsize=_REMEMBERED)
def records_of(index: ContextIndex) -> tuple[Record, ...]:
    """The rows that say what they are about."""
    return tuple(record for row in rows_and_prose(plain(index.text))[0] if (record := record_of(row)).words)


@lru_cache(maxsize=_REMEMBERED)
def labels_of(index: ContextIndex) -> frozenset[str]:
    """The stems of the keys of JSON, and of headings: they say what sort of thing the rows are."""
    return frozenset().union(
        *(parse((key or title).replace("_", " ")).stems for key, title in _LABEL.findall(index.text))
    )


def named_records(match: Match, records: Sequence[Record]) -> list[Record]:
    """The rows that a sentence names, by what no other row is named: the "V5" of "V5 valve", "Harbour"; or by a time.

    Empty where it is unclear which are meant: "free" may be a plan, or what another one is.
    """
    text, words = match.claim.text, words_of(match.claim.text)
    counts = Counter(word for name in {each.words for each in records} for word in name)
    named = [each for each in records if each.words <= words or _is_named(each, words, counts, text)]
    named = [each for each in named if not any(each.words < other.words for other in named)]
    texts = {each.text: each for each in named}
    if len(texts) > 1 and not all(_is_capital(each, text) for each in texts.values()):
        return []
    return list(texts.values()) or named_by_time(match, records)


def named_rows(match: Match) -> list[Record]:
    """The rows that a sentence speaks of: by their name, then by the most words of other cells; or by those alone.

    "Cement at Leith" is one row of a table with several of Leith, "the Leith rows" all of them. A record that is all
    there is needs no name.
    """
    if not all_rows_of(match.index):
        return []
    words = words_of(match.claim.text)
    rows = rows_of(match.index) if records_of(match.index) else ()
    counts = Counter(word for name in {each.words for each in rows} for word in name)
    named = [
        each
        for each in rows
        if words_of(_STRENGTH.sub("", each.name)) <= words or _is_named(each, words, counts, match.claim.text)
    ]
    named = [each for each in named if not any(each.words < other.words for other in named)]
    matching_cells = {each: sum(own <= words for own in telling_values(each)) for each in named or rows}
    most = max(matching_cells.values(), default=0)
    if named or most:
        return [each for each, number in matching_cells.items() if number == most]
    return _rows_by_keys(match)


def _rows_by_keys(match: Match) -> list[Record]:
    """Of a row alone and the records without a name, those of which a sentence has the most keys and cells."""
    words = words_of(match.claim.text)
    rows = rows_of(match.index)
    candidates = list(dict.fromkeys((*unnamed_of(match.index), *(rows if len(rows) == 1 else ()))))
    if len(candidates) == 1 and len(rows) == 1:
        return candidates
    counts = [sum(bool(own) and own <= words for own in (*telling_values(each), *_keys(each))) for each in candidates]
    most = max(counts, default=0)
    return [each for each, number in zip(candidates, counts, strict=True) if number == most] if most else []


def _keys(record: Record) -> Iterator[frozenset[str]]:
    """The words of each key."""
    return (words_of(key) for key, _, _ in record.values)


def named_row(match: Match) -> Record | None:
    """The one row that a sentence names, a plural counting as its singular."""
    names = ((parse(each.name).stems, each) for each in rows_of(match.index))
    rows = {*named_rows(match), *(each for stems, each in names if stems and stems <= match.claim.stems)}
    return rows.pop() if len(rows) == 1 else None


def quoted_row(match: Match) -> str:
    """The one row that a sentence names, to be quoted; "" where it names none, or several."""
    rows = named_rows(match) if records_of(match.index) else []
    return rows[0].text if len(rows) == 1 else ""


def row_by_cells(match: Match) -> Record | None:
    """The one row of which a sentence names two cells or more, words or times, and more than of any other row."""
    if not all_rows_of(match.index):
        return None
    words, times = words_of(match.claim.text), frozenset(TIME.findall(match.claim.text))

    def named_cells(row: Record) -> int:
        is_named = bool(row.words) and row.words <= words
        shared = times & (row.times | set(TIME.findall(row.name)))
        return is_named + len(shared) + sum(own <= words for own in telling_values(row))

    counts = [(named_cells(row), row) for row in all_rows_of(match.index)]
    most = max((number for number, _ in counts), default=0)
    named = [row for number, row in counts if number == most]
    return named[0] if most >= _NAMED_CELLS and len(named) == 1 else None


def telling_values(record: Record) -> Iterator[frozenset[str]]:
    """The words of each cell that is no figure, date or time."""
    return (
        own
        for _, value, own in record.values
        if own and (not any(map(str.isdigit, value)) or any(len(word) > _WORD and word.isalpha() for word in own))
    )


@lru_cache(maxsize=_REMEMBERED)
def rows_of(index: ContextIndex) -> tuple[Record, ...]:
    """The rows of a context, each once; of one without, its records without a name."""
    return tuple({each.text: each for each in records_of(index)}.values()) or unnamed_of(index)


@lru_cache(maxsize=_REMEMBERED)
def all_rows_of(index: ContextIndex) -> tuple[Record, ...]:
    """The rows of a context and its records without a name, each once."""
    return tuple(dict.fromkeys((*rows_of(index), *unnamed_of(index))))


@lru_cache(maxsize=_REMEMBERED)
def unnamed_of(index: ContextIndex) -> tuple[Record, ...]:
    """The records without a name, each once."""
    return tuple({each.text: record_of(each) for each in unnamed_records(plain(index.text))}.values())


@lru_cache(maxsize=_REMEMBERED)
def objects_in(index: ContextIndex) -> tuple[Record, ...]:
    """The objects of JSON, with a name or without: of an order with lines the order, too."""
    fields = (tuple(scalars_of(each).items()) for each, _ in objects_of(plain(index.text)))
    return tuple(record_of(Row("", each, "; ".join(map(": ".join, each)))) for each in fields if each)


def _is_named(record: Record, words: frozenset[str], counts: Counter[str], text: str) -> bool:
    own = {word for word in record.words if counts[word] == 1}
    first = record.name.split()[0]
    telling = any(len(word) >= _WORD and word.isalpha() for word in own) or (
        any(map(str.isdigit, first)) and re.search(rf"(?<!\w){re.escape(first)}(?!\w)", text) is not None
    )
    return bool(own) and own <= words and telling


def _is_capital(record: Record, text: str) -> bool:
    """Whether a sentence writes the first word of a name that way."""
    return record.name.split()[0] in text.split() or record.name in text


def named_by_time(match: Match, records: Sequence[Record]) -> list[Record]:
    """The rows that a sentence names by a time of day which no other has."""
    times = frozenset(TIME.findall(match.claim.text))
    named = [each for each in records if times & each.times]
    return named if len({each.text for each in named}) == 1 else []


def named_by_day(match: Match, records: Sequence[Record]) -> list[Record]:
    """The row whose name alone has the weekday of a sentence, and its date if any: "Wed 4 Feb" of "Wednesday"."""
    text = match.claim.text
    days = _days_of(text)
    named = [each for each in records if len(days) == 1 and _days_of(each.name) == days]
    is_one = len({each.text for each in named}) == 1
    return named if is_one and _dates_of(text) <= _dates_of(named[0].name) else []


def _days_of(text: str) -> frozenset[str]:
    """The weekdays of a text, by their first letters."""
    return frozenset(each[1] for each in _DAY.finditer(text))


def _dates_of(text: str) -> frozenset[tuple[int, str]]:
    """The days of months of a text, with the first letters of the month."""
    return frozenset(
        (int(each["day"] or each["later"]), (each["month"] or each["earlier"])[:3]) for each in _DATE.finditer(text)
    )


def record_of(row: Row) -> Record:
    """A row with its words."""
    values = tuple((key, value, words_of(value)) for key, value in row.fields if value)
    times = frozenset(time for _, value, _ in values for time in TIME.findall(value))
    return Record(row.name, words_of(row.name), values, words_of(row.text), row.text, parse(row.key).stems, times)


@lru_cache(maxsize=1024)
def words_of(text: str) -> frozenset[str]:
    """The words of a text in lower case, without the endings of "Fridays" and "Whitlock's"."""
    return frozenset(
        word[:-1] if word[:-1] in DAYS else word
        for token in parse(text).tokens
        if (word := token.word.removesuffix("'s").removesuffix("’s"))[0].isalnum()
    )


@lru_cache(maxsize=_REMEMBERED)
def statuses_of(index: ContextIndex) -> tuple[RecordStatus, ...]:
    """The records of a context that have one status, each once."""
    statuses = {}
    for record in (*objects_in(index), *all_rows_of(index)):
        fields = [(key, value) for key, value, _ in record.values if not words_of(key).isdisjoint(_STATUS)]
        if len(fields) == 1 and len(fields[0][1].split()) <= _STATUS_WORDS:
            statuses[record.text] = RecordStatus(record, *fields[0])
    return tuple(statuses.values())
