"""Comparing two or more: swap tests, Holm's correction, effect sizes, probabilities of ranks.

A swap test exchanges what two sides got in some of the units that both were measured on, and computes the statistic
again. If it makes no difference who gave which result, every exchange is equally likely.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from voirdire.stats.intervals import Floats

Bools = NDArray[np.bool_]

EXACT_UNITS = 14
"""Up to so many units all 2^k swaps are computed: 16,384 at most."""

_ROUNDING = 1e-10
"""Statistics closer than this, relative to their size, are equal."""


class SwapTest(NamedTuple):
    """What a swap test found."""

    p: float
    """Two-sided: the share of swaps whose statistic is at least as far from 0 as the one observed."""
    smallest_p: float
    """The smallest p that this test can give with so many units and swaps, whatever the data."""
    swaps: int
    """How many swaps were computed."""
    undefined: int
    """In how many of them the statistic was undefined; they count as far from 0, which can only raise p."""
    exact: bool
    """Whether these were all swaps there are, or a random sample of them."""


class Ranks(NamedTuple):
    """How often each of several takes each rank, rank 1 being the highest value."""

    probabilities: Floats
    """Shape (models, ranks)."""
    expected: Floats
    """Shape (models,): the mean rank."""
    undefined: int
    """Draws that were left out, because a value in them is undefined."""


def swap_test(
    statistic: Callable[[Bools], Floats],
    units: int,
    *,
    draws: int = 10_000,
    seed: int = 0,
    exact_units: int = EXACT_UNITS,
) -> SwapTest:
    """Test whether it matters which side gave which result.

    All 2^units swaps are computed where there are at most `exact_units` units; else `draws` random ones, and then p
    is (b + 1) / (draws + 1) (Phipson and Smyth, doi:10.2202/1544-6115.1585).

    Args:
        statistic: gives, for swaps of shape (swaps, units), True where a unit is exchanged, the statistic under each,
            shape (swaps,), NaN where undefined. Exchanging everything must turn its sign.
        units: how many units there are.
        draws: random swaps, where not all are computed.
        seed: of the random swaps.
        exact_units: up to how many units all swaps are computed.

    Raises:
        ValueError: no unit, or the statistic is undefined as observed.
    """
    if units < 1:
        raise ValueError("A swap test needs at least one unit that both sides were measured on; none is given.")
    exact = units <= exact_units
    if exact:
        # Row i holds the binary digits of i, so that row 0 is what was observed.
        swaps = (np.arange(2**units)[:, np.newaxis] >> np.arange(units) & 1).astype(np.bool_)
    else:
        random = np.random.default_rng(seed).random((draws, units)) < 0.5
        swaps = np.concatenate([np.zeros((1, units), dtype=np.bool_), random])
    statistics = np.abs(np.asarray(statistic(swaps), dtype=np.float64))
    if np.isnan(statistics[0]):
        raise ValueError("The statistic is undefined for what was observed, so there is nothing to test.")
    far = np.isnan(statistics) | (statistics >= statistics[0] - _ROUNDING * max(1.0, statistics[0]))
    return SwapTest(
        p=float(far.mean()),
        smallest_p=2 / len(swaps) if exact else 1 / len(swaps),
        swaps=len(swaps) if exact else draws,
        undefined=int(np.isnan(statistics).sum()),
        exact=exact,
    )


def sign_flip(differences: ArrayLike, *, draws: int = 10_000, seed: int = 0) -> SwapTest:
    """Swap test of a mean of paired differences: exchanging a pair turns the sign of its difference.

    Args:
        differences: shape (units,).
        draws: random swaps, where there are more than 14 units.
        seed: of the random swaps.

    Raises:
        ValueError: no difference, or one that is undefined.
    """
    values = np.asarray(differences, dtype=np.float64)
    return swap_test(lambda swaps: (1.0 - 2.0 * swaps) @ values / values.size, values.size, draws=draws, seed=seed)


def holm(p: ArrayLike) -> Floats:
    """Holm's step-down correction of several p-values (Holm 1979), in their order; NaN stays NaN and is not counted."""
    values = np.asarray(p, dtype=np.float64)
    adjusted = np.full(values.shape, np.nan)
    tested = np.flatnonzero(~np.isnan(values))
    order = tested[np.argsort(values[tested], kind="stable")]
    steps = values[order] * (order.size - np.arange(order.size))
    adjusted[order] = np.minimum(1.0, np.maximum.accumulate(steps))
    return adjusted


def rank_probabilities(draws: ArrayLike) -> Ranks:
    """How often each model takes each rank over the draws; models that tie share the ranks they cover evenly.

    Args:
        draws: shape (models, draws), with draw i of all models made of the same sample; the highest gets rank 1.

    Raises:
        ValueError: no draw in which all models have a value.
    """
    values = np.asarray(draws, dtype=np.float64)
    defined = ~np.isnan(values).any(axis=0)
    if not defined.any():
        raise ValueError("In no bootstrap draw do all models have a value, so there are no ranks.")
    known = values[:, defined]
    above = (known[np.newaxis] > known[:, np.newaxis]).sum(axis=1)  # (models, draws)
    tied = (known[np.newaxis] == known[:, np.newaxis]).sum(axis=1)  # itself included
    ranks = np.arange(len(known))[:, np.newaxis, np.newaxis]
    share = np.where((ranks >= above) & (ranks < above + tied), 1 / tied, 0.0)  # (ranks, models, draws)
    probabilities = share.mean(axis=2).T
    return Ranks(probabilities, probabilities @ np.arange(1, len(known) + 1), int((~defined).sum()))


def paired_effect(difference: float, leave_one_out: ArrayLike) -> float:
    """Standardised paired difference d_z: the difference over the standard deviation of its pseudo-values.

    Pseudo-value i is k · difference - (k - 1) · (difference without cluster i); for a mean that is cluster i's own.

    Args:
        difference: with all clusters.
        leave_one_out: shape (k,), the difference without cluster i.

    Returns:
        NaN with fewer than two clusters, undefined values, or pseudo-values that do not vary.
    """
    left_out = np.asarray(leave_one_out, dtype=np.float64)
    k = left_out.size
    if k < 2 or np.isnan(left_out).any():
        return float("nan")
    spread = float(np.std(k * difference - (k - 1) * left_out, ddof=1))
    return difference / spread if spread > _ROUNDING else float("nan")


def superiority(a: ArrayLike, b: ArrayLike) -> float:
    """Probability of superiority: the share of pairs in which `a` is higher, ties counting half.

    Args:
        a: shape (n,), NaN where unknown: the pair is left out.
        b: shape (n,), likewise.

    Returns:
        NaN when no pair is known.
    """
    first, second = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    known = ~(np.isnan(first) | np.isnan(second))
    if not known.any():
        return float("nan")
    return float(np.mean((np.sign(first[known] - second[known]) + 1) / 2))
