"""Orders, invoices and quotes: lines of a quantity and a price, fees and discounts beside them, totals that are stated.

What a sentence gives for one line, for some or for all of them is what these make: two at 27.0 are 54. Where the bill
states its total, that is it. Where it is unclear what a sentence adds up, nothing is said.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, combinations
from math import isclose
from typing import NamedTuple

from voirdire.evidence.comparisons import MONEY, FigureComparison, cell_figure, is_total, is_whole
from voirdire.evidence.context import ContextIndex, plain
from voirdire.evidence.figures import Figure
from voirdire.evidence.matching import Match
from voirdire.evidence.negation import negations
from voirdire.evidence.record_sentences import Row, lists_of_objects, tables_of
from voirdire.evidence.tokens import ParsedSentence, parse
from voirdire.text.numbers import NUMBER_WORDS
from voirdire.text.units import is_money

_QUANTITY = frozenset("quantity quantities qty count pieces pcs units".split())
MENTIONS_QUANTITY = re.compile(rf"(?i){'|'.join(sorted(_QUANTITY))}")
_REDUCTION = frozenset("discount rebate reduction voucher credit".split())
_EXTRA = MONEY | _REDUCTION | frozenset("tax vat tip shipping delivery postage surcharge".split())
_SORT = frozenset("fee charge cost price rate amount total in for of".split())
"""Words of a key that do not tell one fee from another."""
_TOTAL = frozenset("total totals together altogether sum overall combined".split())
_ADDED_UP = re.compile(r"(?i)\b(?:com(?:e|es|ing) to|came to|in all|adds? up to)\b")
_OTHER_SUMS = frozenset("each per every apiece average if least most about than more less save saves saved".split())
_ONE = frozenset("a an one".split())
_STOCK = frozenset("stock available left".split())
"""Words of a quantity that nobody has ordered."""
_WITH = frozenset("with including plus after inclusive".split())
_WITHOUT = frozenset("without before excluding except excludes exclusive net".split())
_SHARE = frozenset("percent pct".split())
_FIGURE = re.compile(r"\s*[-+]?\s?[^\w\s]?\s?\d")
_NAME = re.compile(r"[\w-]+")
MOST_EXTRAS = 6
SAYS_OF_BILLS = frozenset(NUMBER_WORDS) | frozenset(
    "order bill invoice quote quotation receipt purchase basket item items line lines total totals together altogether"
    " sum overall combined all come comes came coming to cost costs amount amounts price pay pays paid payable due"
    " charge charged owe owes add adds up make makes whole customer including plus with without before after excluding"
    " worth".split()
)


class Line(NamedTuple):
    """What a bill has a price of."""

    name: frozenset[str]
    """Its stems."""
    quantity: float
    price: Figure
    amount: float
    """Of all that it has."""
    text: str
    """How that is calculated: "2 × 27.0"."""
    is_counted: bool
    """Whether it says how many."""
    record: str
    """To be quoted."""


class _Extra(NamedTuple):
    """A fee, or a discount, which is below zero."""

    stems: frozenset[str]
    key: str
    value: float
    figure: Figure


class Bill(NamedTuple):
    """An order, invoice or quote."""

    names: frozenset[str]
    """The words of all its other values, in lower case: "a-1", "lena"."""
    keys: frozenset[str]
    lines: tuple[Line, ...]
    extras: tuple[_Extra, ...]
    shares: tuple[float, ...]
    """That are added or taken off: VAT of 20 % is 0.2."""
    totals: tuple[tuple[str, Figure], ...]
    """That it states, by their keys."""


def amount_of(match: Match) -> FigureComparison | None:
    """The amount that a sentence gives for lines of a bill, and whether it is right; `None` where it is unclear."""
    claim, bills = match.claim, bills_of(match.index)
    if not bills or "?" in claim.text or not _OTHER_SUMS.isdisjoint(claim.words) or denies_more(claim):
        return None
    figure = _amount(match)
    place = place_of_named(claim.text, [each.names for each in bills])
    if figure is None or place is None:
        return None
    bill = bills[place]
    lines = [each for each in bill.lines if is_named(each, bill, match)]
    return _of_lines(match, figure, bill, lines) if lines else _of_all(match, figure, bill)


def denies_more(claim: ParsedSentence) -> bool:
    """Whether a sentence denies anything but what an amount is without: "without delivery"."""
    return any(each.word not in _WITHOUT for each in negations(claim))


def is_unit_price(keys: Iterable[str], key: str) -> bool:
    """Whether a column is a price beside a quantity: its sum says nothing."""
    words = _words(key)
    return bool(words & MONEY) and not is_total(key) and any(map(is_quantity, keys))


@lru_cache(maxsize=32)
def bills_of(index: ContextIndex) -> tuple[Bill, ...]:
    """The bills of a context: lists of lines of JSON with what stands beside them, and tables."""
    if not MENTIONS_QUANTITY.search(index.text):
        return ()
    text = plain(index.text)
    return (*_bills_of_json(text), *_bills_of_tables(text))


def _bills_of_json(text: str) -> Iterator[Bill]:
    for beside, records in lists_of_objects(text):
        lines = [line for each in records if (line := _line(each)) is not None]
        if not any(each.is_counted for each in lines):
            continue
        yield _bill(lines, beside)


def _bills_of_tables(text: str) -> Iterator[Bill]:
    for table in tables_of(text):
        fields = [{each.key: each.name, **{key: value for key, value in each.fields if value}} for each in table]
        lines = [_line(each) for each in fields]
        counted = [each for each in lines if each is not None and each.is_counted]
        beside = {
            row.name: value
            for row, line in zip(table, lines, strict=True)
            if line is None or not line.is_counted
            for value in _last_figure(row)
        }
        if counted:
            yield _bill(counted, beside)


def _last_figure(row: Row) -> list[str]:
    """What a row without a quantity gives, in its last column: the delivery, the total."""
    return [value for key, value in row.fields if value and cell_figure(key, value) is not None][-1:]


def _bill(lines: Sequence[Line], beside: Mapping[str, str]) -> Bill:
    figures = _figures(beside)
    totals = {key: each for key, each in figures.items() if is_total(key)}
    fees = {key: each for key, each in figures.items() if key not in totals and _is_money(key, each, _EXTRA)}
    shares = [key for key in fees if _is_share(key, beside[key])]
    extras = [
        _Extra(parse(" ".join(_words(key) - _SORT)).stems or parse(key).stems, key, _signed(key, each), each)
        for key, each in fees.items()
        if key not in shares
    ]
    names = words_of_names(value for key, value in beside.items() if key not in figures)
    keys = frozenset().union(*(parse(key).stems for key in beside))
    return Bill(
        names,
        keys,
        tuple(lines),
        tuple(extras),
        tuple(_signed(key, fees[key]) / (100 if abs(fees[key].number.value) > 1 else 1) for key in shares),
        tuple(totals.items()),
    )


def _line(fields: Mapping[str, str]) -> Line | None:
    """A line with a price, and how many; `None` of what has no price, or several, or a share."""
    figures = _figures(fields)
    quantities = [key for key, each in figures.items() if is_quantity(key) and not is_money(each.units)]
    totals = [key for key in figures if key not in quantities and is_total(key)]
    prices = [key for key, each in figures.items() if key not in (*quantities, *totals) and _is_money(key, each, MONEY)]
    is_clear = len(prices) == 1 and len(quantities) <= 1 and len(totals) <= 1
    if not is_clear or any(_is_share(key, fields[key]) for key in figures):
        return None
    price = figures[prices[0]]
    quantity = figures[quantities[0]].number.value if quantities else 1.0
    amount = quantity * price.number.value
    text = f"{quantity:g} × {price.text}" if quantity != 1 else price.text
    stated = figures[totals[0]] if totals else None
    if stated and not isclose(stated.number.value, amount):
        amount, text = stated.number.value, stated.text
    name = " ".join(value for key, value in fields.items() if key not in figures)
    record = "; ".join(f"{key}: {value}" for key, value in fields.items())
    return Line(parse(name).stems, quantity, price, amount, text, bool(quantities), record)


def _figures(fields: Mapping[str, str]) -> dict[str, Figure]:
    figures = {key: cell_figure(key, value) for key, value in fields.items() if _FIGURE.match(value)}
    return {key: each for key, each in figures.items() if each is not None}


def _is_money(key: str, figure: Figure, words: frozenset[str]) -> bool:
    return bool(_words(key) & words) or is_money(figure.units)


def is_quantity(key: str) -> bool:
    """Whether a column or key is how many of something are ordered."""
    return bool(_words(key) & _QUANTITY) and _words(key).isdisjoint(_STOCK)


def _is_share(key: str, value: str) -> bool:
    return bool(_words(key) & _SHARE) or "%" in f"{key}{value}"


def _signed(key: str, figure: Figure) -> float:
    return -abs(figure.number.value) if _words(key) & _REDUCTION else figure.number.value


def _words(key: str) -> frozenset[str]:
    return frozenset(key.lower().split())


def _amount(match: Match) -> Figure | None:
    """The one sum of money of a sentence; of several the one that the context lacks."""
    sums = [(each, same) for each, same in match.figures if is_money(each.units) and each.number.kind == "number"]
    lacking = sums if len(sums) == 1 else [each for each in sums if not each[1]]
    return lacking[0][0] if len(lacking) == 1 and not lacking[0][0].qualifier else None


def place_of_named(text: str, names: Sequence[frozenset[str]]) -> int | None:
    """Which of several bills is the only one, or has a value of its own that a sentence has.

    Args:
        text: of the sentence.
        names: the words of each bill, as `words_of_names` gives them.
    """
    if len(names) == 1:
        return 0
    words = words_of_names([text])
    named = [
        place
        for place, own in enumerate(names)
        if not own.difference(*(other for other in names if other is not own)).isdisjoint(words)
    ]
    return named[0] if len(named) == 1 else None


def words_of_names(texts: Iterable[str]) -> frozenset[str]:
    """The words of texts, in lower case, codes as one: "a-1"."""
    return frozenset(word for text in texts for word in _NAME.findall(text.lower()))


def is_named(line: Line, bill: Bill, match: Match) -> bool:
    """Whether a sentence has all words of a line's name, or what tells it from the others."""
    own = line.name.difference(*(each.name for each in bill.lines if each is not line), bill.keys)
    return bool(line.name) and (line.name <= match.claim.stems or bool(own & match.claim.stems))


