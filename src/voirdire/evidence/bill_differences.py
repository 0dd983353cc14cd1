"""By how much one order or invoice differs from another where neither states its total: "€40 more than the first".

A sentence must name two bills, by a value of theirs or as the first and the second. It may name the same line of both.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isclose
from typing import NamedTuple

from voirdire.evidence.bills import (
    MOST_EXTRAS,
    SAYS_OF_BILLS,
    Bill,
    Line,
    bills_of,
    denies_more,
    equation,
    is_count_of,
    is_named,
    place_of_named,
    possible_amounts,
    words_of_names,
)
from voirdire.evidence.comparisons import COMPARES, FigureComparison, StatedComparison, is_whole, stated_comparison
from voirdire.evidence.figures import Figure
from voirdire.evidence.matching import Match
from voirdire.evidence.tokens import parse
from voirdire.text.units import is_money

_ORDINALS = ("first", "second", "third")
_PAIR = 2
_AMOUNTS = frozenset("come comes came cost costs paid pays dearer cheaper expensive".split())
"""Words of a sentence whose bare figure is money."""
_SAYS = SAYS_OF_BILLS | COMPARES | frozenset((*_ORDINALS, "orders", "bills", "invoices", "spent", "paid"))


class _Side(NamedTuple):
    """What a sentence compares of one bill."""

    bill: Bill
    lines: Sequence[Line]

    @property
    def total(self) -> float:
        return sum(each.amount for each in self.lines)

    @property
    def equation(self) -> str:
        extras = self.bill.extras if self.lines is self.bill.lines else ()
        return equation(self.lines, self.total, extras)

    @property
    def record(self) -> str:
        return "; ".join(each.record for each in self.lines)


def difference_of_bills(match: Match) -> FigureComparison | None:
    """The difference of two bills that a sentence gives, and whether it is right; `None` where that is unclear."""
    bills = bills_of(match.index)
    extras = {each.key for bill in bills for each in bill.extras}
    if len(bills) < _PAIR or len(extras) > MOST_EXTRAS or any(each.totals or each.shares for each in bills):
        return None
    stated = None if denies_more(match.claim) else stated_comparison(match)
    if stated is None or stated.figure is None or stated.word == "too" or not _is_amount(match, stated.figure):
        return None
    places = _places(match, stated, bills)
    sides = [_side(match, bills[place]) for place in places]
    if not sides or (sides[0].lines is sides[0].bill.lines) != (sides[1].lines is sides[1].bill.lines):
        return None
    direction = stated.direction if stated.parted >= 0 else 0
    gaps = list(_gaps(match, *sides))
    is_right = any(_is(stated.figure, gap, direction) for gap in gaps)
    # Of two orders, one may call the earlier the first, or the one that stands first.
    by_place = not match.claim.words.isdisjoint(_ORDINALS)
    whole = _is_whole(match, stated, sides)
    if not is_right and (not whole or (by_place and any(_is(stated.figure, gap, 0) for gap in gaps))):
        return None
    counts = [each.start for each, _ in match.figures if _tells_bills(each, match.claim.text)]
    one, other = sorted(sides, key=lambda side: -side.total)
    return FigureComparison(
        stated.start,
        stated.end,
        stated.figure.text,
        tuple(line.price for side in sides for line in side.lines),
        "+",
        frozenset((stated.figure.start, *counts)),
        is_right,
        f"{sides[0].record}; {sides[1].record}",
        match.claim.text if is_right and whole else "",
        f"{one.equation} less {other.equation}",
    )


def _is_amount(match: Match, figure: Figure) -> bool:
    """Whether a figure is a sum of money, or a bare number of a sentence about one: "came to 40 more"."""
    is_bare = not figure.units and not figure.noun
    return is_money(figure.units) or (is_bare and not match.claim.words.isdisjoint(_AMOUNTS))


def _places(match: Match, stated: StatedComparison, bills: Sequence[Bill]) -> Sequence[int]:
    """The two bills that a sentence compares, in its order; empty where it is unclear which they are."""
    text = match.claim.text
    names = [each.names | {ordinal} for each, ordinal in zip(bills, (*_ORDINALS, *[""] * len(bills)), strict=False)]
    if stated.parted >= 0:
        before, after = (place_of_named(part, names) for part in (text[: stated.parted], text[stated.parted :]))
        return (before, after) if before is not None and after is not None and before != after else ()
    words = words_of_names([text])
    named = [
        place
        for place, own in enumerate(names)
        if not own.difference(*(other for other in names if other is not own)).isdisjoint(words)
    ]
    if not named and len(bills) == _PAIR:
        return range(_PAIR)
    return named if len(named) == _PAIR else ()


def _side(match: Match, bill: Bill) -> _Side:
    return _Side(bill, [each for each in bill.lines if is_named(each, bill, match)] or bill.lines)


def _gaps(match: Match, one: _Side, other: _Side) -> Iterator[float]:
    """What the difference may be: a fee that both have counts for both, or for neither."""
    extras = {each.key: each for each in one.bill.extras}
    for each in other.bill.extras:
        first = extras.get(each.key)
        extras[each.key] = each._replace(value=(first.value if first else 0.0) - each.value)
    both = one.bill._replace(extras=tuple(extras.values()))
    return possible_amounts(match, both, one.total - other.total)


def _is(figure: Figure, gap: float, direction: int) -> bool:
    return isclose(figure.number.value, gap * direction if direction else abs(gap), abs_tol=0.005)


def _tells_bills(figure: Figure, text: str) -> bool:
    """Whether a figure is that of "the two orders" or "the first"."""
    return figure.number.kind == "ordinal" or (figure.number.value == _PAIR and is_count_of(figure, text))


def _is_whole(match: Match, stated: StatedComparison, sides: Sequence[_Side]) -> bool:
    """Whether a sentence speaks of nothing but the two bills."""
    known = frozenset().union(*(side.bill.keys.union(*(each.name for each in side.bill.lines)) for side in sides))
    names = parse(" ".join(sorted(sides[0].bill.names | sides[1].bill.names)))
    return is_whole(match, stated.start, stated.end, known | names.stems, _SAYS | names.words)
