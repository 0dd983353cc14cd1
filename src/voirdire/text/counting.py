"""Numbers with their nouns, shares in percent, names in a row, and one that is named twice."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from decimal import ROUND_HALF_UP, Decimal
from typing import TypeVar

T = TypeVar("T", bound=Hashable)
_NO_DECIMALS = 1e16
"""From here on a float has no decimals to round."""


def counted(number: int, noun: str, plural: str | None = None) -> str:
    """A number with its noun: "1 group", "2 groups"; with a plural of its own: "3,000 analyses", "1 row is"."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def capitalised(text: str) -> str:
    """The text with a capital at its beginning; the rest as it is."""
    return text[:1].upper() + text[1:]


def as_heading(name: str) -> str:
    """The name of a field or a label as people write it: "Whole answer" of "whole_answer"."""
    return capitalised(name.replace("_", " ").strip())


def with_article(noun: str) -> str:
    """A noun with its article: "an answer"."""
    return f"{'an' if noun[0] in 'aeio' else 'a'} {noun}"


def percent(share: float) -> str:
    """A share in words; what is not 0 is not shown as 0."""
    if 0 < share < 0.0005:
        return "under 0.1 %"
    return f"{100 * share:.0f} %" if share in (0, 1) or 0.1 <= share <= 0.9 else f"{100 * share:.1f} %"


def tenths(share: float) -> str:
    """A share in percent as tables have it: "30.5 %"."""
    return f"{100 * share:z.1f} %"


def near_zero(value: float) -> str:
    """Two decimals, and three where two would hide that a value is below 0: 0.03, -0.003."""
    return f"{value:.3f}" if -0.005 <= value <= -0.0005 else f"{value:z.2f}"


def formatted(value: float, form: str) -> str:
    """A number in a form of `format`; a percent sign stands apart, as in `tenths`."""
    return f"{value:{form}}".replace("%", " %")


def rounded(value: float, places: int = 2) -> str:
    """A number rounded as by hand: a half away from 0, so that 27 of 40 are 0.68 however their mean was summed."""
    if not abs(value) < _NO_DECIMALS:
        return f"{value:.{places}f}"
    exact = Decimal(repr(round(float(value), 10)))
    return f"{exact.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP):zf}"


def listed(names: Sequence[str], most: int | None = None) -> str:
    """As in "a, b and c"; with `most`, the first few and how many more."""
    if most is not None and len(names) > most:
        return f"{', '.join(names[:most])} and {len(names) - most} more"
    return " and ".join(part for part in (", ".join(names[:-1]), *names[-1:]) if part)


def named_twice(given: Iterable[T], same: Callable[[T], Hashable] | None = None) -> T | None:
    """The first that was given before; `same` gives what two spellings of one have in common."""
    before: set[Hashable] = set()
    for each in given:
        key = same(each) if same else each
        if key in before:
            return each
        before.add(key)
    return None
