"""A model's profile: ER first, all metrics with intervals and what they rest on, the paper's index, and remarks."""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np
import pandas as pd

from voirdire.data.json_values import as_plain
from voirdire.ddft.call_failures import no_call_answered
from voirdire.ddft.concept_sums import TURNS, Cells, Floats, cells, checked, read_answers
from voirdire.ddft.metric_intervals import MIN_CONCEPTS, default_intervals, percentile_intervals, undefined_draws
from voirdire.ddft.metrics import ER_PARTS, Value, curve, measure, normalised, values
from voirdire.ddft.paper_index import LEAST_TURNS, PaperIndex, paper_index
from voirdire.ddft.profile_notes import (
    UNEVEN,
    Unevenness,
    few_concepts,
    few_turns_behind,
    none_rejected,
    one_level_range,
    only_level,
    uneven_concepts,
    uneven_levels,
    uneven_turns,
    without_interval,
    without_value,
)
from voirdire.ddft.stopping.records import InterimAnalyses
from voirdire.ddft.thresholds import PAPER, Thresholds
from voirdire.ddft.won_by_silence import silence
from voirdire.reason_codes import Reason, reason
from voirdire.stats.intervals import Interval, seeded_weights

T = TypeVar("T")

DRAWS = 10_000
"""Of the cluster bootstrap."""

_LEVEL = 0.95
_BY_LEVEL = ("HOC", "HOC_onset")
"""Metrics that can take few values where only one level was asked, so that an interval would say nothing."""
OF_CONCEPTS = (*_BY_LEVEL, "first_failing_level", "failed_at_0")
"""Metrics whose n counts concepts; that of the others counts turns."""
_COUNTS = ("concepts", "turns", "unscored", "scored", "no_claims")


@dataclass(frozen=True, slots=True)
class LevelPoint:
    """A model's mean scores at one compression level, over all turns."""

    level: float
    far: float | None
    far_n: int
    sas: float | None
    sas_n: int


