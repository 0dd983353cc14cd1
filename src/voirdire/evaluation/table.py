"""The long table of an evaluation: which columns there are, and how a reader fills them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np
import pandas as pd

from voirdire.evaluation.records import ROW_STATUSES, Floats, RowStatus

Kind = Literal["name", "text", "number", "status", "choices"]

COLUMNS: Mapping[str, Kind] = {
    "item": "name",  # what the model was asked; the same id in all models
    "model": "name",
    "score": "number",  # of the headline metric; NaN where there is none
    "status": "status",  # see `records.RowStatus`
    "judge": "name",  # who scored: a model, a person; empty where code compared with a reference
    "cluster": "name",  # items that belong together: a passage, a data set, a subject
    "epoch": "number",  # repetition of the item, from 1
    "attempts": "number",  # how often the sample was tried until this result
    "prompt": "text",  # what the model was sent, or the instruction
    "output": "text",  # what it answered
    "reference": "text",  # the right answer; several are lines
    "answer": "text",  # what the scorer took out of the output
    "verdict": "text",  # what the judge wrote
    "explanation": "text",  # what code says of its score; of a judge's score the verdict does
    "error": "text",  # why there is no result
    "choices": "choices",  # options of a multiple-choice item, a tuple of texts in the order shown
    "choice": "number",  # which of them the model took, from 0
    "target": "number",  # which of them is right, from 0
    "baseline": "name",  # the model that the output was compared with
    "baseline_output": "text",
    "position": "number",  # 1: the judge saw the model's output first; 2: second
    "output_tokens": "number",
    "stop_reason": "name",  # as the provider or harness has it: "stop", "length", "max_tokens", "content_filter"
}
"""Columns, in order. A name is a category, a text is a string or `None`, a number a float or NaN."""

_IN_ROW_ORDER = ("item",)
"""Names that stay in the order in which they come; others are sorted."""


class Rows:
    """Rows as a reader adds them. Equal texts are kept once: a prompt that 150 models got takes the room of one."""

    def __init__(self) -> None:
        self._columns: dict[str, list[Any]] = {name: [] for name in COLUMNS}
        self._others: dict[str, list[float]] = {}
        self._texts: dict[Any, Any] = {}
        self._n = 0

    def __len__(self) -> int:
        return self._n

    def add(self, cells: Mapping[str, Any], others: Mapping[str, float] | None = None) -> None:
        """Add a row; what is not given is missing. Without a `status` it is scored if it has a score, else missing.

        Args:
            cells: by column of `COLUMNS`.
            others: scores of other metrics.
        """
        for name, column in self._columns.items():
            value = cells.get(name)
            column.append(value if value is None or value.__class__ is float else self._texts.setdefault(value, value))
        if cells.get("status") is None:
            self._columns["status"][-1] = "missing" if cells.get("score") is None else "scored"
        for name, value in (others or {}).items():
            self._others.setdefault(name, [np.nan] * self._n).append(value)
        self._n += 1
        for scores in self._others.values():
            if len(scores) < self._n:
                scores.append(np.nan)

    def frame(self, models: Sequence[str] = ()) -> pd.DataFrame:
        """The table. The rows are handed over: add no more.

        Args:
            models: that are known, though they may have no row.
        """
        frame = pd.DataFrame({name: _column(self._columns.pop(name), name) for name in COLUMNS}, copy=False)
        known = sorted({*frame["model"].cat.categories, *models})
        return frame.assign(model=frame["model"].cat.set_categories(known))

    def other_scores(self) -> dict[str, Floats]:
        """Scores of other metrics, each of shape (rows,)."""
        return {name: np.array(values, dtype=np.float64) for name, values in self._others.items()}


def status_column(statuses: Sequence[RowStatus]) -> pd.Series[Any]:
    """The column of statuses, for a reader that knows them when all rows are read."""
    texts: Sequence[Any] = statuses
    return pd.Series(pd.Categorical(texts, categories=ROW_STATUSES))


def joined(frames: list[pd.DataFrame]) -> pd.DataFrame:
    """Tables below one another, their categories united."""
    if len(frames) == 1:
        return frames[0]
    parts = {}
    for name, kind in COLUMNS.items():
        if kind in ("name", "status"):
            texts = np.concatenate([frame[name].astype(object).to_numpy() for frame in frames])
            parts[name] = _column([None if value != value else value for value in texts], name)
        else:
            parts[name] = pd.Series(
                np.concatenate([frame[name].to_numpy() for frame in frames]), dtype=frames[0][name].dtype
            )
    return pd.DataFrame(parts, copy=False)


def _column(values: list[Any], name: str) -> pd.Series[Any]:
    kind = COLUMNS[name]
    if kind == "number":
        return pd.Series(np.array([np.nan if value is None else value for value in values], dtype=np.float64))
    if kind == "status":
        return status_column(values)
    if kind == "name":
        known = dict.fromkeys(value for value in values if value is not None)
        return pd.Series(pd.Categorical(values, categories=list(known) if name in _IN_ROW_ORDER else sorted(known)))
    texts = np.empty(len(values), dtype=object)
    texts[:] = values
    return pd.Series(texts, dtype=object)
