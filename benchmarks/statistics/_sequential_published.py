"""The published scores, stopped early: for `sequential`. One study at a time, by the code that runs use."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from voirdire.ddft.concept_sums import Cells, Floats, ScoredTurns, cells, checked, read_answers
from voirdire.ddft.metric_intervals import default_intervals
from voirdire.ddft.metrics import values, with_parts
from voirdire.ddft.published import published_scores
from voirdire.ddft.stopping import StopRule, drawn_order
from voirdire.ddft.stopping.interim import analysis_at, first_analysis_size, size_after
from voirdire.stats.sequential import nominal_level

_LAYERS = ("asked", "far", "sas", "no_claims", "unscored", "stance")


class One(NamedTuple):
    """One model in one study, when the rule stopped it."""

    value: float
    covered: bool
    dialogues: int
    analyses: int
    narrow: bool


def run(picks: Sequence[NDArray[np.intp]], rule: StopRule) -> tuple[list[list[One]], list[Floats], list[float]]:
    """Stop every published model in studies of concepts picked from its own eight.

    Returns:
        By model: how each study ended, the metric on each study's whole grid, and on the published data.
    """
    ended, full, truth = [], [], []
    for answers in _models().values():
        true = _value(cells(answers), rule.metric)
        drawn = [_begun(_picked(answers, picked), rule, seed) for seed, picked in enumerate(picks)]
        dialogues = answers.levels.size * len(picks[0])
        ended.append([_stopped(begun, rule, dialogues, answers.levels.size, true) for begun in drawn])
        full.append(np.array([_value(begun(dialogues), rule.metric) for begun in drawn]))
        truth.append(true)
    return ended, full, truth


@cache
def _models() -> dict[str, ScoredTurns]:
    scores = checked(published_scores())
    return {str(model): read_answers(frame) for model, frame in scores.groupby("model", sort=False)}


def _picked(answers: ScoredTurns, picked: NDArray[np.intp]) -> ScoredTurns:
    """Each pick is a concept of its own."""
    layers = {name: getattr(answers, name)[picked] for name in _LAYERS}
    return ScoredTurns(concepts=tuple(f"{place:03d}" for place in range(picked.size)), levels=answers.levels, **layers)


def _begun(answers: ScoredTurns, rule: StopRule, seed: int) -> Callable[[int], Cells]:
    """The model's scores after so many dialogues."""
    concepts, levels, samples = answers.far.shape[:3]
    order = np.array(drawn_order(concepts, levels, samples, seed=seed, by_concept=rule.by_concept))
    empty = {"asked": False, "far": np.nan, "sas": np.nan, "no_claims": False, "unscored": False, "stance": -1}

    def begun(size: int) -> Cells:
        asked = np.zeros((concepts, levels, samples, 1), dtype=np.bool_)
        asked[tuple(order[:size].T)] = True
        met = np.unique(order[:size, 0])
        layers = {name: np.where(asked, getattr(answers, name), empty[name])[met] for name in _LAYERS}
        part = ScoredTurns(concepts=tuple(answers.concepts[place] for place in met), levels=answers.levels, **layers)
        return cells(part)

    return begun


def _stopped(begun: Callable[[int], Cells], rule: StopRule, dialogues: int, levels: int, truth: float) -> One:
    first = size = first_analysis_size(rule, levels, dialogues)
    analyses = 1
    while True:
        analysis = analysis_at(begun(size), rule, size, first)
        narrow = analysis.half_width is not None and analysis.half_width <= rule.half_width
        if narrow or size == dialogues:
            break
        size, analyses = size_after(analysis, rule, levels, dialogues), analyses + 1
    scores = begun(size)
    estimates = values(scores, with_parts(rule.metric))
    interval = default_intervals(scores, estimates, level=nominal_level(size, first))[0].get(rule.metric)
    covered = interval is not None and interval.low <= truth <= interval.high
    return One(_value(scores, rule.metric), covered, size, analyses, narrow)


def _value(scores: Cells, metric: str) -> float:
    found = values(scores, with_parts(metric))[metric].value
    return np.nan if found is None else found
