"""Each model of a comparison by itself: its value, and how likely it is to take each rank."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from voirdire.data.json_values import as_plain
from voirdire.ddft.analysis.comparing.pairs import PairSettings
from voirdire.ddft.analysis.comparing.shared import ScoresByModel, metric_of, shared_answers
from voirdire.ddft.concept_sums import Cells, Floats, cells, read_answers
from voirdire.ddft.metric_labels import in_words
from voirdire.ddft.metrics import BY_NAME, Value, turns_with_far
from voirdire.ddft.paper_index import LEAST_TURNS
from voirdire.ddft.profile_notes import Unevenness, none_rejected
from voirdire.ddft.stopping import InterimAnalyses
from voirdire.ddft.won_by_silence import OF_ANSWERS, Answered, answered, caution, measure_with_intervals
from voirdire.reason_codes import Reason, reason
from voirdire.stats.comparison import rank_probabilities
from voirdire.stats.intervals import Interval, seeded_weights
from voirdire.stats.power import clusters_for_swaps
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

_COUNTS_CONCEPTS = frozenset({"hoc_n", "first_failing_n", "failed_at_0_n"})

Unranked = Literal[
    "no value",
    "no evidence behind it",
    "turns judged unevenly so far",
    "levels judged unevenly so far",
    "concepts judged unevenly so far",
    "no answer that claims anything",
    "few answers that claim anything",
    "too few turns",
    "concepts on which it never fails",
]
_UNEVEN: Mapping[Unevenness, Unranked] = {
    "turns": "turns judged unevenly so far",
    "levels": "levels judged unevenly so far",
    "concepts": "concepts judged unevenly so far",
}


@dataclass(frozen=True, slots=True)
class RankedModel:
    """A model by itself. Undefined is `None`."""

    model: str
    value: float | None
    """On every turn that the model was asked."""
    interval: Interval | None
    reason: Reason | None
    """Why there is no value."""
    share_answered: float | None = None
    """Of its scored answers, those that claim anything."""
    caution: Reason | None = None
    """Why the value says little of the model: silence can win it, and few of its answers claim anything, or none."""
    coherence: float | None = None
    """Its mean SAS over the levels (CRI)."""
    answered: Answered | None = None
    """The counts behind the value, where the metric counts every scored turn and is compared by answers instead."""
    turns_behind: tuple[tuple[str, int], ...] = ()
    """Turns behind each mean of scores that the value is or divides by: (("FAR'", 7), ("SAS'", 196))."""
    fails_on: tuple[int, int] | None = None
    """On how many concepts it ever fails, of how many, where the value is the mean of those alone."""
    no_evidence: bool = False
    """Whether the test was not sound for this model, though it was for others."""
    uneven: Unevenness | None = None
    """What is judged unevenly so far: some of it weighs more than the rest."""
    dialogues_completed: tuple[int, int] | None = None
    """How many of its dialogues are complete, and of how many, while some are missing."""
    rank_probabilities: tuple[float, ...] | None = None
    """Of rank 1, 2 …: the shares of bootstrap draws, on the turns that all ranked models share."""
    expected_rank: float | None = None
    note: Reason | None = None
    """What must be said beside the value, which takes nothing from its rank."""

    @property
    def too_few(self) -> dict[str, int]:
        """Of `turns_behind`, those that a single turn could move by 0.1 or more."""
        return {name: turns for name, turns in self.turns_behind if turns < LEAST_TURNS}

    @property
    def says_nothing(self) -> bool:
        """Whether the value owes nothing to any answer."""
        return self.caution is not None and self.caution.code == "none_answered"

    @property
    def unranked(self) -> Unranked | None:
        """Why the model takes no rank."""
        if self.value is None:
            return "no value"
        if self.no_evidence:
            return "no evidence behind it"
        if self.uneven is not None:
            return _UNEVEN[self.uneven]
        if self.says_nothing:
            return "no answer that claims anything"
        if self.caution is not None:
            return "few answers that claim anything"
        if self.fails_on is not None:
            return "concepts on which it never fails"
        return "too few turns" if self.too_few else None

    @property
    def reliable(self) -> bool:
        """Whether the value may lead a result: it has an interval, and turns enough behind it."""
        return self.unranked is None and self.interval is not None

    @property
    def exported(self) -> RankedModel:
        """The model as data for others: of one that is judged unevenly so far no figure, but why."""
        if self.uneven is None:
            return self
        return replace(
            self,
            value=None,
            interval=None,
            reason=self.reason or reason("uneven", what=self.uneven),
            share_answered=None,
            coherence=None,
            answered=None,
            turns_behind=(),
        )

    def as_dict(self) -> dict[str, Any]:
        """`exported` as plain values that JSON can hold."""
        plain = self.exported
        return {
            "model": self.model,
            "value": plain.value,
            "interval": as_plain(plain.interval),
            "reason": as_plain(plain.reason),
            "share_answered": plain.share_answered,
            "caution": as_plain(self.caution),
            "coherence": plain.coherence,
            "answered": as_plain(plain.answered),
            "turns_behind": dict(plain.turns_behind),
            "reliable": self.reliable,
            "unranked": self.unranked,
            "dialogues_completed": self.dialogues_completed and list(self.dialogues_completed),
            "rank_probabilities": self.rank_probabilities and list(self.rank_probabilities),
            "expected_rank": self.expected_rank,
            "note": as_plain(self.note),
        }


def ranked_models(
    study: ScoresByModel,
    settings: PairSettings,
    interim_analyses: Mapping[str, InterimAnalyses] | None = None,
    uneven: Mapping[str, Unevenness] | None = None,
    no_evidence: Collection[str] = (),
    *,
    apart: bool = False,
) -> tuple[list[RankedModel], list[str]]:
    """Value and interval of each model, ranks among those that have a value, and what must be said of the ranks.

    Args:
        study: the scores.
        settings: of the comparison.
        interim_analyses: of models whose run had a rule to stop by, whose intervals are corrected for it.
        uneven: what is judged unevenly so far, by model.
        no_evidence: the models for which the test was not sound.
        apart: whether no order holds for all of the models.
    """
    alone = [
        replace(
            _alone(study, model, settings, (interim_analyses or {}).get(model)),
            uneven=(uneven or {}).get(model),
            no_evidence=model in no_evidence,
        )
        for model in study.turns_by_model
    ]
    ranked = {each.model: each for each in alone if each.unranked is None}
    if len(ranked) < 2:
        return alone, []
    if apart:
        return alone, ["No ranks: no order holds for all of these models."]
    ranks, notes = _ranks(study, ranked, settings)
    left_out: dict[Unranked, list[str]] = {}
    for each in alone:
        if each.unranked is not None:
            left_out.setdefault(each.unranked, []).append(each.model)
    notes += [f"Ranks leave out what has {why}: {', '.join(models)}." for why, models in left_out.items()]
    return [ranks.get(each.model, each) for each in alone], notes


def _alone(study: ScoresByModel, model: str, settings: PairSettings, interim: InterimAnalyses | None) -> RankedModel:
    cell = cells(read_answers(study.turns_by_model[model], study.thresholds))
    level = 1 - settings.alpha
    nominal = level if interim is None else interim.nominal_level(level)
    estimates, intervals = measure_with_intervals(
        cell, settings.metric, nominal, traps=model not in study.without_traps
    )
    estimate, interval = estimates[settings.metric], intervals.get(settings.metric)
    return RankedModel(
        model,
        estimate.value,
        interval and interval._replace(level=level),
        estimate.reason,
        share_answered=estimates["share_answered"].value,
        caution=None if estimate.value is None else caution(settings.metric, estimates["share_answered"]),
        coherence=estimates["CRI"].value,
        answered=answered(cell, settings.metric),
        turns_behind=_turns_behind(estimates, settings.metric),
        fails_on=_fails_on(estimates, settings.metric),
        note=none_rejected(estimates) if settings.metric == "ER" else None,
    )


def _fails_on(estimates: Mapping[str, Value], metric: str) -> tuple[int, int] | None:
    """A model that fails on one concept alone, early, would come after one that fails on all of them, late."""
    failing, concepts = estimates[metric].n, estimates["HOC"].n
    return (failing, concepts) if metric == "first_failing_level" and failing < concepts else None


def _turns_behind(estimates: Mapping[str, Value], metric: str) -> tuple[tuple[str, int], ...]:
    if metric == "CI_raw":
        return ("FAR'", estimates["FAR_prime"].n), ("SAS'", estimates["SAS_prime"].n)
    if metric in OF_ANSWERS:
        return ((metric, estimates[metric].n),)
    behind = turns_with_far(metric, estimates)
    if behind is not None:
        return (("K", behind),)
    means_turns = BY_NAME[metric].kind in ("mean", "share") and BY_NAME[metric].count not in _COUNTS_CONCEPTS
    return ((metric, estimates[metric].n),) if means_turns else ()


def _goodness(cell: Cells, metric: str, weights: Floats) -> Floats:
    """What ranks go by, the higher the better."""
    value = metric_of(cell, metric, weights)
    return -value if metric in LOWER_IS_BETTER else value


def _ranks(
    study: ScoresByModel, alone: dict[str, RankedModel], settings: PairSettings
) -> tuple[dict[str, RankedModel], list[str]]:
    """The same with ranks, from a bootstrap of the concepts that all share; nothing where there can be none."""
    shared = shared_answers(study, list(alone))
    if shared is None:
        return {}, ["No ranks: there is no scored turn that all models share."]
    k = len(shared.answers[0].concepts)
    fewest = clusters_for_swaps(settings.alpha)
    if k < fewest:
        shared_by_all = counted(k, "concept")
        return {}, [f"No ranks: all models share {shared_by_all}, and on fewer than {fewest} no two can be separated."]
    weights = seeded_weights(k, settings.draws, settings.seed)
    values = np.array([_goodness(cells(answers), settings.metric, weights) for answers in shared.answers])
    try:
        probabilities = rank_probabilities(values)
    except ValueError as problem:
        return {}, [f"No ranks: {problem}"]
    notes = []
    if shared.left_out:
        notes.append(
            f"Ranks rest on the {counted(shared.n_cells, 'turn')} that all ranked models share; of these models "
            f"{counted(shared.left_out, 'turn is', 'turns are')} left out. The values above are on all that each was "
            "asked."
        )
    if probabilities.undefined:
        notes.append(
            f"Ranks leave out {probabilities.undefined:,} of {settings.draws:,} bootstrap draws, in which "
            f"{in_words(settings.metric)} is undefined for a model."
        )
    ranks = {
        each.model: replace(each, rank_probabilities=tuple(shares.tolist()), expected_rank=float(expected))
        for each, shares, expected in zip(
            alone.values(), probabilities.probabilities, probabilities.expected, strict=True
        )
    }
    return ranks, notes
