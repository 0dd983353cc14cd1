"""How long outputs are beside what they are compared with, and scores adjusted for that."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from voirdire.evaluation.records import Evaluation, Floats, mean_by
from voirdire.evaluation.texts import Bools, texts_of
from voirdire.evaluation.unanswered import unanswered
from voirdire.stats.length_adjustment import length_adjusted, length_measure
from voirdire.stats.special import expit

OVERLAP = 0.05
"""Share of the items on which the model with the shorter outputs must write as much as the other: where it hardly ever
does, what the two would score at equal length follows from no item."""
_REACH = 0.95
"""Share of the outputs that differ less in length from what they are compared with."""

_ALIKE = 1.05
"""How many times as long nearly no output is: then none is long or short."""
FEWEST_OTHERS = 10
"""Scores of an item and model off the commonest one: what fewer have to do with length is chance, whatever the error
of the slope says."""

_BARE = re.compile(r"\W*(?:[A-Za-z]|\d[\d.,]*)\W*")


class Lengths(NamedTuple):
    """Characters of outputs, and of what they are compared with."""

    own: Floats
    """Shape (models, items), NaN where there is no answer."""
    beside: Floats
    """Shape (models, items): of the baseline's output; of the other one of a pair; else the mean of all models'."""

    @property
    def differences(self) -> Floats:
        """Shape (models, items): above 0, the output is the longer one."""
        return self.own - self.beside


class AtEqualLength(NamedTuple):
    """What scores would be if all outputs had one length."""

    means: Floats
    """Shape (models,): over all rows with a score, of which those without an answer keep theirs."""
    slope: float
    """Log-odds for one unit of the length measure: the same for all models."""
    se: float
    """Of the slope, clustered by item."""
    spread: float
    """Standard deviation of the length measure."""
    reach: float
    """The length measure that one output in twenty lies beyond, at most that of one twice as long: an output so much
    longer than another there really is."""
    measured: Bools
    """Shape (models,): whose lengths overlap, so that their means are more than a line drawn on beyond all outputs."""

    @property
    def odds(self) -> float:
        """Of a point, of an output one standard deviation longer, over those of one as much shorter."""
        return self._odds_at(self.slope)

    @property
    def most_odds(self) -> float:
        """The farthest from 1 that the odds may be, either way (95 %)."""
        return self._odds_at(abs(self.slope) + 1.96 * self.se)

    @property
    def times(self) -> float:
        """How many times as long as another an output of this reach is."""
        return math.sqrt((1 + self.reach) / (1 - self.reach))

    @property
    def chance(self) -> float:
        """Of a point for such an output, where it would have half at equal length."""
        return float(expit(self.slope * self.reach))

    def _odds_at(self, slope: float) -> float:
        return math.exp(2 * self.spread * slope)


@lru_cache(maxsize=4)
def compared_lengths(evaluation: Evaluation) -> Lengths | None:
    """Lengths of outputs beside the baseline's or the other models'; `None` where there is nothing to compare.

    An error message, a refusal and an empty output are no short ones: they have no length. Nor have letters and
    numbers, however many signs they take.
    """
    if not evaluation.has("output") or are_bare(evaluation):
        return None
    own = _by_item(evaluation, np.where(unanswered(evaluation), np.nan, output_lengths(evaluation, "output")))
    if evaluation.has("baseline_output"):
        return Lengths(own, _by_item(evaluation, output_lengths(evaluation, "baseline_output")))
    if len(evaluation.models) < 2:
        return None
    if evaluation.mirrored:
        return Lengths(own, _of_the_other(own))
    known = ~np.isnan(own)
    means = np.where(known, own, 0.0).sum(axis=0) / np.maximum(known.sum(axis=0), 1)
    return Lengths(own, np.broadcast_to(means, own.shape))


def _of_the_other(own: Floats) -> Floats:
    """Of items that hold two models the length of the other one's output; NaN where one has none."""
    both = (~np.isnan(own)).sum(axis=0) == 2
    return np.where(both, np.nansum(own, axis=0) - own, np.nan)


