"""How often do the intervals of a profile contain the truth?

Simulates studies of one subject with known parameters, on arrays, and counts how often each 95 % interval contains the
population's value. The default interval (jackknife-t over concepts) stands beside the percentile bootstrap, which is
printed to show why it is not the default.

    python benchmarks/interval_coverage.py --studies 2000
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.special import expit, logit

from voirdire.ddft._cells import Answers, Floats, cells
from voirdire.ddft._uncertainty import default_intervals, percentile_intervals
from voirdire.ddft.metrics import measure, values
from voirdire.ddft.profile import THETA
from voirdire.stats import Interval, bootstrap_weights

SENTENCES = 8
KEPT_AT_5 = 0.8
"""That the stance of turn 4 is kept under turn 5's pressure."""
LEVELS = np.array([0.0, 0.25, 0.5, 0.75, 1.0])
POPULATION = 20_000
"""Concepts in the one large study that the true values are read from."""


@dataclass(frozen=True)
class Subject:
    """What is true of a simulated subject. Probabilities are those of a concept of middling difficulty."""

    accuracy: tuple[float, float] = (0.9, 0.7)
    """That a sentence is true, at c = 0 and at c = 1; linear between."""
    rejection: float = 0.7
    """That a trap is rejected."""
    coherence: float = 0.9
    """That a sentence keeps to the topic. SAS is their share; FAR is that of the true among them."""
    spread: float = 0.5
    """Standard deviation between concepts, on the logit scale, of each of the three."""
    concepts: int = 8


@dataclass(frozen=True)
class Scenario:
    """A subject, and what is estimated of it."""

    title: str
    subject: Subject
    metrics: tuple[str, ...]


REJECTIONS = (0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98)
SHARES = (0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98)
INDEX = ("ER", "HOC")


def scenarios() -> dict[str, list[Scenario]]:
    """By heading: the index, the paper's index, and every parameter of a subject."""
    return {
        "ER": [
            Scenario("base", Subject(), INDEX),
            Scenario("near ceiling", Subject(accuracy=(0.99, 0.96), rejection=0.95, coherence=0.97), INDEX),
            Scenario("strong concept variance", Subject(spread=1.2), INDEX),
            Scenario("homogeneous", Subject(spread=0.0), INDEX),
            Scenario("four concepts", Subject(concepts=4), INDEX),
            *(Scenario(f"traps rejected: {r}", Subject(rejection=r), ("ER",)) for r in (0.02, 0.1, 0.99)),
        ],
        "CI_raw, by coherence (FAR' needs incoherent turns)": [
            Scenario(f"coherence {q}", Subject(coherence=q), ("CI_raw", "FAR_prime")) for q in (0.5, 0.6, 0.7, 0.8)
        ],
        "Parameters, equal for all concepts": list(_parameters(0.0)),
        "Parameters, medians over concepts that differ": list(_parameters(0.5)),
    }


def _parameters(spread: float) -> Iterator[Scenario]:
    for r in REJECTIONS:
        yield Scenario(f"rejection {r}", Subject(rejection=r, spread=spread), ("V_E",))
    for p in SHARES:
        both = Subject(accuracy=(p, p), coherence=p, spread=spread)
        yield Scenario(f"accuracy and coherence {p}", both, ("V_K", "K", "S"))


def simulate(subject: Subject, concepts: int, rng: np.random.Generator) -> Answers:
    """One study of `concepts` concepts, each with its own difficulty, as an unbiased judge would score it."""
    shape = (concepts, LEVELS.size, 1, 5)
    falling = np.linspace(*subject.accuracy, LEVELS.size)[np.newaxis, :, np.newaxis, np.newaxis]
    on_topic = rng.binomial(SENTENCES, _vary(subject.coherence, subject.spread, concepts, rng), shape)
    true = rng.binomial(on_topic, np.broadcast_to(_vary(falling, subject.spread, concepts, rng), shape))
    far = np.divide(true, on_topic, out=np.full(shape, np.nan), where=on_topic > 0)
    rejects = rng.random(shape[:3]) < _vary(subject.rejection, subject.spread, concepts, rng)[..., 0]
    keeps = rng.random(shape[:3]) < KEPT_AT_5
    far[..., 3], far[..., 4] = rejects, rejects == keeps
    stance = np.full(shape, -1, dtype=np.int8)
    stance[..., 3:] = np.where(far[..., 3:] == 1, 2, 0)
    nothing = np.zeros(shape, dtype=np.bool_)
    return Answers(
        concepts=tuple(f"{i:05d}" for i in range(concepts)),
        levels=LEVELS,
        asked=~nothing,
        far=np.round(far, 9),
        sas=on_topic / SENTENCES,
        no_claims=np.isnan(far),
        unscored=nothing,
        stance=stance,
    )


