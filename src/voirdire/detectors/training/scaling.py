"""How a detector gains from more training data (CogniBench A.11, Fig. 12)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

from voirdire.detectors.records import Answer, DetectorError
from voirdire.detectors.training.splits import group_sizes, labelled_statements, shuffled_groups, split_groups
from voirdire.stats.intervals import Interval

Trainer = Callable[[Sequence[Answer], Sequence[Answer]], float | None]
"""Learns from the first answers and gives its F1 on the second; `None` where that is undefined."""

SHARES = (0.1, 0.2, 0.4, 0.7, 1.0)


class Point(NamedTuple):
    """One training of the curve."""

    share: float
    """Of the groups that were left to learn from."""
    groups: int
    statements: int
    """Labelled ones that it learnt from."""
    f1: float | None
    repeat: int
    """Which drawing of held-out groups, from 0."""


class LogFit(NamedTuple):
    """F1 = intercept + slope · log10(statements)."""

    intercept: float
    slope: float
    """F1 gained with ten times the data."""
    interval: Interval | None
    """Of the slope, from what the line leaves over; `None` where nothing is left to judge it by."""


class Curve(NamedTuple):
    """F1 over growing training data."""

    points: list[Point]
    fit: LogFit | None
    """`None`: fewer than three points with an F1, or all of one size."""


def learning_curve(
    train_fn: Trainer,
    answers: Sequence[Answer],
    shares: Sequence[float] = SHARES,
    seed: int = 0,
    *,
    test_share: float = 0.3,
    repeats: int = 5,
) -> Curve:
    """Train on growing shares of the groups, judged on groups that stay put aside.

    In each repeat other groups are put aside; within one, every larger share holds the smaller ones.

    Args:
        train_fn: trains and gives the F1; called `len(shares) * repeats` times.
        answers: labelled ones; the others are left out.
        shares: of the groups to learn from, each in (0, 1].
        seed: of the drawings.
        test_share: of the statements, put aside in whole groups.
        repeats: how many drawings.

    Raises:
        DetectorError: a share outside (0, 1], no repeat, or fewer than two groups with labels.
    """
    if repeats < 1 or not shares or not all(0 < share <= 1 for share in shares):
        raise DetectorError("A learning curve needs shares in (0, 1] and one repeat or more.")
    known = [answer for answer in answers if answer.labelled]
    points: list[Point] = []
    for repeat in range(repeats):
        train, test = split_groups(known, test_share, seed + repeat)
        order = shuffled_groups(group_sizes(train), seed + repeat)
        for share in sorted(shares):
            chosen = set(order[: max(1, math.ceil(share * len(order)))])
            part = [answer for answer in train if answer.group in chosen]
            size = sum(map(labelled_statements, part))
            points.append(Point(share, len(chosen), size, train_fn(part, test), repeat))
    return Curve(points, fit_log(points))


def fit_log(points: Sequence[Point], level: float = 0.95) -> LogFit | None:
    """Least squares of F1 on log10(statements), with a level of its own for each repeat.

    The interval is Student's, with N - repeats - 1 degrees of freedom. Repeats share data, so it tells how straight
    the curve is rather than how far another sample would differ.
    """
    import numpy as np
    from scipy import special

    known = [point for point in points if point.f1 is not None]
    if len(known) < 3:
        return None
    repeat = np.array([point.repeat for point in known])
    x = np.log10([point.statements for point in known])
    y = np.array([point.f1 for point in known], dtype=np.float64)
    mean = np.array([[x[repeat == r].mean(), y[repeat == r].mean()] for r in repeat])
    dx, dy = x - mean[:, 0], y - mean[:, 1]
    spread = float(dx @ dx)
    if spread < 1e-12:
        return None
    slope = float(dx @ dy) / spread
    freedom = len(known) - len(set(repeat.tolist())) - 1
    interval = None
    if freedom > 0:
        error = math.sqrt(float(np.sum((dy - slope * dx) ** 2)) / freedom / spread)
        half = float(special.stdtrit(freedom, 0.5 + level / 2)) * error
        interval = Interval(slope - half, slope + half, level, "least squares")
    return LogFit(float(y.mean() - slope * x.mean()), slope, interval)
