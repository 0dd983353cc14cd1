"""How often do the intervals of a word-weighted F1 contain the truth?

Simulates data sets of answers that share contexts: how often statements are cognitive, how often they are hallucinated
and how well a detector does differ between groups. For each size the share of data sets is printed in which a 95 %
interval contains the F1 of a very large data set, and its mean width, for jackknife-t over groups (on the logit scale;
differences on their own) and for the percentile and BCa bootstrap over groups. Last come differences of F1 between two
detectors on the same data.

    python -m benchmarks.statistics.f1_coverage --datasets 600
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from voirdire.cognibench.detector_accuracy.records import (
    METHODS,
    IntervalMethod,
    ResampledScores,
    difference,
    interval_of,
    resample,
)
from voirdire.cognibench.scoring import FIGURES, Floats, Truth
from voirdire.stats import Interval, bootstrap_weights

SMALL = ("--datasets", "10", "--draws", "100")

SIZES = (8, 12, 25, 50, 150)
LARGE = 40_000
STATEMENTS = 10
BETWEEN = 0.8
"""Standard deviation between groups of each rate, on the logit scale."""


class Simulated(NamedTuple):
    """How often a detector flags hallucinated and other statements, in a middling group."""

    hits: float
    false_alarms: float


DETECTORS = {
    "good": Simulated(0.85, 0.1),
    "cautious": Simulated(0.4, 0.05),
    "near everything": Simulated(0.97, 0.85),
}
PAIR = (Simulated(0.85, 0.1), Simulated(0.7, 0.12))


def rates(middle: float, groups: int, rng: np.random.Generator) -> Floats:
    """A rate for each group."""
    log_odds = np.log(middle / (1 - middle)) + BETWEEN * rng.standard_normal(groups)
    shares: Floats = 1 / (1 + np.exp(-log_odds))
    return shares


def simulate(groups: int, rng: np.random.Generator) -> Truth:
    """A labelled data set."""
    group = np.repeat(np.arange(groups), 2 + rng.poisson(STATEMENTS - 2, groups))

    def coin(middle: float) -> np.ndarray:
        return rng.random(group.size) < rates(middle, groups, rng)[group]

    cognitive = coin(0.33)
    gold = np.where(cognitive, coin(0.57), coin(0.15))
    return Truth(
        labelled_masks=(),
        groups=tuple(map(str, range(groups))),
        group=group,
        words=np.ceil(rng.gamma(4.0, 5.0, group.size)),
        labels=(),
        require="grounded",
        gold=gold,
        small_talk=np.zeros_like(gold),
        parts={"overall": np.ones_like(gold), "factual": ~cognitive, "cognitive": cognitive},
    )


def flag(truth: Truth, detector: Simulated, rng: np.random.Generator) -> Floats:
    """What a detector flags."""
    hit, false = (rates(middle, len(truth.groups), rng)[truth.group] for middle in detector)
    return (rng.random(truth.gold.size) < np.where(truth.gold, hit, false)).astype(np.float64)


def cover(
    detectors: tuple[Simulated, ...],
    measured: Callable[[list[ResampledScores], str, IntervalMethod], tuple[float | None, Interval | None]],
    groups: int,
    given: argparse.Namespace,
    rng: np.random.Generator,
) -> None:
    """Print coverage and width for one size."""
    large = simulate(LARGE, rng)
    of_large = [resample(large, flag(large, each, rng)) for each in detectors]
    values = {figure: measured(of_large, figure, "jackknife-t")[0] for figure in FIGURES}
    true = {figure: value for figure, value in values.items() if value is not None}
    hits, widths = defaultdict(list), defaultdict(list)
    for _ in range(given.datasets):
        truth, weights = simulate(groups, rng), bootstrap_weights(groups, given.draws, rng)
        of = [resample(truth, flag(truth, each, rng), weights) for each in detectors]
        for figure in true:
            for method in METHODS:
                interval = measured(of, figure, method)[1]
                if interval is not None:
                    hits[figure, method].append(interval.low <= true[figure] <= interval.high)
                    widths[figure, method].append(interval.high - interval.low)
    for figure in true:
        cells = "  ".join(
            f"{method} {np.mean(hits[figure, method]):.3f} ({np.mean(widths[figure, method]):.2f})"
            for method in METHODS
        )
        print(f"  {groups:4d} groups, {figure:9s} {true[figure]:.2f}: {cells}", flush=True)


def of_one(of: list[ResampledScores], figure: str, method: IntervalMethod) -> tuple[float | None, Interval | None]:
    """F1 of a detector."""
    return of[0].scores[figure].f1, interval_of(figure, of[0], method)


def of_two(of: list[ResampledScores], figure: str, method: IntervalMethod) -> tuple[float | None, Interval | None]:
    """The difference between two."""
    apart, interval = difference(figure, of[0], of[1], method)[:2]
    return apart, interval


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--datasets", type=int, default=600)
    parser.add_argument("--draws", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    rng = np.random.default_rng(given.seed)
    for name, detector in DETECTORS.items():
        print(name)
        for groups in SIZES:
            cover((detector,), of_one, groups, given, rng)
    print("difference of two")
    for groups in SIZES:
        cover(PAIR, of_two, groups, given, rng)


if __name__ == "__main__":
    main()
