"""Sums and yearly amounts of which it is clear what they should give: "the course and the book together cost £37".

Such a sentence names things that the context gives one amount each, and says nothing besides.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import isclose

from voirdire.evidence.comparisons import cell_figure, in_units_of, is_total
from voirdire.evidence.figures import Figure, figures_of
from voirdire.evidence.lexicon import stem_of
from voirdire.evidence.matching import Match
from voirdire.evidence.row_records import named_row, records_of
from voirdire.evidence.tokens import parse
from voirdire.text.units import is_money

_VERB = r"(?:costs?|comes? to|makes?|amounts? to|adds? up to)"
_SUM = re.compile(rf"(?i)^(?P<names>[^:;]+?),? (?P<sum>together |altogether |combined )?(?P<verb>{_VERB}) $")
_YEAR = re.compile(r"(?i)^\s(?:for|over|in|a|per|each|every)(?: an?| one| the)?(?: full| whole| entire)? year\.?$")
_ALL_IN_ALL = re.compile(r"(?i)^\s(?:in total|altogether|together|in all)\.?$")
_ENDS = re.compile(r"\.?$")
_AND = re.compile(r",? and |, | plus ")
_COSTS = frozenset(("cost", "costs"))
_MONTHS = 12
_MONTHLY = frozenset(map(stem_of, ("month", "monthly")))


def is_plainly_wrong(match: Match, figure: Figure) -> bool:
    """Whether a sum of money, or a yearly amount, is not what the amounts of the things make that a sentence names."""
    stated = _SUM.match(match.claim.text[: figure.start])
    after = match.claim.text[figure.end :]
    if stated is None or not is_money(figure.units) or any(map(_is_share, _figures(match))):
        return False
    if _YEAR.match(after) or (_is_for(figure, "year") and _ENDS.match(after)):
        monthly = [*_monthly(match, stated["names"])]
        return len(monthly) == 1 and not _is(figure, _MONTHS * in_units_of(monthly[0], figure))
    names = _AND.split(stated["names"])
    says_sum = stated["sum"] or stated["verb"].lower() not in _COSTS or _ALL_IN_ALL.match(after)
    if len(names) < 2 or not says_sum or not (_ALL_IN_ALL.match(after) or _ENDS.match(after)):
        return False
    amounts = [[*_amounts(match, name)] for name in names]
    if any(len(some) != 1 for some in amounts):
        return False
    terms = [some[0] for some in amounts]
    is_alike = all(not each.units or set(figure.units) & set(each.units) for each in terms)
    return is_alike and not _is(figure, sum(each.number.value for each in terms))


def _is(figure: Figure, value: float) -> bool:
    return isclose(figure.number.value, value, rel_tol=1e-6)


def _figures(match: Match) -> Iterator[Figure]:
    return (each for some in match.index.figures for each in some)


def _is_share(figure: Figure) -> bool:
    """Whether it may be a discount."""
    return figure.number.kind == "percent"


def _amounts(match: Match, name: str) -> Iterator[Figure]:
    """The sums of money that the context has right after all words of a name, or in a row of that name."""
    counts = figures_of(parse(name))
    stems = parse(name).stems - {stem for each in counts for stem in parse(each.text).stems}
    if not stems:
        return
    for row in records_of(match.index):
        if stems <= parse(row.name).stems:
            cells = [(key, cell) for key, value, _ in row.values if (cell := cell_figure(key, value))]
            if {each.number.value for each in counts} <= {cell.number.value for _, cell in cells}:
                yield from (cell for key, cell in cells if is_total(key))
    for sentence, figures in zip(match.index.sentences, match.index.figures, strict=True):
        start = 0
        for figure in figures:
            if is_money(figure.units) and not counts and stems <= parse(sentence.text[start : figure.start]).stems:
                yield figure
            start = figure.end


def _monthly(match: Match, name: str) -> Iterator[Figure]:
    """The amounts a month of what a sentence names: of a row, or of prose."""
    row = named_row(match)
    if row is None:
        yield from (each for each in _amounts(match, name) if _is_for(each, "month"))
    elif parse(name).stems <= parse(row.name).stems | row.key:
        cells = ((key, cell_figure(key, value)) for key, value, _ in row.values)
        yield from (cell for key, cell in cells if cell and is_money(cell.units) and parse(key).stems & _MONTHLY)


def _is_for(figure: Figure, period: str) -> bool:
    return any(unit.endswith(f"/{period}") for unit in figure.units)
