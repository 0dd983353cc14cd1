"""Statistics: arrays in, NamedTuples out. Knows nothing of language models."""

from voirdire.stats.correlation import Correlation, spearman
from voirdire.stats.intervals import (
    Interval,
    bootstrap_weights,
    clustered_share,
    jackknife_t,
    percentile,
    share_interval,
)

__all__ = [
    "Correlation",
    "Interval",
    "bootstrap_weights",
    "clustered_share",
    "jackknife_t",
    "percentile",
    "share_interval",
    "spearman",
]
