"""Do the intervals of a difference contain the truth, and does the swap test keep its level?

Simulates studies of two subjects with known parameters, as `interval_coverage.py` does for one. Counts how often the
interval that `voirdire compare` gives for the difference of their ER contains that of the population, and how often the
swap test over concepts has p <= 0.05: for two equal subjects an error, for others the power.

    python -m benchmarks.statistics.difference_coverage --studies 1000
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from benchmarks.statistics.interval_coverage import Scenario, Subject, er_subjects, simulate, truth
from voirdire.ddft.analysis.comparing.pairs import PairSettings, interval_and_effect, swap_cells
from voirdire.ddft.analysis.comparing.shared import metric_of
from voirdire.ddft.concept_sums import cells

SMALL = ("--studies", "20")

SETTINGS = PairSettings("ER", "concept", 0.05, 1000, 0)


class Row(NamedTuple):
    """Two subjects, over all studies."""

    true: float
    covered: float
    """Percent of the studies with an interval."""
    width: float
    without: float
    """Percent of studies without an interval."""
    told_apart: float
    """Percent of studies in which the swap test has p <= 0.05."""


def pairs() -> dict[str, tuple[Subject, Subject]]:
    """By title."""
    usual = er_subjects()
    return {f"{title}, twice": (subject, subject) for title, subject in usual.items()} | {
        "base, near ceiling": (usual["base"], usual["near ceiling"]),
        "traps rejected: 0.7, 0.4": (Subject(rejection=0.7), Subject(rejection=0.4)),
        "traps rejected: 0.99, 0.9": (Subject(rejection=0.99), Subject(rejection=0.9)),
        "traps rejected: 0.99, 0.02": (Subject(rejection=0.99), Subject(rejection=0.02)),
    }


def coverage(pair: tuple[Subject, Subject], studies: int, seed: int) -> Row:
    """Simulate one pair of subjects."""
    first, second = (truth(Scenario("", subject, ("ER",)))["ER"] for subject in pair)
    rng, once = np.random.default_rng(seed), np.ones((1, pair[0].concepts))
    hits, widths, apart = 0, [], 0
    for _ in range(studies):
        a, b = (simulate(subject, subject.concepts, rng) for subject in pair)
        both = (cells(a), cells(b))
        difference = float((metric_of(both[0], "ER", once) - metric_of(both[1], "ER", once))[0])
        interval = interval_and_effect(both, difference, SETTINGS)[0]
        if interval is not None:
            hits += interval.low <= first - second <= interval.high
            widths.append(interval.high - interval.low)
        apart += swap_cells(a, b, SETTINGS)[0].p <= SETTINGS.alpha
    known = len(widths)
    return Row(
        first - second, 100 * hits / known, float(np.mean(widths)), 100 * (1 - known / studies), 100 * apart / studies
    )


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--studies", type=int, default=1000)
    options.add_argument("--seed", type=int, default=3)
    options.add_argument("--concepts", type=int, help="of every subject, instead of its own number")
    asked = options.parse_args()

    print(f"{asked.studies} studies of two subjects each; percent.")
    print(f"{'':34}{'truth':>8}{'covered':>10}{'width':>8}{'without':>9}{'p <= 0.05':>11}")
    for title, (first, second) in pairs().items():
        pair = (first, second)
        if asked.concepts is not None:
            pair = (replace(first, concepts=asked.concepts), replace(second, concepts=asked.concepts))
        row = coverage(pair, asked.studies, asked.seed)
        numbers = f"{row.covered:>10.1f}{row.width:>8.3f}{row.without:>9.1f}{row.told_apart:>11.1f}"
        print(f"  {title:32}{row.true:>8.3f}{numbers}", flush=True)


if __name__ == "__main__":
    main()
