"""Stopping when an interval is narrow enough: when to analyse, and at which level, so that the interval still holds.

Whoever analyses again and again and stops at the first narrow interval stops more often when the standard error happens
to be too small. Such an interval covers less than it says (Chow and Robbins, doi:10.1214/aoms/1177700156: only as the
wanted width goes to 0 does the loss). The loss is small, since it is the width that is looked at and not the estimate:
confidence sequences, which hold against any stopping, would ask for far more than is needed. Here intervals are
computed at a higher nominal level instead, by a bounded family whose one number was calibrated by simulation
(`benchmarks/statistics/sequential.py --calibrate`; docs/stopping.md has the table).
"""

from __future__ import annotations

import math

SHARE_SPENT = 0.5
"""How much of alpha is kept back for looking, at most, as a multiple of what is left: alpha / (1 + SHARE_SPENT)."""

_TOWARDS = 0.8
"""The next analysis is at this share of what the width so far says is needed: the width itself is uncertain."""
_GROWTH = 2.0
"""From one analysis to the next the sample at most doubles."""


def nominal_level(size: int, first: int, *, level: float = 0.95) -> float:
    """The level at which to compute an interval, for it to hold at `level` when there were analyses before.

    1 - alpha / (1 + 0.5 (1 - first / size)): no correction at the first analysis;
    at most alpha / 1.5. What counts is by how much the sample has grown since the first analysis and not how
    many there were, as analyses close together see nearly the same.

    Args:
        size: of the sample now.
        first: of the sample at the first analysis.
        level: that the interval is to have.

    Raises:
        ValueError: sizes that are not 1 <= first <= size, or a level outside (0, 1).
    """
    if not 1 <= first <= size or not 0 < level < 1:
        raise ValueError(
            f"Analyses need 1 <= first <= size and 0 < level < 1; {first}, {size} and {level:g} were given."
        )
    return 1 - (1 - level) / (1 + SHARE_SPENT * (1 - first / size))


def next_analysis_size(size: int, half_width: float | None, wanted: float, *, block: int, last: int) -> int:
    """The size of the sample at which to analyse next.

    As a half-width falls with the root of the sample's size, or slower, size * (half_width / wanted)² is needed at
    least. The next analysis is at 0.8 of that, at most at twice the size, and at whole blocks.

    Args:
        size: of the sample now.
        half_width: of the interval now; `None` where there is none.
        wanted: the half-width at which to stop.
        block: what sizes are multiples of; the last one need not be.
        last: the largest size that there can be.

    Raises:
        ValueError: sizes, widths or the block that are not positive, or nothing is left to analyse.
    """
    if not (size >= 1 and block >= 1 and wanted > 0 and size < last and (half_width is None or half_width >= 0)):
        raise ValueError(
            "A next analysis needs a size from 1 below the last one, a positive block and a positive width to reach; "
            f"{size}, {last}, {block} and {wanted:g} were given."
        )
    needed = _GROWTH if half_width is None else min(_GROWTH, _TOWARDS * (half_width / wanted) ** 2)
    return min(last, max(size // block + 1, math.ceil(size * needed / block)) * block)
