"""Rows of results as tables with columns of fixed types."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from voirdire.data.frames import typed
from voirdire.data.json_text import without_halves

if TYPE_CHECKING:
    import pandas as pd


def typed_frame(rows: Sequence[Mapping[str, Any]], columns: Sequence[str]) -> pd.DataFrame:
    """Rows as a table of these columns, without what no file can hold."""
    import pandas as pd

    plain = [{name: without_halves(value) for name, value in row.items()} for row in rows]
    return typed(pd.DataFrame(plain, columns=list(columns)))
