"""How often do the intervals of a profile contain the truth?

Simulates studies of one subject with known parameters, on arrays, and counts how often each 95 % interval contains the
population's value. For ER the default interval (jackknife-t over concepts) stands beside three bootstraps over
concepts: percentile, BCa and studentised; for everything else beside the percentile one.

    python -m benchmarks.statistics.interval_coverage --studies 2000             everything
    python -m benchmarks.statistics.interval_coverage --studies 2000 --part er   the four intervals of ER
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.special import expit, logit

from voirdire.ddft.analysis.comparing.shared import metric_of
from voirdire.ddft.concept_sums import Cells, Floats, ScoredTurns, cells
from voirdire.ddft.metric_intervals import default_intervals, percentile_intervals
from voirdire.ddft.metrics import measure, values
from voirdire.stats import Interval, bca, bootstrap_weights, percentile, studentised

SMALL = ("--studies", "20", "--draws", "50")

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
ER_INTERVALS = ("jackknife-t", "percentile", "BCa", "studentised")


def scenarios() -> dict[str, list[Scenario]]:
    """By heading: the paper's parts and index, and every parameter of a subject."""
    return {
        "HOC, in the scenarios of ER": [Scenario(title, subject, ("HOC",)) for title, subject in er_subjects().items()],
        "CI_raw, by coherence (FAR' needs incoherent turns)": [
            Scenario(f"coherence {q}", Subject(coherence=q), ("CI_raw", "FAR_prime")) for q in (0.5, 0.6, 0.7, 0.8)
        ],
        "Parameters, equal for all concepts": list(_parameters(0.0)),
        "Parameters, medians over concepts that differ": list(_parameters(0.5)),
    }


def er_subjects() -> dict[str, Subject]:
    """Those whose ER an interval of 95 % must contain in 92 to 98 % of studies, by title."""
    return {
        "base": Subject(),
        "near ceiling": Subject(accuracy=(0.99, 0.96), rejection=0.95, coherence=0.97),
        "strong concept variance": Subject(spread=1.2),
        "homogeneous": Subject(spread=0.0),
        "four concepts": Subject(concepts=4),
    }


def rare_subjects() -> dict[str, Subject]:
    """Those who reject so few traps, or so many, or with so few concepts, that the coverage is printed as it is."""
    rejecting = {f"traps rejected: {r}": Subject(rejection=r) for r in (0.02, 0.1, 0.99)}
    ceiling = Subject(accuracy=(0.99, 0.99), rejection=0.99, coherence=0.99)
    return {"three concepts": Subject(concepts=3), **rejecting, "at the ceiling": ceiling}


def _parameters(spread: float) -> Iterator[Scenario]:
    for r in REJECTIONS:
        yield Scenario(f"rejection {r}", Subject(rejection=r, spread=spread), ("V_E",))
    for p in SHARES:
        both = Subject(accuracy=(p, p), coherence=p, spread=spread)
        yield Scenario(f"accuracy and coherence {p}", both, ("V_K", "K", "S"))


