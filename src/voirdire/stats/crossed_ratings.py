"""Items crossed with judges, one score per cell, some missing: score = item + judge + error."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from voirdire.stats.intervals import Floats

_ROUNDING = 1e-12
"""A variance below this share of the scores' own is rounding, not variation."""

_NO_LINK = 1e-9
"""An eigenvalue below this share of the largest is 0: a direction in which shared items do not compare judges. So is
an entry of the matrix below it, which is what rounding leaves of entries that cancel."""


class Fit(NamedTuple):
    """The additive model, fitted by least squares."""

    judge_effects: Floats
    """Shape (judges,), of sum 0 within each connected part of the design; NaN for a judge without a score."""
    connected: bool
    """Whether chains of shared items link all judges: only then can all effects be compared."""
    items: int
    judges: int
    """With at least one score."""
    scores: int
    df_judges: int
    df_error: int
    ss_items: float
    """Reduction of the sum of squares by items, after judges."""
    ss_judges: float
    """By judges, after items."""
    ss_error: float


class Components(NamedTuple):
    """Variances of items, judges and error. Unbiased, and therefore negative at times."""

    items: float
    judges: float
    error: float


class Sums(NamedTuple):
    """All that the model needs of the scores; of some items and of others, it adds up."""

    items: float
    """With at least one score."""
    per_judge: Floats
    """Scores of each judge; shape (judges,)."""
    shared: Floats
    """Shape (judges, judges): Σ, over items that both scored, of 1 / scores of the item."""
    judge_sums: Floats
    """Of the scores, less a constant; shape (judges,)."""
    judge_item_means: Floats
    """Σ, over items that a judge scored, of the items' means less that constant; shape (judges,)."""
    items_alone: float
    """Sum of squares of the items' means less that constant, each counted once a score."""
    squares: float
    """Of the scores less that constant."""

    def minus(self, part: Sums) -> Sums:
        """Without items that are part of it."""
        return Sums(*(mine - its for mine, its in zip(self, part, strict=True)))  # type: ignore[operator]


def sums_of(scores: Floats, constant: float) -> Sums:
    """The sums over items. `scores` has the shape (items, judges), NaN where missing.

    Args:
        scores: of the items.
        constant: taken from every score. It cancels out of the model: near the mean, it keeps sums small and exact.
    """
    scores = scores[~np.isnan(scores).all(axis=1)]
    known = ~np.isnan(scores)
    per_item = known.sum(axis=1)
    y = np.where(known, scores - constant, 0.0)
    item_sums = y.sum(axis=1)
    return Sums(
        items=float(len(scores)),
        per_judge=known.sum(axis=0).astype(np.float64),
        shared=(known / per_item[:, np.newaxis]).T @ known,
        judge_sums=y.sum(axis=0),
        judge_item_means=known.T @ (item_sums / per_item),
        items_alone=float(np.sum(item_sums**2 / per_item)),
        squares=float(np.sum(y**2)),
    )


def fit(scores: Floats) -> Fit:
    """Fit item and judge effects. `scores` has the shape (items, judges), NaN where missing."""
    return fitted(sums_of(scores, _centre(scores)))


def fitted(sums: Sums) -> Fit:
    """The same from the sums."""
    per_judge, total = sums.per_judge, round(float(sums.per_judge.sum()))
    # Judges' effects, items eliminated: (diag(n_j) - N' diag(1/n_i) N) b = judge sums - N' item means.
    normal = np.diag(per_judge) - sums.shared
    normal[np.abs(normal) < _NO_LINK] = 0.0  # the least that is not 0 is one item's share of a judge
    adjusted = sums.judge_sums - sums.judge_item_means
    rank = int(np.linalg.matrix_rank(normal, rtol=_NO_LINK, hermitian=True)) if total else 0
    effects = np.linalg.pinv(normal, rcond=_NO_LINK, hermitian=True) @ adjusted
    ss_judges = float(effects @ adjusted)
    seated = per_judge > 0
    ss_judges_alone = float(np.sum(sums.judge_sums[seated] ** 2 / per_judge[seated]))
    judges, items = int(seated.sum()), round(sums.items)
    return Fit(
        judge_effects=np.where(seated, effects, np.nan),
        connected=rank == judges - 1,
        items=items,
        judges=judges,
        scores=total,
        df_judges=rank,
        df_error=total - items - rank,
        ss_items=sums.items_alone + ss_judges - ss_judges_alone,
        ss_judges=ss_judges,
        ss_error=sums.squares - sums.items_alone - ss_judges,
    )


def components(scores: Floats) -> Components:
    """Variance components by Henderson's method III (doi:10.2307/3001853), NaN where there are too few scores.

    Each reduction in the sum of squares is set equal to its expectation under missing scores. With N scores of r items
    by k judges, and c connected parts of the design (c = 1 as a rule):

    - error:  SSE / (N - r - k + c)
    - judges: (R(judges | items) - (k - c) error) / (N - r)
    - items:  (R(items | judges) - (r - c) error) / (N - k)

    For complete scores these are the estimates of the two-way analysis of variance. They are unbiased where scores are
    missing at random, whatever the distribution.
    """
    constant = _centre(scores)
    return _components(sums_of(scores, constant), constant)


def without_each(scores: Floats, clusters: NDArray[np.intp]) -> list[Components]:
    """The components without one cluster of items, for every cluster in turn; in time that grows with the items.

    Args:
        scores: shape (items, judges), NaN where missing.
        clusters: shape (items,), numbered from 0, none left out.
    """
    constant = _centre(scores)
    order = np.argsort(clusters, kind="stable")
    starts = np.cumsum(np.bincount(clusters))[:-1]
    parts = [sums_of(own, constant) for own in np.split(scores[order], starts)]
    total = sums_of(scores, constant)
    return [_components(total.minus(part), constant) for part in parts]


def _components(sums: Sums, constant: float) -> Components:
    model = fitted(sums)
    if model.judges < 2 or model.items < 2 or model.df_error <= 0:
        return Components(np.nan, np.nan, np.nan)
    parts = model.judges - model.df_judges
    error = model.ss_error / model.df_error
    judges = (model.ss_judges - model.df_judges * error) / (model.scores - model.items)
    items = (model.ss_items - (model.items - parts) * error) / (model.scores - model.judges)
    mean, square = float(sums.judge_sums.sum()) / model.scores, sums.squares / model.scores
    limit = _ROUNDING * max(square - mean**2, _ROUNDING * (square + 2 * constant * mean + constant**2))
    return Components(*(0.0 if abs(part) <= limit else part for part in (items, judges, error)))


def _centre(scores: Floats) -> float:
    return float(np.nanmean(scores)) if not np.isnan(scores).all() else 0.0
