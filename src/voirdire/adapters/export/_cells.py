"""Cells of a CSV file: texts come from models, and a spreadsheet must not take one for a formula."""

from __future__ import annotations

import json
from typing import Any

import pandas as pd

from voirdire.text.cells import guard


def guarded(frame: pd.DataFrame) -> tuple[pd.DataFrame, int]:
    """The table as CSV can hold it, and how many cells were guarded.

    Lists and objects become JSON. A text that begins like a formula is guarded. Numbers stay numbers.
    """
    count = 0
    columns: dict[str, Any] = {}
    for name in frame.columns:
        column = frame[name]
        if pd.api.types.is_numeric_dtype(column) or pd.api.types.is_bool_dtype(column):
            columns[guard(str(name))] = column
            continue
        texts = [_text(each) for each in column]
        safe = [guard(text) if isinstance(text, str) else text for text in texts]
        count += sum(one is not other for one, other in zip(texts, safe, strict=True))
        columns[guard(str(name))] = safe
    return pd.DataFrame(columns, index=frame.index), count


def _text(value: Any) -> Any:
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, (list, tuple, dict)):
        return json.dumps(value, ensure_ascii=False)
    return None if value is None or value is pd.NA or value != value else value
