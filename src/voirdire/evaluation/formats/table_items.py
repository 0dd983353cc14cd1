"""Items of a long table: rows that are no item but sum up the others, and ids that stand for several items."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from voirdire.evaluation.formats.reader import decimals_of
from voirdire.evaluation.records import Printed
from voirdire.reason_codes import Reason, reason

_SUMMARIES = frozenset("average avg mean total overall sum all".split())
_FEWEST = 3
"""Items that a row may sum up."""


class ItemRows(NamedTuple):
    """A table whose rows are items alone."""

    frame: pd.DataFrame
    printed: tuple[Printed, ...] = ()
    notes: tuple[Reason, ...] = ()


def item_rows(frame: pd.DataFrame, columns: Mapping[str, str]) -> ItemRows:
    """The rows of items, each item with an id of its own; what the other rows print, and what must be said.

    Args:
        frame: all rows.
        columns: by column of ours, the name of theirs. Where one numbers repetitions, rows of one id are such.
    """
    result = _without_summaries(frame)
    if "epoch" in columns or "prompt" not in columns:
        return result
    split = _by_prompt(result.frame, columns["prompt"])
    return result if split is None else ItemRows(split[0], result.printed, (*result.notes, split[1]))


def _without_summaries(frame: pd.DataFrame) -> ItemRows:
    """A summary row has a usual name, stands once in every model, and has neither prompt nor output."""
    names = [str(name) for name in frame["item"].cat.categories if str(name).strip().casefold() in _SUMMARIES]
    models = len(frame["model"].cat.categories)
    summaries = []
    for name in names:
        rows = frame[frame["item"] == name]
        silent = not any(text and text.strip() for text in rows[["prompt", "output"]].to_numpy().ravel())
        if len(rows) == rows["model"].nunique() == models and silent:
            summaries.append(name)
    remaining = frame[~frame["item"].isin(summaries)]
    if not summaries or remaining["item"].nunique() < _FEWEST:
        return ItemRows(frame)
    printed = [
        _printed(row, remaining.loc[remaining["model"] == row.model, "score"].dropna().to_numpy())
        for row in frame[frame["item"].isin(summaries)].itertuples()
    ]
    unused = {name: remaining[name].cat.remove_unused_categories() for name in ("item", "judge", "cluster")}
    note = reason("evaluation_summary_rows", names=tuple(f"“{name}”" for name in summaries))
    whole = remaining.assign(**unused).reset_index(drop=True)
    return ItemRows(whole, tuple(each for each in printed if each is not None), (note,))


def _printed(row: Any, scores: np.ndarray) -> Printed | None:
    """What a summary row prints as a mean: beyond the scores of the items it is their sum."""
    if np.isnan(row.score) or not scores.size:
        return None
    is_mean = scores.min() <= row.score <= scores.max()
    decimals = decimals_of(f"{row.score!r}")
    value = row.score if is_mean else row.score / scores.size
    known = decimals if is_mean else decimals + int(np.log10(scores.size))
    return Printed(str(row.model), float(value), None, None, known, f"item {row.item}")


def _by_prompt(frame: pd.DataFrame, column: str) -> tuple[pd.DataFrame, Reason] | None:
    """The table with an item for each id and prompt, where ids stand for the same several prompts in all models."""
    models = len(frame["model"].cat.categories)
    if models < 2 or not frame["prompt"].notna().all():
        return None
    asked = frame[["item", "model", "prompt"]].drop_duplicates()
    prompts = asked.groupby("item", observed=True)["prompt"].nunique()
    by_all = asked.groupby(["item", "prompt"], observed=True)["model"].nunique() == models
    several = prompts[prompts > 1].index
    shared = by_all.groupby("item", observed=True).all()
    if len(several) == 0 or shared[several].mean() <= 0.5:
        return None
    pairs = frame[["item", "prompt"]].drop_duplicates()
    number = dict(zip(map(tuple, pairs.to_numpy()), pairs.groupby("item", observed=True).cumcount() + 1, strict=True))
    ids = [
        f"{item} ({number[item, prompt]})" if prompts[item] > 1 else str(item)
        for item, prompt in zip(frame["item"], frame["prompt"], strict=True)
    ]
    names = list(dict.fromkeys(ids))
    note = reason("evaluation_ids_of_several", ids=len(prompts), items=len(names), column=column)
    return frame.assign(item=pd.Categorical(ids, categories=names)), note
