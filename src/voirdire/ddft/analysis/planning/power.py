"""Planning a comparison: how many concepts, levels, samples and judges tell two models apart.

The comparison is the one of `voirdire compare`: paired, a t interval over concepts. What it will vary by is taken
from a study: the published one, a pilot run, or one simulated from an assumption. `docs/planning.md` gives the formula.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from voirdire.data.json_values import as_object, as_plain
from voirdire.ddft.analysis.planning.components import Components, components, pair_variances, variance_interval
from voirdire.ddft.analysis.planning.designs import (
    Aim,
    Design,
    Rates,
    designs,
    efficient_designs,
    priced_rates,
    recommended_design,
    unpriced_rates,
)
from voirdire.ddft.analysis.planning.material import Effects, Layout, PowerError, effects_of
from voirdire.ddft.analysis.planning.paper import Resolution, resolution
from voirdire.ddft.analysis.planning.question import PlanningQuestion, check, checked_metric, notes_of
from voirdire.ddft.analysis.planning.sources import (
    PUBLISHED,
    AssumedValue,
    Source,
    assumed_source,
    pilot_source,
    published_source,
)
from voirdire.ddft.stopping.rule import ON_WHOLE_CONCEPTS
from voirdire.stats.power import (
    SimulatedPower,
    clusters_for_swaps,
    clusters_needed,
    simulated_power,
    smallest_difference,
)
from voirdire.text.counting import counted

__all__ = [
    "Detection",
    "PlanningQuestion",
    "PowerError",
    "Rates",
    "Source",
    "assumed_source",
    "pilot_source",
    "plan_detection",
    "priced_rates",
    "published_source",
    "unpriced_rates",
]

_STUDIES = 4000
_EFFECTS_AT_MOST = 2_000_000
_NOISY = 0.9
_PAPER_METRICS = ("K", "CI_raw", "S", "danger_zone_pct")


@dataclass(frozen=True, slots=True)
class Recommendation:
    """The cheapest design, and how sure that is."""

    design: Design
    concepts_interval: tuple[int | None, int | None] | None
    """95 % interval of the number of concepts, since the components are estimates; an end that is `None` is beyond
    10,000; `None` without an interval."""
    noisy_pair_concepts: int | None
    """Concepts that the noisiest tenth of the source's pairs would need."""
    simulated: SimulatedPower

    def as_dict(self) -> dict[str, Any]:
        """Plain values that JSON can hold."""
        return self.design.as_dict() | {
            "concepts_interval": None if self.concepts_interval is None else list(self.concepts_interval),
            "noisy_pair_concepts": self.noisy_pair_concepts,
            "simulated": as_object(self.simulated),
        }


@dataclass(frozen=True, slots=True)
class Detection:
    """A planned comparison."""

    question: PlanningQuestion
    metric: str
    source: Source
    components: Components
    designs: tuple[Design, ...]
    """The cheapest first."""
    recommended: Recommendation | None
    smallest_detectable: float
    """At `source.layout`, for one pair."""
    smallest_after_holm: float | None
    """The same with Holm's correction; `None` for two models."""
    paper: tuple[Resolution, ...]
    """The metric itself first, where the published data have it; else K."""
    paper_layout: Layout
    notes: tuple[str, ...]
    assumed: tuple[AssumedValue, ...] = ()
    """What each model assumed has of the metric, where several are."""

    @property
    def efficient(self) -> list[Design]:
        """Designs that no other beats in both price and number of concepts."""
        return efficient_designs([design for design in self.designs if design.supported])

    def as_dict(self) -> dict[str, Any]:
        """Everything, ready for JSON."""
        question = self.question
        of_source = self.source.material
        return {
            "metric": self.metric,
            "detect": question.detect,
            "power": question.power,
            "alpha": question.alpha,
            "models": question.models,
            "pairs": question.pairs,
            "source": self.source.name,
            "source_layout": {"models": len(of_source.models), **as_object(of_source.layout)},
            "components": as_object(self.components),
            "designs": as_plain(self.designs),
            "recommended": as_plain(self.recommended),
            "smallest_detectable": {
                **as_object(self.source.layout),
                "difference": self.smallest_detectable,
                "after_holm": self.smallest_after_holm,
            },
            "paper": {
                **as_object(self.paper_layout),
                **self.paper[0].as_dict(),
                "other_metrics": as_plain(self.paper[1:]),
            },
            "assumed": as_plain(self.assumed),
            "notes": list(self.notes),
        }


