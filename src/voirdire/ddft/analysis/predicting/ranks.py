"""Correlations across models: the estimate with its exact test, and how far the choice of concepts moves it."""

from __future__ import annotations

import math
from typing import Any, Literal, NamedTuple

import numpy as np

from voirdire.data.plain import as_plain
from voirdire.ddft._cells import Floats
from voirdire.stats.association import CorrelationKind, ExactCorrelation, exact_correlation
from voirdire.stats.intervals import Interval, percentile

_MOST_UNDEFINED = 0.5
"""With more of the draws undefined than this, the rest say little of how concepts move the correlation."""


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
    found = exact_correlation(x[0], y[0], kind=kind, level=level, seed=seed)
    draws = np.zeros(0) if math.isnan(found.value) else row_correlations(x[1:, there], y[1:, there], kind)
    defined = draws[~np.isnan(draws)]
    enough = draws.size and defined.size >= _MOST_UNDEFINED * draws.size
    return Association(
        kind,
        found,
        None if math.isnan(found.low) else Interval(found.low, found.high, level, _METHODS[kind]),
        percentile(defined, level=level) if enough else None,
        draws,
    )


def row_correlations(x: Floats, y: Floats, kind: CorrelationKind) -> Floats:
    """The correlation in each row of two (rows, models) arrays; NaN where a value is, or a side is constant."""
    left, right = _aspects(x, kind), _aspects(y, kind)
    scale = np.sqrt((left**2).sum(axis=1) * (right**2).sum(axis=1))
    product = (left * right).sum(axis=1)
    found: Floats = np.divide(product, scale, out=np.full(len(product), np.nan), where=scale > 0)
    return np.clip(found, -1.0, 1.0)


def known(number: float) -> float | None:
    """The number, or `None` for NaN."""
    return None if math.isnan(number) else float(number)


def _aspects(values: Floats, kind: Literal["pearson", "spearman", "kendall"]) -> Floats:
    """What the correlation is the cosine of: centred values or ranks, or the signs of the differences of pairs."""
    if kind == "kendall":
        above, below = np.triu_indices(values.shape[1], k=1)
        return np.asarray(np.sign(values[:, above] - values[:, below]), dtype=np.float64)
    if kind == "spearman":
        from scipy.stats import rankdata

        values = np.asarray(rankdata(values, axis=1, nan_policy="propagate"), dtype=np.float64)
    return np.asarray(values - values.mean(axis=1, keepdims=True), dtype=np.float64)