def _of_lines(match: Match, figure: Figure, bill: Bill, lines: Sequence[Line]) -> FigureComparison | None:
    counts = [each for each, _ in match.figures if each is not figure and is_count_of(each, match.claim.text)]
    total = sum(each.amount for each in lines)
    if len(lines) == 1 and len(counts) == 1 and counts[0].number.value != lines[0].quantity:
        if not _is(figure, counts[0].number.value * lines[0].price.number.value):
            return None
        return _comparison(match, figure, bill, lines, "", is_right=True)
    if any(_is(figure, each) for each in possible_amounts(match, bill, total)):
        return _comparison(match, figure, bill, lines, "", is_right=True)
    is_of_all = _says_total(match) or (len(lines) == 1 and bool(counts))
    is_price = _is(figure, sum(each.price.number.value for each in lines))
    if is_price and len(lines) > 1 and not _ONE.isdisjoint(match.claim.words):
        return _comparison(match, figure, bill, lines, "", is_right=True)
    if not is_of_all or (is_price and not _says_total(match)):
        return None
    if any(_named_extras(match, bill)) or not all(each.is_counted for each in lines):
        return None
    return _comparison(match, figure, bill, lines, equation(lines, total), is_right=False)


def is_count_of(figure: Figure, text: str) -> bool:
    """Whether a figure may say how many, and is no part of a code: the 1 of "A-1"."""
    before = text[: figure.start][-1:]
    return figure.number.kind == "number" and not figure.bound and before != "-" and not before.isalpha()


