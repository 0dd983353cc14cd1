"""How long outputs are beside what they are compared with, and scores adjusted for that."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

import numpy as np

from voirdire.evaluation.records import Evaluation, Floats, mean_by
from voirdire.stats.length_adjustment import LengthAdjusted, length_adjusted, length_measure


@lru_cache(maxsize=4)
def length_differences(evaluation: Evaluation) -> Floats | None:
    """Characters of each output, less those of the baseline's, or without one of the mean of all models' to this item.

    Returns:
        Shape (models, items), NaN where there is no output; `None` where there is nothing to compare.
    """
    scores = evaluation.item_scores
    if not evaluation.has("output"):
        return None
    lengths = _by_item(evaluation, output_lengths(evaluation, "output"))
    if evaluation.has("baseline_output"):
        return lengths - _by_item(evaluation, output_lengths(evaluation, "baseline_output"))
    if len(scores.models) < 2:
        return None
    known = ~np.isnan(lengths)
    means = np.where(known, lengths, 0.0).sum(axis=0) / np.maximum(known.sum(axis=0), 1)
    return np.asarray(lengths - means, dtype=np.float64)


@lru_cache(maxsize=4)
def adjusted_for_length(evaluation: Evaluation) -> LengthAdjusted | None:
    """Scores at equal length; `None` where outputs or the effect of length are not known, or no score differs.

    Where the ends of the scale are not known, the lowest and the highest score of an item stand for them.
    """
    differences, values = length_differences(evaluation), evaluation.item_scores.values
    if differences is None or not scores_differ(evaluation):
        return None
    bounds = evaluation.bounds or (float(np.nanmin(values)), float(np.nanmax(values)))
    measure = length_measure(differences)
    unit = (values - bounds[0]) / (bounds[1] - bounds[0])
    if not np.nanstd(measure) or not (~np.isnan(unit + measure)).any():
        return None
    found = length_adjusted(unit, measure)
    if not (np.isfinite(found.se) and found.se > 0):
        return None
    return found._replace(means=found.means * (bounds[1] - bounds[0]) + bounds[0])


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
