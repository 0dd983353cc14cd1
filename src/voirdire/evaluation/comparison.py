"""Which models of an evaluation differ: paired differences, places that each can have, the order to believe."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Any, Literal, NamedTuple

import numpy as np

from voirdire.data.json_values import as_plain
from voirdire.evaluation.headline import Headline, headlines, units
from voirdire.evaluation.length import adjusted_for_length
from voirdire.evaluation.records import Evaluation, Floats, Places
from voirdire.reason_codes import Reason, reason
from voirdire.stats.paired import Pairs, all_pairs, rank_sets

ALPHA = 0.05
WARN_ODDS, FAIL_ODDS = 1.2, 1.5
"""Odds of a point for an output one standard deviation longer, over those of one as much shorter: they say something
from the first on, and much from the second."""
SURE = 3.0
"""Standard errors that the effect of length must lie from 0."""
SURE_OF_ORDER = 1.96
"""The same where length may decide the order: the slope's 95 % interval leaves 0 out."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A model in its place, the best first."""

    model: str
    place: int
    headline: Headline
    best: int
    """The best place that the data allow."""
    worst: int
    length_adjusted: float | None = None
    """Its score if all outputs had one length; `None` where length does not surely sway scores, or where the lengths of
    its outputs hardly overlap with those of others."""
    length_adjusted_interval: tuple[float, float] | None = None
    """95 %: of the items that were drawn, and of what length does."""
    length_adjusted_places: tuple[int, int] | None = None
    """The best and the worst place that the scores at equal length allow (95 %); `None` also where one of the models
    has no such score."""

    @property
    def length_adjusted_place(self) -> int | None:
        """Its place at equal length, where no other model may stand in it."""
        best, worst = self.length_adjusted_places or (0, 1)
        return best if best == worst else None


class AtEqualLengthPairs(NamedTuple):
    """Differences of all pairs if all outputs had one length, each of shape (models, models); better is higher."""

    difference: Floats
    reach: Floats
    """Half of the 95 % interval: of the items that were drawn, and of what length does."""


@dataclass(frozen=True, slots=True, eq=False)
class EvaluationComparison:
    """All models of one evaluation."""

    evaluation: str
    unit: Literal["item", "cluster"]
    """What errors are computed by."""
    alpha: float
    """Level of the tests, over all pairs."""
    placed: tuple[Placed, ...]
    """By their headline, the best first; models without a score are left out."""
    pairs: Pairs
    """Of `placed`, in their order; differences are of scores that are better when higher."""
    not_at_equal_length: Reason | None = None
    """Which models have no score at equal length, and why, where length sways scores or may."""
    at_equal_length: AtEqualLengthPairs | None = None
    """`None` where length does not surely sway scores, or a model has no score at equal length."""

    @property
    def sure(self) -> list[Placed]:
        """Models that can have one place alone."""
        return [each for each in self.placed if each.best == each.worst == each.place]

    @property
    def believed(self) -> int:
        """How many of the first places are sure, in their order."""
        return sum(number == each.place for number, each in enumerate(self.sure, start=1))

    @property
    def tied(self) -> tuple[tuple[int, int], ...]:
        """Runs of places that can't be separated, as (first, last): neighbours whose possible places overlap."""
        runs: list[tuple[int, int]] = []
        first, reach = 1, 0
        for each in self.placed:
            if each.place > 1 and each.best > reach:
                runs.append((first, each.place - 1))
                first = each.place
            reach = max(reach, each.worst)
        runs.append((first, len(self.placed)))
        return tuple(run for run in runs if run[1] > run[0])

    def as_dict(self) -> dict[str, Any]:
        """Plain values that JSON can hold."""
        upper = zip(*np.triu_indices(len(self.placed), 1), strict=True)
        return {
            "unit": self.unit,
            "alpha": self.alpha,
            "tied": [list(run) for run in self.tied],
            "ranks": [
                {
                    "model": each.model,
                    "place": each.place,
                    "places": [each.best, each.worst],
                    "length_adjusted": each.length_adjusted,
                    "length_adjusted_interval": as_plain(each.length_adjusted_interval),
                    "length_adjusted_places": as_plain(each.length_adjusted_places),
                }
                for each in self.placed
            ],
            "pairs": [self.pair(int(a), int(b)) for a, b in upper],
            "not_at_equal_length": self.not_at_equal_length and self.not_at_equal_length.as_dict(),
        }

    def pair(self, a: int, b: int) -> dict[str, Any]:
        """The difference of two models by their places in `placed`, from 0: a - b, with its interval and test."""
        figures = {name: _known(getattr(self.pairs, name)[a, b]) for name in ("difference", "se", "low", "high", "p")}
        return {"a": self.placed[a].model, "b": self.placed[b].model, **figures, "n": int(self.pairs.shared[a, b])}