def _of_all(match: Match, figure: Figure, bill: Bill) -> FigureComparison | None:
    if any(_is(figure, abs(each.value)) for each in _named_extras(match, bill)):
        return None
    total = sum(each.amount for each in bill.lines)
    stated = () if any(_named_extras(match, bill)) else bill.totals
    if any(_is(figure, each.number.value) for _, each in stated):
        return _comparison(match, figure, bill, bill.lines, "", is_right=True)
    is_right = any(_is(figure, each) for each in possible_amounts(match, bill, total))
    if is_right and not (stated and "total" in match.claim.words and _is_all(match, figure, bill)):
        return _comparison(match, figure, bill, bill.lines, "", is_right=True)
    is_clear = bool(stated) or (len(bill.extras) <= MOST_EXTRAS and not bill.shares)
    if not is_clear or not _says_total(match) or _is_of_other(match, figure):
        return None
    expression = "; ".join(f"{key}: {each.text}" for key, each in stated) or equation(bill.lines, total, bill.extras)
    return _comparison(match, figure, bill, bill.lines, expression, is_right=False)


def _is_of_other(match: Match, figure: Figure) -> bool:
    """Whether the context gives the same sum of money in words: it may be of another bill."""
    return any(each.units for of_claim, same in match.figures if of_claim is figure for _, each in same)


