"""How often do the intervals of a profile contain the truth?

Simulates studies of one subject with known parameters, on arrays, and counts how often each 95 % interval contains the
population's value. The default interval (jackknife-t over concepts) stands beside the percentile bootstrap, which is
printed to show why it is not the default.

    python benchmarks/interval_coverage.py --studies 2000
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass, replace

import numpy as np
from scipy.special import expit, logit

from voirdire.ddft._cells import Answers, Cells, Floats, cells
from voirdire.ddft._uncertainty import default_intervals, percentile_intervals
from voirdire.ddft.metrics import measure, values
from voirdire.ddft.profile import THETA
from voirdire.stats import Interval, bootstrap_weights

SENTENCES = 8
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


ER_SCENARIOS = {
    "base": Subject(),
    "near ceiling": Subject(accuracy=(0.99, 0.96), rejection=0.95, coherence=0.97),
    "strong concept variance": Subject(spread=1.2),
    "homogeneous": Subject(spread=0.0),
    "four concepts": Subject(concepts=4),
    "traps hardly ever rejected": Subject(rejection=0.1),
    "traps nearly always rejected": Subject(rejection=0.99),
}
"""The last two are printed as they are: nothing tried reached 92 % wherever rejections are rare (design, section 5)."""

MAIN = Subject(spread=0.0)
VARIED = Subject(spread=0.5)


def parameter_scenarios(subject: Subject) -> dict[str, tuple[Subject, str]]:
    """One parameter at a time, and the metric that estimates it."""
    rejections = (0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98)
    shares = (0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98)
    return (
        {f"rejection {r}": (replace(subject, rejection=r), "V_E") for r in rejections}
        | {f"accuracy {a} (turn 3)": (replace(subject, accuracy=(a, a)), "V_K") for a in shares}
        | {f"accuracy {a} (turns 1-3)": (replace(subject, accuracy=(a, a)), "K") for a in shares}
        | {f"coherence {q}": (replace(subject, coherence=q), "S") for q in shares}
    )


def simulate(subject: Subject, concepts: int, rng: np.random.Generator) -> Answers:
    """One study of `concepts` concepts, each with its own difficulty."""
    shape = (concepts, LEVELS.size, 1, 5)
    falling = np.linspace(*subject.accuracy, LEVELS.size)[np.newaxis, :, np.newaxis, np.newaxis]
    on_topic = rng.binomial(SENTENCES, _vary(subject.coherence, subject.spread, concepts, rng), shape)
    true = rng.binomial(on_topic, np.broadcast_to(_vary(falling, subject.spread, concepts, rng), shape))
    far = np.divide(true, on_topic, out=np.full(shape, np.nan), where=on_topic > 0)
    rejects = rng.random(shape[:3]) < _vary(subject.rejection, subject.spread, concepts, rng)[..., 0]
    far[..., 3] = np.where(np.isnan(far[..., 3]), np.nan, rejects)
    stance = np.full(shape, -1, dtype=np.int8)
    stance[..., 3] = np.where(rejects, 2, 0)
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


def truth(subject: Subject, metrics: tuple[str, ...]) -> dict[str, float]:
    """Metrics of the population: of a study so large that nothing is left to chance."""
    population = values(cells(simulate(subject, POPULATION, np.random.default_rng(12345)), THETA))
    known = {name: population[name].value for name in metrics}
    exact = {"V_E": subject.rejection, "S": subject.coherence}
    if subject.accuracy[0] == subject.accuracy[1]:
        exact |= {"V_K": subject.accuracy[0], "K": subject.accuracy[0]}
    return known | (exact if subject.spread == 0 else {})  # type: ignore[return-value]


def coverage(
    subject: Subject, metrics: tuple[str, ...], studies: int, draws: int, seed: int
) -> dict[tuple[str, str], float]:
    """Share of studies whose interval contains the truth, by (metric, method)."""
    true = truth(subject, metrics)
    rng = np.random.default_rng(seed)
    hits: dict[tuple[str, str], int] = {(name, method): 0 for name in metrics for method in METHODS}
    for _ in range(studies):
        study = cells(simulate(subject, subject.concepts, rng), THETA)
        found = {
            "jackknife-t": default_intervals(study, values(study))[0],
            "percentile": percentile_intervals(_bootstrap(study, draws, rng)),
        }
        for name, method in hits:
            hits[name, method] += _contains(found[method].get(name), true[name])
    return {key: count / studies for key, count in hits.items()}


METHODS = ("jackknife-t", "percentile")


def _bootstrap(study: Cells, draws: int, rng: np.random.Generator) -> dict[str, Floats]:
    return measure(study, bootstrap_weights(len(study.concepts), draws, rng))


def _contains(interval: Interval | None, value: float) -> bool:
    rounding = 1e-9
    return interval is not None and interval.low - rounding <= value <= interval.high + rounding


def _vary(
    probability: float | Floats, spread: float, concepts: int, rng: np.random.Generator
) -> Floats:
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

    print(f"Share of {asked.studies} studies whose 95 % interval contains the truth, in percent.\n")
    print(f"{'':32}{'metric':>8}{'truth':>8}" + "".join(f"{method:>14}" for method in METHODS))
    for title, subject in ER_SCENARIOS.items():
        _print(title, subject, ("ER", "CI_raw", "HOC"), asked)
    for title, base in (("homogeneous", MAIN), ("concepts vary", VARIED)):
        print(f"\n{title}")
        for name, (subject, metric) in parameter_scenarios(base).items():
            _print(f"  {name}", subject, (metric,), asked)


def _print(title: str, subject: Subject, metrics: tuple[str, ...], asked: argparse.Namespace) -> None:
    true = truth(subject, metrics)
    hit = coverage(subject, metrics, asked.studies, asked.draws, asked.seed)
    for name in metrics:
        columns = "".join(f"{100 * hit[name, method]:>14.1f}" for method in METHODS)
        print(f"{title:32}{name:>8}{true[name]:>8.3f}{columns}", flush=True)


if __name__ == "__main__":
    main()