@lru_cache(maxsize=4)
def compare(evaluation: Evaluation, alpha: float = ALPHA) -> EvaluationComparison:
    """Compare models of an evaluation on the items that each two share.

    Args:
        evaluation: with what scores.
        alpha: level of the tests, after Holm's correction over all pairs, and 1 - the level of the intervals.
    """
    order, pairs, sets = _ordered(evaluation, alpha)
    result = headlines(evaluation)
    sways = length_sways(evaluation)
    at_equal_length = _pairs_at_equal_length(evaluation, order, pairs) if sways else None
    adjusted = _adjusted(evaluation, order, at_equal_length) if sways else {}
    placed = tuple(
        Placed(model, place, result[model], int(low), int(high), *adjusted.get(model, ()))
        for place, (model, (low, high)) in enumerate(zip(order, sets, strict=True), start=1)
    )
    sampled = units(evaluation)
    unit: Literal["item", "cluster"] = "item" if len(set(sampled)) == len(sampled) else "cluster"
    return EvaluationComparison(
        evaluation.name, unit, alpha, placed, pairs, unlike_lengths(evaluation), at_equal_length
    )


@lru_cache(maxsize=4)
def length_sways(evaluation: Evaluation) -> bool:
    """Whether longer outputs surely have other scores, whoever wrote them, by more than a little.

    Where models that differ for sure change their order at equal length, or their lengths hardly overlap, so that it
    may be all that makes their order, less certainty of it is enough.
    """
    result = adjusted_for_length(evaluation)
    if result is None or max(result.odds, 1 / result.odds) < WARN_ODDS:
        return False
    decides = not result.measured.all() or _changes_order(evaluation)
    return abs(result.slope) / result.se >= (SURE_OF_ORDER if decides else SURE)


def unlike_lengths(evaluation: Evaluation) -> Reason | None:
    """Whose lengths hardly overlap with those of others, so that no item tells what they would score at equal length.

    `None` where all lengths overlap, or where length surely does little.
    """
    result = adjusted_for_length(evaluation)
    if result is None or result.measured.all() or result.most_odds < FAIL_ODDS:
        return None
    apart = tuple(model for model, known in zip(evaluation.models, result.measured, strict=True) if not known)
    return reason(f"evaluation_lengths_apart{'_from_others' if result.measured.any() else ''}", models=apart)


@lru_cache(maxsize=4)
def _ordered(evaluation: Evaluation, alpha: float) -> tuple[list[str], Pairs, Places]:
    """Models with a score, the best first; their pairs; shape (models, 2): the places that each can have.

    Where items are missing, a lower headline may surely be the better one on the items that both have, and comes first.
    """
    sign = _sign(evaluation)
    value_of = {model: each.value for model, each in headlines(evaluation).items() if each.value is not None}
    order = sorted(value_of, key=lambda model: (-sign * value_of[model], model))
    pairs, sets = _tested(evaluation, order, alpha)
    sure = _by_sure_places(sets)
    if sure == sorted(sure):
        return order, pairs, sets
    order = [order[place] for place in sure]
    return order, *_tested(evaluation, order, alpha)


def _tested(evaluation: Evaluation, order: list[str], alpha: float) -> tuple[Pairs, Places]:
    scores = evaluation.item_scores
    rows = [scores.models.index(model) for model in order]
    pairs = all_pairs(_sign(evaluation) * scores.values[rows], units(evaluation), alpha=alpha)
    return pairs, rank_sets(pairs, alpha=alpha)


