"""What the figures of rows make: "£8 a lesson" of 12 lessons for £96, places that are left, the total of a column.

A sentence must name the row, or the rows, and the columns. Where it is not clear which figures it puts together,
nothing is said.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from math import isclose
from typing import NamedTuple

from voirdire.evidence.bill_differences import difference_of_bills
from voirdire.evidence.bills import amount_of, is_unit_price
from voirdire.evidence.comparisons import (
    MONEY,
    FigureComparison,
    alike,
    cell_figure,
    comparison_of,
    in_units_of,
    is_whole,
    known_stems,
    names_unit,
)
from voirdire.evidence.figures import Figure, figures_of
from voirdire.evidence.fractions_in_words import share_of
from voirdire.evidence.matching import Match
from voirdire.evidence.negation import negations
from voirdire.evidence.order_quantities import quantity_of
from voirdire.evidence.percentages import percentage_of
from voirdire.evidence.row_records import Record, named_rows, rows_of, telling_values, words_of
from voirdire.evidence.row_spans import row_span
from voirdire.evidence.shares_of_counts import share_of_count
from voirdire.evidence.tokens import parse
from voirdire.text.numbers import NUMBER_WORDS
from voirdire.text.units import converted, find_unit, is_count, is_money

_MONEY = MONEY | frozenset("hire deposit balance balances premium wage wages salary bonus".split())
_EACH = frozenset("a an per each every one single".split())
_LEFT = frozenset("left free remaining remain remains unsold vacant spare unused available".split())
_USED = frozenset("booked sold used taken occupied reserved rented lent issued filled enrolled".split())
_WHOLE = frozenset("total capacity".split())
_ROOM = frozenset("place places seat seats capacity total stock room rooms bed beds".split())
_LASTS = frozenset("last lasts lasted lasting take takes took long".split())
_TOTAL = frozenset("together altogether total totals combined overall sum".split())
_ADDED_UP = re.compile(r"(?i)\b(?:com(?:e|es|ing) to|in all|add(?:s|ing)? up to)\b")
_EACH_PERIOD = re.compile(r"(?i)\b(?:each|per|every) (?=(?:year|month|week|day|hour)\b)")
_NO_SUM = frozenset("average each per than if least most about only".split())
_CHANGES = frozenset(
    "rose rise risen grew grow grown fell fall fallen dropped drop increase increased decrease decreased change changed"
    " more fewer less up down by mean median daily weekly monthly yearly".split()
)
_HAPPENS = frozenset("came took taken place ran made sold year years month months day days were was".split())
_MORE = frozenset("more less fewer another other others additional extra up another from to or and both".split())
_SHORT = re.compile(r"(?i)\b(?:short of|below|under|above|over) (?:its|the|their) ")
_FULL = re.compile(r"(?i)\b(?:fully booked|sold out|booked up|completely full)\b")
_EXTREMES = {
    **{word: (1, frozenset[str]()) for word in ("highest", "most", "largest", "greatest", "biggest")},
    **{word: (-1, frozenset[str]()) for word in ("lowest", "fewest", "least", "smallest")},
    **dict.fromkeys(("dearest", "most expensive"), (1, _MONEY)),
    "cheapest": (-1, _MONEY),
    **dict.fromkeys(("warmest", "hottest"), (1, frozenset(("temp", "temperature")))),
    **dict.fromkeys(("coldest", "coolest"), (-1, frozenset(("temp", "temperature")))),
    "heaviest": (1, frozenset(("weight",))),
    "lightest": (-1, frozenset(("weight",))),
    "longest": (1, frozenset(("length", "duration", "minutes", "hours"))),
    "shortest": (-1, frozenset(("length", "duration", "minutes", "hours"))),
}
"""1 for the most, -1 for the least, and the words of the column where the sentence need not name it."""
_EXTREME = re.compile(rf"(?i)\bthe (?P<word>{'|'.join(sorted(_EXTREMES, key=len, reverse=True))})\b")
_TIME_CELL = re.compile(r"\d{1,2}[:.]\d\d")
_DAY = 24 * 60
_SAYS = frozenset(NUMBER_WORDS) | frozenset(
    "work works out come comes cost costs still there left over free short level lasts last takes take long time"
    " altogether together total combined overall sum all in whole been have has had hold holds tickets ticket per each"
    " every a an one average remaining available remain remains unsold spare"
    " pay pays paid owe owes earn earns right moment present currently today"
    " fallen fell dropped now has is journey trip ride drive flight crossing visit".split()
)


class _Sum(NamedTuple):
    value: float
    """In the units of the sentence's figure."""
    terms: tuple[Figure, ...]
    sign: str


