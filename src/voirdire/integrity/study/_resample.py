"""Bootstrap draws of trials, the same ones for every figure that is drawn with the same seed."""

from __future__ import annotations

import numpy as np

from voirdire.stats.intervals import Floats, Interval, percentile

SEED = 7


def draw_weights(trials: int, draws: int) -> Floats:
    """How often each trial stands in each draw; shape (draws, trials)."""
    drawn = np.random.default_rng(SEED).integers(0, trials, (draws, trials))
    places = drawn + np.arange(draws)[:, np.newaxis] * trials
    return np.bincount(places.ravel(), minlength=draws * trials).reshape(draws, trials).astype(np.float64)


def interval_of(values: Floats) -> Interval | None:
    """Their percentile interval; `None` where a draw has no value, for what lies outside is then unknown."""
    return None if np.isnan(values).any() else percentile(values)
