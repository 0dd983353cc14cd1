"""Other ways to make one score of an item that was tried several times, or one headline of the items."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

import numpy as np

from voirdire.evaluation.records import Evaluation, Floats

Reducer = Literal["best", "worst"]
REDUCERS: tuple[Reducer, ...] = ("best", "worst")


@lru_cache(maxsize=8)
def reduced(evaluation: Evaluation, by: Reducer) -> Floats:
    """Of each model and item the best or worst score of its epochs and judges.

    Returns:
        Shape (models, items), NaN where there is no score.
    """
    scores = evaluation.rows["score"].to_numpy(np.float64)
    shape = (len(evaluation.models), len(evaluation.items))
    highest = (by == "best") == evaluation.higher_is_better
    result = np.full(shape[0] * shape[1], -np.inf if highest else np.inf)
    known = ~np.isnan(scores)
    place = evaluation.codes("model")[known] * shape[1] + evaluation.codes("item")[known]
    (np.maximum if highest else np.minimum).at(result, place, scores[known])
    return np.where(np.isinf(result), np.nan, result).reshape(shape)