def simulate(subject: Subject, concepts: int, rng: np.random.Generator) -> ScoredTurns:
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
    return ScoredTurns(
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
    population = values(cells(simulate(subject, POPULATION, np.random.default_rng(12345))))
    known = {name: value.value for name, value in population.items() if value.value is not None}
    if subject.spread == 0:
        known |= {"V_E": subject.rejection, "S": subject.coherence}
    return {name: known[name] for name in scenario.metrics}


def coverage(scenario: Scenario, true: dict[str, float], studies: int, draws: int, seed: int) -> dict[str, Row]:
    """Per metric: the shares of studies whose interval contains the truth, among those that have one."""
    rng = np.random.default_rng(seed)
    hits: dict[str, list[tuple[bool | None, bool | None]]] = {name: [] for name in scenario.metrics}
    for _ in range(studies):
        study = cells(simulate(scenario.subject, scenario.subject.concepts, rng))
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


class Kept(NamedTuple):
    """How one kind of interval did in a scenario."""

    covered: float
    """Percent of the studies with such an interval."""
    width: float
    """Mean width of it."""
    without: float
    """Percent of studies in which it can't be computed."""


def er_coverage(subject: Subject, studies: int, draws: int, seed: int) -> tuple[float, dict[str, Kept]]:
    """ER in the population, and how its four intervals did."""
    true = truth(Scenario("", subject, ("ER",)))["ER"]
    rng = np.random.default_rng(seed)
    found: dict[str, list[Interval | None]] = {method: [] for method in ER_INTERVALS}
    for _ in range(studies):
        study = cells(simulate(subject, subject.concepts, rng))
        for method, interval in er_intervals(study, draws, rng).items():
            found[method].append(interval)
    return true, {method: _kept(intervals, true) for method, intervals in found.items()}


def er_intervals(study: Cells, draws: int, rng: np.random.Generator) -> dict[str, Interval | None]:
    """The four intervals of a study's ER; `None` for one that can't be computed."""
    k = len(study.concepts)
    weights, each = bootstrap_weights(k, draws, rng), np.eye(k)
    # Every draw with one copy of a concept less; where the draw lacks the concept, the draw itself, never looked at.
    fewer = np.maximum(weights[:, np.newaxis] - each, 0.0).reshape(-1, k)
    er = metric_of(study, "ER", np.concatenate([np.ones((1, k)), 1 - each, weights, fewer]))
    estimate, left_out, drawn = float(er[0]), er[1 : k + 1], er[k + 1 : k + 1 + draws]
    drawn_left_out = er[k + 1 + draws :].reshape(draws, k)
    return {
        "jackknife-t": default_intervals(study, values(study))[0].get("ER"),
        "percentile": _or_none(lambda: percentile(drawn)),
        "BCa": _or_none(lambda: bca(estimate, drawn, left_out)),
        "studentised": _or_none(lambda: studentised(estimate, left_out, drawn, drawn_left_out, weights, scale="logit")),
    }


def _or_none(interval: Callable[[], Interval]) -> Interval | None:
    try:
        return interval()
    except ValueError:
        return None


def _kept(intervals: list[Interval | None], true: float) -> Kept:
    known = [interval for interval in intervals if interval is not None]
    hits = [_contains(interval, true) for interval in known]
    width = float(np.mean([interval.high - interval.low for interval in known]))
    return Kept(100 * sum(map(bool, hits)) / len(known), width, 100 * (1 - len(known) / len(intervals)))


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
    options.add_argument("--draws", type=int, default=400, help="bootstrap draws per study")
    options.add_argument("--seed", type=int, default=7)
    options.add_argument("--part", choices=("er", "others", "all"), default="all", help="what to simulate")
    asked = options.parse_args()

    print(
        f"Share of {asked.studies} studies whose 95 % interval contains the truth, in percent of those that have one."
    )
    if asked.part != "others":
        _print_er(asked.studies, asked.draws, asked.seed)
    if asked.part != "er":
        _print_others(asked.studies, asked.draws, asked.seed)


def _print_er(studies: int, draws: int, seed: int) -> None:
    columns = "".join(f"{method:>20}" for method in ER_INTERVALS)
    print(f"\nER; in brackets the mean width; {draws} bootstrap draws\n{'':28}{'truth':>8}{columns}")
    for title, subject in (er_subjects() | rare_subjects()).items():
        true, found = er_coverage(subject, studies, draws, seed)
        numbers = "".join(f"{f'{kept.covered:.1f} ({kept.width:.3f})':>20}" for kept in found.values())
        print(f"  {title:26}{true:>8.3f}{numbers}", flush=True)
        lacking = [f"{method} in {kept.without:.1f} %" for method, kept in found.items() if kept.without]
        if lacking:
            print(f"    of all studies without an interval: {', '.join(lacking)}")


def _print_others(studies: int, draws: int, seed: int) -> None:
    for heading, listed in scenarios().items():
        print(f"\n{heading}\n{'':34}{'metric':>10}{'truth':>8}{'jackknife-t':>13}{'percentile':>12}{'without':>9}")
        for scenario in listed:
            true = truth(scenario)
            for name, row in coverage(scenario, true, studies, draws, seed).items():
                numbers = f"{row.jackknife_t:>13.1f}{row.percentile:>12.1f}{row.without:>9.1f}"
                print(f"  {scenario.title:32}{name:>10}{true[name]:>8.3f}{numbers}", flush=True)


if __name__ == "__main__":
    main()
