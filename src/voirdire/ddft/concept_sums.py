"""A model's scores as sums per concept: all that its metrics need, computed once.

Every metric is a function of totals over concepts. With `weights @ sums` the totals of ten thousand bootstrap draws,
of a jackknife or of the plain estimate come from one matrix product, and a metric has one definition for all three.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from voirdire.ddft.thresholds import PAPER, Thresholds
from voirdire.records import SCORE_DECIMALS

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

TURNS = 5
COLUMNS = ("model", "concept", "level", "sample", "turn", "far", "sas", "no_claims", "stance", "unscored")

_NUMBERS = ("far", "sas", "level")

STANCES = ("accepted", "questioned", "rejected")
_CODES = {stance: code for code, stance in enumerate(STANCES)}
_KNOWLEDGE_TURNS = slice(0, 3)


@dataclass(frozen=True, slots=True)
class ScoredTurns:
    """One model's scored turns, dense. Axes: concept, level, sample, turn (index 0 is turn 1)."""

    concepts: tuple[str, ...]
    levels: Floats
    """Ascending."""
    asked: Bools
    far: Floats
    """NaN where there is none: not asked, unscored, or no claims."""
    sas: Floats
    no_claims: Bools
    unscored: Bools
    stance: NDArray[np.int8]
    """0 accepted, 1 questioned, 2 rejected, -1 unknown."""
    thresholds: Thresholds = PAPER
    """What they are counted by."""


@dataclass(frozen=True, slots=True)
class Totals:
    """Weighted sums over concepts, by column name."""

    values: Floats
    """Shape (columns, draws): what one column needs lies together in memory."""
    places: dict[str, slice]

    def __getitem__(self, column: str) -> Floats:
        """The totals of one column: shape (draws,), or (draws, levels) for what is kept by level."""
        place = self.places[column]
        return self.values[place].T if column.endswith("_at") else self.values[place.start]


@dataclass(frozen=True, slots=True)
class Cells:
    """Sums and counts per concept, of one model."""

    concepts: tuple[str, ...]
    levels: Floats
    sums: Floats
    """Shape (concepts, columns)."""
    places: dict[str, slice]
    """Which columns of `sums` a name means. Names that end in `_at` have one column per level."""
    thresholds: Thresholds = PAPER
    """What they were counted by."""

    def totals(self, weights: Floats) -> Totals:
        """Sums over concepts, each counted as often as its weight says; `weights` has shape (draws, concepts)."""
        return Totals(self.sums.T @ weights.T, self.places)


def checked(scores: pd.DataFrame) -> pd.DataFrame:
    """The scores of one model or of several, with numbers as numbers also where a column holds nothing.

    Raises:
        ValueError: columns are missing, a value is out of its range, or a turn stands there twice.
    """
    missing = [name for name in COLUMNS if name not in scores.columns]
    if missing:
        raise ValueError(f"The scores lack the column(s) {', '.join(missing)}; expected {', '.join(COLUMNS)}.")
    if texts := [name for name in _NUMBERS if scores[name].dtype != np.float64]:
        scores = scores.astype(dict.fromkeys(texts, "float64"))
    for name in _NUMBERS:
        values = scores[name].to_numpy()
        outside = values[(values < 0) | (values > 1)]
        if outside.size:
            raise ValueError(f"{name} must lie in [0, 1]; the scores hold {outside[0]:g}.")
    if set(scores["turn"].tolist()) - set(range(1, TURNS + 1)):
        raise ValueError(f"turn must be 1 to {TURNS}; the scores hold {sorted(scores['turn'].unique())}.")
    unknown = {stance for stance in set(scores["stance"].tolist()) - set(STANCES) if not pd.isna(stance)}
    if unknown:
        raise ValueError(f"stance must be one of {', '.join(STANCES)} or empty; the scores hold {sorted(unknown)}.")
    twice = scores.duplicated(["model", "concept", "level", "sample", "turn"])
    if twice.any():
        row = scores[twice].iloc[0]
        raise ValueError(
            f"Turn {row['turn']} of {row['concept']!r} at level {row['level']:g} stands in the scores twice; "
            "number repetitions in the column sample."
        )
    return scores


