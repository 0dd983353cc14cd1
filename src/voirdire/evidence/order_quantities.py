"""How many pieces an order has in all: "350 pieces were ordered" of lines of 120, 150 and 80."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from math import isclose
from typing import NamedTuple

from voirdire.evidence.bills import MENTIONS_QUANTITY, is_count_of, is_quantity, place_of_named, words_of_names
from voirdire.evidence.comparisons import FigureComparison, cell_figure, is_whole
from voirdire.evidence.context import ContextIndex, plain
from voirdire.evidence.figures import Figure
from voirdire.evidence.matching import Match
from voirdire.evidence.negation import negations
from voirdire.evidence.record_sentences import lists_of_objects, tables_of
from voirdire.evidence.tokens import parse
from voirdire.text.numbers import NUMBER_WORDS
from voirdire.text.units import is_count

_FEWEST = 2
"""Lines that are added up."""
_PIECES = frozenset("piece pieces item items article articles unit units things".split())
_TOTAL = frozenset("total together altogether all overall".split())
_OTHER_SUMS = frozenset("each per every average if least most about than more less fewer other another".split())
_SAYS = (
    _PIECES
    | _TOTAL
    | frozenset(NUMBER_WORDS)
    | frozenset(
        "order orders ordered booked bought sold delivered sent has have had contains comprises consists is was were"
        " are come comes came amount amounts makes make".split()
    )
)


class _Order(NamedTuple):
    names: frozenset[str]
    """The words of all that stands beside its lines."""
    stems: frozenset[str]
    """Of these, and of the keys."""
    quantities: tuple[Figure, ...]
    """Of its lines."""
    telling: frozenset[str]
    """Stems of some of its lines, and not of all."""
    text: str
    """To be quoted."""


def quantity_of(match: Match) -> FigureComparison | None:
    """How many pieces of an order a sentence gives, and whether it is right; `None` where that is unclear."""
    claim = match.claim
    orders = _orders(match.index)
    if not orders or "?" in claim.text or any(negations(claim)) or not _OTHER_SUMS.isdisjoint(claim.words):
        return None
    place = place_of_named(claim.text, [each.names for each in orders])
    counts = [(each, same) for each, same in match.figures if is_count_of(each, claim.text)]
    if place is None or len(counts) != 1 or counts[0][1]:
        return None
    order, figure = orders[place], counts[0][0]
    if figure.qualifier or not (is_count(figure.units) or not figure.units) or order.telling & claim.stems:
        return None
    total = sum(each.number.value for each in order.quantities)
    says_pieces = not _PIECES.isdisjoint(claim.words)
    counts_lines = says_pieces and figure.number.value == len(order.quantities)  # "three items were ordered"
    is_right = counts_lines or isclose(figure.number.value, total)
    is_all = is_whole(match, figure.start, figure.end, order.stems, _SAYS)
    if not is_right and not (is_all and says_pieces and not _TOTAL.isdisjoint(claim.words)):
        return None
    return FigureComparison(
        figure.start,
        figure.end,
        figure.text,
        (figure,) if counts_lines else order.quantities,
        "x" if counts_lines else "+",
        frozenset((figure.start,)),
        is_right,
        order.text,
        claim.text if is_right and is_all else "",
        f"{' + '.join(each.text for each in order.quantities)} = {total:g}",
    )


@lru_cache(maxsize=32)
def _orders(index: ContextIndex) -> tuple[_Order, ...]:
    """The orders of a context: lists of lines of JSON with what stands beside them, and tables."""
    if not MENTIONS_QUANTITY.search(index.text):
        return ()
    text = plain(index.text)
    tables = [[{each.key: each.name, **dict(each.fields)} for each in table] for table in tables_of(text)]
    orders = [
        *(_order(records, beside) for beside, records in lists_of_objects(text)),
        *(_order(each, {}) for each in tables),
    ]
    return tuple(each for each in orders if len(each.quantities) >= _FEWEST)


def _order(lines: Iterable[Mapping[str, str]], beside: Mapping[str, str]) -> _Order:
    given = [(each, list(_quantities(each))) for each in lines]
    counted = [(each, figures[0]) for each, figures in given if len(figures) == 1]
    text = "; ".join(f"{key}: {value}" for line, _ in counted for key, value in line.items())
    values = " ".join(beside.values())
    keys = " ".join([*beside, *(key for line, _ in counted for key in line)])
    of_lines = [parse(" ".join(line.values())).stems for line, _ in counted]
    telling = frozenset().union(*of_lines).difference(frozenset.intersection(*of_lines) if of_lines else ())
    quantities = tuple(each for _, each in counted)
    return _Order(words_of_names(beside.values()), parse(f"{values} {keys}").stems, quantities, telling, text)


def _quantities(line: Mapping[str, str]) -> Iterator[Figure]:
    figures = ((key, cell_figure(key, value)) for key, value in line.items() if is_quantity(key))
    return (each for _, each in figures if each is not None and (is_count(each.units) or not each.units))
