"""What simple arithmetic makes of the facts' figures: complements, sums, differences, ratios, products, multiples."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from voirdire.integrity.rules.quantities import Figure, near

MOST_FIGURES = 30  # pairs of more figures give so many values that any number could be explained
_MULTIPLES = (2, 3, 4, 5, 7, 10, 12, 24, 30, 52, 60, 100, 365)  # months, weeks, days, hours, halves and thirds
_WIDEST = 1.35  # no rounding and no bound lies further from its value, so no candidate needs a longer look


@dataclass(frozen=True, slots=True)
class Derived:
    """All values that the facts' figures give by one step, sorted, by unit."""

    values: dict[str, tuple[float, ...]]

    @classmethod
    def of(cls, by_fact: Sequence[Sequence[Figure]]) -> Derived:
        """From the figures of each fact."""
        found: dict[str, set[float]] = {}
        for unit, value in _steps(by_fact):
            if value > 0:
                found.setdefault(unit, set()).add(round(value, 6))
        return cls({unit: tuple(sorted(values)) for unit, values in found.items()})

    def gives(self, said: Figure) -> bool:
        """Whether one step of arithmetic on the facts gives this figure, as exactly as it is stated."""
        units = [said.unit] if said.unit else list(self.values)
        if said.unit == "count" and said.number.high < 200:
            units.append("years")
        return any(self._gives(said, unit) for unit in units)

    def _gives(self, said: Figure, unit: str) -> bool:
        values = self.values.get(unit, ())
        low, high = said.number.low / _WIDEST, said.number.high * _WIDEST
        return any(near(said, value, value) for value in values[bisect_left(values, low) : bisect_right(values, high)])


def complement(said: Figure, given: Figure) -> bool:
    """Whether `said` is what is left of 100 per cent beside `given`: 5 % beside 95 %, 10-15 % beside 85-90 %."""
    both = said.unit == given.unit == "percent"
    return both and 0 < given.number.high < 100 and near(said, 100 - given.number.high, 100 - given.number.low)


def makes_product(result: Figure, factor: Figure, given: Figure) -> bool:
    """Whether `result` is `factor` times a fact's figure: $11,500 for 10 hectares at $1,150, 20 of 50 at 40 %."""
    if result.unit == "percent" or "times" in (result.unit, factor.unit):
        return False
    by = given.number.value / 100 if given.unit == "percent" else given.number.value
    product = factor.number.value * by
    return product > 0 and result.number.value != factor.number.value and near(result, product, product)


def _steps(by_fact: Sequence[Sequence[Figure]]) -> Iterator[tuple[str, float]]:
    for figures in by_fact:
        for one, other in combinations(figures[:MOST_FIGURES], 2):
            yield from _within_a_fact(one, other)
    everything = [figure for figures in by_fact for figure in figures][:MOST_FIGURES]
    for one, other in combinations(everything, 2):
        yield from _between_facts(one, other)
    for figure in everything:
        yield from _alone(figure)


def _alone(figure: Figure) -> Iterator[tuple[str, float]]:
    value = figure.number.value
    if figure.unit == "percent":
        for share in {figure.number.low, figure.number.high}:
            yield "times", 1 + share / 100
        if value > 0:
            yield "times", 100 / value
    elif figure.unit in ("count", "money"):
        for multiple in _MULTIPLES:
            yield figure.unit, value * multiple
            yield figure.unit, value / multiple
    if figure.unit == "times":
        yield "percent", (value - 1) * 100
        yield "percent", value * 100


def _between_facts(one: Figure, other: Figure) -> Iterator[tuple[str, float]]:
    """Sums, differences and ratios of like figures; shares of amounts."""
    units = {one.unit, other.unit}
    for a in {one.number.low, one.number.high}:
        for b in {other.number.low, other.number.high}:
            if one.unit == other.unit and _finite(a, b):
                yield from _like(one, a, b)
            elif "percent" in units and units <= {"percent", "count", "money", ""}:
                share, amount = (a, b) if one.unit == "percent" else (b, a)
                unit = one.unit if one.unit != "percent" else other.unit
                yield unit or "count", amount * share / 100
                yield unit or "count", amount * (100 - share) / 100
            elif units == {"count", "money"}:
                yield "money", a * b


def _within_a_fact(one: Figure, other: Figure) -> Iterator[tuple[str, float]]:
    """Of figures that one fact gives together also shares, changes and quotients."""
    a, b = one.number.value, other.number.value
    if not _finite(a, b) or min(a, b) <= 0 or "time" in (one.unit, other.unit):
        return
    if one.unit == other.unit:
        yield "percent", 100 * min(a, b) / max(a, b)
        yield "percent", 100 * (max(a, b) - min(a, b)) / a
        yield "percent", 100 * (max(a, b) - min(a, b)) / b
    elif "count" in (one.unit, other.unit):
        amount, count, unit = (a, b, one.unit) if other.unit == "count" else (b, a, other.unit)
        yield unit, amount / count


def _like(one: Figure, a: float, b: float) -> Iterator[tuple[str, float]]:
    if one.unit == "time":
        yield "years", abs(a - b)
        return
    yield one.unit, a + b
    yield one.unit, abs(a - b)
    if min(a, b) > 0:
        yield "times", max(a, b) / min(a, b)
    if one.unit == "count" and one.things:
        yield "count", a * b
        if max(a, b) > 0:
            yield "percent", 100 * min(a, b) / max(a, b)


def _finite(*values: float) -> bool:
    return all(abs(value) < 1e15 for value in values)