class _Cell(NamedTuple):
    key: str
    stems: frozenset[str]
    """Of its key."""
    words: frozenset[str]
    figure: Figure


@lru_cache(maxsize=64)
def calculation_of(match: Match) -> FigureComparison | None:
    """What a sentence makes of figures of the context, and whether it is right; `None` where it is unclear which."""
    compared = comparison_of(match)
    if compared is not None and compared.is_right:
        return compared
    return (
        difference_of_bills(match)
        or compared
        or amount_of(match)
        or quantity_of(match)
        or _of_span(match)
        or _of_rows(match)
        or percentage_of(match)
        or share_of(match)
        or share_of_count(match)
    )


def _of_span(match: Match) -> FigureComparison | None:
    """What a column adds up to over the rows from one label to another: "35 firings from February to April"."""
    words = match.claim.words
    span = row_span(match)
    if span is None or "?" in match.claim.text or any(negations(match.claim)):
        return None
    if not words.isdisjoint(_NO_SUM | _CHANGES | _EXTREMES.keys()):
        return None
    numbers = [
        each
        for each, _ in match.figures
        if each.number.kind == "number" and not each.qualifier and not span.start <= each.start < span.end
    ]
    figures = [each for each in numbers if len(numbers) == 1 or each.number.value != len(span.rows)]
    if len(figures) != 1:
        return None
    (figure,) = figures
    columns = [cells for cells in _columns(span.rows) if _is_of_sort(cells[0], figure)]
    stems = match.claim.stems | {figure.noun}
    columns = [cells for cells in columns if cells[0].stems & stems] or columns
    sums = [_total(cells, figure) for cells in columns]
    right = next((each for each in sums if _is_value(figure, each.value)), None)
    known = known_stems(match, span.rows) | _stems_of(span.rows)
    labels = frozenset(each.word for each in match.claim.tokens if span.start <= each.start < span.end)
    whole = is_whole(match, figure.start, figure.end, known, _SAYS | _HAPPENS | labels)
    if right is None and (len(sums) != 1 or not whole or _is_in_prose(match, figure)):
        return None
    result = right or sums[0]
    return FigureComparison(
        figure.start,
        figure.end,
        figure.text,
        result.terms,
        "+",
        frozenset(each.start for each, _ in match.figures),
        right is not None,
        "; ".join(each.text for each in span.rows),
        match.claim.text if right and whole else "",
        f"{' + '.join(each.text for each in result.terms)} = {result.value:,g}",
    )


def _of_rows(match: Match) -> FigureComparison | None:
    claim = match.claim
    if "?" in claim.text or any(negations(claim)):
        return None
    rows = named_rows(match)
    if comparison := _state(match, rows) or _extreme(match, rows):
        return comparison
    named = frozenset().union(*(own for row in rows for own in telling_values(row) if own <= words_of(claim.text)))
    numbers = [
        each
        for each, _ in match.figures
        if each.number.kind == "number"
        and not each.qualifier
        and each.number.text not in named
        and not _is_in_name(match, each, rows)
    ]
    for figure in numbers:
        others = [each for each in numbers if each is not figure]
        for find in (_rates, _rests, _gaps, _spans, _totals, _counted_totals, _beyond_totals, _named_cell):
            sums = list(find(match, figure, rows, others))
            if sums:
                return _judged(match, figure, sums, rows)
    return None


def _is_in_name(match: Match, figure: Figure, rows: Sequence[Record]) -> bool:
    """Whether a figure is a part of the name of a row: the 27 of "A-27"."""
    names = (re.escape(each.name) for each in rows if each.name)
    return any(
        name.start() <= figure.start < name.end()
        for each in names
        for name in re.finditer(rf"(?i)(?<!\w){each}(?!\w)", match.claim.text)
    )


