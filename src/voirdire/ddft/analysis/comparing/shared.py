"""What several models were all asked: their answers on the same (concept, level, sample, turn), laid out alike."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import reduce
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from voirdire.ddft.concept_sums import Cells, Floats, ScoredTurns, Totals, cells, checked, read_answers
from voirdire.ddft.thresholds import PAPER, Thresholds
from voirdire.ddft.won_by_silence import compared
from voirdire.stats.comparison import Bools

_KEYS = ["concept", "level", "sample", "turn"]
_CELL = "cell"
_LAYERS = ("asked", "far", "sas", "no_claims", "unscored", "stance")
"""The arrays of `ScoredTurns` by concept, level, sample and turn."""


class ScoresByModel(NamedTuple):
    """The scores of several models, by model, in their order."""

    turns_by_model: dict[str, pd.DataFrame]
    """Every turn asked."""
    scored: dict[str, pd.DataFrame]
    """The scored ones, with the number of their (concept, level, sample, turn) in the column `cell`."""
    without_traps: Collection[str]
    """The models whose runs set no trap."""
    thresholds: Thresholds = PAPER
    """What metrics count by."""


class Shared(NamedTuple):
    """The turns that several models were all asked, and that all have scored."""

    answers: tuple[ScoredTurns, ...]
    """One per model, in one layout: entry by entry they answer the same turn."""
    n_cells: int
    left_out: int
    """Turns asked of these models, all taken together, that are not among the shared ones."""


def read_study(
    scores: pd.DataFrame, without_traps: Collection[str] = (), thresholds: Thresholds = PAPER
) -> ScoresByModel:
    """Sort the scores of a study by model.

    Args:
        scores: as `profiles` takes them.
        without_traps: the models whose runs set no trap.
        thresholds: what metrics count by.

    Raises:
        ValueError: columns are missing, a value is out of its range, or a turn stands there twice.
    """
    scores = checked(scores)
    scores = scores.assign(**{_CELL: scores.groupby(_KEYS, sort=False).ngroup()})
    silent = scores["far"].isna() & ~scores["no_claims"].eq(True)
    scored = scores[scores["unscored"].isna() & scores["sas"].notna() & ~silent]
    turns_by_model = {str(model): frame for model, frame in scores.groupby("model", sort=False)}
    by_model = dict(iter(scored.groupby("model", sort=False)))
    scored_by_model = {model: by_model.get(model, scored.iloc[:0]) for model in turns_by_model}
    return ScoresByModel(turns_by_model, scored_by_model, without_traps, thresholds)


def shared_answers(study: ScoresByModel, models: Sequence[str]) -> Shared | None:
    """The answers of these models to what all of them were asked; `None` when that is nothing."""
    frames = [study.scored[model] for model in models]
    common = reduce(np.intersect1d, [frame[_CELL].to_numpy() for frame in frames])
    if not common.size:
        return None
    answers = tuple(read_answers(frame[np.isin(frame[_CELL].to_numpy(), common)], study.thresholds) for frame in frames)
    n_asked = sum(len(study.turns_by_model[model]) for model in models)
    return Shared(answers, common.size, n_asked - len(models) * common.size)


def same_scores(a: ScoredTurns, b: ScoredTurns) -> bool:
    """Whether two models have the same scores and stances on every turn; laid out alike."""
    return all(np.array_equal(getattr(a, name), getattr(b, name)) for name in ("no_claims", "stance")) and all(
        np.array_equal(getattr(a, name), getattr(b, name), equal_nan=True) for name in ("far", "sas")
    )


def metric_of(cell: Cells, metric: str, weights: Floats) -> Floats:
    """What a metric is compared in, under weightings of the concepts, shape (draws, concepts); the result: (draws,)."""
    return compared(metric).formula(cell.totals(weights), cell.levels)


def difference_under_swaps(a: ScoredTurns, b: ScoredTurns, swaps: Bools, metric: str) -> Floats:
    """The metric's difference, a - b, after dialogues have been exchanged between the two.

    Args:
        a: of one model.
        b: of another, in the same layout.
        swaps: shape (swaps, concepts, levels), True where the dialogues of a concept at a level are exchanged.
        metric: by name.

    Returns:
        Shape (swaps,), NaN where the metric of either is undefined.
    """
    return _with_exchanged(a, b, swaps, metric) - _with_exchanged(a, b, ~swaps, metric)


def _with_exchanged(a: ScoredTurns, b: ScoredTurns, swaps: Bools, metric: str) -> Floats:
    """The metric of a model that has b's dialogues where `swaps` says so, and a's elsewhere.

    A concept enters the totals as a row of sums that depends on its own swaps alone, so each pattern of swaps that a
    concept meets is summed once, as if it were a concept of its own.
    """
    _, concepts, levels = swaps.shape
    codes = swaps @ (1 << np.arange(levels)) + (np.arange(concepts) << levels)
    distinct, place = np.unique(codes, return_inverse=True)
    place = place.reshape(codes.shape)
    concept, exchanged = distinct >> levels, (distinct[:, np.newaxis] >> np.arange(levels) & 1).astype(np.bool_)
    summed = cells(_mixed(a, b, concept, exchanged))
    totals = np.zeros((len(swaps), summed.sums.shape[1]))
    for column in place.T:
        totals += summed.sums[column]
    return compared(metric).formula(Totals(totals.T, summed.places), summed.levels)


def _mixed(a: ScoredTurns, b: ScoredTurns, concept: NDArray[np.intp], exchanged: Bools) -> ScoredTurns:
    """Row i is about concept[i], with b's answers at the levels where exchanged[i] is True."""
    where = exchanged[:, :, np.newaxis, np.newaxis]
    layers = {name: np.where(where, getattr(b, name)[concept], getattr(a, name)[concept]) for name in _LAYERS}
    return replace(a, concepts=tuple(a.concepts[place] for place in concept), **layers)
