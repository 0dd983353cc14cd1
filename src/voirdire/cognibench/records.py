"""What the instrument has of its own beside `voirdire.detectors.records`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from voirdire.data.json_values import as_plain
from voirdire.detectors.records import Answer
from voirdire.errors import InputError

if TYPE_CHECKING:
    import pandas as pd


class CognibenchError(InputError):
    """Data or a request that can't be used: one sentence says what was given and what is expected."""


_OWN = ("id", "dialogue", "group", "turn", "topic", "model", "context")
_COLUMNS = (*_OWN, "history", "question", "answer", "sentences", "labelled")


def answer_frame(answers: Sequence[Answer]) -> pd.DataFrame:
    """One row per answer: what it was asked and given, how many sentences it has, and how many carry a label."""
    from voirdire.runs.tables import typed_frame

    rows = [
        {name: getattr(each, name) for name in _OWN}
        | {"history": as_plain(each.history), "question": each.question}
        | {"answer": each.text, "sentences": len(each.statements)}
        | {"labelled": sum(statement.label is not None for statement in each.statements)}
        for each in answers
    ]
    return typed_frame(rows, _COLUMNS)