def _state(match: Match, rows: Sequence[Record]) -> FigureComparison | None:
    """Whether a row is full, or one of its columns below another one: "fully booked", "under its reorder level"."""
    if len(rows) != 1:
        return None
    phrase = _FULL.search(match.claim.text) or _SHORT.search(match.claim.text)
    cells = [each for each in _cells(rows[0]) if not each.figure.units and not each.words & _MONEY]
    if phrase is None or any(each.number.kind == "number" for each, _ in match.figures):
        return None
    if phrase.re is _FULL:
        used = [each for each in cells if each.words & _USED]
        others = [each for each in cells if each not in used and each.words & _ROOM]
        holds = bool(used and others) and used[0].figure.number.value >= others[0].figure.number.value
    else:
        after = frozenset(each.stem for each in match.claim.tokens if each.start >= phrase.end())
        used = [each for each in cells if each.stems and each.stems <= after]
        others = [each for each in cells if each not in used] if len(cells) == 2 else []
        gap = others[0].figure.number.value - used[0].figure.number.value if used and others else 0
        holds = gap > 0 if phrase[0].lower().startswith(("above", "over")) else gap < 0
    if len(used) != 1 or len(others) != 1:
        return None
    whole = is_whole(match, *phrase.span(), known_stems(match, rows) | _stems_of(rows), _SAYS)
    if not whole:
        return None
    terms = (used[0].figure, others[0].figure)
    text = match.claim.text if holds else ""
    return FigureComparison(*phrase.span(), phrase[0].strip(), terms, ":", frozenset(), holds, rows[0].text, text)


def _extreme(match: Match, rows: Sequence[Record]) -> FigureComparison | None:
    """Whether a row has the most or least of a column, of all rows or of those named after it: "the cheapest"."""
    phrase = _EXTREME.search(match.claim.text)
    if phrase is None or len(rows) != 1:
        return None
    direction, about = _EXTREMES[phrase["word"].lower()]
    known = list(_cells(rows[0]))
    columns = [each for each in known if (each.words & about if about else _is_named_by(each, match))]
    if not columns and not about and len(known) == 1:
        columns = known
    after = words_of(match.claim.text[phrase.end() :])
    group = [
        each
        for each in rows_of(match.index)
        if each.words <= after or any(own <= after for own in telling_values(each))
    ]
    group = group or [each for each in rows_of(match.index) if each.key == rows[0].key]
    counts = {each.number.value for each, _ in match.figures if each.number.kind == "number"}
    if len(columns) != 1 or rows[0] not in group or len(group) < 2 or not counts <= {len(group)}:
        return None
    cells = [each for row in group for each in _cells(row) if each.key == columns[0].key]
    if len(cells) != len(group):
        return None
    best = max(cells, key=lambda each: direction * each.figure.number.value)
    holds = best.figure.number.value == columns[0].figure.number.value
    whole = is_whole(match, *phrase.span(), known_stems(match, rows) | _stems_of(rows), _SAYS)
    if not whole:
        return None
    text = match.claim.text if holds else ""
    terms = (columns[0].figure, best.figure)
    return FigureComparison(*phrase.span(), phrase[0], terms, ":", frozenset(), holds, rows[0].text, text)


def _is_named_by(cell: _Cell, match: Match) -> bool:
    """Whether a sentence has all words of a column but its unit."""
    stems = parse(_without_unit(cell.key)).stems
    return stems <= match.claim.stems if stems else bool(cell.words) and cell.words <= match.claim.words  # "pH"


def _without_unit(key: str) -> str:
    """A column or key without the unit at its end; "Opening day" and "Day" are in none."""
    name, _, last = key.rpartition(" ")
    unit = find_unit(f" {last.strip('()')}", 0)
    is_time = unit is not None and bool(converted(1, unit.units, ("minute",))) and not last.endswith(("s", "min"))
    return name if last == "pct" or (unit is not None and not is_time) else key


def _stems_of(rows: Sequence[Record]) -> frozenset[str]:
    """The stems of all keys and cells of rows."""
    return frozenset().union(*(parse(f"{key} {value}").stems for row in rows for key, value, _ in row.values))


