"""The few statistics that the suite needs: for plants that can be seen, and for what a clean log has by right."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations
from statistics import NormalDist, fmean, stdev

from benchmarks.accuracy.planted.study import Study, item_scores

NORMAL = NormalDist()


@dataclass(frozen=True, slots=True)
class Difference:
    """Two models on the items that both have."""

    first: str
    second: str
    value: float
    paired: float
    """Standard error of the mean of the differences."""
    unpaired: float
    """Root of the sum of the two squared standard errors."""

    @property
    def p(self) -> float:
        """Two-sided, of the paired test."""
        return _p(self.value, self.paired)

    @property
    def p_unpaired(self) -> float:
        """Two-sided, of the test that ignores the pairs."""
        return _p(self.value, self.unpaired)

    @property
    def detectable(self) -> float:
        """The difference that 80 % of such studies would find at 5 %, with the pairs used."""
        return 2.8 * self.paired


def differences(study: Study) -> list[Difference]:
    """All pairs of models."""
    scores = {model: item_scores(study.of(model)) for model in study.models}
    made = []
    for first, second in combinations(study.models, 2):
        keys = [key for key in scores[first] if key in scores[second]]
        one, two = [scores[first][key] for key in keys], [scores[second][key] for key in keys]
        paired = stdev([a - b for a, b in zip(one, two, strict=True)]) / math.sqrt(len(keys))
        unpaired = math.hypot(stdev(one), stdev(two)) / math.sqrt(len(keys))
        made.append(Difference(first, second, fmean(one) - fmean(two), paired, unpaired))
    return made


def holm(values: list[float]) -> list[float]:
    """P values after Holm (1979), in the order given."""
    order = sorted(range(len(values)), key=values.__getitem__)
    adjusted, highest = [0.0] * len(values), 0.0
    for place, index in enumerate(order):
        highest = max(highest, min(1.0, (len(values) - place) * values[index]))
        adjusted[index] = highest
    return adjusted


def _p(value: float, error: float) -> float:
    if error == 0:
        return 1.0 if value == 0 else 0.0
    return 2 * (1 - NORMAL.cdf(abs(value) / error))
