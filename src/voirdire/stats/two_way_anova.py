"""Two-way analysis of variance with interaction, and a block if there is one; sums of squares of type II."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from voirdire.stats import special
from voirdire.stats.intervals import Floats

_NOTHING = 1e-12
"""A residual sum of squares below this share of the total is rounding: nothing is left to test against."""


class Term(NamedTuple):
    """One line of the table. `F` and `p` are NaN where undefined (see `two_way_anova`)."""

    ss: float
    df: int
    F: float
    p: float
    eta_squared: float
    """SS over the sum of all lines' SS, the residual's included."""


class TwoWayAnova(NamedTuple):
    """The table."""

    terms: dict[str, Term]
    """By name, in the order: first factor, second factor, block (if there is one), "first:second"."""
    residual_ss: float
    residual_df: int
    n: int
    """Values that took part."""


def two_way_anova(
    values: ArrayLike,
    first: ArrayLike,
    second: ArrayLike,
    *,
    block: ArrayLike | None = None,
    names: tuple[str, str, str] = ("first", "second", "block"),
) -> TwoWayAnova:
    """Do two factors, and their interaction, move a mean? Type II: each term is tested beyond all that don't hold it.

    Factors are tested beyond each other and the block, but not beyond the interaction that holds them; the interaction
    and the block beyond everything else. In a balanced layout all types of sums of squares agree. The residual is that
    of the whole model, whose block has no interactions. Empty cells cost the interaction degrees of freedom.

    Args:
        values: shape (n,); NaN where unknown: left out.
        first: shape (n,), the level of the first factor of each value.
        second: shape (n,), of the second.
        block: shape (n,), the block of each value.
        names: of the factors and of the block, in the result.

    Returns:
        F and p are NaN where a term has no degrees of freedom, or nothing is left as residual.

    Raises:
        ValueError: lengths differ, or no value is known.
    """
    y, a, b, c = _columns(values, first, second, block)
    y = y - y.mean()
    both = np.einsum("ni,nj->nij", a, b).reshape(len(y), -1)
    blocks = () if c is None else (c,)
    full, additive = _residual(y, a, b, both, *blocks), _residual(y, a, b, *blocks)
    lines = {
        names[0]: _gain(_residual(y, b, *blocks), additive),
        names[1]: _gain(_residual(y, a, *blocks), additive),
    }
    if blocks:
        lines[names[2]] = _gain(_residual(y, a, b, both), full)
    lines[f"{names[0]}:{names[1]}"] = _gain(additive, full)
    total = full.ss + sum(ss for ss, _ in lines.values())
    return TwoWayAnova(
        {name: _term(ss, df, full, total, float(y @ y)) for name, (ss, df) in lines.items()}, full.ss, full.df, y.size
    )


class _Residual(NamedTuple):
    ss: float
    df: int


def _columns(
    values: ArrayLike, first: ArrayLike, second: ArrayLike, block: ArrayLike | None
) -> tuple[Floats, Floats, Floats, Floats | None]:
    """Known values, and one column of zeros and ones for each level of each factor."""
    y = np.asarray(values, dtype=np.float64)
    factors = [np.asarray(each) for each in (first, second, *(() if block is None else (block,)))]
    if y.ndim != 1 or any(each.shape != y.shape for each in factors):
        sizes = ", ".join(str(each.size) for each in factors)
        raise ValueError(f"Every value needs a level of each factor; {y.size} values, and {sizes} levels given.")
    known = ~np.isnan(y)
    if not known.any():
        raise ValueError("An analysis of variance needs values; none is known.")
    a, b, *rest = (_dummies(each[known]) for each in factors)
    return y[known], a, b, rest[0] if rest else None


def _dummies(levels: ArrayLike) -> Floats:
    numbers = np.unique(np.asarray(levels), return_inverse=True)[1]
    return np.eye(int(numbers.max()) + 1)[numbers]


def _residual(y: Floats, *columns: Floats) -> _Residual:
    """What a least squares fit by these columns, and a constant, leaves over."""
    design = np.hstack([np.ones((len(y), 1)), *columns])
    coefficients, _, rank, _ = np.linalg.lstsq(design, y)
    left = y - design @ coefficients
    return _Residual(float(left @ left), len(y) - int(rank))


def _gain(smaller: _Residual, larger: _Residual) -> tuple[float, int]:
    """What the larger model explains beyond the smaller one: sum of squares, degrees of freedom."""
    return max(smaller.ss - larger.ss, 0.0), smaller.df - larger.df


def _term(ss: float, df: int, residual: _Residual, total: float, size: float) -> Term:
    eta_squared = ss / total if total > 0 else math.nan
    if df < 1 or residual.df < 1 or residual.ss <= _NOTHING * size:
        return Term(ss, df, math.nan, math.nan, eta_squared)
    f = ss / df / (residual.ss / residual.df)
    return Term(ss, df, f, float(special.fdtrc(df, residual.df, f)), eta_squared)
