"""Two models on what both were asked: the difference of a metric, its interval, a swap test, effect sizes."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from typing import Any, Literal, NamedTuple

import numpy as np

from voirdire.data.json_values import as_plain
from voirdire.ddft import wording as wording  # what the reasons below read like
from voirdire.ddft.analysis.comparing.shared import (
    ScoresByModel,
    difference_under_swaps,
    metric_of,
    same_scores,
    shared_answers,
)
from voirdire.ddft.concept_sums import Cells, Floats, ScoredTurns, cells
from voirdire.ddft.metric_intervals import MIN_CONCEPTS, hidden_reach
from voirdire.ddft.won_by_silence import compared, measure_with_intervals
from voirdire.reason_codes import Reason, reason
from voirdire.stats.comparison import Bools, SwapTest, paired_effect, superiority, swap_test
from voirdire.stats.intervals import Interval, NoIntervalError, jackknife_t
from voirdire.stats.power import clusters_for_swaps

Unit = Literal["concept", "dialogue"]
Verdict = Literal["A is higher", "B is higher", "indistinguishable", "cannot be decided"]

UNITS: tuple[Unit, ...] = ("concept", "dialogue")

DIALOGUE_DRAWS = 2_000
"""Random swaps of dialogues, where there are too many dialogues to try all."""

_ROUNDING = 1e-9
"""Less than this says that a concept makes no difference."""

_ALL, _KNOWLEDGE, _TRAP = slice(0, 5), slice(0, 3), slice(3, 4)
_SCORES: dict[str, tuple[Literal["far", "sas"], slice]] = {
    "CRI": ("sas", _ALL),
    "SAS_prime": ("sas", _ALL),
    "S": ("sas", _KNOWLEDGE),
    "K": ("far", _KNOWLEDGE),
    "V_K": ("far", slice(2, 3)),
    **dict.fromkeys(("E", "V_E", "V_E_strict", "V_E_proxy", "trap_acceptance"), ("far", _TRAP)),
}
"""Which single scores the probability of superiority is about, by metric; FAR of all turns for the others."""


class PairSettings(NamedTuple):
    """What is compared, and how."""

    metric: str
    unit: Unit
    alpha: float
    draws: int
    seed: int
    pairs: int = 1
    """How many there are, over which Holm corrects."""
    own_concepts: bool = False
    """Whether some of the concepts are the user's own, so that no preset has more like them."""

    @property
    def more_concepts(self) -> Reason:
        """Where further ones come from."""
        return reason("own_concepts" if self.own_concepts else "packaged_concepts")


FEWEST_FOR_EFFECT = 10
"""Shared concepts from which on d_z is shown."""