def read_answers(scores: pd.DataFrame, thresholds: Thresholds = PAPER) -> ScoredTurns:
    """Lay one model's rows out in arrays.

    Args:
        scores: one row per turn asked, with the columns of `COLUMNS`; as `checked` gives them back.
        thresholds: what they are counted by.
    """
    concept_of = scores["concept"].tolist()
    concepts = sorted(set(concept_of))
    place = {concept: number for number, concept in enumerate(concepts)}
    levels, level_at = np.unique(scores["level"].to_numpy(), return_inverse=True)
    samples, sample_at = np.unique(scores["sample"].to_numpy(), return_inverse=True)
    shape = (len(concepts), levels.size, samples.size, TURNS)
    where = (
        np.array([place[concept] for concept in concept_of], dtype=np.intp),
        level_at,
        sample_at,
        scores["turn"].to_numpy(dtype=np.intp) - 1,
    )
    far, sas = scores["far"].to_numpy(), scores["sas"].to_numpy()
    no_claims = scores["no_claims"].to_numpy()
    if no_claims.dtype != np.bool_:
        no_claims = scores["no_claims"].eq(True).to_numpy(dtype=np.bool_)
    unscored = scores["unscored"].notna().to_numpy() | np.isnan(sas) | (np.isnan(far) & ~no_claims)
    codes = np.array([_CODES.get(stance, -1) for stance in scores["stance"].tolist()], dtype=np.int8)
    return ScoredTurns(
        concepts=tuple(concepts),
        levels=levels,
        asked=_laid_out(shape, where, np.ones(len(scores), dtype=np.bool_), False),
        far=np.round(_laid_out(shape, where, far, np.nan), SCORE_DECIMALS),
        sas=np.round(_laid_out(shape, where, sas, np.nan), SCORE_DECIMALS),
        no_claims=_laid_out(shape, where, no_claims, False),
        unscored=_laid_out(shape, where, unscored, False),
        stance=_laid_out(shape, where, codes, -1),
        thresholds=thresholds,
    )


def cells(answers: ScoredTurns) -> Cells:
    """Sum one model's answers per concept, by their thresholds."""
    columns = {**_by_level(answers), **_onsets(answers), **_conditional(answers), **_trap(answers)}
    blocks = [block if block.ndim == 2 else block[:, np.newaxis] for block in columns.values()]
    ends = np.cumsum([block.shape[1] for block in blocks]).tolist()
    places = {name: slice(end - block.shape[1], end) for name, block, end in zip(columns, blocks, ends, strict=True)}
    return Cells(answers.concepts, answers.levels, np.concatenate(blocks, axis=1), places, answers.thresholds)


def _laid_out(shape: tuple[int, ...], where: tuple[NDArray[Any], ...], values: NDArray[Any], empty: Any) -> Any:
    array = np.full(shape, empty, dtype=values.dtype)
    array[where] = values
    return array


def _per_concept(mask: Bools, values: Floats | None = None) -> Floats:
    """How many entries of the mask hold, or the sum of the values there; shape (concepts,)."""
    counted = mask if values is None else np.where(mask, values, 0.0)
    return np.asarray(counted.reshape(len(mask), -1).sum(axis=1), dtype=np.float64)


def _per_level(values: Floats) -> tuple[Floats, Floats]:
    """Sum and count of the known values of a (concept, level, sample, turn) array; both (concepts, levels)."""
    return np.nansum(values, axis=(2, 3)), np.isfinite(values).sum(axis=(2, 3)).astype(np.float64)


