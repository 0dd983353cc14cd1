"""The models of a study measured alike, on any part of their turns, and correlated with one another.

Estimates and bootstrap draws over concepts stand side by side, so that every figure also says how far the choice of
concepts moves it.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

import numpy as np
import pandas as pd

from voirdire.data.json_values import as_plain
from voirdire.ddft.concept_sums import Cells, Floats, cells, checked, read_answers
from voirdire.ddft.metric_intervals import MIN_CONCEPTS
from voirdire.ddft.metrics import METRICS, measure
from voirdire.ddft.thresholds import PAPER, Thresholds
from voirdire.stats.association import CorrelationKind, ExactCorrelation, exact_correlation
from voirdire.stats.intervals import Interval, percentile, seeded_weights
from voirdire.stats.ranks import average_ranks

DRAWS = 2_000

_MOST_UNDEFINED = 0.5
"""With more of the draws undefined than this, the rest say little of how concepts move the correlation."""


@dataclass(frozen=True, slots=True)
class ResampledScores:
    """The scores of several models, and the samples of concepts under which all of them are measured."""

    frames: Mapping[str, pd.DataFrame]
    """Scores by model."""
    concepts: tuple[str, ...]
    weights: Floats
    """Shape (1 + draws, concepts). Row 0 is ones, the estimate; the others are a bootstrap, shared by all models. With
    fewer than three concepts there is row 0 only."""
    thresholds: Thresholds = PAPER
    """What metrics count by."""

    @property
    def models(self) -> tuple[str, ...]:
        """In the order of the scores."""
        return tuple(self.frames)

    @property
    def levels(self) -> tuple[float, ...]:
        """All compression levels, ascending."""
        return tuple(sorted({float(level) for frame in self.frames.values() for level in frame["level"].unique()}))

    def only(self, models: Collection[str]) -> ResampledScores:
        """The same study without the other models."""
        frames = {model: frame for model, frame in self.frames.items() if model in models}
        return replace(self, frames=frames)


def study_of(
    scores: pd.DataFrame, *, draws: int = DRAWS, seed: int = 0, thresholds: Thresholds = PAPER
) -> ResampledScores:
    """Read a study.

    Args:
        scores: as `profiles` takes them.
        draws: of the bootstrap over concepts.
        seed: of the bootstrap.
        thresholds: what metrics count by.

    Raises:
        ValueError: columns are missing, a value is out of its range, or a turn stands there twice.
    """
    scores = checked(scores)
    concepts = tuple(sorted(scores["concept"].unique()))
    k, rows = len(concepts), [np.ones((1, len(concepts)))]
    if k >= MIN_CONCEPTS:
        rows.append(seeded_weights(k, draws, seed))
    frames = {str(model): frame for model, frame in scores.groupby("model", sort=False)}
    return ResampledScores(frames, concepts, np.concatenate(rows), thresholds)


def measure_turns(
    study: ResampledScores,
    *,
    turns: Collection[int] | None = None,
    levels: Sequence[float] | None = None,
    thresholds: Thresholds | None = None,
) -> dict[str, Floats]:
    """All metrics of all models.

    Args:
        study: whose models.
        turns: that count; `None` for all.
        levels: that count; `None` for all.
        thresholds: what metrics count by; `None` for the study's own.

    Returns:
        By metric name, shape (1 + draws, models): row 0 holds the estimates. NaN where undefined.
    """
    columns = []
    for frame in study.frames.values():
        part = _part(frame, turns, levels)
        columns.append(_of_model(study, part, thresholds or study.thresholds) if len(part) else {})
    nothing = np.full(len(study.weights), np.nan)
    return {
        metric.name: np.stack([column.get(metric.name, nothing) for column in columns], axis=1) for metric in METRICS
    }


def far_of_turn(study: ResampledScores, turn: int) -> Floats:
    """Mean FAR of one turn, shape (1 + draws, models); NaN where no answer has one."""
    columns = []
    for frame in study.frames.values():
        part = _part(frame, [turn], None)
        far, n = (_weighted(study, part, column) for column in ("far_at", "far_n_at"))
        columns.append(np.divide(far, n, out=np.full(far.shape, np.nan), where=n > 0))
    return np.stack(columns, axis=1)


def curves(study: ResampledScores, score: Literal["far", "sas"]) -> dict[str, Floats]:
    """FAR(c) or SAS(c) of every model: shape (1 + draws, levels of the model), NaN where there is none."""
    result = {}
    for model, frame in study.frames.items():
        summed = cells_of(frame)
        result[model] = _mean_at(summed, score, _weights_for(study, summed.concepts))
    return result


def concept_curves(study: ResampledScores, score: Literal["far", "sas"]) -> dict[str, tuple[Floats, Floats]]:
    """By model: its levels, and FAR(c) or SAS(c) of every concept of the study, shape (concepts, levels)."""
    result = {}
    for model, frame in study.frames.items():
        summed = cells_of(frame)
        curve = np.full((len(study.concepts), summed.levels.size), np.nan)
        rows = [study.concepts.index(concept) for concept in summed.concepts]
        curve[rows] = _mean_at(summed, score, np.eye(len(rows)))
        result[model] = summed.levels, curve
    return result


def cells_of(frame: pd.DataFrame, thresholds: Thresholds = PAPER) -> Cells:
    """Sums per concept of one model's scores."""
    return cells(read_answers(frame, thresholds))


