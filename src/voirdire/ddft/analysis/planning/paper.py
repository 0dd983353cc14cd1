"""What the published study could tell apart, with its eight concepts."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from voirdire.data.json_values import as_object
from voirdire.ddft.analysis.planning.components import components
from voirdire.ddft.analysis.planning.material import Layout, Material, effects_of
from voirdire.stats.intervals import jackknife_t
from voirdire.stats.power import clusters_for_swaps, smallest_difference


class SeenPair(NamedTuple):
    """Two models of the study."""

    a: str
    b: str
    difference: float
    """A - B."""
    interval_excludes_0: bool | None
    """Of this very pair, by jackknife-t over concepts; `None` without an interval."""


@dataclass(frozen=True, slots=True)
class Resolution:
    """What a study could tell apart in one metric."""

    metric: str
    smallest_detectable: float
    """By a typical pair, with the power asked for."""
    after_holm: float
    """The same for the first of all pairs under Holm's correction."""
    pairs: tuple[SeenPair, ...]
    """The largest difference first."""
    smallest_p: float
    """That a test which swaps whole concepts can give."""
    concepts_for_holm: int
    """How many concepts that test needs to decide anything about all pairs."""

    def distinguishable(self, smallest: float) -> int:
        """How many pairs differ by at least this much."""
        return sum(abs(pair.difference) >= smallest for pair in self.pairs)

    def as_dict(self) -> dict[str, Any]:
        """Plain values that JSON can hold."""
        return {
            "metric": self.metric,
            "smallest_detectable": self.smallest_detectable,
            "smallest_detectable_after_holm": self.after_holm,
            "pairs": len(self.pairs),
            "distinguishable_pairs": self.distinguishable(self.smallest_detectable),
            "distinguishable_pairs_after_holm": self.distinguishable(self.after_holm),
            "smallest_p": self.smallest_p,
            "concepts_for_holm": self.concepts_for_holm,
            "intervals_excluding_0": sum(pair.interval_excludes_0 is True for pair in self.pairs),
            "listed": [
                as_object(pair)
                | {
                    "distinguishable": abs(pair.difference) >= self.smallest_detectable,
                    "distinguishable_after_holm": abs(pair.difference) >= self.after_holm,
                }
                for pair in self.pairs
            ],
        }


def resolution(material: Material, metric: str, *, power: float, alpha: float) -> Resolution:
    """What a study could tell apart in one metric.

    Raises:
        PowerError: the metric is undefined for every model.
    """
    effects = effects_of(material, metric)
    layout: Layout = material.layout
    variance = components(effects).variance(layout)
    estimates, left_out = material.estimates(metric)
    known = [place for place, model in enumerate(material.models) if model in effects.models]
    pairs = [
        SeenPair(
            material.models[a],
            material.models[b],
            float(estimates[a] - estimates[b]),
            _excludes_0(float(estimates[a] - estimates[b]), left_out[a] - left_out[b], alpha),
        )
        for a, b in combinations(known, 2)
    ]
    smallest, after_holm = (
        smallest_difference(variance, layout.concepts, power=power, alpha=each)
        for each in (alpha, alpha / max(1, len(pairs)))
    )
    return Resolution(
        metric,
        smallest,
        after_holm,
        pairs=tuple(sorted(pairs, key=lambda pair: -abs(pair.difference))),
        smallest_p=2.0 ** (1 - layout.concepts),
        concepts_for_holm=clusters_for_swaps(alpha / max(1, len(pairs))),
    )


def _excludes_0(difference: float, left_out: np.ndarray[Any, np.dtype[np.float64]], alpha: float) -> bool | None:
    try:
        interval = jackknife_t(difference, left_out, level=1 - alpha)
    except ValueError:  # undefined without one of the concepts, or no variation at all
        return None
    return interval.low > 0 or interval.high < 0