@lru_cache(maxsize=4)
def adjusted_for_length(evaluation: Evaluation) -> AtEqualLength | None:
    """Scores at equal length; `None` where outputs or the effect of length are not known, or they or scores are alike.

    Where the ends of the scale are not known, the lowest and the highest score of an item stand for them.
    """
    lengths, values = compared_lengths(evaluation), evaluation.item_scores.values
    if lengths is None or other_scores(evaluation) < FEWEST_OTHERS:
        return None
    low, high = evaluation.bounds or (float(np.nanmin(values)), float(np.nanmax(values)))
    measure = length_measure(*lengths)
    score, answered = evaluation.rows["score"].to_numpy(np.float64), ~unanswered(evaluation)
    unit = (_by_item(evaluation, np.where(answered, score, np.nan)) - low) / (high - low)
    if not (~np.isnan(unit + measure)).any() or are_alike(lengths):
        return None
    result = length_adjusted(unit, measure)
    if not (np.isfinite(result.se) and result.se > 0):
        return None
    share = _by_item(evaluation, np.where(np.isnan(score), np.nan, answered.astype(np.float64)))
    shift = np.nan_to_num(share * (result.scores - unit)) * (high - low)
    known = ~np.isnan(values)
    means = np.full(len(values), np.nan)
    np.divide(np.where(known, values + shift, 0.0).sum(axis=1), n := known.sum(axis=1), out=means, where=n > 0)
    reach = min(_reach(measure), float(length_measure(2.0, 1.0)))
    spread = float(np.nanstd(measure))
    return AtEqualLength(means, result.slope, result.se, spread, reach, overlapping(lengths.own))


def are_alike(lengths: Lengths) -> bool:
    """Whether nearly all outputs are about as long as what they are compared with."""
    measure = length_measure(*lengths)
    return bool(np.isnan(measure).all()) or _reach(measure) < float(length_measure(_ALIKE, 1.0))


def _reach(measure: Floats) -> float:
    return float(np.nanquantile(np.abs(measure), _REACH))


def overlapping(lengths: Floats) -> Bools:
    """Models whose lengths overlap with each other's, or with those of a model between them: the most that do.

    Args:
        lengths: shape (models, items), NaN where there is none.

    Returns:
        Shape (models,). All, of one model; none, where no two overlap.
    """
    left, largest = set(range(len(lengths))), set[int]()
    while left:
        group, new = set[int](), {min(left)}
        while new:
            group |= new
            new = {model for each in new for model in np.flatnonzero(_overlaps(lengths, each)).tolist()} - group
        left -= group
        largest = max(largest, group, key=len)
    result = np.zeros(len(lengths), dtype=bool)
    if len(largest) > 1 or len(lengths) == 1:
        result[list(largest)] = True
    return result


def _overlaps(lengths: Floats, model: int) -> Bools:
    """Shape (models,): on enough of the items that both answered each of the two writes as much as the other.

    Where they answered none, nothing says that they do not.
    """
    difference = lengths - lengths[model]
    shared = (~np.isnan(difference)).sum(axis=1)
    rarer = np.minimum((difference >= 0).sum(axis=1), (difference <= 0).sum(axis=1))
    return np.asarray((rarer > 0) & (rarer >= OVERLAP * shared) | (shared == 0))


@lru_cache(maxsize=4)
def are_bare(evaluation: Evaluation) -> bool:
    """Whether most outputs are a letter or a number, and nothing else."""
    output = texts_of(evaluation, "output")
    return bool(2 * output.where(lambda text: _BARE.fullmatch(text) is not None).sum() > (output.codes >= 0).sum())


def other_scores(evaluation: Evaluation) -> int:
    """How many scores, of items and models, are not the commonest one."""
    values = evaluation.item_scores.values
    counts = np.unique(values[~np.isnan(values)], return_counts=True)[1]
    return int(counts.sum() - counts.max(initial=0))


@lru_cache(maxsize=4)
def output_lengths(evaluation: Evaluation, column: str) -> Floats:
    """Characters of each row's text in a column, NaN where there is none."""
    texts: Iterable[str | None] = evaluation.rows[column].to_numpy()
    return np.fromiter((np.nan if text is None else len(text) for text in texts), dtype=np.float64, count=-1)


def _by_item(evaluation: Evaluation, values: Floats) -> Floats:
    return mean_by(values, evaluation.codes("model"), evaluation.codes("item"), evaluation.item_scores.values.shape)