@dataclass(frozen=True, slots=True, repr=False)
class Profile:
    """What the test found about one model; of one that is judged unevenly so far every metric is without a value."""

    model: str
    metrics: dict[str, Value]
    intervals: dict[str, Interval]
    """The default intervals, by metric: jackknife-t over concepts (or exact, where concepts do not vary at all)."""
    interval_reasons: dict[str, Reason]
    """Why the other metrics that have a value have no interval."""
    percentile_intervals: dict[str, Interval]
    """From the cluster bootstrap; too narrow with few concepts, shown beside."""
    undefined_draws: dict[str, int]
    """Bootstrap draws in which a metric was undefined, where there were any; `percentile_intervals` leave them out."""
    draws: int
    n: dict[str, int]
    """Concepts, turns asked, unscored, scored, without claims, and behind each metric."""
    curves: tuple[LevelPoint, ...]
    paper_index: PaperIndex
    """The paper's index and label, with what makes them doubtful."""
    notes: tuple[Reason, ...]
    """What must be said beside the numbers; `str` of each is a sentence."""
    interim_analyses: InterimAnalyses | None = None
    """When and why the run stopped asking this model, where it had a rule to stop by; `intervals` are corrected for
    looking, `percentile_intervals` are not."""
    thresholds: Thresholds = PAPER
    """What the metrics were counted by."""
    failure: Reason | None = None
    """Of a model that left questions without an answer, how its calls failed, if they did."""

    def __repr__(self) -> str:
        return f"<Profile of {self.model}: er={self.er}, er_interval={self.er_interval}>"

    @property
    def er(self) -> float | None:
        """Epistemic reliability, 0 to 1; `None` where it is undefined, and `metrics["ER"]` says why."""
        return self.metrics["ER"].value

    @property
    def er_interval(self) -> Interval | None:
        """The 95 % interval of ER; `None` without one (with fewer than three concepts there is none)."""
        return self.intervals.get("ER")

    @property
    def uneven(self) -> Reason | None:
        """That some turns or levels weigh more than others so far, so that no figure may lead a result or be ranked."""
        return next((note for note in self.notes if note.code in UNEVEN), None)

    @property
    def few_turns_behind_er(self) -> Reason | None:
        """That ER rests on too few turns to lead a result or be ranked."""
        return next((note for note in self.notes if note.code == "note_er_on_few_turns"), None)

    @property
    def none_rejected(self) -> Reason | None:
        """That ER rests on smoothing, since no fabrication was rejected."""
        return next((note for note in self.notes if note.code == "note_none_rejected"), None)

    @property
    def few_traps_behind_er(self) -> Reason | None:
        """That ER rests on too few traps to be held to a limit."""
        traps = self.metrics["E"].n
        return reason("few_traps", traps=traps, needed=LEAST_TURNS) if traps < LEAST_TURNS else None

    @property
    def unevenness(self) -> Unevenness | None:
        """What is judged unevenly so far."""
        return None if self.uneven is None else UNEVEN[self.uneven.code]

    @property
    def any_interval(self) -> bool:
        """Whether any figure has one, or would have, if it could be told."""
        return bool(self.intervals) or (self.uneven is not None and self.n["concepts"] >= MIN_CONCEPTS)

    @property
    def first_turns(self) -> str:
        """Which of turns 1 to 3 are judged so far: what K and S rest on."""
        of_turns = self.uneven if self.unevenness == "turns" else None
        judged = [turn for turn in "123" if of_turns is None or of_turns[f"turn_{turn}"]]
        if len(judged) == 1:
            return f"turn {judged[0]}"
        return "turns 1 and 2" if judged == ["1", "2"] else "turns 1 to 3"

    @property
    def only(self) -> str:
        """As in "at one level only", or "at one level so far" where others are still to be asked."""
        return "so far" if any(note.code == "note_one_level_yet" for note in self.notes) else "only"

    def few_turns(self, name: str) -> bool:
        """Whether a value rests on few turns; one that is made of concepts, on too few of them for an interval.

        Args:
            name: of the metric.
        """
        value, least = self.metrics[name], MIN_CONCEPTS if name in OF_CONCEPTS else LEAST_TURNS
        return value.value is not None and value.n < least

    @property
    def ci_score(self) -> float | None:
        """CI_raw, which does not depend on other models (the paper's quick start, DDFT 11.3)."""
        return self.metrics["CI_raw"].value

    @property
    def danger_zone_pct(self) -> float | None:
        """Turns that are fluent and wrong by `thresholds`, in percent of those scored (DDFT 8.2.3: of those asked)."""
        return self.metrics["danger_zone_pct"].value

    def as_dict(self) -> dict[str, Any]:
        """The profile as plain values that JSON can hold: `None` for what is undefined, never NaN."""
        return {
            "model": self.model,
            "metrics": {name: value.value for name, value in self.metrics.items()},
            "reasons": {name: value.reason.as_dict() for name, value in self.metrics.items() if value.reason},
            "n": dict(self.n),
            "intervals": as_plain(self.intervals),
            "interval_reasons": as_plain(self.interval_reasons),
            "percentile_intervals": as_plain(self.percentile_intervals),
            "draws": self.draws,
            "undefined_draws": dict(self.undefined_draws),
            "paper_index": self.paper_index.as_dict(),
            "curves": [
                {"level": at.level, "FAR": at.far, "FAR_n": at.far_n, "SAS": at.sas, "SAS_n": at.sas_n}
                for at in self.curves
            ],
            "notes": as_plain(self.notes),
            "stopping": as_plain(self.interim_analyses),
        }

    def to_json(self, *, indent: int | None = 2) -> str:
        """`as_dict` as JSON text."""
        return json.dumps(self.as_dict(), indent=indent, ensure_ascii=False, allow_nan=False)


def profiles(
    scores: pd.DataFrame,
    *,
    thresholds: Thresholds = PAPER,
    draws: int = DRAWS,
    seed: int = 0,
    interim_analyses: Mapping[str, InterimAnalyses] | None = None,
    traps: bool = True,
    awaited: Collection[int] = (),
    levels: Collection[float] = (),
    failures: Mapping[str, Reason] | None = None,
) -> list[Profile]:
    """Profile every model of a study.

    Args:
        scores: one row per turn asked: model, concept, level, sample, turn, far and sas (NaN where there is none),
            no_claims, stance ("rejected", "questioned", "accepted" or empty), unscored (why, or empty).
        thresholds: what metrics count by.
        draws: of the cluster bootstrap.
        seed: of the cluster bootstrap. Models over the same concepts share their draws.
        interim_analyses: those of the run, of the models that it had a stopping rule for.
        traps: whether the run sets any.
        awaited: of an unfinished run, the turns that every dialogue is to have judged.
        levels: of an unfinished run, those that it is to ask at.
        failures: of the models that lack answers, how their calls failed; of one that never answered, why it has no
            figures.

    Returns:
        One profile per model, in the order in which the models appear.

    Raises:
        ValueError: columns are missing, a value is out of its range, or a turn stands there twice.
    """
    rows = {str(model): frame for model, frame in checked(scores).groupby("model", sort=False)}
    study = [cells(read_answers(frame, thresholds)) for frame in rows.values()]
    failing = [(failures or {}).get(model) for model in rows]
    analyses_by_model = [(interim_analyses or {}).get(model) for model in rows]
    estimates = _with_ci_norm(
        [
            _without_answers(_without_withheld(values(cell, traps=traps), own_analyses), why)
            for cell, own_analyses, why in zip(study, analyses_by_model, failing, strict=True)
        ]
    )
    draws_by_model = _with_ci_norm_draws(study, [_bootstrap_draws(cell, draws, seed) for cell in study])
    return [
        _profile(model, cell, estimate, draw, own_analyses, why, traps=traps, awaited=awaited, levels=levels)
        for model, cell, estimate, draw, own_analyses, why in zip(
            rows, study, estimates, draws_by_model, analyses_by_model, failing, strict=True
        )
    ]


