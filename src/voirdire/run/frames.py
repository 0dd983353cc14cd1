"""Rows of results as tables to share: without secrets, with columns of fixed types."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from voirdire.data.frames import typed
from voirdire.data.json_text import without_halves
from voirdire.models.secrets import forms_of, hide, is_secret, known_secrets

if TYPE_CHECKING:
    import pandas as pd


def shareable_frame(rows: Sequence[Mapping[str, Any]], columns: Sequence[str]) -> pd.DataFrame:
    """Rows as a table of these columns, without known secrets, and without what no file can hold."""
    import pandas as pd

    secrets = forms_of(filter(is_secret, known_secrets()))
    plain = [{name: _clean(value, secrets) for name, value in row.items()} for row in rows]
    return typed(pd.DataFrame(plain, columns=list(columns)))


def _clean(value: Any, secrets: Sequence[str]) -> Any:
    return without_halves(hide(value, secrets) if isinstance(value, str) else value)
