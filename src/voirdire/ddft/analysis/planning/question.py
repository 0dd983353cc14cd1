"""What is to be planned, whether it can be, and what must be said beside the plan."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from voirdire.ddft.analysis.planning.components import Components
from voirdire.ddft.analysis.planning.designs import Design, Rates
from voirdire.ddft.analysis.planning.material import Effects, PowerError
from voirdire.ddft.analysis.planning.sources import PUBLISHED, Source
from voirdire.ddft.concepts import packaged_ids, packaged_paths
from voirdire.ddft.metric_labels import in_words
from voirdire.ddft.metrics import BY_NAME
from voirdire.ddft.stopping.rule import ON_WHOLE_CONCEPTS
from voirdire.stats.power import clusters_for_swaps
from voirdire.text.counting import counted
from voirdire.text.suggestion import suggestion

WITHOUT_ER = "K"
"""What is planned for where no stances are known: accuracy, the part of ER that needs none."""


@dataclass(frozen=True, slots=True)
class PlanningQuestion:
    """What is to be planned. `None` leaves a number open."""

    detect: float
    """The difference, in the metric's unit."""
    power: float = 0.8
    alpha: float = 0.05
    metric: str | None = None
    """ER where stances are known, else K."""
    models: int = 2
    """How many are compared: with more than two, Holm's correction over their pairs."""
    concepts: int | None = None
    levels: int | None = None
    samples: int | None = None
    judges: int | None = None

    @property
    def pairs(self) -> int:
        """Of the models to be compared."""
        return self.models * (self.models - 1) // 2


def checked_metric(question: PlanningQuestion, source: Source) -> str:
    """The metric to plan for.

    Raises:
        PowerError: no such metric, or one that the published scores can't have.
    """
    if question.metric is None:
        estimates, _ = source.material.estimates("ER")
        return "ER" if np.isfinite(estimates).any() else WITHOUT_ER
    if question.metric not in BY_NAME:
        raise PowerError(f"There is no metric {question.metric!r} to plan for: {suggestion(question.metric, BY_NAME)}")
    estimates, _ = source.material.estimates(question.metric)
    if source.name == PUBLISHED and np.isnan(estimates).all():
        raise PowerError(
            f"{in_words(question.metric)} needs the stance towards each fabrication, which the published scores do not "
            "hold: give --pilot RUN or --assume PARAMETERS, or plan for another metric."
        )
    return question.metric


def check(question: PlanningQuestion, metric: str) -> None:
    """Refuse what can't be planned.

    Raises:
        PowerError: a number out of its range.
    """
    largest = BY_NAME[metric].unit if BY_NAME[metric].kind != "ratio" else np.inf
    if not 0 < question.detect < largest:
        limit = "" if largest == np.inf else f" and below {largest:g}"
        raise PowerError(f"detect: {question.detect:g} is no difference in {metric}; give a number above 0{limit}.")
    if not 0 < question.alpha <= 0.2:
        raise PowerError(f"alpha: {question.alpha:g} is not possible; give a number above 0, at most 0.2.")
    if not question.alpha < question.power <= 0.99:
        raise PowerError(
            f"power: {question.power:g} is not possible; give a number above {question.alpha:g} (alpha), at most 0.99."
        )
    if question.models < 2:
        raise PowerError(f"models: {question.models} can't be compared; give 2 or more.")
    if question.concepts is not None and question.concepts < 3:
        given = counted(question.concepts, "concept was", "concepts were")
        raise PowerError(f"{given} named, and an interval needs three: name more, or leave concepts out.")


def notes_of(
    question: PlanningQuestion,
    metric: str,
    source: Source,
    effects: Effects,
    components: Components,
    best: Design | None,
    rates: Rates,
) -> list[str]:
    """Sentences, the most important first."""
    return [
        *_on_metric(question, metric, source),
        *_on_components(metric, source, effects, components),
        *_on_design(question, source, best),
        *_on_cost(question, rates),
        "A judge who favours one of the two models is not noise: no design here averages that away.",
    ]


def _on_cost(question: PlanningQuestion, rates: Rates) -> list[str]:
    alone = rates.models < question.models
    return ["Calls, money and time are those of the model named with -m alone."] if alone else []


def _on_metric(question: PlanningQuestion, metric: str, source: Source) -> list[str]:
    if question.metric is None and metric == WITHOUT_ER:
        why = "the published scores hold" if source.name == PUBLISHED else "the pilot holds"
        return [
            f"Planned for {in_words(metric)}, accuracy at turns 1 to 3, since {why} no stances, without which there is "
            "no ER: for ER, give --pilot RUN or --assume PARAMETERS."
        ]
    return []


def _on_components(metric: str, source: Source, effects: Effects, components: Components) -> list[str]:
    notes = []
    if effects.undefined:
        notes.append(f"Left out, since {in_words(metric)} has no value there: {', '.join(effects.undefined)}.")
    if components.negative:
        notes.append(f"Estimated below 0, hence taken as 0: {', '.join(components.negative)}.")
    if components.level is None:
        notes.append("The source asked each dialogue once: designs with more samples are a best case.")
    if components.judge is None and source.estimated:
        notes.append("The source does not tell judges apart: designs keep its number of judges.")
    if metric in ON_WHOLE_CONCEPTS:
        notes.append(
            f"{in_words(metric)} is about the levels themselves: on others than the source's it is another measure. "
            "What HOC varies by counts as the concept's, which more dialogues do not lessen."
        )
    else:
        notes.append("Other levels than the source's are taken to vary as those do.")
    return notes


def _on_concepts(concepts: int) -> list[str]:
    """Where so many concepts come from."""
    core, packaged = len(packaged_ids()), len(packaged_paths())
    if concepts <= core:
        return []
    packs = f"{packaged} concepts come with the package (--pack all), {core} of them in the core pack"
    if concepts <= packaged:
        return [f"{packs}."]
    return [f"{packs}; the other {concepts - packaged:,} are YAML files to write."]


def _on_design(question: PlanningQuestion, source: Source, best: Design | None) -> list[str]:
    alpha = question.alpha / question.pairs
    fewest = clusters_for_swaps(alpha)
    notes = []
    if question.concepts is not None and question.concepts < fewest:
        notes.append(
            f"With {counted(question.concepts, 'concept')} no test that swaps whole concepts gives p <= {alpha:.2g}; "
            f"it takes {fewest}, and `voirdire compare` decides by it."
        )
    if best is None:
        return notes
    if best.layout.concepts == fewest:
        notes.append(f"With fewer than {fewest} concepts a test that swaps them could not give p <= {alpha:.2g}.")
    notes += _on_concepts(best.layout.concepts)
    if question.pairs > 1:
        notes.append(
            f"Holm's correction over {question.pairs} pairs is planned for its first, strictest step: "
            f"an interval of level {1 - question.alpha / question.pairs:.4g}."
        )
    if source.estimated:
        notes.append("The components are estimates: the interval of the number of concepts says how rough.")
    return notes
