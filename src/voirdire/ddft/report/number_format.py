"""How numbers, shares and intervals are written, and the cells of tables."""

from __future__ import annotations

import math
from collections.abc import Iterable

from voirdire.ddft.metric_intervals import WITHOUT_VARIATION
from voirdire.documents.cells import UNDEFINED as NONE
from voirdire.documents.cells import count as count_cell
from voirdire.documents.cells import metric
from voirdire.documents.cells import metric_ends as metric_interval
from voirdire.documents.cells import text as text_cell
from voirdire.documents.document import Cell, Scalar, Tone
from voirdire.text.money import dollars

__all__ = [
    "NONE",
    "Ends",
    "count_cell",
    "dollars",
    "ends_cells",
    "metric",
    "metric_interval",
    "number",
    "number_cell",
    "over_concepts",
    "percent",
    "plain",
    "text_cell",
]

Ends = tuple[float, float] | None


def number(value: float | None, decimals: int = 3, *, signed: bool = False) -> str:
    """A number; a dash where there is none. What rounds to 0 has no sign."""
    if value is None or math.isnan(value):
        return NONE
    text = f"{value:+.{decimals}f}" if signed else f"{value:.{decimals}f}"
    return text if float(text) else f"{0:.{decimals}f}"


def percent(share: float) -> str:
    """A share in percent, without decimals unless it is near an end."""
    value = 100 * share
    return f"{value:.0f} %" if share in (0, 1) or 1 <= value <= 99 else f"{value:.1f} %"


def percents(ends: Ends) -> str:
    """As in "70 to 91 %"; nothing where there is no interval."""
    return "" if ends is None else f"{100 * ends[0]:.0f} to {100 * ends[1]:.0f} %"


def number_cell(value: float | None, decimals: int = 3, *, signed: bool = False, tone: Tone = "") -> Cell:
    """A cell of one number."""
    return Cell(plain(value), number(value, decimals, signed=signed), tone)


def over_concepts(methods: Iterable[str | None]) -> str:
    """What intervals are made over, by their methods: "over concepts", and where these do not differ, over turns."""
    alike = any(each in WITHOUT_VARIATION for each in methods)
    return "over concepts" + ("; where concepts do not differ at all, a binomial one over turns" if alike else "")


def ends_cells(key: str, ends: Ends) -> dict[str, Cell]:
    """The two cells of an interval, under the keys `KEY_low` and `KEY_high`."""
    low, high = ends or (None, None)
    return {f"{key}_low": number_cell(low), f"{key}_high": number_cell(high)}


def plain(value: float | None) -> Scalar:
    """A number that JSON can hold: `None` for what is undefined."""
    return None if value is None or math.isnan(value) else float(value)