def _by_sure_places(sets: Places) -> list[int]:
    """The order of models in which none stands before one that is surely better."""
    order = list(range(len(sets)))
    for end in range(len(order) - 1, 0, -1):
        for place in range(end):
            here, below = order[place], order[place + 1]
            if sets[here, 0] > sets[below, 1]:
                order[place : place + 2] = [below, here]
    return order


def _sign(evaluation: Evaluation) -> float:
    return 1.0 if evaluation.higher_is_better else -1.0


def _changes_order(evaluation: Evaluation) -> bool:
    """Whether two models whose places are sure to differ have the opposite order at equal length."""
    order, _, sets = _ordered(evaluation, ALPHA)
    at_equal_length = _places_at_equal_length(evaluation, order)
    return any(
        sets[first, 1] < sets[second, 0] and at_equal_length[order[first]] > at_equal_length[order[second]]
        for first, second in combinations(range(len(order)), 2)
        if order[first] in at_equal_length and order[second] in at_equal_length
    )


def _pairs_at_equal_length(evaluation: Evaluation, order: list[str], pairs: Pairs) -> AtEqualLengthPairs | None:
    result, scored = adjusted_for_length(evaluation), headlines(evaluation)
    if result is None or not result.measured.all() or len(order) < 2:
        return None
    means = dict(zip(evaluation.models, result.means.tolist(), strict=True))
    own = _sign(evaluation) * np.array([means[model] for model in order])
    shift = own - _sign(evaluation) * np.array([scored[model].value or 0.0 for model in order])
    by_length = (shift[:, np.newaxis] - shift) * result.se / result.slope
    return AtEqualLengthPairs(own[:, np.newaxis] - own, SURE_OF_ORDER * np.hypot(pairs.se, by_length))


def _adjusted(
    evaluation: Evaluation, order: list[str], pairs: AtEqualLengthPairs | None
) -> Mapping[str, tuple[float, tuple[float, float] | None, tuple[int, int] | None]]:
    """By model whose score at equal length is known: that score, its interval and the places that it allows."""
    result, scored = adjusted_for_length(evaluation), headlines(evaluation)
    if result is None or len(order) < 2:
        return {}
    means = dict(zip(evaluation.models, result.means.tolist(), strict=True))
    low, high = evaluation.bounds or (-math.inf, math.inf)
    intervals: dict[str, tuple[float, float] | None] = {}
    for model in order:
        value, own = scored[model].value, scored[model].interval_se
        if value is None or own is None:
            intervals[model] = None
            continue
        reach = 1.96 * math.hypot(own, (means[model] - value) * result.se / result.slope)
        intervals[model] = (max(means[model] - reach, low), min(means[model] + reach, high))
    places: dict[str, tuple[int, int]] = {}
    if pairs is not None:
        best = 1 + (pairs.difference < -pairs.reach).sum(axis=1)
        worst = len(order) - (pairs.difference > pairs.reach).sum(axis=1)
        places = {model: (int(a), int(b)) for model, a, b in zip(order, best, worst, strict=True)}
    known = (model for model, is_known in zip(evaluation.models, result.measured, strict=True) if is_known)
    return {
        model: (means[model], intervals[model], places.get(model))
        for model in known
        if model in order and np.isfinite(means[model])
    }


def _places_at_equal_length(evaluation: Evaluation, order: list[str]) -> Mapping[str, int]:
    """By model with a score its place at equal length, as far as a line drawn on beyond all outputs tells it."""
    result, sign = adjusted_for_length(evaluation), _sign(evaluation)
    if result is None:
        return {}
    means = {model: mean for model, mean in zip(evaluation.models, result.means, strict=True) if model in order}
    ranked = sorted(means, key=lambda model: (-sign * means[model], model))
    return {model: place for place, model in enumerate(ranked, start=1) if np.isfinite(means[model])}


def _known(value: float | Floats) -> float | None:
    return float(value) if np.isfinite(value) else None
