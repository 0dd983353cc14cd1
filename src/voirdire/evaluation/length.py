"""How long outputs are beside what they are compared with, and scores adjusted for that."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from voirdire.evaluation.records import Evaluation, Floats, mean_by
from voirdire.evaluation.unanswered import unanswered
from voirdire.stats.length_adjustment import length_adjusted, length_measure


class AtEqualLength(NamedTuple):
    """What scores would be if all outputs had one length."""

    means: Floats
    """Shape (models,): over all rows with a score, of which those without an answer keep theirs."""
    slope: float
    """Log-odds for one unit of the length measure: the same for all models."""
    se: float
    """Of the slope, clustered by item."""

    @property
    def odds(self) -> float:
        """Of a point, of an output one standard deviation longer, over those of one as much shorter."""
        return math.exp(2 * math.tanh(1.0) * self.slope)


@lru_cache(maxsize=4)
def length_differences(evaluation: Evaluation) -> Floats | None:
    """Characters of each output, less those of the baseline's, or without one of the mean of all models' to this item.

    An error message, a refusal and an empty output are no short ones: they have no length.

    Returns:
        Shape (models, items), NaN where there is no answer; `None` where there is nothing to compare.
    """
    scores = evaluation.item_scores
    if not evaluation.has("output"):
        return None
    lengths = _by_item(evaluation, np.where(unanswered(evaluation), np.nan, output_lengths(evaluation, "output")))
    if evaluation.has("baseline_output"):
        return lengths - _by_item(evaluation, output_lengths(evaluation, "baseline_output"))
    if len(scores.models) < 2:
        return None
    known = ~np.isnan(lengths)
    means = np.where(known, lengths, 0.0).sum(axis=0) / np.maximum(known.sum(axis=0), 1)
    return np.asarray(lengths - means, dtype=np.float64)


@lru_cache(maxsize=4)
def adjusted_for_length(evaluation: Evaluation) -> AtEqualLength | None:
    """Scores at equal length; `None` where outputs or the effect of length are not known, or no score differs.

    Where the ends of the scale are not known, the lowest and the highest score of an item stand for them.
    """
    differences, values = length_differences(evaluation), evaluation.item_scores.values
    if differences is None or not scores_differ(evaluation):
        return None
    low, high = evaluation.bounds or (float(np.nanmin(values)), float(np.nanmax(values)))
    measure = length_measure(differences)
    score, answered = evaluation.rows["score"].to_numpy(np.float64), ~unanswered(evaluation)
    unit = (_by_item(evaluation, np.where(answered, score, np.nan)) - low) / (high - low)
    if not np.nanstd(measure) or not (~np.isnan(unit + measure)).any():
        return None
    found = length_adjusted(unit, measure)
    if not (np.isfinite(found.se) and found.se > 0):
        return None
    share = _by_item(evaluation, np.where(np.isnan(score), np.nan, answered.astype(np.float64)))
    shift = np.nan_to_num(share * (found.scores - unit)) * (high - low)
    known = ~np.isnan(values)
    means = np.full(len(values), np.nan)
    np.divide(np.where(known, values + shift, 0.0).sum(axis=1), n := known.sum(axis=1), out=means, where=n > 0)
    return AtEqualLength(means, found.slope, found.se)


def scores_differ(evaluation: Evaluation) -> bool:
    """Whether any two scores, of items and models, differ."""
    values = evaluation.item_scores.values
    known = values[~np.isnan(values)]
    return bool(known.size and known.min() < known.max())


@lru_cache(maxsize=4)
def output_lengths(evaluation: Evaluation, column: str) -> Floats:
    """Characters of each row's text in a column, NaN where there is none."""
    texts: Iterable[str | None] = evaluation.rows[column].to_numpy()
    return np.fromiter((np.nan if text is None else len(text) for text in texts), dtype=np.float64, count=-1)


def _by_item(evaluation: Evaluation, values: Floats) -> Floats:
    return mean_by(values, evaluation.codes("model"), evaluation.codes("item"), evaluation.item_scores.values.shape)
