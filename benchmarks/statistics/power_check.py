"""Is the predicted power what studies have, and is the number of concepts known as well as is said?

Both questions are put to simulated subjects with known parameters, on arrays.

1. Power. Two subjects that differ; their components from a large study, the power predicted for a design; beside it,
   the share of simulated studies of that design in which the paired jackknife-t interval over concepts excludes 0.
2. The interval of the number of concepts. Many pilots of a few subjects; how often the interval that `plan_detection`
   gives contains the number that a large study gives.

    python -m benchmarks.statistics.power_check --studies 2000 --pilots 100
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass, replace

import numpy as np

from voirdire.ddft.analysis.comparing.shared import metric_of
from voirdire.ddft.analysis.planning.components import components, variance_interval
from voirdire.ddft.analysis.planning.material import Layout, effects_of, material_of
from voirdire.ddft.analysis.planning.sources import SimulatedScores, parse_assumption, simulate
from voirdire.ddft.concept_sums import Cells, Floats, cells, checked, read_answers
from voirdire.stats.intervals import jackknife_t
from voirdire.stats.power import clusters_needed, paired_power

SMALL = ("--studies", "20", "--pilots", "2")

LEVELS = {3: (0.0, 0.5, 1.0), 5: (0.0, 0.25, 0.5, 0.75, 1.0)}
BASE = "accuracy=0.9..0.7&reject=0.7&coherence=0.9&concept_sd=0.5"
LARGE = 4000


@dataclass(frozen=True)
class Setting:
    """Two subjects, and how they are compared."""

    metric: str
    first: str
    second: str
    layout: Layout
    judge_noise: float = 0.0


SETTINGS = (
    Setting("K", BASE, BASE.replace("0.9..0.7", "0.75..0.5"), Layout(8, 5, 1, 1)),
    Setting("K", BASE, BASE.replace("0.9..0.7", "0.84..0.62"), Layout(20, 3, 1, 1)),
    Setting("K", BASE, BASE.replace("0.9..0.7", "0.84..0.62"), Layout(12, 5, 1, 3), 0.2),
    Setting("ER", BASE, BASE.replace("reject=0.7", "reject=0.3"), Layout(8, 5, 1, 1)),
    Setting("ER", BASE, BASE.replace("reject=0.7", "reject=0.5"), Layout(12, 5, 2, 1)),
    Setting("ER", BASE, BASE.replace("reject=0.7", "reject=0.4"), Layout(24, 3, 1, 2), 0.1),
    Setting("danger_zone_pct", BASE, BASE.replace("0.9..0.7", "0.75..0.5"), Layout(8, 5, 1, 1)),
    Setting("CI_raw", BASE.replace("coherence=0.9", "coherence=0.65"), BASE.replace("coherence=0.9", "coherence=0.55"),
            Layout(8, 5, 1, 1)),
    Setting("CI_raw", BASE.replace("coherence=0.9", "coherence=0.65"), BASE.replace("coherence=0.9", "coherence=0.55"),
            Layout(20, 5, 1, 1)),
)  # fmt: skip


def drawn(setting: Setting, concepts: int, judges: int, samples: int, rng: np.random.Generator) -> SimulatedScores:
    subjects = [parse_assumption(text).subject for text in (setting.first, setting.second)]
    return simulate(
        subjects,
        concepts=concepts,
        levels=LEVELS[setting.layout.levels],
        samples=samples,
        judges=judges,
        judge_noise=setting.judge_noise,
        rng=rng,
    )


def predicted(setting: Setting, rng: np.random.Generator) -> tuple[float, float]:
    """The true difference, and the power that the components predict."""
    large = drawn(setting, LARGE, 3 if setting.judge_noise else 1, 2, rng)
    material = material_of(checked(large.scores), large.verdicts)
    first, second = material.estimates(setting.metric)[0]
    variance = components(effects_of(material, setting.metric)).variance(setting.layout)
    return float(first - second), float(paired_power(first - second, variance, setting.layout.concepts))


def observed(setting: Setting, studies: int, rng: np.random.Generator) -> tuple[float, float]:
    """The share of studies whose interval excludes 0, and of those that have an interval at all.

    All studies are drawn at once, as blocks of the concepts of one large study.
    """
    layout = setting.layout
    large = drawn(setting, studies * layout.concepts, layout.judges, layout.samples, rng).scores
    both = [cells(read_answers(checked(frame))) for _, frame in large.groupby("model")]
    told = [
        _excludes_0([_block(each, study, layout.concepts) for each in both], setting.metric) for study in range(studies)
    ]
    known = [each for each in told if each is not None]
    return float(np.mean(known)), len(known) / studies


def _block(of_all: Cells, study: int, concepts: int) -> Cells:
    place = slice(study * concepts, (study + 1) * concepts)
    return replace(of_all, concepts=of_all.concepts[place], sums=of_all.sums[place])


def _excludes_0(both: list[Cells], metric: str) -> bool | None:
    k = len(both[0].concepts)
    weights: Floats = np.vstack([np.ones(k), 1 - np.eye(k)])
    difference = metric_of(both[0], metric, weights) - metric_of(both[1], metric, weights)
    try:
        interval = jackknife_t(float(difference[0]), difference[1:])
    except ValueError:
        return None
    return interval.low > 0 or interval.high < 0


def pilots(metric: str, detect: float, models: int, number: int, rng: np.random.Generator) -> tuple[int, float]:
    """The number of concepts needed, and the share of pilots (8 concepts, 5 levels) whose interval contains it."""
    subject = parse_assumption(BASE).subject
    layout = Layout(8, 5, 1, 1)

    def needed(variance: float) -> int:
        return clusters_needed(detect, variance) or 10_000

    def study(concepts: int) -> SimulatedScores:
        return simulate([subject] * models, concepts=concepts, levels=LEVELS[5], rng=rng)

    large = study(LARGE)
    variance = components(effects_of(material_of(checked(large.scores), large.verdicts), metric)).variance(layout)
    hits = 0
    for _ in range(number):
        pilot = study(8)
        found = variance_interval(effects_of(material_of(checked(pilot.scores), pilot.verdicts), metric), layout)
        hits += found is not None and needed(found[0]) <= needed(variance) <= needed(found[1])
    return needed(variance), hits / number


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--studies", type=int, default=2000)
    options.add_argument("--pilots", type=int, default=100)
    options.add_argument("--seed", type=int, default=11)
    asked = options.parse_args()
    rng = np.random.default_rng(asked.seed)

    print(
        f"{'metric':16}{'difference':>11}  {'concepts x levels x samples, judges':36}"
        f"{'predicted':>10}{'observed':>10}{'with':>7}"
    )
    for setting in SETTINGS:
        difference, power = predicted(setting, rng)
        share, with_interval = observed(setting, asked.studies, rng)
        layout = setting.layout
        said = f"{layout.concepts} x {layout.levels} x {layout.samples}, {layout.judges}"
        noise = f" (noise {setting.judge_noise:g})" if setting.judge_noise else ""
        print(
            f"{setting.metric:16}{difference:>11.3f}  {said + noise:36}"
            f"{power:>10.1%}{share:>10.1%}{with_interval:>7.0%}",
            flush=True,
        )

    print(f"\nIntervals of the number of concepts, {asked.pilots} pilots each")
    for metric, detect, models in (("K", 0.05, 2), ("K", 0.05, 5), ("ER", 0.05, 2), ("ER", 0.05, 5)):
        number, share = pilots(metric, detect, models, asked.pilots, rng)
        print(
            f"{metric:4} to tell {detect:g}: {number} concepts needed; "
            f"{models} models in the pilot: {share:.0%} contain it",
            flush=True,
        )


if __name__ == "__main__":
    main()
