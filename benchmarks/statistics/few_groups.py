"""How often 95 % intervals from three to twelve groups contain the truth, where units of a group are alike.

People and a judge say yes or no of the units of a few groups (contexts, documents). How many of a group are right, and
how well the judge does there, varies from group to group with an intra-group correlation of 0.3. Counted over many
draws are the figures of `jury worth`, `rate anchor`, `rate agreement` and `detectors calibrate`. A dash:
no interval was given in any draw; `given` is the share of draws that had one.

    python -m benchmarks.statistics.few_groups --draws 1000
    python -m benchmarks.statistics.few_groups --uneven                  groups of 2 to 30 units
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks._table import table
from voirdire.detectors.scoring import WordCounts, count_words, score_interval
from voirdire.jury.worth import judge_worth
from voirdire.stats import Interval, anchored_mean
from voirdire.stats.clustered import mean_score, share, weighted_share

Floats = NDArray[np.float64]
Places = NDArray[np.intp]

GROUPS = (3, 4, 5, 6, 8, 12)
ALIKE = 0.3
"""The correlation of units of a group: of what is right, and of where the judge errs."""
SENSITIVITY, SPECIFICITY = 0.85, 0.8
_PER_GROUP = 12


class Draw(NamedTuple):
    """What people and the judge say of units."""

    people: Floats
    judge: Floats
    groups: Places


def draw(rng: np.random.Generator, groups: int, right: float, *, uneven: bool) -> Draw:
    """Units of some groups."""
    sizes = rng.integers(2, 31, groups) if uneven else np.full(groups, _PER_GROUP)
    places = np.repeat(np.arange(groups), sizes)

    def chances(mean: float) -> Floats:
        return rng.beta(mean * (1 / ALIKE - 1), (1 - mean) * (1 / ALIKE - 1), groups)[places]

    people = rng.random(places.size) < chances(right)
    hits, passes = rng.random(places.size) < chances(SENSITIVITY), rng.random(places.size) < chances(SPECIFICITY)
    return Draw(people.astype(np.float64), np.where(people, hits, ~passes).astype(np.float64), places)


def truths(right: float) -> dict[str, float]:
    """What the intervals are of, in the population of all groups."""
    tp, fn = right * SENSITIVITY, right * (1 - SENSITIVITY)
    tn, fp = (1 - right) * SPECIFICITY, (1 - right) * (1 - SPECIFICITY)
    judged = tp + fp
    agree, chance = tp + tn, judged * right + (1 - judged) * (1 - right)
    means = dict.fromkeys(("people", "corrected", "half rated", "share", "mean score"), right)
    return {
        **means,
        "bias": judged - right,
        "agreement": agree,
        "correlation": (tp - judged * right) / float(np.sqrt(judged * (1 - judged) * right * (1 - right))),
        "kappa": (agree - chance) / (1 - chance),
        "sensitivity": SENSITIVITY,
        "specificity": SPECIFICITY,
        "Rogan-Gladen": right,
        "recall": SENSITIVITY,
        "F1": 2 * tp / (2 * tp + fp + fn),
    }


def intervals(drawn: Draw, rng: np.random.Generator) -> Iterator[tuple[str, Interval | None]]:
    """Each figure's interval."""
    people, judge, groups = drawn
    worth = judge_worth("judge", judge, people, clusters=groups.astype(np.str_))
    yield "people", worth.people.interval
    yield "corrected", worth.powered.interval
    yield "bias", None if worth.bias is None else worth.bias.interval
    yield "agreement", None if worth.agreement is None else worth.agreement.interval
    yield "correlation", None if worth.correlation is None else worth.correlation.interval
    yield "kappa", None if worth.kappa is None else worth.kappa.interval
    if worth.counts is not None:
        yield "sensitivity", None if worth.counts.sensitivity is None else worth.counts.sensitivity.interval
        yield "specificity", None if worth.counts.specificity is None else worth.counts.specificity.interval
        yield "Rogan-Gladen", worth.counts.interval
    half = np.where(rng.random(people.size) < 0.5, people, np.nan)
    if np.isfinite(half).any():
        yield "half rated", anchored_mean(half, judge, groups).interval
    yield "share", share(people, groups).interval
    yield "mean score", mean_score(people, groups, top=1.0).interval
    if (people == 1).any():
        yield "recall", weighted_share(judge[people == 1], people[people == 1], groups[people == 1]).interval
    yield "F1", score_interval(list(_counts(drawn)))


def _counts(drawn: Draw) -> Iterator[WordCounts]:
    for group in np.unique(drawn.groups):
        own = drawn.groups == group
        marked, labelled = (each[own].astype(bool).tolist() for each in (drawn.judge, drawn.people))
        yield count_words(marked, labelled, [1] * int(own.sum()))


def coverage(groups: int, right: float, draws: int, seed: int, *, uneven: bool) -> dict[str, tuple[float, float]]:
    """By figure: the share of intervals that contain the truth, and of draws that gave one."""
    rng, seen, true = np.random.default_rng((seed, groups)), dict[str, list[bool]](), truths(right)
    for _ in range(draws):
        for name, interval in intervals(draw(rng, groups, right, uneven=uneven), rng):
            known = seen.setdefault(name, [])
            if interval is not None:
                known.append(interval.low <= true[name] <= interval.high)
    return {name: (float(np.mean(each)) if each else np.nan, len(each) / draws) for name, each in seen.items()}


def _shown(found: tuple[float, float]) -> str:
    covered, given = found
    if not given:
        return "–"
    return f"{100 * covered:.1f}" + ("" if given > 0.995 else f" ({100 * given:.0f} given)")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--draws", type=int, default=1000)
    options.add_argument("--right", type=float, default=0.6, help="share of units that are right")
    options.add_argument("--uneven", action="store_true", help="groups of 2 to 30 units")
    options.add_argument("--seed", type=int, default=7)
    asked = options.parse_args()
    found = {count: coverage(count, asked.right, asked.draws, asked.seed, uneven=asked.uneven) for count in GROUPS}
    print(f"{asked.draws} draws, {asked.right:g} right: coverage in percent by number of groups")
    names = dict.fromkeys(name for each in found.values() for name in each)
    rows = [[name, *(_shown(found[count].get(name, (np.nan, 0.0))) for count in GROUPS)] for name in names]
    print(table(("figure", *(str(count) for count in GROUPS)), rows))


if __name__ == "__main__":
    main()
