"""What must be said beside a planned comparison."""

from __future__ import annotations

from voirdire.ddft.analysis.planning.components import Components
from voirdire.ddft.analysis.planning.costs import Rates
from voirdire.ddft.analysis.planning.designs import Design
from voirdire.ddft.analysis.planning.material import Effects
from voirdire.ddft.analysis.planning.question import WITHOUT_ER, Question
from voirdire.ddft.analysis.planning.sources import PUBLISHED, Source
from voirdire.ddft.concepts import packaged_ids, packaged_paths
from voirdire.ddft.labels import in_words
from voirdire.stats.power import clusters_for_swaps
from voirdire.text.counting import counted

ON_LEVELS = ("HOC", "HOC_onset", "first_failing_level", "CI_raw")
"""Metrics that are about the levels themselves."""


def notes_of(
    question: Question,
    metric: str,
    source: Source,
    effects: Effects,
    found: Components,
    best: Design | None,
    rates: Rates,
) -> list[str]:
    """Sentences, the most important first."""
    return [
        *_on_metric(question, metric, source),
        *_on_components(metric, source, effects, found),
        *_on_design(question, source, best),
        *_on_cost(question, rates),
        "A judge who favours one of the two models is not noise: no design here averages that away.",
    ]


def _on_cost(question: Question, rates: Rates) -> list[str]:
    notes = []
    if rates.models < question.models:
        notes.append("Calls, money and time are those of the model named with -m alone.")
    if rates.judge_calls == 0:
        notes.append("No judge that is called is named (--jury): calls and money are those without judges.")
    return notes


def _on_metric(question: Question, metric: str, source: Source) -> list[str]:
    if question.metric is None and metric == WITHOUT_ER:
        why = "the published scores hold" if source.name == PUBLISHED else "the pilot holds"
        return [
            f"Planned for {in_words(metric)}, accuracy at turns 1 to 3, since {why} no stances, without which there is "
            "no ER: for ER, give --pilot RUN or --assume PARAMETERS."
        ]
    return []


def _on_components(metric: str, source: Source, effects: Effects, found: Components) -> list[str]:
    notes = []
    if effects.undefined:
        notes.append(f"Left out, since {in_words(metric)} has no value there: {', '.join(effects.undefined)}.")
    if found.negative:
        notes.append(f"Estimated below 0, hence taken as 0: {', '.join(found.negative)}.")
    if found.level is None:
        notes.append("The source asked each dialogue once: designs with more samples are a best case.")
    if found.judge is None and source.estimated:
        notes.append("The source does not tell judges apart: designs keep its number of judges.")
    if metric in ON_LEVELS:
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


def _on_design(question: Question, source: Source, best: Design | None) -> list[str]:
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
