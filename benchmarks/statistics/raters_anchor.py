"""Do anchored intervals contain the truth when the judges are biased, and do the plain ones?

Simulates runs of dialogues that judges have scored wrongly and people have rated in part, and counts how often each
95 % interval contains the value of the population that the dialogues come from.

    python -m benchmarks.statistics.raters_anchor           every scene, 1,000 runs each
    python -m benchmarks.statistics.raters_anchor --quick   25 runs each
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit

from voirdire.stats import Interval, anchored_mean, corrected_share

SMALL = ("--quick",)

Floats = NDArray[np.float64]
RATED = (20, 30, 50, 100)
LENIENCY, NOISE = 0.15, 0.15
SPREAD = 0.5
"""Standard deviation between groups, on the logit scale."""
_POPULATION = 400_000


@dataclass(frozen=True)
class Scene:
    """What is true of a run, and of its judges."""

    title: str
    groups: int = 80
    per_group: int = 5
    truth: float = 0.3
    """Of a middling group."""
    sensitivity: float = 0.9
    specificity: float = 0.7
    scores: bool = False
    """Scores in [0, 1] that judges put too high by `LENIENCY`, in place of a yes or no that they get wrong."""
    uneven: bool = False
    """Units that the judges flag are drawn three times as often, and weighted."""
    whole: bool = False
    """Whole groups are rated, not units at random."""


SCENES = (
    Scene("se .90, sp .70"),
    Scene("se .90, sp .70; N = 2,000", groups=400),
    Scene("se .90, sp .70; eight groups of 50", groups=8, per_group=50),
    Scene("se .90, sp .70; whole groups rated", whole=True),
    Scene("se .90, sp .70; flagged drawn threefold", uneven=True),
    Scene("se .98, sp .98", sensitivity=0.98, specificity=0.98),
    Scene("se .90, sp .85; 10 % true", truth=0.1, specificity=0.85),
    Scene("se .95, sp .95; 2 % true", truth=0.02, sensitivity=0.95, specificity=0.95),
    Scene("lenient by .15, mean .60", truth=0.6, scores=True),
    Scene("lenient by .15, mean .85", truth=0.85, scores=True),
)


class Run(NamedTuple):
    """One simulated run; `people` is NaN where nobody has rated."""

    people: Floats
    machine: Floats
    groups: NDArray[np.intp]
    weights: Floats


class Covered(NamedTuple):
    """How often each interval contains the truth, in percent, and how wide the intervals are."""

    plain: float
    people: float
    anchored: float
    corrected: float
    """Of those that there are; NaN without any."""
    lacking: float
    """Percent of runs without a corrected interval."""
    people_width: float
    width: float
    corrected_width: float


def simulate(scene: Scene, rated: int, rng: np.random.Generator) -> Run:
    """One run, of which so many units are rated."""
    groups = np.repeat(np.arange(scene.groups), scene.per_group)
    chance = expit(logit(scene.truth) + SPREAD * rng.standard_normal(scene.groups))[groups]
    if scene.scores:
        true = rng.beta(4 * chance, 4 * (1 - chance))
        machine = np.clip(true + LENIENCY + NOISE * rng.standard_normal(groups.size), 0.0, 1.0)
    else:
        true = (rng.random(groups.size) < chance).astype(np.float64)
        right = np.where(true == 1, scene.sensitivity, scene.specificity)
        machine = np.where(rng.random(groups.size) < right, true, 1 - true)
    drawn, weights = _drawn(scene, machine, groups, rated, rng)
    people = np.full(groups.size, np.nan)
    people[drawn] = true[drawn]
    return Run(people, machine, groups, weights)


def truth(scene: Scene) -> float:
    """Of the population that groups are drawn from."""
    shifts = SPREAD * np.random.default_rng(1).standard_normal(_POPULATION)
    return float(expit(logit(scene.truth) + shifts).mean())


def coverage(scene: Scene, rated: int, runs: int, seed: int) -> Covered:
    """How often intervals contain the truth over so many simulated runs."""
    rng, true = np.random.default_rng(seed), truth(scene)
    found: dict[str, list[Interval | None]] = {name: [] for name in ("plain", "people", "anchored", "corrected")}
    for _ in range(runs):
        run = simulate(scene, rated, rng)
        found["plain"].append(anchored_mean(run.machine, run.machine, run.groups, lam=0.0).interval)
        found["people"].append(anchored_mean(*run[:3], weights=run.weights, lam=0.0).interval)
        found["anchored"].append(anchored_mean(*run[:3], weights=run.weights).interval)
        corrected = None if scene.scores else corrected_share(*run[:3], weights=run.weights).interval
        found["corrected"].append(corrected)
    known = {name: [each for each in intervals if each is not None] for name, intervals in found.items()}
    covered = {name: _percent([each.low <= true <= each.high for each in known[name]]) for name in known}
    widths = {name: float(np.mean([each.high - each.low for each in known[name]] or [np.nan])) for name in known}
    return Covered(
        **covered,
        lacking=100 * (1 - len(known["corrected"]) / runs),
        people_width=widths["people"],
        width=widths["anchored"],
        corrected_width=widths["corrected"],
    )


def _drawn(
    scene: Scene, machine: Floats, groups: NDArray[np.intp], rated: int, rng: np.random.Generator
) -> tuple[NDArray[np.intp], Floats]:
    """Which units people rate, and how many each stands for."""
    even = np.ones(machine.size)
    if scene.whole:
        chosen = rng.choice(scene.groups, rated // scene.per_group, replace=False)
        return np.flatnonzero(np.isin(groups, chosen)), even
    if not scene.uneven:
        return rng.choice(machine.size, rated, replace=False), even
    flagged, others = np.flatnonzero(machine == 1), np.flatnonzero(machine == 0)
    among = min(round(rated * 3 * flagged.size / (3 * flagged.size + others.size)), flagged.size)
    weights = np.where(machine == 1, flagged.size / max(1, among), others.size / max(1, rated - among))
    return np.concatenate(
        [rng.choice(flagged, among, replace=False), rng.choice(others, rated - among, replace=False)]
    ), weights


def _percent(hits: list[bool]) -> float:
    return 100 * float(np.mean(hits)) if hits else float("nan")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--quick", action="store_true", help="25 runs of each scene")
    options.add_argument("--runs", type=int, default=1000)
    options.add_argument("--seed", type=int, default=7)
    asked = options.parse_args()
    runs = 25 if asked.quick else asked.runs
    print(f"Share of {runs} runs whose 95 % interval contains the truth, in percent; in brackets the mean width.")
    for scene in SCENES:
        print(f"\n{scene.title}\n{'rated':>7}{'plain':>8}{'people':>16}{'anchored':>16}{'corrected':>16}{'without':>9}")
        for rated in RATED:
            row = coverage(scene, rated, runs, asked.seed)
            corrected = "–" if np.isnan(row.corrected) else f"{row.corrected:.1f} ({row.corrected_width:.2f})"
            print(
                f"{rated:>7}{row.plain:>8.1f}{f'{row.people:.1f} ({row.people_width:.2f})':>16}"
                f"{f'{row.anchored:.1f} ({row.width:.2f})':>16}{corrected:>16}"
                f"{'' if scene.scores else f'{row.lacking:.1f}':>9}",
                flush=True,
            )


if __name__ == "__main__":
    main()