def _part(frame: pd.DataFrame, turns: Collection[int] | None, levels: Sequence[float] | None) -> pd.DataFrame:
    if turns is not None:
        frame = frame[frame["turn"].isin(list(turns))]
    return frame if levels is None else frame[frame["level"].isin(list(levels))]


def _of_model(study: ResampledScores, part: pd.DataFrame, thresholds: Thresholds) -> dict[str, Floats]:
    summed = cells_of(part, thresholds)
    # A model whose draws hold none of its concepts has no value there.
    with np.errstate(invalid="ignore"):
        return measure(summed, _weights_for(study, summed.concepts))


def _mean_at(summed: Cells, score: str, weights: Floats) -> Floats:
    totals = summed.totals(weights)
    total, n = totals[f"{score}_at"], totals[f"{score}_n_at"]
    return np.asarray(np.divide(total, n, out=np.full(total.shape, np.nan), where=n > 0), dtype=np.float64)


def _weighted(study: ResampledScores, part: pd.DataFrame, column: str) -> Floats:
    if not len(part):
        return np.zeros(len(study.weights))
    summed = cells_of(part)
    return np.asarray(summed.totals(_weights_for(study, summed.concepts))[column].sum(axis=1), dtype=np.float64)


def _weights_for(study: ResampledScores, concepts: Sequence[str]) -> Floats:
    return study.weights[:, [study.concepts.index(concept) for concept in concepts]]


class Association(NamedTuple):
    """How two figures go together across models."""

    kind: CorrelationKind
    exact: ExactCorrelation
    interval: Interval | None
    """Over the choice of models."""
    concepts: Interval | None
    """Over the choice of concepts, with these models: percentiles of the bootstrap over concepts."""
    draws: Floats
    """The correlation in each bootstrap draw over concepts; empty with too few concepts or models."""

    @property
    def value(self) -> float | None:
        """The estimate."""
        return known(self.exact.value)

    def as_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {
            "value": self.value,
            "interval": as_plain(self.interval),
            "interval_concepts": as_plain(self.concepts),
            "p": known(self.exact.p),
            "p_asymptotic": known(self.exact.p_asymptotic),
            "exact": self.exact.exact,
            "smallest_p": known(self.exact.smallest_p),
            "n": self.exact.n,
        }


_METHODS: dict[str, str] = {"pearson": "fisher-z", "spearman": "bonett-wright", "kendall": "fieller"}


def associate(x: Floats, y: Floats, kind: CorrelationKind, *, level: float = 0.95, seed: int = 0) -> Association:
    """Correlate two figures of models.

    Args:
        x: shape (1 + draws, models), row 0 the estimates, or (models,) for a figure that is known; NaN: unknown.
        y: shape (1 + draws, models).
        kind: which correlation.
        level: confidence level.
        seed: of the permutations, where there are too many for all.
    """
    x = np.broadcast_to(x, y.shape)
    there = ~(np.isnan(x[0]) | np.isnan(y[0]))
    exact = exact_correlation(x[0], y[0], kind=kind, level=level, seed=seed)
    draws = np.zeros(0) if math.isnan(exact.value) else row_correlations(x[1:, there], y[1:, there], kind)
    defined = draws[~np.isnan(draws)]
    enough = draws.size and defined.size >= _MOST_UNDEFINED * draws.size
    return Association(
        kind,
        exact,
        None if math.isnan(exact.low) else Interval(exact.low, exact.high, level, _METHODS[kind]),
        percentile(defined, level=level) if enough else None,
        draws,
    )


def row_correlations(x: Floats, y: Floats, kind: CorrelationKind) -> Floats:
    """The correlation in each row of two (rows, models) arrays; NaN where a value is, or a side is constant."""
    left, right = _aspects(x, kind), _aspects(y, kind)
    scale = np.sqrt((left**2).sum(axis=1) * (right**2).sum(axis=1))
    product = (left * right).sum(axis=1)
    coefficients: Floats = np.divide(product, scale, out=np.full(len(product), np.nan), where=scale > 0)
    return np.clip(coefficients, -1.0, 1.0)


def known(number: float) -> float | None:
    """The number, or `None` for NaN."""
    return None if math.isnan(number) else float(number)


def _aspects(values: Floats, kind: Literal["pearson", "spearman", "kendall"]) -> Floats:
    """What the correlation is the cosine of: centred values or ranks, or the signs of the differences of pairs."""
    if kind == "kendall":
        above, below = np.triu_indices(values.shape[1], k=1)
        return np.asarray(np.sign(values[:, above] - values[:, below]), dtype=np.float64)
    if kind == "spearman":
        values = average_ranks(values)
    return np.asarray(values - values.mean(axis=1, keepdims=True), dtype=np.float64)
