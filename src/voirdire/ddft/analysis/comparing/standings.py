"""Each model of a comparison by itself: its value, and how likely it is to take each rank."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from voirdire.ddft._cells import Cells, Floats, cells, read_answers
from voirdire.ddft._uncertainty import MIN_CONCEPTS, default_intervals
from voirdire.ddft.analysis.comparing.hollow import Answered, answered, share_of_answers
from voirdire.ddft.analysis.comparing.pairs import Settings
from voirdire.ddft.analysis.comparing.shared import Study, metric_of, shared_answers
from voirdire.ddft.metrics import values
from voirdire.ddft.profile import THETA
from voirdire.ddft.stopping import Looked
from voirdire.stats.comparison import rank_probabilities
from voirdire.stats.intervals import Interval, bootstrap_weights
from voirdire.text.counting import counted

LOWER_IS_BETTER = frozenset(
    {
        "failed_at_0",
        "FAR_prime",
        "danger_zone_pct",
        "entrenchment",
        "capitulation",
        "coupled_collapse",
        "selective_verifier_failure",
        "trap_acceptance",
    }
)
"""Metrics of which the lowest value gets rank 1."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A model by itself. Undefined is `None`."""

    model: str
    value: float | None
    """On every turn that the model was asked."""
    interval: Interval | None
    reason: str | None
    """Why there is no value."""
    share_answered: float | None = None
    """Of its scored answers, those that claim anything."""
    coherence: float | None = None
    """Its mean SAS over the levels (CRI)."""
    answered: Answered | None = None
    """What its answers alone say, where the metric counts every turn asked: the models are ranked by this."""
    rank_probabilities: tuple[float, ...] | None = None
    """Of rank 1, 2 …: the shares of bootstrap draws, on the turns that all ranked models share."""
    expected_rank: float | None = None

    @property
    def can_be_ranked(self) -> bool:
        """Whether there is a value, and an answer behind it."""
        return self.value is not None and (self.answered is None or self.answered.of > 0)

    def as_dict(self) -> dict[str, Any]:
        """Plain values that JSON can hold."""
        return {
            "model": self.model,
            "value": self.value,
            "interval": self.interval and self.interval._asdict(),
            "reason": self.reason,
            "share_answered": self.share_answered,
            "coherence": self.coherence,
            "answered": None if self.answered is None else _plain(self.answered),
            "rank_probabilities": self.rank_probabilities and list(self.rank_probabilities),
            "expected_rank": self.expected_rank,
        }


def _without_value(alone: Sequence[Standing]) -> list[str]:
    return [each.model for each in alone if each.value is None]


def _unanswered(alone: Sequence[Standing]) -> list[str]:
    return [each.model for each in alone if each.value is not None and not each.can_be_ranked]


def _plain(found: Answered) -> dict[str, Any]:
    return {"wrong": found.wrong, "of": found.of, "interval": found.interval and found.interval._asdict()}


def standings(
    study: Study, settings: Settings, looked: Mapping[str, Looked] | None = None
) -> tuple[list[Standing], list[str]]:
    """Value and interval of each model, ranks among those that have a value, and what must be said of the ranks.

    Args:
        study: the scores.
        settings: of the comparison.
        looked: of models whose run had a rule to stop by, whose intervals are corrected for it.
    """
    alone = [_alone(study, model, settings, (looked or {}).get(model)) for model in study.asked]
    ranked = {each.model: each for each in alone if each.can_be_ranked}
    if len(ranked) < 2:
        return alone, []
    placed, notes = _ranks(study, ranked, settings)
    for why, left_out in (("no value", _without_value(alone)), ("no answer that could count", _unanswered(alone))):
        if left_out:
            notes.append(f"Ranks leave out what has {why}: {', '.join(left_out)}.")
    return [placed.get(each.model, each) for each in alone], notes


def _alone(study: Study, model: str, settings: Settings, looked: Looked | None) -> Standing:
    cell = cells(read_answers(study.asked[model]), THETA)
    estimates = values(cell)
    estimate, interval = estimates[settings.metric], None
    if len(cell.concepts) >= MIN_CONCEPTS:
        level = 1 - settings.alpha
        nominal = level if looked is None else looked.nominal(level)
        interval = default_intervals(cell, estimates, level=nominal)[0].get(settings.metric)
        interval = None if interval is None else interval._replace(level=level)
    return Standing(
        model,
        estimate.value,
        interval,
        estimate.reason,
        share_answered=estimates["share_answered"].value,
        coherence=estimates["CRI"].value,
        answered=answered(cell, settings.metric),
    )


def _goodness(cell: Cells, metric: str, weights: Floats) -> Floats:
    """What ranks go by, the higher the better: the metric, or what the answers alone say of it."""
    share = share_of_answers(cell, metric, weights)
    if share is not None:
        return -share
    found = metric_of(cell, metric, weights)
    return -found if metric in LOWER_IS_BETTER else found


def _ranks(study: Study, alone: dict[str, Standing], settings: Settings) -> tuple[dict[str, Standing], list[str]]:
    """The same with ranks, from a bootstrap of the concepts that all share; nothing where there can be none."""
    shared = shared_answers(study, list(alone))
    if shared is None:
        return {}, ["No ranks: there is no scored turn that all models share."]
    k = len(shared.answers[0].concepts)
    if k < MIN_CONCEPTS:
        return {}, [
            f"No ranks: all models share {counted(k, 'concept')}, and drawing concepts anew takes {MIN_CONCEPTS}."
        ]
    weights = bootstrap_weights(k, settings.draws, np.random.default_rng(settings.seed))
    drawn = np.array([_goodness(cells(answers, THETA), settings.metric, weights) for answers in shared.answers])
    try:
        found = rank_probabilities(drawn)
    except ValueError as problem:
        return {}, [f"No ranks: {problem}"]
    notes = []
    if shared.left_out:
        notes.append(
            f"Ranks rest on the {counted(shared.n_cells, 'turn')} that all ranked models share; of these models "
            f"{counted(shared.left_out, 'turn is', 'turns are')} left out. The values above are on all that each was "
            "asked."
        )
    if found.undefined:
        notes.append(
            f"Ranks leave out {found.undefined:,} of {settings.draws:,} bootstrap draws, in which "
            f"{settings.metric} is undefined for a model."
        )
    placed = {
        each.model: replace(each, rank_probabilities=tuple(shares.tolist()), expected_rank=float(expected))
        for each, shares, expected in zip(alone.values(), found.probabilities, found.expected, strict=True)
    }
    return placed, notes
