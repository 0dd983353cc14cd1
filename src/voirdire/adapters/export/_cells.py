"""Cells of a CSV file: texts come from models, and a spreadsheet must not take one for a formula."""

from __future__ import annotations

import json
from typing import Any

import pandas as pd

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""What spreadsheets read as the beginning of a formula, the full-width forms of some locales among them."""

GUARD = "'"


def guarded(frame: pd.DataFrame) -> tuple[pd.DataFrame, int]:
    """The table as CSV can hold it, and how many cells were guarded.

    Lists and objects become JSON. A text that begins like a formula gets an apostrophe in front. Numbers stay numbers.
    """
    count = 0
    columns: dict[str, Any] = {}
    for name in frame.columns:
        column = frame[name]
        if pd.api.types.is_numeric_dtype(column) or pd.api.types.is_bool_dtype(column):
            columns[name] = column
            continue
        texts = [_text(each) for each in column]
        count += sum(_is_formula(text) for text in texts)
        columns[name] = [guard(text) if isinstance(text, str) else text for text in texts]
    return pd.DataFrame(columns, index=frame.index), count


def guard(text: str) -> str:
    """The text with an apostrophe in front, if it begins like a formula."""
    return GUARD + text if _is_formula(text) else text


def _is_formula(text: Any) -> bool:
    return isinstance(text, str) and text.startswith(FORMULA_STARTS)


def _text(value: Any) -> Any:
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, (list, tuple, dict)):
        return json.dumps(value, ensure_ascii=False)
    return None if value is None or value is pd.NA or value != value else value
