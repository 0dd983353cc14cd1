"""A date that the record of a sentence has in another field: "It was delivered on 3 May", when it was ordered.

A clause must name one field of dates and give one date. Where any field that it names has this date, it is right.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from voirdire.evidence.context import ContextIndex
from voirdire.evidence.figures import Figure, figures_of
from voirdire.evidence.matching import Match
from voirdire.evidence.negation import half_negators, negations
from voirdire.evidence.records import Contradiction
from voirdire.evidence.row_records import TITLES, Record, all_rows_of, objects_in, words_of
from voirdire.evidence.tokens import ParsedSentence, parse
from voirdire.evidence.values_of_other_columns import roots_of
from voirdire.text.numbers import agree

_CERTAINTY = 0.95
_FEWEST = 2
"""Fields of dates that can be exchanged."""
_CLAUSE_END = re.compile(r"[,;](?!\s?\d)|\s(?:and|but|while|whereas)\s")
_OF_DATES = frozenset("date dates day time timestamp at on by for of the".split())
"""Words of a key that do not tell one date from another."""
_ARTICLES = frozenset("the a an this that its their your our my her his".split())
_UNSURE = frozenset(
    "than unlike instead both either or before until till after from since between not except besides if planned"
    " originally first supposed expected again".split()
)


class _DateField(NamedTuple):
    key: str
    value: str
    date: Figure

    @property
    def words(self) -> frozenset[str]:
        return words_of(self.key) - _OF_DATES


class _Statement(NamedTuple):
    """What a clause says of a date."""

    date: Figure
    named: tuple[_DateField, ...]
    is_right: bool


def dates_of_other_fields(match: Match) -> Iterator[Contradiction]:
    """The first date of a sentence that its record has, and not in the field that the sentence names."""
    row = _row(match)
    if row is None:
        return
    in_cells = {each.start for each, same in match.figures if all(match.index.in_cells(place) for place, _ in same)}
    for date, named, is_right in _statements(match, row):
        known = any(agree(date.number, each.date.number) for each in row.fields)
        if known and not is_right and date.start in in_cells:
            evidence = f"{named[-1].key}: {named[-1].value}"
            yield Contradiction("date", date.text.rstrip("."), evidence, row.record.text, _CERTAINTY, sure=True)
            return


def is_date_of_field(match: Match) -> bool:
    """Whether a sentence says no more than the date of a field of its record."""
    row = _row(match)
    if row is None or _others(match, row):
        return False
    statements = list(_statements(match, row))
    return bool(statements) and all(each.is_right for each in statements)


def _statements(match: Match, row: _DatedRow) -> Iterator[_Statement]:
    claim = match.claim
    keys = words_of(" ".join(key for key, _, _ in row.record.values))
    if any(negations(claim)) or half_negators(claim) or not _UNSURE.isdisjoint(claim.words - keys):
        return
    dates = [each for each, _ in match.figures if _is_date(each)]
    for start, end in _clauses(claim.text):
        own = [each for each in dates if start <= each.start < end]
        named = tuple(_named(claim, row.fields, start, end))
        if len(own) == 1 and named:
            yield _Statement(own[0], named, any(agree(own[0].number, each.date.number) for each in named))


def _others(match: Match, row: _DatedRow) -> list[str]:
    """The words of a sentence that its record does not have."""
    text = " ".join(f"{key} {value}" for key, value, _ in row.record.values)
    known = frozenset().union(*map(roots_of, words_of(text)))
    dates = [range(each.start, each.end) for each, _ in match.figures if _is_date(each)]
    return [
        each.word
        for each in match.claim.tokens
        if each.stem
        and each.word not in TITLES
        and not roots_of(each.word) & known
        and not any(each.start in date for date in dates)
    ]


class _DatedRow(NamedTuple):
    """A record with several dates."""

    record: Record
    fields: tuple[_DateField, ...]
    names: frozenset[str]
    """The words of its name, and of all its other values."""


def _row(match: Match) -> _DatedRow | None:
    """The one record with several dates, or the one of them with a name or value of its own that a sentence has."""
    if "?" in match.claim.text or not any(_is_date(each) for each, _ in match.figures):
        return None
    rows = _dated_rows(match.index)
    words = words_of(match.claim.text)
    named = [
        each for each in rows if each.names.difference(*(other.names for other in rows if other is not each)) & words
    ]
    named = named if len(rows) > 1 else list(rows)
    return named[0] if len(named) == 1 else None


@lru_cache(maxsize=32)
def _dated_rows(index: ContextIndex) -> tuple[_DatedRow, ...]:
    rows = {}
    for record in (*objects_in(index), *all_rows_of(index)):
        fields = tuple(_date_fields(record))
        keys = [each.key for each in fields]
        others = [own for key, _, own in record.values if key not in keys]
        if len(fields) >= _FEWEST:
            rows[fields] = _DatedRow(record, fields, record.words.union(*others))
    return tuple(rows.values())


def _is_date(figure: Figure) -> bool:
    return figure.number.kind == "date" and figure.number.month is not None


def _date_fields(row: Record) -> Iterator[_DateField]:
    for key, value, _ in row.values:
        figures = [each for each in figures_of(parse(value)) if _is_date(each)]
        if len(figures) == 1:
            yield _DateField(key, value, figures[0])


def _clauses(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for end in _CLAUSE_END.finditer(text):
        yield start, end.start()
        start = end.end()
    yield start, len(text)


def _named(claim: ParsedSentence, fields: Iterable[_DateField], start: int, end: int) -> list[_DateField]:
    """The fields that a clause names, in its order; by "the order" only if it has no verb like "delivered"."""
    tokens = [each for each in claim.tokens if start <= each.start < end]
    placed = []
    for field in fields:
        places = [
            next((place for place, each in enumerate(tokens) if roots_of(each.word) & roots_of(word)), None)
            for word in field.words
        ]
        whole = [place for place in places if place is not None]
        if whole and len(whole) == len(places):
            is_noun = all(place > 0 and tokens[place - 1].word in _ARTICLES for place in whole)
            placed.append((max(whole), is_noun, field))
    verbs = [each for each in placed if not each[1]]
    return [field for _, _, field in sorted(verbs or placed, key=lambda each: each[0])]