def best_first(profiles: Iterable[Profile], metric: str = "ER") -> list[Profile]:
    """Profiles by a metric, the highest first; those without it, or seldom answering, last, as given.

    Ranks are no test: see `compare`.
    """

    def place(each: Profile) -> float:
        value = each.metrics[metric].value
        return math.inf if value is None or silence(each.metrics) else -value

    return sorted(profiles, key=place)


def _profile(
    model: str,
    cell: Cells,
    estimates: dict[str, Value],
    drawn: dict[str, Floats],
    interim: InterimAnalyses | None,
    failure: Reason | None,
    *,
    traps: bool,
    awaited: Collection[int],
    levels: Collection[float],
) -> Profile:
    level = float(cell.levels[0]) if len(cell.levels) == 1 else None
    intervals, without = _intervals(cell, estimates, interim)
    if level is not None:
        intervals, without = _without_levels(intervals, without, level)
    drawn = {name: draws for name, draws in drawn.items() if estimates[name].value is not None or interim is None}
    undefined = undefined_draws(drawn)
    totals = cell.totals(np.ones((1, len(cell.concepts))))
    judged = {turn: round(float(totals[f"scored_{turn}"][0])) for turn in range(1, TURNS + 1)}
    uneven = list(_uneven(cell, judged, awaited, levels))
    profile = Profile(
        model=model,
        metrics=_er_first(estimates),
        intervals=_er_first(intervals),
        interval_reasons={
            name: _missing_interval_reason(name, cell, without)
            for name in _names_without_interval(estimates, intervals)
        },
        percentile_intervals=percentile_intervals(drawn),
        undefined_draws=undefined,
        draws=len(next(iter(drawn.values()), ())),
        n={name: round(float(totals[name][0])) for name in _COUNTS} | {name: v.n for name, v in estimates.items()},
        curves=_curves(cell),
        paper_index=paper_index(estimates, intervals, cell.thresholds),
        thresholds=cell.thresholds,
        notes=(
            *uneven,
            *([] if failure is None or no_call_answered(failure) else [reason("note_answers_missing", why=failure)]),
            *([] if interim is None else [interim.note]),
            *few_turns_behind(estimates),
            *([] if uneven or (smoothed := none_rejected(estimates)) is None else [smoothed]),
            *few_concepts(len(cell.concepts)),
            *([] if (quiet := silence(_er_first(estimates))) is None else [quiet]),
            *without_value(estimates, traps=traps),
            *without_interval({name: why for name, why in without.items() if why.code != "one_level"}),
            *only_level(level, len(levels)),
        ),
        interim_analyses=interim,
        failure=failure,
    )
    return profile if profile.unevenness is None else _withheld(profile, reason("uneven", what=profile.unevenness))


def _withheld(profile: Profile, why: Reason) -> Profile:
    """The profile without any figure: the one place that takes them from whoever shows or exports it."""
    metrics = {name: Value(None, value.reason or why, 0) for name, value in profile.metrics.items()}
    return replace(
        profile,
        metrics=metrics,
        intervals={},
        interval_reasons={},
        percentile_intervals={},
        n=profile.n | dict.fromkeys(metrics, 0),
        curves=tuple(LevelPoint(at.level, None, 0, None, 0) for at in profile.curves),
        paper_index=paper_index(metrics, {}, profile.thresholds),
    )


def _uneven(
    cell: Cells, judged: Mapping[int, int], awaited: Collection[int], levels: Collection[float]
) -> Iterator[Reason]:
    """What weighs more than the rest so far; the first of what there is, and nothing where nothing is scored."""
    by_level = _scored_by_level(cell)
    pairs = sum(concepts for _, concepts in by_level.values())
    if not pairs:
        return
    matches = (
        *uneven_turns(judged, awaited),
        *uneven_levels(by_level, levels),
        *uneven_concepts(pairs, len(cell.concepts), len(levels)),
    )
    yield from matches[:1]


def _er_first(by_metric: Mapping[str, T]) -> dict[str, T]:
    """By metric: ER and its parts lead, wherever a profile is read."""
    leading = [name for name in ("ER", *ER_PARTS) if name in by_metric]
    return {name: by_metric[name] for name in (*leading, *by_metric)}


