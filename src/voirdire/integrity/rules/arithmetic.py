"""What simple arithmetic makes of the facts' figures: complements, sums, differences, ratios, products, multiples."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from voirdire.integrity.rules.quantities import Quantity, near, same_sort
from voirdire.text.units import Units

MOST_FIGURES = 30  # pairs of more figures give so many values that any number could be explained
_MULTIPLES = (2, 3, 4, 5, 7, 10, 12, 24, 30, 52, 60, 100, 365)  # months, weeks, days, hours, halves and thirds
_WIDEST = 1.35  # no rounding and no bound lies further from its value, so no candidate needs a longer look


Sort = tuple[str, Units]
"""What a value is of: the unit of its figure, and what it is measured in."""
_TIMES: Sort = ("times", ())
_PERCENT: Sort = ("percent", ())
_MONEY: Sort = ("money", ())
_YEARS: Sort = ("years", ())
"""Differences of dates."""


@dataclass(frozen=True, slots=True)
class Derived:
    """All values that the facts' figures give by one step of like with like, sorted, by what they are of."""

    values: dict[Sort, tuple[float, ...]]
    spans: tuple[float, ...]
    """Years between two dates of one fact."""

    @classmethod
    def of(cls, by_fact: Sequence[Sequence[Quantity]]) -> Derived:
        """From the figures of each fact."""
        values_by_sort: dict[Sort, set[float]] = {}
        for sort, value in _steps(by_fact):
            if value > 0:
                values_by_sort.setdefault(sort, set()).add(round(value, 6))
        return cls({sort: tuple(sorted(values)) for sort, values in values_by_sort.items()}, tuple(_spans(by_fact)))

    def gives(self, figure: Quantity) -> bool:
        """Whether one step of arithmetic on the facts gives this figure, as exactly as it is stated."""
        sorts = [_sort(figure)] if figure.unit else list(self.values)
        if _may_be_years(figure):
            sorts.append(_YEARS)
        return any(self._gives(figure, sort) for sort in sorts)

    def spans_years(self, figure: Quantity) -> bool:
        """Whether it is the time between two dates of one fact, which needs no word for the calculation."""
        return _may_be_years(figure) and any(near(figure, value, value) for value in self.spans)

    def _gives(self, figure: Quantity, sort: Sort) -> bool:
        values = self.values.get(sort, ())
        low, high = figure.number.low / _WIDEST, figure.number.high * _WIDEST
        return any(
            near(figure, value, value) for value in values[bisect_left(values, low) : bisect_right(values, high)]
        )


def is_complement(figure: Quantity, fact_figure: Quantity) -> bool:
    """Whether a figure is what a fact's figure leaves of 100 per cent: 5 % beside 95 %, 10-15 % beside 85-90 %."""
    low, high = fact_figure.number.low, fact_figure.number.high
    if not figure.unit == fact_figure.unit == "percent" or not 0 < high < 100:
        return False
    return near(figure, 100 - high, 100 - low)


def makes_product(result: Quantity, factor: Quantity, fact_figure: Quantity) -> bool:
    """Whether `result` is `factor` times a fact's figure: $11,500 for 10 hectares at $1,150, 20 of 50 at 40 %."""
    if result.unit == "percent" or "times" in (result.unit, factor.unit):
        return False
    by = fact_figure.number.value / 100 if fact_figure.unit == "percent" else fact_figure.number.value
    if not _is_sort_of_a_factor(result, factor, fact_figure):
        return False
    product = factor.number.value * by
    is_step = factor.number.value != 1 and result.number.value != factor.number.value
    return product > 0 and is_step and near(result, product, product)


def _is_sort_of_a_factor(result: Quantity, factor: Quantity, fact_figure: Quantity) -> bool:
    """Whether a product is of the sort of one of its factors, where any is measured: 5 kg and 4 are no 20 hours."""
    if not (result.measure or factor.measure or fact_figure.measure):
        return True
    return any(bool(one.measure) == bool(result.measure) and same_sort(result, one) for one in (factor, fact_figure))


