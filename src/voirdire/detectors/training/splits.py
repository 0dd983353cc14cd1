"""Splits of answers that never part a group: answers about one context resemble one another."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from voirdire.detectors.records import Answer, DetectorError
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
    where: dict[str, int] = {}
    for group in sorted(shuffled_groups(sizes, seed), key=lambda group: -sizes[group]):
        where[group] = min(range(folds), key=lambda fold: (totals[fold], members[fold], fold))
        totals[where[group]] += sizes[group]
        members[where[group]] += 1
    return where


def group_folds(answers: Sequence[Answer], folds: int = 5, seed: int = 0) -> list[Split]:
    """Grouped cross-validation: in each split, another fold is the one to be judged by; see `assign_folds`."""
    where = assign_folds(group_sizes(answers), folds, seed)
    return [
        Split([a for a in answers if where[a.group] != fold], [a for a in answers if where[a.group] == fold])
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
