"""Whether one rater repeats another in nearly all ratings: by the ratings on which two raters have room to differ."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from voirdire.stats import special

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

_RARE = 0.1
"""Share of a rater's ratings up to which a rating is rare: what most items get, easy ones get of anybody."""
_STEPS = 6
"""Different ratings that each of the two must use: on five, careful raters meet in nine cases of ten."""
INDEPENDENT = 0.75
"""Share of items with a rare rating on which independent raters agree at most. The three judges of the published study
reach 0.25, on one model's answers; raters with an error of a fifth of a step, or of 0.01 without rounding, come to 0.8
and may be mistaken for copies (`benchmarks.statistics.near_copies`)."""
_NEAR = 0.03
"""How far apart ratings may be that count as the same, as a share of the scale that both use: a copy with a little
noise is a copy. Independent judges whose error is 0.02 meet so, in two scores, on two items of five."""
_CHANCE = 0.01
"""Of as many agreements, or more, by raters who agree on that share."""


class NearCopy(NamedTuple):
    """Two raters who agree where raters have room to differ."""

    rare: Bools
    """Shape (items,): to which one of the two gave a rating that it seldom gives, within the ends of the scale."""
    alike: Bools
    """Shape (items,): of these, those to which both gave nearly the same, or the second the first's and a constant."""

    @property
    def hits(self) -> int:
        """Items rated alike, of the rare ones."""
        return int(self.alike.sum())

    @property
    def of(self) -> int:
        """The rare ones."""
        return int(self.rare.sum())


def near_copy(first: Floats, second: Floats, rare_at: float = _RARE, steps: int = _STEPS) -> NearCopy | None:
    """Whether two raters agree where independent ones hardly do; `None` where they don't, or nothing shows it.

    Items to which both raters give what they give to many, or an end of the scale, are left out: easy ones are rated
    alike by anybody. To the others the second must give the first's ratings, each moved by one constant (0 as a rule)
    within the ends of the scale, give or take 3 % of what both use, so often that raters who agree on 75 % would with a
    chance below 1 % (exact binomial). Without 17 such items nothing can show it.

    Args:
        first: shape (items, scores), finite; a rating is all scores of an item together.
        second: the same items.
        rare_at: share of a rater's ratings up to which a rating is rare.
        steps: how many different ratings each of the two must use.
    """
    if min(_most_steps(first), _most_steps(second)) < steps:
        return None
    width = _NEAR * np.ptp(np.concatenate([first, second]), axis=0)
    rare = ((_shares(first, width) <= rare_at) | (_shares(second, width) <= rare_at)) & ~_at_an_end(first, second)
    gap = np.median((second - first)[rare], axis=0) if rare.any() else 0.0
    moved = np.clip(first + gap, np.minimum(first.min(0), second.min(0)), np.maximum(first.max(0), second.max(0)))
    alike = rare & (np.abs(moved - second) <= width + 1e-8).all(axis=1)
    result = NearCopy(rare, alike)
    return result if special.bdtrc(result.hits - 1, result.of, INDEPENDENT) < _CHANCE else None


def _most_steps(ratings: Floats) -> int:
    return max((len(np.unique(scores)) for scores in ratings.T), default=0)


def _shares(ratings: Floats, width: Floats) -> Floats:
    """Shape (items,): the share of all items that got the same rating, in steps of a width, shape (scores,)."""
    steps = np.round(ratings / np.where(width > 0, width, 1))
    _, number, counts = np.unique(steps, axis=0, return_inverse=True, return_counts=True)
    return np.asarray(counts[number.ravel()] / max(len(ratings), 1), dtype=np.float64)


def _at_an_end(first: Floats, second: Floats) -> Bools:
    """Shape (items,): whether all scores of both raters are the least or the most that either gives."""
    both = np.stack([first, second])
    at_end = (both == both.min(axis=(0, 1))) | (both == both.max(axis=(0, 1)))
    return np.asarray(at_end.all(axis=(0, 2)))
