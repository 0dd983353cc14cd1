"""Rows and columns that are bands, half and whole days: "£3,000" is of "£2,001 to £5,000", "half a day" of "Half day".

A sentence must give one figure besides, which its band has, or which only one beside it has. It names its band by a
figure or as it is written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import permutations
from typing import NamedTuple

from voirdire.evidence.context import ContextIndex
from voirdire.evidence.figures import Figure, figures_of, ranges_of, same_value
from voirdire.evidence.lexicon import stem_of
from voirdire.evidence.matching import Match
from voirdire.evidence.negation import half_negators, negations
from voirdire.evidence.records import Contradiction
from voirdire.evidence.row_records import Record, named_row, records_of, words_of
from voirdire.evidence.tokens import parse
from voirdire.text.units import Units, converted, is_count, is_money

_CERTAINTY = 0.95
_FEWEST = 2
_NUMBER = r"[^\w\s]?(\d[\d,]*(?:\.\d+)?)\s?([a-z]*)"
_RANGE = re.compile(rf"(?i){_NUMBER}\s?(?:to|-|–)\s?{_NUMBER}")
_BELOW = re.compile(rf"(?i)(under|less than|fewer than|below|up to|at most)\s{_NUMBER}")
_ABOVE = re.compile(rf"(?i)(over|more than|above|from|at least)\s{_NUMBER}")
_OR_MORE = re.compile(rf"(?i){_NUMBER}(?:\s(?:or|and) (?:more|over|above|longer)|\s?\+)")
_INCLUSIVE = frozenset(("up to", "at most", "from", "at least"))
_WORTH = frozenset(map(stem_of, "value worth amount order turnover income salary".split()))
"""Stems of columns whose bands are sums of money, though they have no sign."""
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
    """The stem of what it counts or measures; empty for money, and where only the column says it."""
    units: Units
    column: frozenset[str]
    """The stems of the column or key that names it."""
    text: str
    """As the context writes it."""
    cells: tuple[_Cell, ...]
    """Of its row, or its cell of the row that a sentence names."""

    def has(self, figure: Figure) -> bool:
        """Whether a figure of its sort is in it."""
        value = figure.number.value
        stems = parse(figure.text).stems | {figure.noun}
        if self.units and not is_count(self.units):
            values = converted(value, figure.units, self.units)
        elif self.unit:
            values = [value] if self.unit <= stems else []
        else:
            is_worth = is_money(figure.units) and bool(_WORTH & self.column)
            is_bare = not figure.units or is_count(figure.units) or bool(stems & self.column)
            values = [value] if is_bare or is_worth else []
        return any(self.low < each < self.high if self.is_open else self.low <= each <= self.high for each in values)


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
    named = _of_named_column(match, stated.own)
    if any(same_value(stated.figure, each.figure) for each in named):
        return []
    if any(same_value(stated.figure, each.figure) for each in stated.own):
        return None
    if not any(same_value(stated.figure, each.figure) for each in stated.others):
        return None
    own, text = named[0], stated.figure.text
    evidence = f"{own.key}: {own.value}"
    return [Contradiction("number", text, evidence, own.row.text, _CERTAINTY, about=own.row.name, sure=True)]


def _of_named_column(match: Match, cells: Sequence[_Cell]) -> Sequence[_Cell]:
    """Those whose column shares most words with a sentence; all where none does."""
    shared = [len(parse(each.key).stems & match.claim.stems) for each in cells]
    return [each for each, number in zip(cells, shared, strict=True) if number == max(shared)]


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
    if placed is None or placed.figure is None:
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
        if len(bands) >= _FEWEST and all((each.unit, each.units) == (bands[0].unit, bands[0].units) for each in bands):
            placed = _named(match, bands, figures) or _with_figure(match, bands, figures)
            if placed is not None and placed.band.cells:
                return placed
    return None


def _named(match: Match, bands: Sequence[_Band], figures: Sequence[Figure]) -> _Placed | None:
    """The band that a sentence names as it is written."""
    text = match.claim.text
    named = [
        (each, place)
        for each in bands
        if (place := re.search(rf"(?i)(?<![\w.,]){re.escape(each.text)}(?!\w|[.,]\d)", text))
    ]
    if len(named) != 1:
        return None
    band, place = named[0]
    rest = [each for each in figures if not place.start() <= each.start < place.end()]
    if len(rest) != 1 or not _is_clear(text[: place.start()] + text[place.end() :]):
        return None
    return _Placed(band, [each for each in bands if each is not band], None, rest[0])


def _with_figure(match: Match, bands: Sequence[_Band], figures: Sequence[Figure]) -> _Placed | None:
    """The band that one of the two figures of a sentence is in, the other one being of a cell."""
    if len(figures) != 2 or ranges_of(figures, match.claim.text) or not _is_clear(match.claim.text):
        return None
    placed = []
    for one, other in (figures, figures[::-1]):
        own = [each for each in bands if each.has(one)]
        is_rate = any("/" in unit for unit in one.units)  # "£3 a day"
        if one.number.kind == "number" and not one.qualifier and not is_rate and len(own) == 1:
            placed.append(_Placed(own[0], [each for each in bands if each is not own[0]], one, other))
    of_cells = [each for each in placed if _has_cell(each)]
    return of_cells[0] if len(of_cells) == 1 else None


def _is_clear(text: str) -> bool:
    return _UNSURE.isdisjoint(parse(_EACH_OF_THEM.sub("", text)).words - {"before", "to"})


@lru_cache(maxsize=32)
def _bands_of_rows(index: ContextIndex) -> tuple[_Band, ...]:
    """Those of a table whose rows are bands; of several tables none."""
    rows = [
        (row, band) for row in records_of(index) if (band := _band(row.name, row.key, tuple(_cells(row)))) is not None
    ]
    return tuple(band for _, band in rows) if len({row.key for row, _ in rows}) == 1 else ()


def _bands_of_columns(match: Match) -> tuple[_Band, ...]:
    """The columns that are bands, with the cells of the one row that a sentence names."""
    row = named_row(match)
    if row is None:
        return ()
    bands = (_band(cell.key, frozenset(), (cell,)) for cell in _cells(row))
    return tuple(band for band in bands if band is not None and (band.unit or band.units))


def _band(text: str, column: frozenset[str], cells: tuple[_Cell, ...]) -> _Band | None:
    written = text.strip()
    low, high, is_open, unit = "-inf", "inf", False, ""
    if between := _RANGE.fullmatch(written):
        low, _, high, unit = between.groups()
    elif below := _BELOW.fullmatch(written):
        word, high, unit = below.groups()
        is_open = word.lower() not in _INCLUSIVE
    elif above := _ABOVE.fullmatch(written) or _OR_MORE.fullmatch(written):
        *words, low, unit = above.groups()
        is_open = bool(words) and words[0].lower() not in _INCLUSIVE
    else:
        return None
    figures = figures_of(parse(written))
    units = figures[-1].units if figures else ()
    first, last = (float(each.replace(",", "")) for each in (low, high))
    return _Band(first, last, is_open, parse(unit).stems, units, column, written, cells)