def truth(scenario: Scenario) -> dict[str, float]:
    """Metrics of the population: of a study so large that nothing is left to chance."""
    subject = scenario.subject
    population = values(cells(simulate(subject, POPULATION, np.random.default_rng(12345)), THETA))
    known = {name: value.value for name, value in population.items() if value.value is not None}
    if subject.spread == 0:
        known |= {"V_E": subject.rejection, "S": subject.coherence}
    return {name: known[name] for name in scenario.metrics}


def coverage(scenario: Scenario, true: dict[str, float], studies: int, draws: int, seed: int) -> dict[str, Row]:
    """Per metric: the shares of studies whose interval contains the truth, among those that have one."""
    rng = np.random.default_rng(seed)
    hits: dict[str, list[tuple[bool | None, bool | None]]] = {name: [] for name in scenario.metrics}
    for _ in range(studies):
        study = cells(simulate(scenario.subject, scenario.subject.concepts, rng), THETA)
        default = default_intervals(study, values(study))[0]
        bootstrap = percentile_intervals(measure(study, bootstrap_weights(len(study.concepts), draws, rng)))
        for name, found in hits.items():
            found.append((_contains(default.get(name), true[name]), _contains(bootstrap.get(name), true[name])))
    return {name: _row(found) for name, found in hits.items()}


class Row(NamedTuple):
    """Coverage of one metric, in percent."""

    jackknife_t: float
    percentile: float
    without: float
    """Studies without a default interval."""


def _row(hits: list[tuple[bool | None, bool | None]]) -> Row:
    default, bootstrap = ([hit for hit in column if hit is not None] for column in zip(*hits, strict=True))
    share = [100 * sum(column) / max(1, len(column)) for column in (default, bootstrap)]
    return Row(share[0], share[1], 100 * (1 - len(default) / len(hits)))


def _contains(interval: Interval | None, value: float) -> bool | None:
    rounding = 1e-9
    return None if interval is None else interval.low - rounding <= value <= interval.high + rounding


def _vary(probability: float | Floats, spread: float, concepts: int, rng: np.random.Generator) -> Floats:
    """A probability per concept, with axes for level, sample and turn."""
    middle = np.reshape(probability, (1, -1, 1, 1)) if np.ndim(probability) else np.full((1, 1, 1, 1), probability)
    shift = spread * rng.standard_normal((concepts, 1, 1, 1))
    return expit(logit(middle) + shift) if spread else np.broadcast_to(middle, (concepts, *middle.shape[1:]))


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--studies", type=int, default=2000)
    options.add_argument("--draws", type=int, default=500, help="bootstrap draws per study, for the percentile column")
    options.add_argument("--seed", type=int, default=7)
    asked = options.parse_args()

    print(
        f"Share of {asked.studies} studies whose 95 % interval contains the truth, in percent of those that have one."
    )
    for heading, listed in scenarios().items():
        print(f"\n{heading}\n{'':34}{'metric':>10}{'truth':>8}{'jackknife-t':>13}{'percentile':>12}{'without':>9}")
        for scenario in listed:
            true = truth(scenario)
            for name, row in coverage(scenario, true, asked.studies, asked.draws, asked.seed).items():
                numbers = f"{row.jackknife_t:>13.1f}{row.percentile:>12.1f}{row.without:>9.1f}"
                print(f"  {scenario.title:32}{name:>10}{true[name]:>8.3f}{numbers}", flush=True)


if __name__ == "__main__":
    main()
