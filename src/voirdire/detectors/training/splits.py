"""Splits of answers that never part a group: answers about one context resemble one another."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from voirdire.detectors.records import Answer, DetectorError
from voirdire.stats.intervals import Interval
from voirdire.text.counting import counted


class Split(NamedTuple):
    """Answers to learn from, and answers to be judged by; no group has answers in both."""

    train: list[Answer]
    test: list[Answer]


def labelled_statements(answer: Answer) -> int:
    """How many statements of an answer carry a label: its size in every split."""
    return sum(statement.label is not None for statement in answer.statements)


def group_sizes(answers: Sequence[Answer]) -> dict[str, int]:
    """Labelled statements in each group."""
    sizes: dict[str, int] = {}
    for answer in answers:
        sizes[answer.group] = sizes.get(answer.group, 0) + labelled_statements(answer)
    return sizes


def assign_folds(sizes: Mapping[str, int], folds: int, seed: int = 0) -> dict[str, int]:
    """Deal groups into folds of about equal size: shuffled, then the largest first, each to the smallest fold.

    Args:
        sizes: statements in each group; two folds differ by no more than the largest of them.
        folds: how many; at least 2.
        seed: decides among groups of equal size.

    Returns:
        The fold, from 0, of each group; every fold has one.

    Raises:
        DetectorError: fewer groups than folds, or fewer than two folds.
    """
    if not 2 <= folds <= len(sizes):
        raise DetectorError(
            f"{counted(folds, 'fold')} asked for, of {counted(len(sizes), 'group')}; give 2 folds or more, and as "
            "many groups."
        )
    totals, members = [0] * folds, [0] * folds
    fold_of: dict[str, int] = {}
    for group in sorted(shuffled_groups(sizes, seed), key=lambda group: -sizes[group]):
        fold_of[group] = min(range(folds), key=lambda fold: (totals[fold], members[fold], fold))
        totals[fold_of[group]] += sizes[group]
        members[fold_of[group]] += 1
    return fold_of


def group_folds(answers: Sequence[Answer], folds: int = 5, seed: int = 0) -> list[Split]:
    """Grouped cross-validation: in each split, another fold is the one to be judged by; see `assign_folds`."""
    fold_of = assign_folds(group_sizes(answers), folds, seed)
    return [
        Split([a for a in answers if fold_of[a.group] != fold], [a for a in answers if fold_of[a.group] == fold])
        for fold in range(folds)
    ]


def split_groups(answers: Sequence[Answer], test_share: float = 0.2, seed: int = 0) -> Split:
    """Put about a share of the labelled statements aside, in whole groups.

    Groups are drawn by seed and kept where that brings the size nearer: it misses the share by no more than the size
    of the largest group, and both sides have a group.

    Raises:
        DetectorError: the share is not between 0 and 1, or there are fewer than two groups.
    """
    sizes = group_sizes(answers)
    if not 0 < test_share < 1:
        raise DetectorError(f"A share of {test_share:g} can't be put aside; give one between 0 and 1.")
    if len(sizes) < 2:
        raise DetectorError(f"A grouped split needs two groups or more; the data have {len(sizes)}.")
    aside = _nearest(sizes, shuffled_groups(sizes, seed), test_share * sum(sizes.values()))
    return Split([a for a in answers if a.group not in aside], [a for a in answers if a.group in aside])


def _nearest(sizes: Mapping[str, int], order: Sequence[str], target: float) -> set[str]:
    chosen: set[str] = set()
    size = 0
    for group in order[:-1]:
        if abs(size + sizes[group] - target) < abs(size - target):
            chosen.add(group)
            size += sizes[group]
    return chosen or {order[-1]}


def shuffled_groups(sizes: Mapping[str, int], seed: int = 0) -> list[str]:
    """The groups in an order drawn by seed, whatever order they came in."""
    order = sorted(sizes)
    random.Random(seed).shuffle(order)  # noqa: S311 (a split, not a secret)
    return order


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
    labelled = [answer for answer in answers if answer.labelled]
    points: list[Point] = []
    for repeat in range(repeats):
        train, test = split_groups(labelled, test_share, seed + repeat)
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

    from voirdire.stats import special

    scored = [point for point in points if point.f1 is not None]
    if len(scored) < 3:
        return None
    repeat = np.array([point.repeat for point in scored])
    x = np.log10([point.statements for point in scored])
    y = np.array([point.f1 for point in scored], dtype=np.float64)
    mean = np.array([[x[repeat == r].mean(), y[repeat == r].mean()] for r in repeat])
    dx, dy = x - mean[:, 0], y - mean[:, 1]
    spread = float(dx @ dx)
    if spread < 1e-12:
        return None
    slope = float(dx @ dy) / spread
    freedom = len(scored) - len(set(repeat.tolist())) - 1
    interval = None
    if freedom > 0:
        error = math.sqrt(float(np.sum((dy - slope * dx) ** 2)) / freedom / spread)
        half = float(special.stdtrit(freedom, 0.5 + level / 2)) * error
        interval = Interval(slope - half, slope + half, level, "least squares")
    return LogFit(float(y.mean() - slope * x.mean()), slope, interval)
