"""What share of a study's dialogues a stopping rule is expected to take, before anything is asked."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from voirdire.ddft.analysis.planning.material import effects_of
from voirdire.ddft.concept_sums import Floats
from voirdire.ddft.stopping.interim import first_analysis_size, size_after
from voirdire.ddft.stopping.records import InterimAnalysis
from voirdire.ddft.stopping.rule import StopRule
from voirdire.stats import special
from voirdire.stats.sequential import nominal_level

if TYPE_CHECKING:
    from voirdire.ddft.analysis.planning.sources import Source
    from voirdire.ddft.study import StudyPlan


@dataclass(frozen=True, slots=True)
class ModelShare:
    """What is expected of a model that varies as one of the source does."""

    model: str
    """Of the source."""
    dialogues: int
    """At which the rule is expected to stop it; all of them, where it is not."""
    narrow: bool
    """Whether the interval is expected to become narrow enough at all."""


@dataclass(frozen=True, slots=True)
class ExpectedShare:
    """What a stopping rule is expected to take of a study's dialogues, and so of its calls."""

    share: float
    """In (0, 1]: mean over the models of the source."""
    dialogues: int
    """Of the full grid, for each model."""
    narrow: float
    """Share of the source's models whose interval is expected to become narrow enough."""
    models: tuple[ModelShare, ...]

    def as_dict(self) -> dict[str, Any]:
        """Plain values that JSON can hold."""
        return {
            "share": self.share,
            "dialogues": self.dialogues,
            "narrow": self.narrow,
            "models": [
                {"model": each.model, "dialogues": each.dialogues, "narrow": each.narrow} for each in self.models
            ],
        }


def expected_share(plan: StudyPlan, rule: StopRule, source: Source) -> ExpectedShare:
    """What share of a plan's dialogues a stopping rule is expected to take, each model like one of the source.

    A formula, not a simulation: the variance of a model's metric after n dialogues about k concepts is taken to be
    (variance between concepts) / k + (variance within them) / n, both estimated from the source's dialogues by their
    influence on the metric; interim analyses are then made as a run makes them.

    Args:
        plan: whose numbers of concepts, levels and samples count; it may have another rule, or none.
        rule: when to stop.
        source: where variances come from: published, a pilot, or assumed.

    Raises:
        PowerError: the metric has no value in the source, such as ER in the published scores, which hold no stances.
    """
    effects = effects_of(source.material, rule.metric)
    concepts, levels = len(plan.concepts), len(plan.preset.levels)
    total = concepts * levels * plan.preset.samples
    models = []
    for model, influence in zip(effects.models, effects.consensus, strict=True):
        last = _last_analysis(*_components(influence), rule, concepts, levels, total)
        narrow = last.half_width is not None and last.half_width <= rule.half_width
        models.append(ModelShare(model, last.dialogues, narrow))
    return ExpectedShare(
        share=float(np.mean([each.dialogues for each in models])) / total,
        dialogues=total,
        narrow=float(np.mean([each.narrow for each in models])),
        models=tuple(models),
    )


def _components(influence: Floats) -> tuple[float, float]:
    """Variance between concepts, and within them apart from what all concepts share by level.

    Args:
        influence: of one model's dialogues; shape (concepts, levels, samples).
    """
    concepts, levels, samples = influence.shape
    centred = influence - influence.mean(axis=(0, 2), keepdims=True)
    per_concept = centred.mean(axis=(1, 2))
    each = levels * samples
    if each == 1:
        return 0.0, float(per_concept.var(ddof=1))
    residual = centred - per_concept[:, np.newaxis, np.newaxis]
    freedom = (concepts - 1) * (each - 1) if samples == 1 else concepts * each - concepts - levels + 1
    within = float((residual**2).sum()) / freedom
    return max(0.0, float(per_concept.var(ddof=1)) - within / each), within


def _last_analysis(
    between: float, within: float, rule: StopRule, concepts: int, levels: int, total: int
) -> InterimAnalysis:
    """Where a run ends whose widths are as expected."""
    first = size = first_analysis_size(rule, levels, total)
    while True:
        met = min(concepts, math.ceil(size / levels) if rule.by_concept else size)
        quantile = float(special.stdtrit(met - 1, 0.5 + nominal_level(size, first) / 2))
        analysis = InterimAnalysis(size, quantile * math.sqrt(between / met + within / size))
        if size == total or (analysis.half_width is not None and analysis.half_width <= rule.half_width):
            return analysis
        size = size_after(analysis, rule, levels, total)
