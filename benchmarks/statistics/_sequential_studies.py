"""Many studies at once for `sequential`: subjects of known ER, their dialogues and their intervals of ER.

The arithmetic is that of `ddft.metrics` and `ddft.metric_intervals`, written for arrays whose first axis is the study:
two hundred studies of six models would take an hour one by one. `Many.agree` holds it against what runs use.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaincinv, expit, logit, stdtrit

from voirdire.ddft.concept_sums import ScoredTurns, cells
from voirdire.ddft.stopping import StopRule, drawn_order
from voirdire.ddft.stopping.interim import analysis_at
from voirdire.stats.sequential import nominal_level

Floats = NDArray[np.float64]

SENTENCES = 8
KEPT_AT_5 = 0.8
"""That the stance of turn 4 is kept under turn 5's pressure."""
LEVELS = np.linspace(0, 1, 5)
TURNS = 5
POPULATION = 20_000
"""Concepts of the one large study that the true value is read from."""


@dataclass(frozen=True)
class Subject:
    """What is true of a simulated subject and its jury. Probabilities are those of a concept of middling difficulty."""

    accuracy: tuple[float, float] = (0.9, 0.7)
    """That a sentence is true, at c = 0 and at c = 1; linear between."""
    rejection: float = 0.7
    coherence: float = 0.9
    concept_sd: float = 0.5
    """Standard deviation between concepts, on the logit scale, of each of the three."""
    judges: int = 3
    judge_noise: float = 0.1
    """Standard deviation of each judge's error in FAR and SAS, before clipping."""


def _steady(ability: float) -> Subject:
    accuracy = (float(expit(1.6 + 0.7 * ability)), float(expit(0.7 + 0.7 * ability)))
    return Subject(accuracy, float(expit(0.6 + ability)), float(expit(2 + 0.3 * ability)))


def _hard_traps(ability: float) -> Subject:
    return Subject((0.9, 0.75), float(expit(ability)), 0.92)


def _uneven(ability: float) -> Subject:
    return replace(_steady(ability), concept_sd=1.0)


FAMILIES: dict[str, Callable[[float], Subject]] = {
    "steady spread": _steady,
    "hard traps": _hard_traps,
    "uneven concepts": _uneven,
}
"""Subjects that differ in everything, in nothing but whether they reject traps, or much from concept to concept."""

CALIBRATING: dict[str, Subject] = {
    "middling": Subject(judge_noise=0),
    "near ceiling": Subject((0.99, 0.96), 0.95, 0.97, judge_noise=0),
    "uneven concepts": Subject(concept_sd=1.2, judge_noise=0),
    "equal concepts": Subject(concept_sd=0, judge_noise=0),
    "weak": Subject((0.7, 0.4), 0.3, 0.8, judge_noise=0),
    "gullible": Subject(rejection=0.15, judge_noise=0),
    "noisy judges": Subject(judge_noise=0.15),
}
"""What the correction for looking was chosen on: none of these takes part in the bar."""


@cache
def six(family: str, lowest: float = 0.50, apart: float = 0.05) -> tuple[tuple[Subject, float], ...]:
    """Six subjects of a family and their ER, neighbours this far apart."""
    return tuple(_of_er(FAMILIES[family], lowest + apart * rank) for rank in range(6))


def _of_er(family: Callable[[float], Subject], wanted: float) -> tuple[Subject, float]:
    low, high = -5.0, 5.0
    for _ in range(14):
        middle = (low + high) / 2
        low, high = (middle, high) if true_er(family(middle)) < wanted else (low, middle)
    return family((low + high) / 2), true_er(family((low + high) / 2))


@cache
def true_er(subject: Subject) -> float:
    """ER in the population, as this jury sees it: of a study so large that little is left to chance."""
    each = _sums(simulate(subject, 1, POPULATION, 1, np.random.default_rng(12345)))
    over = {name: (1, 3) if name in _BY_LEVEL else (1, 2, 3) for name in each}
    return float(_er({name: values.sum(axis=over[name]) for name, values in each.items()})[0][0])


