"""One-way analysis of variance, with or without blocks, by F and by permutation."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from voirdire.stats import special
from voirdire.stats.intervals import Floats
from voirdire.stats.permutations import CLOSE, MOST_FOR_ALL, orders, permutation_p
from voirdire.stats.roots import root


class Anova(NamedTuple):
    """A one-way analysis of variance, within blocks if there are any. NaN where undefined (see `one_way_anova`)."""

    F: float
    p: float
    """From the F distribution."""
    p_permutation: float
    eta_squared: float
    """The groups' share of the variance that blocks leave (without blocks: of all of it)."""
    omega_squared: float
    """eta² without its upward bias; can be negative."""
    df_between: int
    df_within: int
    eta_low: float
    """Ends of the interval of the population's eta², from the noncentral F distribution. NaN where `eta_squared` lies
    outside: where few degrees of freedom are left within groups, it lies far above the population's."""
    eta_high: float
    n: int
    singletons: int
    """Groups of one member: they take part, but say nothing of the variance within groups."""
    exact: bool
    """Whether `p_permutation` comes from all orders."""
    smallest_p: float
    """The smallest `p_permutation` these values could give in any order."""


def one_way_anova(
    values: ArrayLike,
    groups: ArrayLike,
    *,
    blocks: ArrayLike | None = None,
    level: float = 0.95,
    seed: int = 0,
    draws: int = 9_999,
) -> Anova:
    """Do groups differ in their means? With blocks, values are compared within blocks only (additive model).

    The permutation test keeps values in their block. It goes through all orders for up to nine values without blocks,
    else through `draws` random ones, p = (b + 1)/(draws + 1).

    Args:
        values: shape (n,); NaN where unknown: left out.
        groups: shape (n,), the group of each value.
        blocks: shape (n,), the block of each value.
        level: confidence level of eta²'s interval (Steiger, doi:10.1037/1082-989X.9.2.164).
        seed: of the random orders.
        draws: how many of them.

    Returns:
        Tests are NaN with fewer than two groups, or where no degrees of freedom or no variance are left within groups.

    Raises:
        ValueError: lengths differ.
    """
    y, of_group, of_block = _anova_columns(values, groups, blocks)
    n = y.size
    sizes = np.bincount(of_group) if n else np.zeros(0, dtype=np.intp)
    split = _without_blocks(of_group) if blocks is None else _within_blocks(of_block, of_group)
    size, y = float(y @ y), split.centred(y)
    df_between, df_within = split.df_groups, n - split.df_blocks - split.df_groups
    explained, total = float(split.explained(y[np.newaxis])[0]), float(y @ y)
    left = total - explained
    flat = total <= CLOSE**2 * size
    exact, singletons = blocks is None and n <= MOST_FOR_ALL, int((sizes == 1).sum())
    if df_between < 1 or df_within < 1 or flat or left <= CLOSE * total:
        nan = math.nan
        share = nan if flat or df_between < 1 else explained / total
        return Anova(nan, nan, nan, share, nan, df_between, df_within, nan, nan, n, singletons, exact, nan)
    f = explained / df_between / (left / df_within)
    samples = orders(n, draws, np.random.default_rng(seed), within=None if blocks is None else of_block)
    permuted = np.concatenate([split.explained(y[block]) for block in samples]) / total
    return Anova(
        f,
        float(special.fdtrc(df_between, df_within, f)),
        permutation_p(permuted, explained / total, exact),
        explained / total,
        df_between * (f - 1) / (df_between * (f - 1) + df_between + df_within + 1),
        df_between,
        df_within,
        *_eta_interval(f, df_between, df_within, level, explained / total),
        n,
        singletons,
        exact,
        permutation_p(permuted, float(permuted.max()), exact) if exact else 1 / (draws + 1),
    )


def _anova_columns(
    values: ArrayLike, groups: ArrayLike, blocks: ArrayLike | None
) -> tuple[Floats, NDArray[np.intp], NDArray[np.intp]]:
    """Known values with the numbers of their groups and blocks, in the order of blocks."""
    y, of_group = np.asarray(values, dtype=np.float64), np.asarray(groups)
    of_block = np.zeros(y.shape, dtype=np.intp) if blocks is None else np.asarray(blocks)
    if y.ndim != 1 or y.shape != of_group.shape or y.shape != of_block.shape:
        raise ValueError(f"Every value needs a group and a block; {y.size}, {of_group.size}, {of_block.size} given.")
    known = ~np.isnan(y)
    group, block = (np.unique(each[known], return_inverse=True)[1] for each in (of_group, of_block))
    order = np.argsort(block, kind="stable")
    return y[known][order], group[order], block[order]


class _Split(NamedTuple):
    """How values fall into blocks, groups within them, and the rest."""

    df_blocks: int
    df_groups: int
    """That groups add to the blocks."""
    centred: Callable[[Floats], Floats]
    """Of values of shape (n,): what the blocks leave of them."""
    explained: Callable[[Floats], Floats]
    """Of centred values of shape (orders, n): the sum of squares of the groups, shape (orders,)."""


def _without_blocks(of_group: NDArray[np.intp]) -> _Split:
    """Without blocks: sums of groups are enough."""
    if not of_group.size:
        return _Split(0, 0, np.copy, lambda values: np.zeros(len(values)))
    sizes, order = np.bincount(of_group), np.argsort(of_group, kind="stable")
    starts = np.cumsum(sizes) - sizes

    def explained(values: Floats) -> Floats:
        return np.asarray((np.add.reduceat(values[:, order], starts, axis=1) ** 2 / sizes).sum(axis=1))

    return _Split(1, len(sizes) - 1, lambda values: values - values.mean(), explained)


def _within_blocks(of_block: NDArray[np.intp], of_group: NDArray[np.intp]) -> _Split:
    """By orthonormal columns that span the blocks, and those that the groups add to them."""
    if not of_group.size:
        return _without_blocks(of_group)
    ground = np.eye(of_block.max() + 1)[of_block]
    ground /= np.sqrt(ground.sum(axis=0))
    dummies = np.eye(of_group.max() + 1)[of_group]
    columns, weight, _ = np.linalg.svd(dummies - ground @ (ground.T @ dummies), full_matrices=False)
    between = columns[:, weight > CLOSE * math.sqrt(of_group.size)]
    return _Split(
        ground.shape[1],
        between.shape[1],
        lambda values: values - ground @ (ground.T @ values),
        lambda values: np.asarray(np.sum((values @ between) ** 2, axis=1)),
    )


def _eta_interval(f: float, df_between: int, df_within: int, level: float, eta_squared: float) -> tuple[float, float]:
    """eta² of the two populations of which one gives an F as large, the other as small, in (1 - level)/2 of cases.

    An F below 1 is luck: it bounds eta² from above no more closely than F = 1, or else the interval could be empty.
    NaN where the sample's own eta² lies outside.
    """
    n = df_between + df_within + 1
    ends = []
    for below, at in (((1 + level) / 2, f), ((1 - level) / 2, max(f, 1.0))):

        def missing(noncentrality: float, below: float = below, at: float = at) -> float:
            return below - float(special.ncfdtr(df_between, df_within, noncentrality, at))

        high = 1.0
        while missing(high) < 0:
            high *= 2
        ncp = root(missing, high)
        ends.append(ncp / (ncp + n))
    return (ends[0], ends[1]) if ends[0] <= eta_squared <= ends[1] else (math.nan, math.nan)