def _judged(match: Match, figure: Figure, sums: Sequence[_Sum], rows: Sequence[Record]) -> FigureComparison | None:
    right = next((each for each in sums if _is_value(figure, each.value)), None)
    known = known_stems(match, rows or rows_of(match.index)) | _stems_of(rows) | {figure.noun}
    whole = is_whole(match, figure.start, figure.end, known, _SAYS)
    if not whole and sums[0].sign == "=":
        return None
    if right is None and (not whole or _is_in_prose(match, figure) or len(sums) > 1):
        return None
    result = right or sums[0]
    counts = [each.start for each, _ in match.figures if result.sign == "+" and each.number.value == len(result.terms)]
    return FigureComparison(
        figure.start,
        figure.end,
        figure.text,
        result.terms,
        result.sign,
        frozenset((figure.start, *counts)),
        right is not None,
        (rows or rows_of(match.index))[0].text,
        match.claim.text if right and whole else "",
    )


def _is_in_prose(match: Match, figure: Figure) -> bool:
    return any(not match.index.in_cells(place) for each, same in match.figures if each is figure for place, _ in same)


def _rates(match: Match, figure: Figure, rows: Sequence[Record], others: Sequence[Figure]) -> Iterator[_Sum]:
    """What one of what a row counts costs or takes: "£8 per lesson"."""
    if len(rows) != 1 or others or (is_count(figure.units) or not figure.units):
        return
    cells = list(_cells(rows[0]))
    things = _things(match)
    counts = [each for each in cells if each.stems & things and each.figure.number.value > 1 and _counts(each)]
    wholes = [each for each in cells if each not in counts and _is_of_sort(each, figure)]
    if len(counts) != 1 or any(each.stems & things or each.words & _EACH for each in wholes):
        return
    for each in wholes:
        count = counts[0].figure
        yield _Sum(_value(each, figure) / count.number.value, (each.figure, count), "/")


def _counts(cell: _Cell) -> bool:
    """Whether it is how many there are of something, or how long it lasts."""
    units = cell.figure.units
    return cell.words.isdisjoint(_MONEY) and (not units or is_count(units) or bool(converted(1, units, ("minute",))))


def _things(match: Match) -> frozenset[str]:
    """The stems of what a sentence speaks of one of: "per lesson", "each printing session"."""
    content = [each for each in match.claim.tokens if each.stem or each.word in _EACH]
    pairs = [(one.word, other.stem) for one, other in pairwise(content)]
    further = [(one.word, other.stem) for one, other in zip(content, content[2:], strict=False)]
    return frozenset(stem for word, stem in (*pairs, *further) if word in _EACH and stem)


def _rests(match: Match, figure: Figure, rows: Sequence[Record], others: Sequence[Figure]) -> Iterator[_Sum]:
    """What is left of what a row has: "five places are free"."""
    if len(rows) != 1 or others or not (is_count(figure.units) or not figure.units):
        return
    if _LEFT.isdisjoint(match.claim.words):
        return
    cells = [each for each in _cells(rows[0]) if not each.figure.units or is_count(each.figure.units)]
    used = [each for each in cells if each.words & _USED]
    wholes = [each for each in cells if each not in used and (figure.noun in each.stems or each.words & _ROOM)]
    wholes = [each for each in wholes if each.words & _WHOLE] or wholes
    if len(used) == len(wholes) == 1 and wholes[0].figure.number.value > used[0].figure.number.value:
        yield _difference(wholes[0], used[0], figure)


def _gaps(match: Match, figure: Figure, rows: Sequence[Record], others: Sequence[Figure]) -> Iterator[_Sum]:
    """By how much one column of a row is below another one: "190 litres short of its reorder level"."""
    mark = _SHORT.search(match.claim.text, figure.end)
    if mark is None or len(rows) != 1:
        return
    limit_stems = frozenset(each.stem for each in match.claim.tokens if each.start >= mark.end())
    cells = [each for each in _cells(rows[0]) if not each.figure.units and not each.words & _MONEY]
    limits = [each for each in cells if each.stems and each.stems <= limit_stems]
    if len(limits) == 1 and len(cells) == 2:
        (other,) = (each for each in cells if each not in limits)
        up = mark[0].lower().startswith(("short", "below", "under"))
        yield _difference(*((limits[0], other) if up else (other, limits[0])), figure)


