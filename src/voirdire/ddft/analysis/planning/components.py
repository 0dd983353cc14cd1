"""What the difference of two models varies with: concepts, dialogues, judges; estimated from a study."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from voirdire.ddft.analysis.planning.material import Effects, Layout
from voirdire.ddft.concept_sums import Floats
from voirdire.stats.intervals import jackknife_t
from voirdire.stats.variance import Split, split_variance, without_negatives

_ENOUGH_TO_LEAVE_OUT = 4
_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class Components:
    """Variance of the difference of two models in one metric, in the metric's unit squared."""

    concept: float
    """Between concepts: what all dialogues about a concept share."""
    level: float | None
    """Between a concept's levels, beyond repetition; `None` where nothing was repeated: then part of `dialogue`."""
    dialogue: float
    """Between dialogues, apart from `judge`."""
    judge: float | None
    """Of a single judge's own scoring of a dialogue; `None` when single judges' scores are not known."""
    negative: tuple[str, ...]
    """Components that were estimated below 0, and are 0."""

    def variance(self, layout: Layout) -> float:
        """Of one concept's difference; over concepts it is divided by their number."""
        each = layout.levels * layout.samples
        within = (self.level or 0.0) / layout.levels + self.dialogue / each
        return self.concept + within + (self.judge or 0.0) / (each * layout.judges)


def components(effects: Effects) -> Components:
    """Variance components of the difference of two models, mean over all pairs.

    Of what varies within concepts, `judge` is the share that single judges do not share with each other.
    """
    layout = effects.layout
    split = _mean_split(effects.differences())
    cleaned = without_negatives(split, layout.samples)
    own = _own_share(effects)
    judge = None if own is None else own * layout.judges * (cleaned.units + cleaned.repeats)
    dialogue = cleaned.repeats - (0.0 if own is None else own * (cleaned.units + cleaned.repeats))
    level = cleaned.units if layout.samples > 1 else None
    if dialogue < 0 and level is not None:
        level += dialogue
    names = ("concept", "level", "dialogue")
    negative = tuple(name for name, part in zip(names, split, strict=True) if part < -_ROUNDING * sum(split))
    return Components(cleaned.between, level, max(dialogue, 0.0), judge, negative)


def variance_interval(effects: Effects, layout: Layout) -> tuple[float, float] | None:
    """95 % interval of `Components.variance` at a layout, since it is estimated from few concepts and models.

    By jackknife-t on the log scale, over concepts and, with four or more, over models; the two reaches are added as
    root of the sum of squares. `None` with fewer than four concepts: without one, too few remain to vary.
    """
    models, concepts = effects.consensus.shape[:2]
    variance = components(effects).variance(layout)
    if concepts < _ENOUGH_TO_LEAVE_OUT or variance <= 0:
        return None
    axes = [1, *([0] if models >= _ENOUGH_TO_LEAVE_OUT else [])]
    try:
        reach = math.hypot(*(_log_reach(variance, effects, layout, axis) for axis in axes))
    except ValueError:  # without one of them nothing varies
        return None
    return variance * math.exp(-reach), variance * math.exp(reach)


def pair_variances(effects: Effects) -> Floats:
    """Variance of one concept's difference at the study's own layout; shape (pairs,)."""
    per_concept = effects.differences().mean(axis=(2, 3))
    return np.asarray(per_concept.var(axis=1, ddof=1), dtype=np.float64)


def _log_reach(variance: float, effects: Effects, layout: Layout, axis: int) -> float:
    """How far the logarithm of the variance reaches when concepts (axis 1) or models (axis 0) are left out in turn.

    From components as they come out, also below 0: cut off there, they would hide how uncertain they are.
    """
    own = _own_share(effects)
    places = range(effects.consensus.shape[axis])
    left_out = [_observed(_without(effects, axis, place), layout, own or 0.0) for place in places]
    return (jackknife_t(variance, left_out).high - variance) / variance


def _observed(effects: Effects, layout: Layout, own: float) -> float:
    """`Components.variance` at a layout without setting anything to 0; `own` is the judges' own share."""
    split, each = _mean_split(effects.differences()), layout.levels * layout.samples
    judges = own * (split.units + split.repeats)
    averaged = judges * effects.layout.judges / layout.judges
    return split.between + split.units / layout.levels + (split.repeats - judges + averaged) / each


def _without(effects: Effects, axis: int, place: int) -> Effects:
    models = tuple(model for number, model in enumerate(effects.models) if axis or number != place)
    return replace(
        effects,
        models=models,
        consensus=np.delete(effects.consensus, place, axis=axis),
        by_judge=np.delete(effects.by_judge, place, axis=axis + 1),
    )


def _mean_split(differences: Floats, others: Floats | None = None) -> Split:
    each = [
        split_variance(one, None if others is None else other)
        for one, other in zip(differences, differences if others is None else others, strict=True)
    ]
    return Split(*np.mean(each, axis=0).tolist())


def _own_share(effects: Effects) -> float | None:
    """Which share of the consensus' variance within concepts is the judges' own, not shared among them."""
    judges = effects.judged_differences()
    if len(judges) < 2:
        return None
    known = np.isfinite(judges).all(axis=(0, 2, 3, 4))
    if not known.any():
        return None
    single = float(np.mean([_within(judge[known]) for judge in judges]))
    shared = max(0.0, float(np.mean([_within(one[known], other[known]) for one, other in combinations(judges, 2)])))
    own = max(0.0, single - shared) / len(judges)
    return own / (own + shared) if own + shared > 0 else 0.0


def _within(differences: Floats, others: Floats | None = None) -> float:
    split = _mean_split(differences, others)
    return split.units + split.repeats
