"""Which models of an evaluation differ: paired differences, places that each can have, the order to believe."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

import numpy as np

from voirdire.evaluation.headline import Headline, headlines, units
from voirdire.evaluation.length import adjusted_for_length
from voirdire.evaluation.records import Evaluation, Floats
from voirdire.stats.paired import Pairs, all_pairs, rank_sets

ALPHA = 0.05


@dataclass(frozen=True, slots=True)
class Placed:
    """A model in its place, the best first."""

    model: str
    place: int
    headline: Headline
    best: int
    """The best place that the data allow."""
    worst: int
    length_adjusted: float | None
    """Its score if all outputs had one length."""
    length_adjusted_place: int | None


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
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

    @property
    def believed(self) -> int:
        """How many of the first places are sure, in their order."""
        sure = [each.best == each.worst == each.place for each in self.placed]
        return next((place for place, is_sure in enumerate(sure) if not is_sure), len(sure))

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
            "believed": self.believed,
            "tied": [list(run) for run in self.tied],
            "ranks": [
                {
                    "model": each.model,
                    "place": each.place,
                    "places": [each.best, each.worst],
                    "length_adjusted": each.length_adjusted,
                    "length_adjusted_place": each.length_adjusted_place,
                }
                for each in self.placed
            ],
            "pairs": [self.pair(int(a), int(b)) for a, b in upper],
        }

    def pair(self, a: int, b: int) -> dict[str, Any]:
        """The difference of two models by their places in `placed`, from 0: a - b, with its interval and test."""
        figures = {name: _known(getattr(self.pairs, name)[a, b]) for name in ("difference", "se", "low", "high", "p")}
        return {"a": self.placed[a].model, "b": self.placed[b].model, **figures, "n": int(self.pairs.shared[a, b])}


@lru_cache(maxsize=4)
def compare(evaluation: Evaluation, alpha: float = ALPHA) -> Comparison:
    """Compare models of an evaluation on the items that each two share.

    Args:
        evaluation: with what scores.
        alpha: level of the tests, after Holm's correction over all pairs, and 1 - the level of the intervals.
    """
    scores, found = evaluation.item_scores, headlines(evaluation)
    sign = 1.0 if evaluation.higher_is_better else -1.0
    value_of = {model: each.value for model, each in found.items() if each.value is not None}
    order = sorted(value_of, key=lambda model: (-sign * value_of[model], model))
    rows = [scores.models.index(model) for model in order]
    sampled = units(evaluation)
    pairs = all_pairs(sign * scores.values[rows], sampled, alpha=alpha)
    sets = rank_sets(pairs, alpha=alpha)
    adjusted = _adjusted(evaluation, order, sign)
    placed = tuple(
        Placed(model, place, found[model], int(sets[place - 1, 0]), int(sets[place - 1, 1]), *adjusted[model])
        for place, model in enumerate(order, start=1)
    )
    unit: Literal["item", "cluster"] = "item" if len(set(sampled)) == len(sampled) else "cluster"
    return Comparison(evaluation.name, unit, alpha, placed, pairs)


def _adjusted(evaluation: Evaluation, order: list[str], sign: float) -> Mapping[str, tuple[float | None, int | None]]:
    """By model, the score at equal length and its place."""
    found = adjusted_for_length(evaluation) if len(order) > 1 else None
    if found is None:
        return {model: (None, None) for model in order}
    means = dict(zip(evaluation.models, found.means, strict=True))
    ranked = sorted(order, key=lambda model: (-sign * means[model], model))
    return {model: (_known(means[model]), ranked.index(model) + 1) for model in order}


def _known(value: float | Floats) -> float | None:
    return float(value) if np.isfinite(value) else None