def _difference(one: _Cell, other: _Cell, figure: Figure) -> _Sum:
    return _Sum(_value(one, figure) - _value(other, figure), (one.figure, other.figure), "-")


def _spans(match: Match, figure: Figure, rows: Sequence[Record], others: Sequence[Figure]) -> Iterator[_Sum]:
    """How long it is between the two times of a row."""
    if len(rows) != 1 or _LASTS.isdisjoint(match.claim.words) or not converted(1, figure.units, ("minute",)):
        return
    if any(alike(figure, each.figure) for each in _cells(rows[0])):
        return
    clocks = [figures_of(parse(value)) for _, value, _ in rows[0].values if _TIME_CELL.fullmatch(value.strip())]
    if len(clocks) == 2 and all(len(some) == 1 and some[0].number.kind == "clock" for some in clocks):
        (one,), (other,) = clocks
        gap = (other.number.low - one.number.low) % _DAY
        yield from (_Sum(value, (other, one), "-") for value in converted(gap, ("minute",), figure.units)[:1])


def _totals(match: Match, figure: Figure, rows: Sequence[Record], others: Sequence[Figure]) -> Iterator[_Sum]:
    """The sum of a column over the rows that a sentence names, or over all; or of columns of one row."""
    words = match.claim.words
    is_sum = not _TOTAL.isdisjoint(words) or _ADDED_UP.search(match.claim.text)
    others_said = parse(_EACH_PERIOD.sub("", match.claim.text)).words - _words_of_rate(match, figure)
    if not is_sum or not _NO_SUM.isdisjoint(others_said):
        return
    stems = match.claim.stems | {figure.noun}
    counts = {each.number.value for each in others}
    if len(rows) == 1:
        cells = [each for each in _cells(rows[0]) if each.stems & stems and _is_of_sort(each, figure)]
        if len(cells) > 1 and counts <= {len(cells)}:
            yield _total(cells, figure)
        return
    summed = rows or rows_of(match.index)
    if len(summed) < 2 or len({each.key for each in summed}) > 1 or not counts <= {len(summed)}:
        return
    whole = _columns(summed)
    if _periods(figure) and any(_periods(cells[0].figure) for cells in whole):
        whole = [cells for cells in whole if _periods(figure) & _periods(cells[0].figure)]
    is_bare = not figure.units and not figure.noun
    named = [cells for cells in whole if cells[0].stems & stems and (is_bare or _is_of_sort(cells[0], figure))]
    known = named or [cells for cells in whole if _is_in_unit(cells[0], figure)]
    yield from (_total(cells, figure) for cells in known)
    if not known:
        yield from (each for each in _sums_of_columns(summed, figure) if _is_value(figure, each.value))


def _counted_totals(match: Match, figure: Figure, rows: Sequence[Record], others: Sequence[Figure]) -> Iterator[_Sum]:
    """The sum of a column over all rows, where a sentence says how many these are: "the three plants washed"."""
    summed = rows_of(match.index)
    is_counted = not rows and len(summed) > 1 and {each.number.value for each in others} == {len(summed)}
    if is_counted and _NO_SUM.isdisjoint(match.claim.words) and not _is_of_year_of_prose(match):
        yield from (each for each in _sums_of_columns(summed, figure) if _is_value(figure, each.value))


def _is_of_year_of_prose(match: Match) -> bool:
    """Whether a sentence has a year that no heading of the context has."""
    texts = [
        [match.index.sentences[place].text for place, _ in same]
        for each, same in match.figures
        if each.number.kind == "year"
    ]
    return any(not any(text.startswith("#") for text in some) for some in texts)


def _beyond_totals(match: Match, figure: Figure, rows: Sequence[Record], others: Sequence[Figure]) -> Iterator[_Sum]:
    """By how much the sum of a column over all rows is above or below a figure of prose: of the year before, say."""
    summed = rows_of(match.index)
    if rows or len(summed) < 2 or _MORE.isdisjoint(match.claim.words):
        return
    for total in _sums_of_columns(summed, figure):
        for place, other in _figures_of_prose(match, figure):
            gap = total.value - in_units_of(other, figure)
            if _is_value(figure, abs(gap)) and match.index.sentences[place].stems & match.claim.stems:
                yield _Sum(abs(gap), (*total.terms, other), "x")


