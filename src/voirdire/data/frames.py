"""Rows of a table as plain values: what is missing is `None`, which is false, and never NaN, which is true."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd


def rows_of(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """The rows of a table as plain values, `None` for what is missing."""
    columns = {str(name): _plain(frame[name]) for name in frame}
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def _plain(column: pd.Series[Any]) -> list[Any]:
    known = column.astype(object).where(column.notna(), None)
    return [value.tolist() if hasattr(value, "tolist") else value for value in known]
