"""Items crossed with judges, one score per cell, some missing: score = item + judge + error."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from voirdire.stats.intervals import Floats

_ROUNDING = 1e-12
"""A variance below this share of the scores' own is rounding, not variation."""

_NO_LINK = 1e-9
"""An eigenvalue below this share of the largest is 0: a direction in which shared items do not compare judges."""


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


def fit(scores: Floats) -> Fit:
    """Fit item and judge effects. `scores` has the shape (items, judges), NaN where missing."""
    scores = scores[~np.isnan(scores).all(axis=1)]
    known = ~np.isnan(scores)
    per_item, per_judge = known.sum(axis=1), known.sum(axis=0)
    total = int(known.sum())
    y = np.where(known, scores - (np.nanmean(scores) if total else 0.0), 0.0)
    item_sums, judge_sums = y.sum(axis=1), y.sum(axis=0)
    # Judges' effects, items eliminated: (diag(n_j) - N' diag(1/n_i) N) b = judge sums - N' item means.
    normal = np.diag(per_judge).astype(np.float64) - (known / per_item[:, np.newaxis]).T @ known
    adjusted = judge_sums - known.T @ (item_sums / per_item)
    rank = int(np.linalg.matrix_rank(normal, rtol=_NO_LINK, hermitian=True)) if total else 0
    effects = np.linalg.pinv(normal, rcond=_NO_LINK, hermitian=True) @ adjusted
    ss_judges = float(effects @ adjusted)
    ss_items_alone = float(np.sum(item_sums**2 / per_item))
    ss_judges_alone = float(np.sum(judge_sums[per_judge > 0] ** 2 / per_judge[per_judge > 0]))
    judges = int((per_judge > 0).sum())
    return Fit(
        judge_effects=np.where(per_judge > 0, effects, np.nan),
        connected=rank == judges - 1,
        items=len(scores),
        judges=judges,
        scores=total,
        df_judges=rank,
        df_error=total - len(scores) - rank,
        ss_items=ss_items_alone + ss_judges - ss_judges_alone,
        ss_judges=ss_judges,
        ss_error=float(np.sum(y**2)) - ss_items_alone - ss_judges,
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
    found = fit(scores)
    if found.judges < 2 or found.items < 2 or found.df_error <= 0:
        return Components(np.nan, np.nan, np.nan)
    parts = found.judges - found.df_judges
    error = found.ss_error / found.df_error
    judges = (found.ss_judges - found.df_judges * error) / (found.scores - found.items)
    items = (found.ss_items - (found.items - parts) * error) / (found.scores - found.judges)
    limit = _ROUNDING * max(float(np.nanvar(scores)), _ROUNDING * float(np.nanmean(scores**2)))
    return Components(*(0.0 if abs(part) <= limit else part for part in (items, judges, error)))