def plan_detection(
    question: PlanningQuestion, source: Source, rates: Rates, levels: Sequence[int] = (3, 5)
) -> Detection:
    """Find the designs that tell two models apart.

    Args:
        question: what is to be told apart; numbers it leaves open are searched.
        source: where the variance components come from.
        rates: what dialogues cost.
        levels: numbers of levels to try, beside the source's own, when the question leaves them open.

    Raises:
        PowerError: the question can't be answered: one sentence says why.
    """
    metric = checked_metric(question, source)
    check(question, metric)
    effects = effects_of(source.material, metric)
    sources = components(effects)
    own = source.material.layout
    alpha = question.alpha / question.pairs
    candidates = designs(
        sources,
        Aim(question.detect, question.power, alpha),
        rates,
        levels=[question.levels] if question.levels else sorted({*levels, own.levels}),
        samples=[question.samples] if question.samples else (1, 2, 3),
        judges=_judges(question, sources, own, rates),
        concepts=question.concepts,
        supported=lambda layout: _supported(layout, question, metric, sources, own),
    )
    best = recommended_design(candidates)
    published = source if source.name == PUBLISHED else published_source()
    smallest = [
        smallest_difference(sources.variance(source.layout), source.layout.concepts, power=question.power, alpha=each)
        for each in (question.alpha, alpha)
    ]
    paper = tuple(
        resolution(published.material, name, power=question.power, alpha=question.alpha)
        for name in dict.fromkeys((*_in_paper(metric, published), *_PAPER_METRICS))
    )
    return Detection(
        question=question,
        metric=metric,
        source=source,
        components=sources,
        designs=tuple(candidates),
        recommended=None if best is None else _recommendation(best, effects, sources, question, source.estimated),
        smallest_detectable=smallest[0],
        smallest_after_holm=smallest[1] if question.pairs > 1 else None,
        paper=paper,
        paper_layout=published.material.layout,
        notes=(*source.notes, *notes_of(question, metric, source, effects, sources, best, rates)),
        assumed=source.assumed_values(metric),
    )


class SmallestShown(NamedTuple):
    """The smallest difference between two models that a plan can show."""

    metric: str
    difference: float | None
    """In the metric's unit; `None`: the concepts are too few to show any."""
    concepts: int
    power: float
    """The chance of showing it."""
    source: str
    """Where the variances come from."""
    assumed: tuple[AssumedValue, ...] = ()
    """What each model assumed has of the metric, where several are."""


def smallest_shown(
    layout: Layout, models: int, source: Source, *, power: float = 0.8, alpha: float = 0.05
) -> SmallestShown:
    """What a plan can show of the first of its pairs: in ER where the source knows stances, else in K.

    Args:
        layout: of the plan.
        models: that it compares, at least two.
        source: where the variance components come from.
        power: the chance of showing it.
        alpha: of all pairs together.
    """
    metric = checked_metric(PlanningQuestion(detect=0.1), source)
    pairs = models * (models - 1) // 2
    enough = layout.concepts >= clusters_for_swaps(alpha / pairs)
    variance = components(effects_of(source.material, metric)).variance(layout)
    smallest = smallest_difference(variance, layout.concepts, power=power, alpha=alpha / pairs) if enough else None
    return SmallestShown(metric, smallest, layout.concepts, power, source.name, source.assumed_values(metric))


def _recommendation(
    best: Design, effects: Effects, components: Components, question: PlanningQuestion, estimated: bool
) -> Recommendation:
    layout, alpha = best.layout, question.alpha / question.pairs
    variance = components.variance(layout)

    def needed(each: float) -> int | None:
        number = clusters_needed(question.detect, each, power=question.power, alpha=alpha)
        return None if number is None else max(number, clusters_for_swaps(alpha))

    per_pair = pair_variances(effects)
    noisy = float(np.quantile(per_pair, _NOISY) / per_pair.mean()) if estimated and per_pair.size > 2 else None
    interval = variance_interval(effects, layout) if estimated else None
    parts = (components.concept, components.level or 0.0, components.dialogue, components.judge or 0.0)
    return Recommendation(
        design=best,
        concepts_interval=None if interval is None else (needed(interval[0]), needed(interval[1])),
        noisy_pair_concepts=None if noisy is None else needed(noisy * variance),
        simulated=simulated_power(
            question.detect,
            parts,
            (layout.concepts, layout.levels, layout.samples, layout.judges),
            alpha=alpha,
            studies=min(_STUDIES, max(200, _EFFECTS_AT_MOST // layout.concepts)),
        ),
    )


def _supported(layout: Layout, question: PlanningQuestion, metric: str, components: Components, own: Layout) -> bool:
    """Whether the source tells what such a design is worth, or it was asked for."""
    as_repeated = components.level is not None or layout.samples == 1 or question.samples is not None
    as_levelled = metric not in ON_WHOLE_CONCEPTS or layout.levels == own.levels or question.levels is not None
    return as_repeated and as_levelled


def _judges(question: PlanningQuestion, components: Components, own: Layout, rates: Rates) -> list[int]:
    if question.judges:
        if components.judge is None and question.judges != own.judges:
            raise PowerError(
                f"What a judge adds is not known from a source with {counted(own.judges, 'judge')}: leave --judges "
                "out, or give a pilot that two or more have judged."
            )
        return [question.judges]
    worth_trying = bool(components.judge) and rates.judge_calls > 0
    # With one judge nothing shows how good its scores are.
    return list(range(2, 6)) if worth_trying else [own.judges]


def _in_paper(metric: str, published: Source) -> tuple[str, ...]:
    estimates, _ = published.material.estimates(metric)
    return (metric,) if np.isfinite(estimates).any() else ()