def _sums_of_columns(rows: Sequence[Record], figure: Figure) -> Iterator[_Sum]:
    return (_total(cells, figure) for cells in _columns(rows) if _is_of_sort(cells[0], figure))


def _figures_of_prose(match: Match, figure: Figure) -> Iterator[tuple[int, Figure]]:
    for place, figures in enumerate(match.index.figures):
        if not match.index.in_cells(place):
            yield from ((place, each) for each in figures if alike(figure, each))


def _is_value(figure: Figure, value: float) -> bool:
    return isclose(value, figure.number.value, rel_tol=1e-6)


def _columns(rows: Sequence[Record]) -> list[list[_Cell]]:
    """The cells of each column that has a figure in all rows, and may be summed."""
    columns: dict[str, list[_Cell]] = {}
    for row in rows:
        for each in _cells(row):
            if not is_unit_price((key for key, _, _ in row.values), each.key):
                columns.setdefault(each.key, []).append(each)
    return [cells for cells in columns.values() if len(cells) == len(rows)]


def _named_cell(match: Match, figure: Figure, rows: Sequence[Record], others: Sequence[Figure]) -> Iterator[_Sum]:
    """What the one column has that a sentence names of a row; the figure it gives must be another cell, or nowhere."""
    words = match.claim.words
    if len(rows) != 1 or others or not (_TOTAL | _NO_SUM | _LEFT | _MORE).isdisjoint(words):
        return
    known = [each.figure.number.value for row in rows_of(match.index) for each in _cells(row)]
    same = next((same for each, same in match.figures if each is figure), ())
    if (same and figure.number.value not in known) or any(each.noun == figure.noun != "" for _, each in same):
        return
    columns = [each for each in _cells(rows[0]) if _is_named_by(each, match)]
    columns = [each for each in columns if not any(each.stems < other.stems for other in columns)]
    if len(columns) == 1 and (not columns[0].figure.units or alike(figure, columns[0].figure)):
        yield _Sum(_value(columns[0], figure), (columns[0].figure,), "=")


def _total(cells: Sequence[_Cell], figure: Figure) -> _Sum:
    return _Sum(sum(_value(each, figure) for each in cells), tuple(each.figure for each in cells), "+")


def _cells(row: Record) -> Iterator[_Cell]:
    for key, value, _ in row.values:
        figure = cell_figure(key, value)
        if figure is not None:
            parsed = parse(key)
            yield _Cell(key, parsed.stems, frozenset(each.word for each in parsed.tokens), figure)


def _words_of_rate(match: Match, figure: Figure) -> frozenset[str]:
    """The words of a figure itself: "£62.50 per week" is no price of each thing."""
    return frozenset(each.word for each in match.claim.tokens if figure.start <= each.start < figure.end)


def _periods(figure: Figure) -> frozenset[str]:
    """What a figure is given for each of: "week"."""
    return frozenset(unit.partition("/")[2] for unit in figure.units) - {""}


def _is_of_sort(cell: _Cell, figure: Figure) -> bool:
    """Whether a cell may be of the sort of a figure: money, a measure, or a count."""
    if is_money(figure.units):
        return is_money(cell.figure.units) or (not cell.figure.units and bool(cell.words & _MONEY))
    if is_count(figure.units) or not figure.units:
        return (not cell.figure.units or is_count(cell.figure.units)) and not cell.words & _MONEY
    return alike(figure, cell.figure) or (not cell.figure.units and bool(parse(figure.text).stems & cell.stems))


def _is_in_unit(cell: _Cell, figure: Figure) -> bool:
    """Whether a cell is a measure in units of a figure, by its own or by its column."""
    return not is_count(figure.units) and (names_unit(cell.key, figure) or alike(figure, cell.figure))


def _value(cell: _Cell, figure: Figure) -> float:
    return in_units_of(cell.figure, figure)
