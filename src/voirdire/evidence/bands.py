"""Rows that are bands, or half and whole days: "five days" is of the row "4 to 9 days", "half a day" of "Half day".

A sentence must give one figure besides, which its row has, or which only the row beside it has.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import permutations
from math import inf
from typing import NamedTuple

from voirdire.evidence.context import ContextIndex
from voirdire.evidence.figures import Figure, figures_of, same_value
from voirdire.evidence.matching import Match
from voirdire.evidence.negation import half_negators, negations
from voirdire.evidence.records import Contradiction
from voirdire.evidence.row_records import Record, records_of, words_of
from voirdire.evidence.tokens import parse

_CERTAINTY = 0.95
_FEWEST = 2
_NUMBER = r"[^\w\s]?(\d+(?:\.\d+)?)\s?([a-z]*)"
_RANGE = re.compile(rf"(?i){_NUMBER}\s?(?:to|-|–)\s?{_NUMBER}")
_BELOW = re.compile(rf"(?i)(under|less than|fewer than|below|up to|at most)\s{_NUMBER}")
_ABOVE = re.compile(rf"(?i)(over|more than|above|from|at least)\s{_NUMBER}")
_OR_MORE = re.compile(rf"(?i){_NUMBER}(?:\s(?:or|and) (?:more|over|above|longer)|\s?\+)")
_INCLUSIVE = frozenset(("up to", "at most", "from", "at least"))
_WHOLE = frozenset("full whole all entire one".split())
_UNSURE = frozenset("or both than to until unlike instead not either unless before except each extra more".split())
_HALF_DAY = re.compile(r"(?i)\bhalf[ -](?:an? )?days?\b|\bdays?\b")


class _Band(NamedTuple):
    low: float
    high: float
    is_open: bool
    """Whether its finite end is none of it: "under 14", "more than 28"."""
    unit: frozenset[str]
    row: Record

    def has(self, value: float) -> bool:
        if self.is_open:
            return self.low < value < self.high
        return self.low <= value <= self.high


class _Cell(NamedTuple):
    key: str
    value: str
    figure: Figure
    row: Record


class _Statement(NamedTuple):
    """What a sentence says of a band, or a half or whole day."""

    figure: Figure
    own: Sequence[_Cell]
    others: Sequence[_Cell]
    """Of the other bands, or of the whole day where it speaks of a half one."""


def band_contradictions(match: Match) -> list[Contradiction] | None:
    """What the row of a sentence's band or half day says against its figure; `None` where there is no such row."""
    claim = match.claim
    if "?" in claim.text or not records_of(match.index):
        return None
    stated = _of_half_day(match) or _of_band(match)
    if stated is None or half_negators(claim) or any(negations(claim)):
        return None
    if any(same_value(stated.figure, each.figure) for each in stated.own):
        return []
    if not any(same_value(stated.figure, each.figure) for each in stated.others):
        return None
    own, text = stated.own[0], stated.figure.text
    evidence = f"{own.key}: {own.value}"
    return [Contradiction("number", text, evidence, own.row.text, _CERTAINTY, about=own.row.name, sure=True)]


def _cells(row: Record) -> Iterator[_Cell]:
    for key, value, _ in row.values:
        figures = figures_of(parse(value))
        if len(figures) == 1:
            yield _Cell(key, value, figures[0], row)


def _of_half_day(match: Match) -> _Statement | None:
    """The cells of the half or whole day that a sentence speaks of, and those of the other one."""
    days = _HALF_DAY.findall(match.claim.text)
    figures = [each for each, _ in match.figures if not _HALF_DAY.search(each.text)]
    if len(days) != 1 or len(figures) != 1 or not _UNSURE.isdisjoint(match.claim.words):
        return None
    words = words_of(match.claim.text) | {"half", "day"}
    half, whole = next(_pairs_of_days(records_of(match.index), words), ((), ()))
    own, others = (half, whole) if days[0].lower().startswith("half") else (whole, half)
    return _Statement(figures[0], own, others) if own else None


def _pairs_of_days(rows: Sequence[Record], words: frozenset[str]) -> Iterator[tuple[Sequence[_Cell], Sequence[_Cell]]]:
    """The cells of a half day and of a whole one of what has these words: of two rows, or of two columns."""
    named = [row for row in rows if row.words - _WHOLE <= words]
    for half, whole in permutations(named, 2):
        days = half.words - {"half"}
        if "half" in half.words and days == whole.words - _WHOLE:
            if not any(days < each.words - _WHOLE - {"half"} for each in named):
                yield list(_cells(half)), list(_cells(whole))
    if len(named) == 1:
        cells = {_without_whole(each.key): each for each in _cells(named[0])}
        if {"half day", "day"} <= cells.keys():
            yield [cells["half day"]], [cells["day"]]


def _without_whole(key: str) -> str:
    """A key like "Full day" as "day"."""
    return " ".join(each for each in key.lower().replace("-", " ").split() if each not in _WHOLE)


def _of_band(match: Match) -> _Statement | None:
    """The cells of the band that a figure of a sentence is in, and those of the others, beside its other figure."""
    bands = _bands(match.index)
    figures = [each for each, _ in match.figures]
    if len(figures) != 2 or not bands or not _UNSURE.isdisjoint(match.claim.words - {"before"}):
        return None
    for one, other in (figures, figures[::-1]):
        units = parse(one.text).stems | {one.noun}
        own = [each for each in bands if each.unit <= units and each.has(one.number.value)]
        if one.number.kind == "number" and not one.qualifier and len(own) == 1 and _is_of_one_table(own[0], bands):
            others = [cell for each in bands if each is not own[0] for cell in _cells(each.row)]
            cells = list(_cells(own[0].row))
            return _Statement(other, cells, others) if cells else None
    return None


def _is_of_one_table(band: _Band, bands: Iterable[_Band]) -> bool:
    """Whether all bands are of one table."""
    return all(each.row.key == band.row.key and each.unit == band.unit for each in bands)


@lru_cache(maxsize=32)
def _bands(index: ContextIndex) -> tuple[_Band, ...]:
    bands = tuple(band for row in records_of(index) if (band := _band(row)) is not None)
    return bands if len(bands) >= _FEWEST else ()


def _band(row: Record) -> _Band | None:
    if between := _RANGE.fullmatch(row.name.strip()):
        low, _, high, unit = between.groups()
        return _Band(float(low), float(high), False, parse(unit).stems, row) if unit else None
    if below := _BELOW.fullmatch(row.name.strip()):
        word, high, unit = below.groups()
        is_open = word.lower() not in _INCLUSIVE
        return _Band(-inf, float(high), is_open, parse(unit).stems, row) if unit else None
    if above := _ABOVE.fullmatch(row.name.strip()) or _OR_MORE.fullmatch(row.name.strip()):
        *word, low, unit = above.groups()
        is_open = bool(word) and word[0].lower() not in _INCLUSIVE
        return _Band(float(low), inf, is_open, parse(unit).stems, row) if unit else None
    return None