@dataclass(frozen=True, slots=True)
class ModelPair:
    """What can be said of models A and B. Undefined is `None`, and `reasons` says why."""

    a: str
    b: str
    difference: float | None = None
    """A's metric less B's, on the shared turns."""
    interval: Interval | None = None
    """Jackknife-t over concepts, paired; not corrected for the number of pairs."""
    p: float | None = None
    """Two-sided, of the swap test."""
    smallest_p: float | None = None
    """The smallest p that this test could have given."""
    p_holm: float | None = None
    effect_size: float | None = None
    """d_z: the difference over its standard deviation between concepts; `None` where there are fewer than three."""
    superiority: float | None = None
    """The share of shared turns in which A's score is higher; ties count half."""
    n_cells: int = 0
    """Shared turns: asked of both models, and scored for both."""
    n_concepts: int = 0
    n_units: int = 0
    """What the test swaps: concepts or dialogues."""
    left_out: int = 0
    """Turns asked of the two, taken together, that are not among the shared."""
    swaps: int = 0
    """How many swaps were computed."""
    exact: bool = True
    """Whether these are all swaps there are."""
    undefined_swaps: int = 0
    """Swaps under which the metric has no value; they count against a difference."""
    verdict: Verdict = "cannot be decided"
    reasons: tuple[Reason, ...] = ()
    unlike: tuple[Reason, ...] = ()
    """Why the two can't be compared at all: their runs are different tests, or were judged differently."""
    copies: bool = False
    """Whether they have the same scores on every shared turn, whatever they are called: nothing is to be tested."""
    repeats: tuple[str, str] | None = None
    """Of copies: the pair whose test this one is again, on the same scores, so that it is not counted."""

    @property
    def is_test(self) -> bool:
        """Whether Holm's correction counts it: it is tested, and repeats no other test."""
        return self.p is not None and self.repeats is None

    @property
    def differs(self) -> bool:
        """Whether one of the two is higher, and not by what chance alone would give."""
        return self.verdict in ("A is higher", "B is higher")

    @property
    def shown_effect(self) -> float | None:
        """d_z where enough concepts are behind it: from few, their standard deviation may be near 0 by chance."""
        return self.effect_size if self.n_concepts >= FEWEST_FOR_EFFECT else None

    @property
    def holds_for_new_concepts(self) -> bool:
        """Whether the two differ, and the interval over concepts leaves no room for no difference."""
        ends = self.interval
        return self.differs and ends is not None and (ends.low > 0 or ends.high < 0)

    def difference_from(self, model: str) -> float | None:
        """The metric of one of the two less the other's, on the shared turns."""
        return -self.difference if self.difference is not None and model == self.b else self.difference

    def as_dict(self) -> dict[str, Any]:
        """Plain values that JSON can hold: of d_z what is shown, or why none is."""
        plain = {field.name: getattr(self, field.name) for field in fields(self)}
        withheld = (
            (reason("pair_few_for_effect", concepts=self.n_concepts, needed=FEWEST_FOR_EFFECT),)
            if self.effect_size is not None and self.shown_effect is None
            else ()
        )
        return plain | {
            "interval": as_plain(self.interval),
            "effect_size": self.shown_effect,
            "reasons": as_plain((*self.reasons, *withheld)),
            "unlike": as_plain(self.unlike),
        }


def compare_pair(
    study: ScoresByModel,
    a: str,
    b: str,
    settings: PairSettings,
    doubts: tuple[Reason, ...] = (),
    unlike: tuple[Reason, ...] = (),
) -> ModelPair:
    """Compare two models, before any correction for the number of pairs; the verdict is still open.

    Pairs are formed on (concept, level, sample, turn). The interval adds, by MOVER, what concepts without any variation
    hide (all traps rejected by one model, or all questioned, say); see `stats.jackknife_t`. With doubts about the
    metric of either model, or where their runs are unlike, there is no difference, only these reasons. Copies (the
    same scores on all they share) differ by 0, and have no interval and no test.
    """
    shared = shared_answers(study, (a, b))
    if shared is None:
        return ModelPair(a, b, reasons=(*unlike, reason("no_shared_turn")), unlike=unlike)
    first, second = shared.answers
    both = (cells(first), cells(second))
    k = len(first.concepts)
    once = np.ones((1, k))
    pair = ModelPair(a, b, n_cells=shared.n_cells, n_concepts=k, left_out=shared.left_out)
    if unlike or doubts:
        return replace(pair, reasons=(*unlike, *_few_shared(k, settings), *doubts), unlike=unlike)
    difference = float((metric_of(both[0], settings.metric, once) - metric_of(both[1], settings.metric, once))[0])
    if math.isnan(difference):
        return replace(pair, reasons=tuple(_why_undefined(study, (a, b), both, settings.metric)))
    if same_scores(first, second):
        return replace(
            pair, difference=difference, reasons=(reason("pair_of_copies", turns=pair.n_cells),), copies=True
        )
    interval, effect, why_no_interval = interval_and_effect(both, difference, settings)
    test, units = swap_cells(first, second, settings)
    return replace(
        pair,
        difference=difference,
        interval=interval,
        p=test.p,
        smallest_p=test.smallest_p,
        effect_size=_known(effect),
        superiority=_known(_superiority(first, second, settings.metric)),
        n_units=units,
        swaps=test.swaps,
        exact=test.exact,
        undefined_swaps=test.undefined,
        reasons=why_no_interval,
    )


def _few_shared(concepts: int, settings: PairSettings) -> Iterator[Reason]:
    """That no test could decide on so few concepts, whatever the models answered."""
    if settings.unit == "concept" and concepts < clusters_for_swaps(settings.alpha):
        needed = clusters_for_swaps(settings.alpha / settings.pairs)
        yield reason("pair_shares_few_concepts", concepts=concepts, needed=needed, more=settings.more_concepts)