def _sort(figure: Quantity) -> Sort:
    return figure.unit, () if figure.unit == "money" else tuple(unit.partition("/")[0] for unit in figure.measure)


def _may_be_years(figure: Quantity) -> bool:
    return figure.unit == "count" and figure.number.high < 200 and (not figure.measure or "year" in figure.measure)


def _spans(by_fact: Sequence[Sequence[Quantity]]) -> Iterator[float]:
    for figures in by_fact:
        dates = [one.number.value for one in figures[:MOST_FIGURES] if one.unit == "time"]
        yield from (abs(one - other) for one, other in combinations(dates, 2) if _finite(one, other))


def _steps(by_fact: Sequence[Sequence[Quantity]]) -> Iterator[tuple[Sort, float]]:
    for figures in by_fact:
        for one, other in combinations(figures[:MOST_FIGURES], 2):
            yield from _within_a_fact(one, other)
    everything = [figure for figures in by_fact for figure in figures][:MOST_FIGURES]
    for one, other in combinations(everything, 2):
        yield from _between_facts(one, other)
    for figure in everything:
        yield from _alone(figure)


def _alone(figure: Quantity) -> Iterator[tuple[Sort, float]]:
    value = figure.number.value
    if figure.unit == "percent":
        for share in {figure.number.low, figure.number.high}:
            yield _TIMES, 1 + share / 100
        if value > 0:
            yield _TIMES, 100 / value
    elif figure.unit in ("count", "money"):
        for multiple in _MULTIPLES:
            yield _sort(figure), value * multiple
            yield _sort(figure), value / multiple
    if figure.unit == "times":
        yield _PERCENT, (value - 1) * 100
        yield _PERCENT, value * 100


def _between_facts(one: Quantity, other: Quantity) -> Iterator[tuple[Sort, float]]:
    """Sums, differences and ratios of like figures; shares of amounts."""
    units = {one.unit, other.unit}
    for a in {one.number.low, one.number.high}:
        for b in {other.number.low, other.number.high}:
            if _sort(one) == _sort(other) and _finite(a, b):
                yield from _like(one, a, b)
            elif "percent" in units and units <= {"percent", "count", "money", ""}:
                share, amount = (a, b) if one.unit == "percent" else (b, a)
                unit, measure = _sort(other if one.unit == "percent" else one)
                yield (unit or "count", measure), amount * share / 100
                yield (unit or "count", measure), amount * (100 - share) / 100
            elif units == {"count", "money"}:
                yield _MONEY, a * b


def _within_a_fact(one: Quantity, other: Quantity) -> Iterator[tuple[Sort, float]]:
    """Of figures that one fact gives together also shares, changes and quotients."""
    a, b = one.number.value, other.number.value
    if not _finite(a, b) or min(a, b) <= 0 or "time" in (one.unit, other.unit):
        return
    if _sort(one) == _sort(other):
        yield _PERCENT, 100 * min(a, b) / max(a, b)
        yield _PERCENT, 100 * (max(a, b) - min(a, b)) / a
        yield _PERCENT, 100 * (max(a, b) - min(a, b)) / b
    elif "count" in (one.unit, other.unit):
        amount, count, whole = (a, b, one) if other.unit == "count" else (b, a, other)
        yield _sort(whole), amount / count


def _like(one: Quantity, a: float, b: float) -> Iterator[tuple[Sort, float]]:
    if one.unit == "time":
        yield _YEARS, abs(a - b)
        return
    yield _sort(one), a + b
    yield _sort(one), abs(a - b)
    if min(a, b) > 0:
        yield _TIMES, max(a, b) / min(a, b)
    if one.unit == "count" and one.things:
        yield _sort(one), a * b
        if max(a, b) > 0:
            yield _PERCENT, 100 * min(a, b) / max(a, b)


def _finite(*values: float) -> bool:
    return all(abs(value) < 1e15 for value in values)