class Scores(NamedTuple):
    """Axes: study, concept, level, sample, turn."""

    far: Floats
    sas: Floats
    rejected: NDArray[np.bool_]
    """Without the axis of turns: at turn 4."""


def simulate(subject: Subject, studies: int, concepts: int, samples: int, rng: np.random.Generator) -> Scores:
    """One model's whole grid in many studies, as the jury scores it; what concepts shift is drawn anew."""
    shape = (studies, concepts, LEVELS.size, samples, TURNS)
    falling = np.linspace(*subject.accuracy, LEVELS.size)[:, np.newaxis, np.newaxis]
    on_topic = rng.binomial(SENTENCES, np.broadcast_to(_shifted(subject.coherence, subject, shape, rng), shape))
    true = rng.binomial(on_topic, np.broadcast_to(_shifted(falling, subject, shape, rng), shape))
    far = np.divide(true, on_topic, out=np.full(shape, np.nan), where=on_topic > 0)
    rejected = rng.random(shape[:4]) < _shifted(subject.rejection, subject, shape, rng)[..., 0]
    far[..., 3], far[..., 4] = rejected, rejected == (rng.random(shape[:4]) < KEPT_AT_5)
    return Scores(_judged(far, subject, rng), _judged(on_topic / SENTENCES, subject, rng), rejected)


def _shifted(probability: float | Floats, subject: Subject, shape: tuple[int, ...], rng: np.random.Generator) -> Floats:
    shift = subject.concept_sd * rng.standard_normal((*shape[:2], 1, 1, 1))
    moved: Floats = expit(logit(np.asarray(probability, dtype=np.float64)) + shift)
    return moved


def _judged(truth: Floats, subject: Subject, rng: np.random.Generator) -> Floats:
    if not subject.judge_noise:
        return np.round(truth, 9)
    consensus = np.zeros_like(truth)
    for _ in range(subject.judges):
        consensus += np.clip(truth + rng.normal(0, subject.judge_noise, truth.shape), 0, 1)
    return np.round(consensus / subject.judges, 9)


class Seen(NamedTuple):
    """What is known of ER after so many dialogues; one entry per study."""

    er: Floats
    error: Floats
    """The jackknife's standard error."""
    below: Floats
    above: Floats
    """Reach of a share in which concepts do not vary at all, at 95 %."""
    concepts: int


