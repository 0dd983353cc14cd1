"""Rows and columns that are bands, half and whole days: "five days" is of "4 to 9 days", "half a day" of "Half day".

A sentence must give one figure besides, which its band has, or which only one beside it has. It names its band by a
figure or as it is written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import permutations
from math import inf
from typing import NamedTuple

from voirdire.evidence.context import ContextIndex
from voirdire.evidence.figures import Figure, figures_of, ranges_of, same_value
from voirdire.evidence.matching import Match
from voirdire.evidence.negation import half_negators, negations
from voirdire.evidence.records import Contradiction
from voirdire.evidence.row_records import Record, named_row, records_of, words_of
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
_EACH_OF_THEM = re.compile(r"\beach(?=[.,;)]|$| (?:for|in|on|at)\b)")
"""Not "each extra day"."""
_HALF_DAY = re.compile(r"(?i)\bhalf[ -](?:an? )?days?\b|\bdays?\b")


class _Cell(NamedTuple):
    key: str
    value: str
    figure: Figure
    row: Record


class _Band(NamedTuple):
    low: float
    high: float
    is_open: bool
    """Whether its finite end is none of it: "under 14", "more than 28"."""
    unit: frozenset[str]
    text: str
    """As the context writes it."""
    cells: tuple[_Cell, ...]
    """Of its row, or its cell of the row that a sentence names."""

    def has(self, value: float) -> bool:
        if self.is_open:
            return self.low < value < self.high
        return self.low <= value <= self.high


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


def banded_figures(match: Match) -> dict[tuple[int, int], str]:
    """Where a sentence has a figure that is in a band of the context, beside one of its cells, and that band."""
    placed = _placed(match)
    if placed is None or placed.figure is None or not _has_cell(placed):
        return {}
    return {(placed.figure.start, placed.figure.end): placed.band.text}


class _Placed(NamedTuple):
    """The band that a sentence speaks of."""

    band: _Band
    others: Sequence[_Band]
    """Of its table."""
    figure: Figure | None
    """That is in it; `None` where the sentence names the band."""
    stated: Figure
    """What else the sentence gives."""


def _of_band(match: Match) -> _Statement | None:
    """The cells of the band that a sentence speaks of, and those of the others, beside its other figure."""
    placed = _placed(match)
    if placed is None:
        return None
    others = [cell for each in placed.others for cell in each.cells]
    return _Statement(placed.stated, placed.band.cells, others)


def _has_cell(placed: _Placed) -> bool:
    return any(same_value(placed.stated, cell.figure) for each in (placed.band, *placed.others) for cell in each.cells)


@lru_cache(maxsize=64)
def _placed(match: Match) -> _Placed | None:
    figures = [each for each, _ in match.figures]
    for bands in (_bands_of_rows(match.index), _bands_of_columns(match)):
        if len(bands) >= _FEWEST and all(each.unit == bands[0].unit for each in bands):
            placed = _named(match, bands, figures) or _with_figure(match, bands, figures)
            if placed is not None and placed.band.cells:
                return placed
    return None


def _named(match: Match, bands: Sequence[_Band], figures: Sequence[Figure]) -> _Placed | None:
    """The band that a sentence names as it is written."""
    text = match.claim.text.lower()
    named = [each for each in bands if each.text.lower() in text]
    if len(named) != 1:
        return None
    start = text.index(named[0].text.lower())
    span = range(start, start + len(named[0].text))
    rest = [each for each in figures if each.start not in span]
    if len(rest) != 1 or not _is_clear(text[: span.start] + text[span.stop :]):
        return None
    return _Placed(named[0], [each for each in bands if each is not named[0]], None, rest[0])


def _with_figure(match: Match, bands: Sequence[_Band], figures: Sequence[Figure]) -> _Placed | None:
    """The band that one of the two figures of a sentence is in."""
    if len(figures) != 2 or ranges_of(figures, match.claim.text) or not _is_clear(match.claim.text):
        return None
    for one, other in (figures, figures[::-1]):
        units = parse(one.text).stems | {one.noun}
        own = [each for each in bands if each.unit <= units and each.has(one.number.value)]
        is_rate = any("/" in unit for unit in one.units)  # "£3 a day"
        if one.number.kind == "number" and not one.qualifier and not is_rate and len(own) == 1:
            return _Placed(own[0], [each for each in bands if each is not own[0]], one, other)
    return None


def _is_clear(text: str) -> bool:
    return _UNSURE.isdisjoint(parse(_EACH_OF_THEM.sub("", text)).words - {"before", "to"})


@lru_cache(maxsize=32)
def _bands_of_rows(index: ContextIndex) -> tuple[_Band, ...]:
    """Those of a table whose rows are bands; of several tables none."""
    rows = [(row, band) for row in records_of(index) if (band := _band(row.name, tuple(_cells(row)))) is not None]
    return tuple(band for _, band in rows) if len({row.key for row, _ in rows}) == 1 else ()


def _bands_of_columns(match: Match) -> tuple[_Band, ...]:
    """The columns that are bands, with the cells of the one row that a sentence names."""
    row = named_row(match)
    if row is None:
        return ()
    return tuple(band for cell in _cells(row) if (band := _band(cell.key, (cell,))) is not None)


def _band(text: str, cells: tuple[_Cell, ...]) -> _Band | None:
    written = text.strip()
    if between := _RANGE.fullmatch(written):
        low, _, high, unit = between.groups()
        return _Band(float(low), float(high), False, parse(unit).stems, written, cells) if unit else None
    if below := _BELOW.fullmatch(written):
        word, high, unit = below.groups()
        is_open = word.lower() not in _INCLUSIVE
        return _Band(-inf, float(high), is_open, parse(unit).stems, written, cells) if unit else None
    if above := _ABOVE.fullmatch(written) or _OR_MORE.fullmatch(written):
        *word, low, unit = above.groups()
        is_open = bool(word) and word[0].lower() not in _INCLUSIVE
        return _Band(float(low), inf, is_open, parse(unit).stems, written, cells) if unit else None
    return None