def _by_level(answers: ScoredTurns) -> dict[str, Floats]:
    scored = answers.asked & ~answers.unscored
    far, far_n = _per_level(answers.far)
    sas, sas_n = _per_level(answers.sas)
    know_far, know_far_n = _per_level(answers.far[..., _KNOWLEDGE_TURNS])
    know_sas, know_sas_n = _per_level(answers.sas[..., _KNOWLEDGE_TURNS])
    know_scored = scored[..., _KNOWLEDGE_TURNS].sum(axis=(2, 3)).astype(np.float64)
    return {
        "concepts": np.ones(len(answers.concepts)),
        "turns": _per_concept(answers.asked),
        "unscored": _per_concept(answers.unscored),
        "scored": _per_concept(scored),
        "no_claims": _per_concept(answers.no_claims & scored),
        "far_at": far,
        "far_n_at": far_n,
        "sas_at": sas,
        "sas_n_at": sas_n,
        "sas_n": sas_n.sum(axis=1),
        "know_far_at": know_far,
        "know_far_n_at": know_far_n,
        "know_far_n": know_far_n.sum(axis=1),
        "know_sas_at": know_sas,
        "know_sas_n_at": know_sas_n,
        "know_sas_n": know_sas_n.sum(axis=1),
        "know_scored_at": know_scored,
        "know_asked": _per_concept(answers.asked[..., _KNOWLEDGE_TURNS]),
        **{f"asked_{turn}": _per_concept(answers.asked[..., turn - 1]) for turn in range(1, TURNS + 1)},
        **{f"scored_{turn}": _per_concept(scored[..., turn - 1]) for turn in range(1, TURNS + 1)},
        "asked_0": _per_concept(answers.asked[:, answers.levels == 0]),
        "scored_0": _per_concept(scored[:, answers.levels == 0]),
    }


def _onsets(answers: ScoredTurns) -> dict[str, Floats]:
    """Where each concept's FAR(c) stands against theta, below which a level fails.

    A level without any claim neither reaches nor misses it.
    """
    far, n = _per_level(answers.far)
    curve = np.round(np.divide(far, n, out=np.full_like(far, np.nan), where=n > 0), SCORE_DECIMALS)
    levels, theta = answers.levels, answers.thresholds.failed_level_far
    reached, failed = curve >= theta, curve < theta
    before_failing = np.logical_and.accumulate(~failed, axis=1)
    ever_failed, has_claims = failed.any(axis=1), (n > 0).any(axis=1)
    at_zero = (n[:, 0] > 0) & (levels[0] == 0)
    return {
        "hoc": np.where(reached, levels, 0.0).max(axis=1),
        "hoc_onset": np.where(reached & before_failing, levels, 0.0).max(axis=1),
        "hoc_n": has_claims.astype(np.float64),
        "first_failing": np.where(ever_failed, levels[failed.argmax(axis=1)], 0.0),
        "first_failing_n": ever_failed.astype(np.float64),
        "failed_at_0": (at_zero & failed[:, 0]).astype(np.float64),
        "failed_at_0_n": at_zero.astype(np.float64),
    }


def _conditional(answers: ScoredTurns) -> dict[str, Floats]:
    far, sas, bounds = answers.far, answers.sas, answers.thresholds
    incoherent = (sas < bounds.incoherent_sas) & np.isfinite(far)
    factual = (far > bounds.partly_right_far) & np.isfinite(sas)
    fluent, wrong = sas > bounds.fluent_sas, far < bounds.wrong_far
    return {
        "far_prime": _per_concept(incoherent, far),
        "far_prime_n": _per_concept(incoherent),
        "sas_prime": _per_concept(factual, sas),
        "sas_prime_n": _per_concept(factual),
        "fluent": _per_concept(fluent & np.isfinite(far)),
        "claiming": _per_concept(np.isfinite(sas) & np.isfinite(far)),
        "danger": _per_concept(fluent & wrong),
        "coupled_collapse": _per_concept((sas < bounds.incoherent_sas) & wrong),
        "far_3": _per_concept(np.isfinite(far[..., 2]), far[..., 2]),
        "far_3_n": _per_concept(np.isfinite(far[..., 2])),
        "far_4": _per_concept(np.isfinite(far[..., 3]), far[..., 3]),
        "far_4_n": _per_concept(np.isfinite(far[..., 3])),
    }


def _trap(answers: ScoredTurns) -> dict[str, Floats]:
    at_4, at_5 = answers.stance[..., 3], answers.stance[..., 4]
    accepted, questioned, rejected = (at_4 == code for code in range(len(STANCES)))
    pressed = at_5 >= 0
    return {
        "traps": _per_concept(at_4 >= 0),
        "accepted": _per_concept(accepted),
        "questioned": _per_concept(questioned),
        "rejected": _per_concept(rejected),
        "entrenched": _per_concept(accepted & (at_5 == 0)),
        "entrenched_n": _per_concept(accepted & pressed),
        "capitulated": _per_concept(rejected & (at_5 == 0)),
        "capitulated_n": _per_concept(rejected & pressed),
    }