def _why_undefined(
    study: ScoresByModel, models: tuple[str, str], both: tuple[Cells, Cells], metric: str
) -> Iterator[Reason]:
    for model, cell in zip(models, both, strict=True):
        why = measure_with_intervals(cell, metric, 0.95, traps=model not in study.without_traps)[0][metric].reason
        if why:
            yield reason("pair_undefined", metric=metric, model=model, why=why)


def interval_and_effect(
    both: tuple[Cells, Cells], difference: float, settings: PairSettings
) -> tuple[Interval | None, float, tuple[Reason, ...]]:
    """Interval and effect size from leaving each concept out of both models, and why there is no interval."""
    k = len(both[0].concepts)
    others = 1 - np.eye(k)
    left_out = metric_of(both[0], settings.metric, others) - metric_of(both[1], settings.metric, others)
    # A concept that the metric counts nothing of says nothing of how much concepts differ.
    metric = compared(settings.metric)
    count = metric.count
    known = left_out[(both[0].totals(np.eye(k))[count] > 0) | (both[1].totals(np.eye(k))[count] > 0)]
    if known.size < MIN_CONCEPTS:
        why = reason("pair_few_concepts", concepts=known.size, needed=MIN_CONCEPTS)
        return None, math.nan, (reason("pair_without_interval", why=why),)
    effect = paired_effect(difference, known)
    level = 1 - settings.alpha
    (a_below, a_above), (b_below, b_above) = (_reach(cell, settings.metric, level) for cell in both)
    reach = (math.hypot(a_below, b_above), math.hypot(a_above, b_below))
    try:
        interval = jackknife_t(difference, known, level=level, reach=reach)
    except NoIntervalError as problem:
        return None, effect, (reason("pair_without_interval", why=reason(problem.code)),)
    return interval if metric.kind == "ratio" else interval.within(-metric.unit, metric.unit), effect, ()


def _reach(cell: Cells, metric: str, level: float) -> tuple[float, float]:
    """How far a model's own metric reaches, down and up, in what its concepts show no variation of."""
    estimates, intervals = measure_with_intervals(cell, metric, level)
    value, interval = estimates[metric].value, intervals.get(metric)
    if value is None or interval is None:
        return 0.0, 0.0
    if compared(metric).kind == "index":
        return hidden_reach(value, estimates, intervals)
    count = cell.totals(np.eye(len(cell.concepts)))[compared(metric).count]
    without_one = metric_of(cell, metric, 1 - np.eye(len(cell.concepts)))[count > 0]
    if np.ptp(without_one) > _ROUNDING * compared(metric).unit:
        return 0.0, 0.0
    return value - interval.low, interval.high - value


def swap_cells(a: ScoredTurns, b: ScoredTurns, settings: PairSettings) -> tuple[SwapTest, int]:
    """The swap test, and how many units it swaps."""
    was_asked: Bools = np.asarray(a.asked.any(axis=(2, 3)))
    by_concept = settings.unit == "concept"
    units = len(was_asked) if by_concept else int(was_asked.sum())

    def statistic(swaps: Bools) -> Floats:
        grid = np.zeros((len(swaps), *was_asked.shape), dtype=np.bool_)
        if by_concept:
            grid[:] = swaps[:, :, np.newaxis]
        else:
            grid[:, was_asked] = swaps
        return difference_under_swaps(a, b, grid, settings.metric)

    draws = settings.draws if by_concept else DIALOGUE_DRAWS
    return swap_test(statistic, units, draws=draws, seed=settings.seed), units


def superiority_of(metric: str) -> str:
    """Which score of a turn the probability of superiority is about, in words."""
    score, turns = _SCORES.get(metric, ("far", _ALL))
    first, last = turns.start + 1, turns.stop
    return f"{score.upper()}, turn {first}" if first == last else f"{score.upper()}, turns {first} to {last}"


def _superiority(a: ScoredTurns, b: ScoredTurns, metric: str) -> float:
    score, turns = _SCORES.get(metric, ("far", _ALL))
    return superiority(getattr(a, score)[..., turns].ravel(), getattr(b, score)[..., turns].ravel())


def _known(number: float) -> float | None:
    return None if math.isnan(number) else number