def _without_withheld(estimates: dict[str, Value], interim: InterimAnalyses | None) -> dict[str, Value]:
    """The metrics without those that can't be told from what had been asked when the run was stopped."""
    withheld = {} if interim is None else interim.withheld
    return {name: Value(None, withheld[name], 0) if name in withheld else value for name, value in estimates.items()}


def _without_answers(estimates: dict[str, Value], failure: Reason | None) -> dict[str, Value]:
    """The metrics; of a model that never answered, each says why."""
    if failure is None or not no_call_answered(failure):
        return estimates
    return {name: value if value.reason is None else Value(None, failure, 0) for name, value in estimates.items()}


def _names_without_interval(estimates: Mapping[str, Value], intervals: Mapping[str, Interval]) -> list[str]:
    return [name for name, value in estimates.items() if value.value is not None and name not in intervals]


def _missing_interval_reason(name: str, cell: Cells, without: Mapping[str, Reason]) -> Reason:
    few = len(cell.concepts) < MIN_CONCEPTS
    return reason("few_concepts") if few else without[name] if name in without else reason("relative")


def _without_levels(
    intervals: dict[str, Interval], without: dict[str, Reason], level: float
) -> tuple[dict[str, Interval], dict[str, Reason]]:
    """Intervals without those of metrics that are about levels, where only one was asked."""
    why = reason("one_level", range=one_level_range(level))
    remaining = {name: interval for name, interval in intervals.items() if name not in _BY_LEVEL}
    return remaining, without | {name: why for name in intervals if name in _BY_LEVEL}


def _intervals(
    cell: Cells, estimates: dict[str, Value], interim: InterimAnalyses | None
) -> tuple[dict[str, Interval], dict[str, Reason]]:
    """The default intervals; of a run with interim analyses, corrected so that they hold at 95 %."""
    if len(cell.concepts) < MIN_CONCEPTS:
        return {}, {}
    if interim is None:
        return default_intervals(cell, estimates)
    intervals, without = default_intervals(cell, estimates, level=interim.nominal_level(_LEVEL))
    return {name: interval._replace(level=_LEVEL) for name, interval in intervals.items()}, without


def _curves(cell: Cells) -> tuple[LevelPoint, ...]:
    far, far_n = curve(cell, "far")
    sas, sas_n = curve(cell, "sas")
    return tuple(
        LevelPoint(float(level), _known(far[i]), int(far_n[i]), _known(sas[i]), int(sas_n[i]))
        for i, level in enumerate(cell.levels)
    )


def _scored_by_level(cell: Cells) -> dict[float, tuple[int, int]]:
    """By level, how many answers are scored, and on how many concepts."""
    by_concept = cell.sums[:, cell.places["sas_n_at"]]
    answers, concepts = by_concept.sum(axis=0), (by_concept > 0).sum(axis=0)
    return {float(level): (int(answers[i]), int(concepts[i])) for i, level in enumerate(cell.levels)}


def _known(number: float) -> float | None:
    return None if math.isnan(number) else float(number)


def _with_ci_norm(study: list[dict[str, Value]]) -> list[dict[str, Value]]:
    """Add CI_norm to the metrics of each model."""
    raw = [model["CI_raw"] for model in study]
    norm = normalised(np.array([np.nan if ci.value is None else ci.value for ci in raw]))
    return [
        metrics
        | {
            "CI_norm": Value(None, _missing_ci_norm_reason(ci, len(study)), 0)
            if np.isnan(number)
            else Value(float(number), None, ci.n)
        }
        for metrics, ci, number in zip(study, raw, norm, strict=True)
    ]


def _missing_ci_norm_reason(raw: Value, models: int) -> Reason:
    if raw.reason is not None:
        return raw.reason
    return reason("one_model") if models == 1 else reason("models_alike", metric="CI_raw")


def _bootstrap_draws(cell: Cells, draws: int, seed: int) -> dict[str, Floats]:
    """Bootstrap draws of all metrics; none with too few concepts."""
    k = len(cell.concepts)
    return measure(cell, seeded_weights(k, draws, seed)) if k >= MIN_CONCEPTS else {}


def _with_ci_norm_draws(study: list[Cells], draws_by_model: list[dict[str, Floats]]) -> list[dict[str, Floats]]:
    """Add draws of CI_norm, where all models were asked about the same concepts and so share their draws."""
    if len(study) < 2 or len({cell.concepts for cell in study}) > 1 or not draws_by_model[0]:
        return draws_by_model
    norm = normalised(np.array([draws["CI_raw"] for draws in draws_by_model]))
    return [draws | {"CI_norm": of_model} for draws, of_model in zip(draws_by_model, norm, strict=True)]