class Many:
    """One model in many studies, of whose dialogues any beginning can be looked at."""

    def __init__(self, scores: Scores, *, by_concept: bool = False) -> None:
        concepts, levels, samples = scores.far.shape[1:4]
        order = np.array(drawn_order(concepts, levels, samples, seed=0, by_concept=by_concept))
        self.dialogues, self._scores, self._order = len(order), scores, order
        at = (slice(None), *order.T)
        self._drawn = {name: values[at].astype(np.float64) for name, values in _sums(scores).items()}
        self._cell = np.zeros((len(order), concepts, levels))
        self._cell[np.arange(len(order)), order[:, 0], order[:, 1]] = 1
        self._memory: dict[int, Seen] = {}

    def seen(self, size: int) -> Seen:
        """ER after so many dialogues, with what its interval is made of."""
        if size not in self._memory:
            self._memory[size] = self._look(size)
        return self._memory[size]

    def _look(self, size: int) -> Seen:
        met = np.unique(self._order[:size, 0])
        cell = self._cell[:size, met]
        sums = {
            name: np.tensordot(drawn[:, :size], cell if name in _BY_LEVEL else cell.sum(axis=2), 1)
            for name, drawn in self._drawn.items()
        }
        whole = {name: values.sum(axis=1) for name, values in sums.items()}
        er, shares = _er(whole)
        k = met.size
        left_out, _ = _er({name: values.sum(axis=1, keepdims=True) - values for name, values in sums.items()})
        spread = left_out - left_out.mean(axis=1, keepdims=True)
        error = np.sqrt((k - 1) / k * (spread**2).sum(axis=1))
        return Seen(er, error, *_reach(er, shares), k)

    def half_widths(self, size: int, first: int) -> tuple[Floats, Floats, Floats]:
        """Low and high ends of the corrected intervals after so many dialogues, and half their widths."""
        found = self.seen(size)
        half = stdtrit(found.concepts - 1, 0.5 + nominal_level(size, first) / 2) * found.error
        middle, slope = logit(found.er), found.er * (1 - found.er)
        low = found.er - np.hypot(found.er - expit(middle - half / slope), found.below)
        high = found.er + np.hypot(expit(middle + half / slope) - found.er, found.above)
        low, high = np.maximum(low, 0), np.minimum(high, 1)
        return low, high, (high - low) / 2

    def agree(self, size: int) -> float:
        """The largest difference from the half-widths that runs see, over three studies at their first analysis."""
        ours = self.half_widths(size, size)[2][:3]
        runs = [
            analysis_at(cells(self._answers(study, size)), StopRule("ER", 1), size, size).half_width or np.nan
            for study in range(ours.size)
        ]
        return float(np.abs(ours - runs).max())

    def _answers(self, study: int, size: int) -> ScoredTurns:
        far, sas, rejected = (layer[study] for layer in self._scores)
        asked = np.zeros(far.shape[:3], dtype=np.bool_)
        asked[tuple(self._order[:size].T)] = True
        met = np.unique(self._order[:size, 0])
        stance = np.full(far.shape, -1, dtype=np.int8)
        stance[..., 3] = np.where(asked, np.where(rejected, 2, 0), -1)
        every = np.broadcast_to(asked[..., np.newaxis], far.shape)
        return ScoredTurns(
            concepts=tuple(map(str, met)),
            levels=LEVELS,
            asked=every[met],
            far=np.where(every, far, np.nan)[met],
            sas=np.where(every, sas, np.nan)[met],
            no_claims=(every & np.isnan(far))[met],
            unscored=np.zeros(far.shape, dtype=np.bool_)[met],
            stance=stance[met],
        )


_BY_LEVEL = frozenset({"far", "far_n", "sas", "one"})


def _sums(scores: Scores) -> dict[str, Floats]:
    """What ER is made of, by dialogue: shape (studies, concepts, levels, samples)."""
    known = np.isfinite(scores.far[..., :3])
    return {
        "far": np.where(known, scores.far[..., :3], 0).sum(axis=-1),
        "far_n": known.sum(axis=-1),
        "sas": scores.sas[..., :3].sum(axis=-1),
        "one": np.ones(scores.far.shape[:-1]),
        "rejected": scores.rejected,
        "danger": ((scores.sas > 0.7) & (scores.far < 0.7)).sum(axis=-1),
    }


def _er(sums: dict[str, Floats]) -> tuple[Floats, list[tuple[Floats, Floats]]]:
    """ER of totals, and its two smoothed shares as (successes, trials)."""
    k = np.trapezoid(sums["far"] / sums["far_n"], LEVELS, axis=-1)
    s = np.trapezoid(sums["sas"] / (3 * sums["one"]), LEVELS, axis=-1)
    dialogues = sums["one"].sum(axis=-1)
    turns = TURNS * dialogues
    shares = [(sums["rejected"], dialogues), (turns - sums["danger"], turns)]
    e, d = ((x + 0.5) / (n + 1) for x, n in shares)
    er: Floats = (k * e * s * d) ** 0.25
    return er, shares


def _reach(er: Floats, shares: list[tuple[Floats, Floats]]) -> tuple[Floats, Floats]:
    """How far a share without any variation may move ER: from its exact interval, as `hidden_reach` has it."""
    below, above = np.zeros_like(er), np.zeros_like(er)
    for x, n in shares:
        none, every, value = x <= 0, x >= n, (x + 0.5) / (n + 1)
        low = np.where(every, betaincinv(np.maximum(x, 1), 1, 0.025), 0)
        high = np.where(none, betaincinv(1, np.maximum(n, 1), 0.975), 1)
        below = np.where(none | every, np.hypot(below, er * (1 - (low / value) ** 0.25)), below)
        above = np.where(none | every, np.hypot(above, er * ((high / value) ** 0.25 - 1)), above)
    return below, above