def _says_total(match: Match) -> bool:
    return not _TOTAL.isdisjoint(match.claim.words) or _ADDED_UP.search(match.claim.text) is not None


def _named_extras(match: Match, bill: Bill) -> Iterator[_Extra]:
    return (each for each in bill.extras if each.stems & match.claim.stems)


def possible_amounts(match: Match, bill: Bill, total: float) -> Iterator[float]:
    """What lines may come to with fees and discounts: those that a sentence names if it says "with", else without."""
    named = tuple(_named_extras(match, bill))
    is_without = not _WITHOUT.isdisjoint(match.claim.words)
    needed = () if is_without else named
    left_out = named if is_without and _WITH.isdisjoint(match.claim.words) else ()
    free = [each for each in bill.extras[:MOST_EXTRAS] if each not in needed and each not in left_out]
    for some in chain.from_iterable(combinations(free, size) for size in range(len(free) + 1)):
        extra = sum(each.value for each in (*needed, *some))
        yield total + extra
        for share in bill.shares:
            yield (total + extra) * (1 + share)
            yield total * (1 + share) + extra


def _is(figure: Figure, value: float) -> bool:
    return isclose(figure.number.value, value, abs_tol=0.005)


def equation(lines: Sequence[Line], total: float, extras: Sequence[_Extra] = ()) -> str:
    """How lines are added up, then with what stands beside them: "2 × 18.5 + 34 = 71; with labour fee 45: 116"."""
    made = " + ".join(each.text for each in lines)
    made = f"{made} = {_written(total)}" if len(lines) > 1 or made != _written(total) else made
    if not extras:
        return made
    beside = " and ".join(f"{each.key} {each.figure.text}" for each in extras)
    return f"{made}; with {beside}: {_written(total + sum(each.value for each in extras))}"


def _written(value: float) -> str:
    return f"{value:.2f}".removesuffix(".00")


def _is_all(match: Match, figure: Figure, bill: Bill) -> bool:
    """Whether a sentence speaks of nothing but the bill."""
    known = bill.keys.union(*(each.name for each in bill.lines))
    names = parse(" ".join(sorted(bill.names))).words
    return is_whole(match, figure.start, figure.end, known, SAYS_OF_BILLS | names)


def _comparison(
    match: Match, figure: Figure, bill: Bill, lines: Sequence[Line], expression: str, *, is_right: bool
) -> FigureComparison | None:
    is_all = _is_all(match, figure, bill)
    if not is_right and not is_all:
        return None
    numbers = {*(each.quantity for each in lines), len(lines)}
    text = match.claim.text
    counts = [
        each.start
        for each, _ in match.figures
        if each.number.value in numbers or (is_right and each is not figure and is_count_of(each, text))
    ]
    beside = bill.extras if lines == bill.lines else ()
    return FigureComparison(
        figure.start,
        figure.end,
        figure.text,
        tuple(each.price for each in lines),
        "+",
        frozenset((figure.start, *counts)),
        is_right,
        "; ".join((*(each.record for each in lines), *(f"{each.key}: {each.figure.text}" for each in beside))),
        match.claim.text if is_right and is_all else "",
        expression,
    )
