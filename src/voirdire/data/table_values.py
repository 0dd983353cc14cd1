"""Tables: their rows as plain values (what is missing is `None`, never NaN), their columns with fixed types."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd


def rows_of(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """The rows of a table as plain values, `None` for what is missing."""
    columns = {str(name): _plain_column(frame[name]) for name in frame}
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def _plain_column(column: pd.Series[Any]) -> list[Any]:
    known = column.to_numpy(object, copy=True)
    known[column.isna().to_numpy()] = None
    return [value.tolist() if hasattr(value, "tolist") else value for value in known.tolist()]


def typed(frame: pd.DataFrame) -> pd.DataFrame:
    """Numbers as numbers and texts as texts, also in columns that hold nothing but missing values."""
    import pandas as pd

    frame = frame.astype({name: kind for name, kind in _TYPES.items() if name in frame})
    texts = [
        name
        for name in frame.columns
        if pd.api.types.is_object_dtype(frame[name]) and all(isinstance(each, str) for each in frame[name].dropna())
    ]
    return frame.astype(dict.fromkeys(texts, "string"))


_TYPES = {
    **dict.fromkeys(("far", "sas", "confidence", "per_100_words", "median_score", "holistic"), "float64"),
    **dict.fromkeys(("seconds", "retry_after", "price_usd"), "float64"),
    **dict.fromkeys(("score", "deduplicated_score", "minor", "moderate", "severe", "sentence", "penalty"), "Int64"),
    **dict.fromkeys(("input_tokens", "output_tokens", "reasoning_tokens", "cached_tokens"), "Int64"),
    **dict.fromkeys(("attempt", "repair", "seed"), "Int64"),
    "pervasive": "boolean",
}
"""Columns that stay numbers when nothing is in them, whatever table they stand in."""
