"""Numbers as reports show them: cells, figures, intervals."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Protocol

from voirdire.documents.document import Cell, Column, Notice, Table, Tone
from voirdire.text.counting import rounded, tenths

if TYPE_CHECKING:
    from voirdire.stats import Interval

UNDEFINED = "–"


class Estimated(Protocol):
    """A figure with its interval."""

    @property
    def value(self) -> float | None:
        """`None`: undefined."""

    @property
    def interval(self) -> Interval | None:
        """`None`: there is none."""


def text(value: str, tone: Tone = "") -> Cell:
    """A cell that holds a text."""
    return Cell(value, value, tone)


def count(value: int | None, tone: Tone = "") -> Cell:
    """A cell that holds a number of things."""
    return Cell(value, UNDEFINED if value is None else f"{value:,}", tone)


def number(value: float | None, places: int = 2, tone: Tone = "") -> Cell:
    """A cell that holds a number; undefined where it is `None` or NaN."""
    known = _none_if_nan(value)
    return Cell(known, UNDEFINED if known is None else f"{known:z,.{places}f}", tone)


def in_percent(name: str) -> bool:
    """Whether a metric is a percentage: "danger_zone_pct", "hallucinated_pct_grounded"."""
    return "_pct" in name


def metric(name: str, value: float | None) -> str:
    """A metric's value, with as many decimals as it deserves; a dash where there is none."""
    known = _none_if_nan(value)
    return UNDEFINED if known is None else f"{known:z.1f}" if in_percent(name) else f"{known:z.3f}"


def metric_cell(name: str, value: float | None) -> Cell:
    """A cell of a metric's value."""
    return Cell(_none_if_nan(value), metric(name, value))


def metric_ends(name: str, interval: Interval | None) -> str:
    """As in "0.561 to 0.702"; nothing where there is no interval."""
    return "" if interval is None else f"{metric(name, interval.low)} to {metric(name, interval.high)}"


def percent(value: float | None, tone: Tone = "") -> Cell:
    """A cell that holds a share in [0, 1], shown in percent."""
    known = _none_if_nan(value)
    return Cell(known, as_percent(known), tone)


def share_cells(key: str, estimate: Estimated) -> dict[str, Cell]:
    """The cells of a share and of its interval's ends, under the keys of `share_columns`."""
    low, high = (None, None) if estimate.interval is None else estimate.interval[:2]
    return {key: percent(estimate.value), f"{key}_low": percent(low), f"{key}_high": percent(high)}


def share_columns(key: str, label: str) -> tuple[Column, ...]:
    """The columns of a share with its interval."""
    return (
        Column(key, label, numeric=True),
        Column(f"{key}_low", "from", numeric=True),
        Column(f"{key}_high", "to", numeric=True),
    )


def as_percent(value: float | None) -> str:
    """A share as people read it: "30.5 %"."""
    return UNDEFINED if value is None else tenths(value)


def share_ends(interval: Interval | None) -> str:
    """The ends of a share's interval: "28.1 to 33.0 %"; nothing where there is none."""
    return "" if interval is None else f"{100 * interval.low:z.1f} to {100 * interval.high:z.1f} %"


def ends(interval: Interval | None, unit: float = 1.0) -> tuple[float, float] | None:
    """The ends of an interval as numbers; `unit`: 100 for a share that is shown in percent."""
    return None if interval is None else (unit * interval.low, unit * interval.high)


def number_ends(interval: Interval | None, places: int = 2) -> str:
    """The ends of a number's interval; nothing where there is none."""
    return "" if interval is None else f"{rounded(interval.low, places)} to {rounded(interval.high, places)}"


def plain_table(
    id: str,
    heads: Sequence[str | Column],
    rows: Iterable[Sequence[Cell | str]],
    *,
    numbers: int | None = None,
    title: str = "",
    caption: str = "",
) -> Table:
    """A table of rows in the order of their columns.

    Args:
        id: unique in its document.
        heads: columns, or their labels, which are their keys as well.
        rows: cells, or texts of cells.
        numbers: how many columns after the first hold numbers; `None`: all.
        title: above it.
        caption: below it.
    """
    right = len(heads) - 1 if numbers is None else numbers
    columns = tuple(
        head if isinstance(head, Column) else Column(head, head, numeric=0 < place <= right)
        for place, head in enumerate(heads)
    )
    keys = [column.key for column in columns]
    cell_rows = (
        dict(zip(keys, (cell if isinstance(cell, Cell) else text(cell) for cell in row), strict=True)) for row in rows
    )
    return Table(id, columns, tuple(cell_rows), title, caption)


def cautions(sentences: Sequence[object]) -> tuple[Notice, ...]:
    """All that must be read first, in one box; none where there is nothing to say."""
    return (Notice("\n".join(map(str, sentences))),) if sentences else ()


def _none_if_nan(value: float | None) -> float | None:
    return None if value is None or math.isnan(value) else value
