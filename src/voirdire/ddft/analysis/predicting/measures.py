"""The models of a study measured alike: estimates and bootstrap draws side by side, on any part of their turns."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd

from voirdire.ddft._cells import Cells, Floats, cells, checked, read_answers
from voirdire.ddft._uncertainty import MIN_CONCEPTS
from voirdire.ddft.metrics import METRICS, measure
from voirdire.ddft.profile import THETA
from voirdire.stats.intervals import bootstrap_weights

DRAWS = 2_000


@dataclass(frozen=True, slots=True)
class Study:
    """The scores of several models, and the samples of concepts under which all of them are measured."""

    frames: Mapping[str, pd.DataFrame]
    """Scores by model."""
    concepts: tuple[str, ...]
    weights: Floats
    """Shape (1 + draws, concepts). Row 0 is ones, the estimate; the others are a bootstrap, shared by all models. With
    fewer than three concepts there is row 0 only."""

    @property
    def models(self) -> tuple[str, ...]:
        """In the order of the scores."""
        return tuple(self.frames)

    @property
    def levels(self) -> tuple[float, ...]:
        """All compression levels, ascending."""
        return tuple(sorted({float(level) for frame in self.frames.values() for level in frame["level"].unique()}))

    def only(self, models: Collection[str]) -> Study:
        """The same study without the other models."""
        kept = {model: frame for model, frame in self.frames.items() if model in models}
        return Study(kept, self.concepts, self.weights)


def study_of(scores: pd.DataFrame, *, draws: int = DRAWS, seed: int = 0) -> Study:
    """Read a study.

    Args:
        scores: as `profiles` takes them.
        draws: of the bootstrap over concepts.
        seed: of the bootstrap.

    Raises:
        ValueError: columns are missing, a value is out of its range, or a turn stands there twice.
    """
    scores = checked(scores)
    concepts = tuple(sorted(scores["concept"].unique()))
    k, rows = len(concepts), [np.ones((1, len(concepts)))]
    if k >= MIN_CONCEPTS:
        rows.append(bootstrap_weights(k, draws, np.random.default_rng(seed)))
    frames = {str(model): frame for model, frame in scores.groupby("model", sort=False)}
    return Study(frames, concepts, np.concatenate(rows))


def measured(
    study: Study,
    *,
    turns: Collection[int] | None = None,
    levels: Sequence[float] | None = None,
    theta: float = THETA,
) -> dict[str, Floats]:
    """All metrics of all models.

    Args:
        study: whose models.
        turns: that count; `None` for all.
        levels: that count; `None` for all.
        theta: FAR below which a level counts as failed.

    Returns:
        By metric name, shape (1 + draws, models): row 0 holds the estimates. NaN where undefined.
    """
    columns = []
    for frame in study.frames.values():
        part = _part(frame, turns, levels)
        columns.append(_of_model(study, part, theta) if len(part) else {})
    nothing = np.full(len(study.weights), np.nan)
    return {
        metric.name: np.stack([column.get(metric.name, nothing) for column in columns], axis=1) for metric in METRICS
    }


def far_of_turn(study: Study, turn: int) -> Floats:
    """Mean FAR of one turn, shape (1 + draws, models); NaN where no answer has one."""
    columns = []
    for frame in study.frames.values():
        part = _part(frame, [turn], None)
        far, n = (_weighted(study, part, column) for column in ("far_at", "far_n_at"))
        columns.append(np.divide(far, n, out=np.full(far.shape, np.nan), where=n > 0))
    return np.stack(columns, axis=1)


def curves(study: Study, score: Literal["far", "sas"]) -> dict[str, Floats]:
    """FAR(c) or SAS(c) of every model: shape (1 + draws, levels of the model), NaN where there is none."""
    found = {}
    for model, frame in study.frames.items():
        summed = cells_of(frame)
        found[model] = _mean_at(summed, score, _weights_for(study, summed.concepts))
    return found


def concept_curves(study: Study, score: Literal["far", "sas"]) -> dict[str, tuple[Floats, Floats]]:
    """By model: its levels, and FAR(c) or SAS(c) of every concept of the study, shape (concepts, levels)."""
    found = {}
    for model, frame in study.frames.items():
        summed = cells_of(frame)
        curve = np.full((len(study.concepts), summed.levels.size), np.nan)
        rows = [study.concepts.index(concept) for concept in summed.concepts]
        curve[rows] = _mean_at(summed, score, np.eye(len(rows)))
        found[model] = summed.levels, curve
    return found


def cells_of(frame: pd.DataFrame, theta: float = THETA) -> Cells:
    """Sums per concept of one model's scores."""
    return cells(read_answers(frame), theta)


def _part(frame: pd.DataFrame, turns: Collection[int] | None, levels: Sequence[float] | None) -> pd.DataFrame:
    if turns is not None:
        frame = frame[frame["turn"].isin(list(turns))]
    return frame if levels is None else frame[frame["level"].isin(list(levels))]


def _of_model(study: Study, part: pd.DataFrame, theta: float) -> dict[str, Floats]:
    summed = cells_of(part, theta)
    # A model whose draws hold none of its concepts has no value there.
    with np.errstate(invalid="ignore"):
        return measure(summed, _weights_for(study, summed.concepts))


def _mean_at(summed: Cells, score: str, weights: Floats) -> Floats:
    totals = summed.totals(weights)
    total, n = totals[f"{score}_at"], totals[f"{score}_n_at"]
    return np.asarray(np.divide(total, n, out=np.full(total.shape, np.nan), where=n > 0), dtype=np.float64)


def _weighted(study: Study, part: pd.DataFrame, column: str) -> Floats:
    if not len(part):
        return np.zeros(len(study.weights))
    summed = cells_of(part)
    return np.asarray(summed.totals(_weights_for(study, summed.concepts))[column].sum(axis=1), dtype=np.float64)


def _weights_for(study: Study, concepts: Sequence[str]) -> Floats:
    return study.weights[:, [study.concepts.index(concept) for concept in concepts]]
