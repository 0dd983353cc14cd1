"""Permutation tests: all orders of n things where they are few, else random ones."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np
from numpy.typing import NDArray

MOST_FOR_ALL = 9
"""Up to this many things all orders are gone through: 9! = 362,880."""

CLOSE = 1e-9
"""Statistics closer than this, relative to the largest possible, are ties: rounding must not decide a p-value."""

_CELLS_AT_ONCE = 1_000_000
"""Bounds memory: what is made of a block of orders holds at most about this many numbers."""


def orders(
    n: int, draws: int, rng: np.random.Generator, *, cells: int | None = None, within: NDArray[np.intp] | None = None
) -> Iterator[NDArray[np.intp]]:
    """Blocks of orders, each of shape (orders, n): all n! up to `MOST_FOR_ALL` things, else `draws` random ones.

    Args:
        n: how many things.
        draws: random orders, where not all are gone through.
        rng: of the random ones.
        cells: how many numbers the caller makes of one order; `None` for n. Settles how many orders make a block.
        within: shape (n,), ascending; things change places only with those of the same number, and then orders are
            always random ones.
    """
    at_once = max(1, _CELLS_AT_ONCE // (cells or n))
    if within is None and n <= MOST_FOR_ALL:
        every = _all_orders(n)
        yield from (every[start : start + at_once].astype(np.intp) for start in range(0, len(every), at_once))
        return
    for start in range(0, draws, at_once):
        rows = min(at_once, draws - start)
        if within is None:
            yield rng.permuted(np.tile(np.arange(n), (rows, 1)), axis=1)
        else:
            yield np.argsort(rng.random((rows, n)) + within, axis=1)


def permutation_p(permuted: NDArray[np.float64], value: float, exact: bool) -> float:
    """The two-sided p of a statistic among permuted ones; a random sample counts the order seen as one more."""
    as_far = int((np.abs(permuted) >= abs(value) - CLOSE).sum())
    return as_far / permuted.size if exact else (as_far + 1) / (permuted.size + 1)


@cache
def _all_orders(n: int) -> NDArray[np.int8]:
    """All orders of 0 … n - 1; shape (n!, n)."""
    if n <= 1:
        return np.zeros((1, n), dtype=np.int8)
    fewer = _all_orders(n - 1)
    last = np.full((len(fewer), 1), n - 1, dtype=np.int8)
    return np.concatenate([np.hstack([fewer[:, :place], last, fewer[:, place:]]) for place in range(n)])
