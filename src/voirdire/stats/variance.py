"""Variance components of crossed layouts: what an estimate's error is made of."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


class Split(NamedTuple):
    """Variance of cluster means, split; estimates, so that a part can come out negative."""

    between: float
    """Between clusters: what their units have in common."""
    units: float
    """Between the fixed units of a cluster (levels), beyond repetition. 0 where nothing was repeated: it is then part
    of `repeats`."""
    repeats: float
    """Between repetitions of the same unit."""


def split_variance(values: Floats, others: Floats | None = None) -> Split:
    """Split the variance of cluster means (or their covariance with another variable's) into nested parts.

    The layout is clusters x units x repeats; clusters and repeats are random, units are fixed and the same for all
    clusters. Unbiased, by analysis of variance: with x the deviations from each unit's mean over clusters, `between` is
    the mean covariance of different units of a cluster, `units` that of different repeats of a unit less `between`,
    `repeats` the rest. The variance of a cluster's mean is between + units/U + repeats/(U·R).

    Args:
        values: shape (clusters, units, repeats); at least two clusters.
        others: same shape; the second variable of a covariance.

    Raises:
        ValueError: fewer than two clusters.
    """
    clusters, units, repeats = values.shape
    if clusters < 2:
        raise ValueError(f"Variance between clusters needs at least two of them; {clusters} given.")
    x, y = _flat(values), _flat(values if others is None else others)
    covariances = (x.T @ y / (clusters - 1)).reshape(units, repeats, units, repeats)
    all_pairs = float(covariances.sum())
    same_unit = float(np.einsum("urus->", covariances))
    same = float(np.einsum("urur->", covariances))
    total = same / (units * repeats)
    apart = (all_pairs - same_unit) / (units * (units - 1) * repeats**2) if units > 1 else None
    together = (same_unit - same) / (units * repeats * (repeats - 1)) if repeats > 1 else None
    if apart is None:
        between = total if together is None else together
        return Split(between, 0.0, total - between)
    return Split(apart, 0.0, total - apart) if together is None else Split(apart, together - apart, total - together)


def without_negatives(split: Split, repeats: int) -> Split:
    """The split with negative parts set to 0, each taken off the part below it.

    An estimate below 0 says that the part is small; it is then estimated together with the one below, so that the sum
    stays what one unit varies by.

    Args:
        split: as `split_variance` gives it.
        repeats: how many there were; with one, `units` stays 0.
    """
    between, units, rest = split
    if between < 0 and repeats > 1:
        between, units = 0.0, units + between
    elif between < 0:
        between, rest = 0.0, rest + between
    if units < 0:
        units, rest = 0.0, rest + units
    return Split(between, units, max(rest, 0.0))


def _flat(values: Floats) -> Floats:
    flat = values.reshape(len(values), -1)
    centred: Floats = flat - flat.mean(axis=0)
    return centred
