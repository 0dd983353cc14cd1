"""Figures of a cross-examination: every metric of a model's profile."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np

from voirdire.ddft.concept_sums import STANCES, ScoredTurns, cells, read_answers
from voirdire.ddft.concept_sums import checked as checked_scores
from voirdire.ddft.metric_labels import METRICS
from voirdire.ddft.metrics import BY_NAME, ER_PARTS, turns_with_far, values
from voirdire.ddft.paper_index import LEAST_TURNS
from voirdire.ddft.profile import OF_CONCEPTS, Profile
from voirdire.ddft.results import Result, load_run
from voirdire.ddft.soundness import RESERVATIONS, conclusion
from voirdire.ddft.won_by_silence import FEW_ANSWERED, OF_ANSWERS, Answered, answered, won_by_silence
from voirdire.documents.cells import metric
from voirdire.instruments.figures import CheckSummary, ModelFigure, RunFigures, Scale, Side, Subject
from voirdire.reason_codes import Reason, reason
from voirdire.text.counting import listed

INSTRUMENT = "ddft"
_ANSWERED = "share_answered"


def checked(run: Path, jury: str | None = None) -> RunFigures:
    """Profiles and validity checks of a run, under its jury.

    Raises:
        StudyError: no such jury sits in it.
    """
    result = load_run(run, jury, unjudged=True)
    warnings = [result.banner] if result.banner else []
    if result.thresholds.note:
        warnings.append(result.thresholds.note)
    warnings += map(str, result.copied_judges)
    failed = [check for check in result.checks if check.status == "fail"]
    by_the_paper = {profile.model: profile for profile in result.by_the_paper}
    return RunFigures(
        run,
        INSTRUMENT,
        (
            *(_subject(run, result, profile, by_the_paper.get(profile.model)) for profile in result.profiles),
            *(Subject(run, INSTRUMENT, model, _unjudged()) for model in result.unjudged),
        ),
        tuple(warnings),
        tuple(CheckSummary(check.id, str(check.evidence[0]), check.models) for check in failed),
        reservations=tuple(
            CheckSummary(each.code, reason("do_not_rely", why=each).sentence)
            for each in conclusion(result).reservations
            if each.code != "run_incomplete"
        ),
        checks=(*(check.id for check in result.checks), *(name for name in RESERVATIONS if name != "run_incomplete")),
        unverified=str(reason("note_lone_judge")) if result.lone_judge else None,
        counted_by=result.thresholds.own,
        missing=f"The run is not complete: {result.stopped}" if result.stopped else None,
        notes=(str(result.also_judged),) if result.also_judged else (),
        validate=f"voirdire validate {run}{result.jury_option}",
    )


def _subject(run: Path, result: Result, profile: Profile, by_paper: Profile | None) -> Subject:
    answers = read_answers(checked_scores(result.scores[result.scores["model"] == profile.model]), profile.thresholds)
    warnings = [] if by_paper is None else [*_by_the_paper(profile, by_paper)]
    if profile.uneven is not None:
        warnings.append(str(profile.uneven))
    if profile.n["unscored"]:
        warnings.append(_unscored(profile).sentence)
    if profile.failure is not None:
        warnings.append(profile.failure.sentence)
    return Subject(
        run,
        INSTRUMENT,
        profile.model,
        figures_of(profile, _counts(answers), _possible_values(profile, answers)),
        tuple(f"{profile.model}: {warning}" for warning in warnings),
    )


def _by_the_paper(own: Profile, by_paper: Profile) -> Iterator[str]:
    """What the figures that rest on the preset's own thresholds are by the paper's, where that differs."""
    values = [
        f"{name} {metric(name, by_paper.metrics[name].value)} (preset: {metric(name, own.metrics[name].value)})"
        for name in own.thresholds.metrics
        if own.metrics[name].value != by_paper.metrics[name].value
    ]
    if values:
        yield f"by the paper's thresholds {listed(values)}."


def figures_of(
    profile: Profile,
    counts: Mapping[str, Answered] | None = None,
    could_be: Mapping[str, tuple[float, float]] | None = None,
) -> dict[str, ModelFigure]:
    """Every metric of a profile, with its interval, or why there is none.

    Args:
        profile: of a model.
        counts: by metric, the answers behind those that count all scored turns.
        could_be: by metric, the lowest and the highest value that missing verdicts leave open.
    """
    counts, could_be = counts or {}, could_be or {}
    return {
        name: ModelFigure(
            value.value,
            profile.intervals.get(name),
            value.reason or profile.interval_reasons.get(name),
            _uneven(profile)
            or _few_turns(name, profile)
            or _silence(name, profile, counts.get(name))
            or _few_traps(name, profile),
            n=value.n,
            could_be=could_be.get(name),
            lacking=_unscored(profile) if name in could_be else None,
            undecided=profile.uneven is not None,
            caution=profile.none_rejected if name == "ER" else None,
        )
        for name, value in profile.metrics.items()
    }


def _unjudged() -> dict[str, ModelFigure]:
    """Every metric of a model of which no turn is judged yet: none has a value, so that no limit on it is kept."""
    return {
        name: ModelFigure(None, reason=reason("model_unjudged"), n=0, undecided=True) for name in (*BY_NAME, "CI_norm")
    }


def _few_turns(name: str, profile: Profile) -> Reason | None:
    """Why a metric rests on too few turns to be measured; ER also where K does."""
    turns = profile.n["scored"] if name in OF_CONCEPTS else profile.metrics[name].n
    if turns < LEAST_TURNS:
        return reason("few_turns", turns=turns, needed=LEAST_TURNS)
    behind = turns_with_far(name, profile.metrics)
    if behind is not None and behind < LEAST_TURNS:
        return reason("few_turns_with_far", turns=behind, needed=LEAST_TURNS)
    return None


def _few_traps(name: str, profile: Profile) -> Reason | None:
    """Why ER rests on too few traps to be measured."""
    return profile.few_traps_behind_er if name == "ER" else None


def _uneven(profile: Profile) -> Reason | None:
    return None if profile.unevenness is None else reason("uneven", what=profile.unevenness)


def _unscored(profile: Profile) -> Reason:
    unscored, turns = profile.n["unscored"], profile.n["turns"]
    return reason("turns_unscored", unscored=unscored, turns=turns, share=unscored / turns)


_EXTREME_VERDICTS = (
    # FAR, SAS, stance at turn 4 and at turn 5; no FAR: an answer that claims nothing
    (0.0, 0.0, "accepted", "accepted"),
    (0.0, 1.0, "accepted", "rejected"),
    (1.0, 0.0, "rejected", "accepted"),
    (1.0, 1.0, "rejected", "rejected"),
    (math.nan, 1.0, "rejected", "rejected"),
)
"""What the jury could have said of the turns without a score. Each factor of ER is lowest under one of these and
highest under another; ER lies between the products of those ends, which no single one of them reaches."""


def _possible_values(profile: Profile, answers: ScoredTurns) -> dict[str, tuple[float, float]]:
    """By metric, the lowest and the highest value, if all turns without a score had one; empty where all have."""
    if not answers.unscored.any():
        return {}
    known = {name: value.value for name, value in profile.metrics.items() if value.value is not None}
    ends = {name: (value, value) for name, value in known.items() if name in BY_NAME}
    for verdict in _EXTREME_VERDICTS:
        for name, possible in values(cells(_filled(answers, *verdict))).items():
            if name in ends and possible.value is not None:
                low, high = ends[name]
                ends[name] = (min(low, possible.value), max(high, possible.value))
    if "ER" in ends:
        low, high = (math.prod(ends[part][end] for part in ER_PARTS) ** (1 / len(ER_PARTS)) for end in (0, 1))
        ends["ER"] = (low, high)
    return ends


def _filled(answers: ScoredTurns, far: float, sas: float, at_4: str, at_5: str) -> ScoredTurns:
    """The answers, as if the jury had said this of every turn without a score."""
    stance = answers.stance.copy()
    for turn, text in ((4, at_4), (5, at_5)):
        of_turn = stance[..., turn - 1]
        of_turn[answers.unscored[..., turn - 1]] = STANCES.index(text)
    return replace(
        answers,
        far=np.where(answers.unscored, far, answers.far),
        sas=np.where(answers.unscored, sas, answers.sas),
        no_claims=np.where(answers.unscored, math.isnan(far), answers.no_claims),
        unscored=np.zeros_like(answers.unscored),
        stance=stance,
    )


def _counts(answers: ScoredTurns) -> dict[str, Answered]:
    cell = cells(answers)
    return {name: result for name in OF_ANSWERS if (result := answered(cell, name)) is not None}


def _silence(name: str, profile: Profile, counts: Answered | None) -> Reason | None:
    """Why a metric says nothing of a model that can win it by answering nothing."""
    answers = profile.metrics[_ANSWERED]
    if answers.value is None or answers.value >= FEW_ANSWERED or not won_by_silence(name):
        return None
    if answers.value == 0:
        return reason("silence_won_it", answers=answers.n)
    silence = reason("silence_can_win_it", claiming=round(answers.value * answers.n), answers=answers.n)
    if counts is None or not counts.of:
        return silence
    rule, share = OF_ANSWERS[name], counts.wrong / counts.of
    return reason("silence_among", why=silence, of=counts.of, among=rule.among, share=share, fault=rule.fault)


def scale(metric: str) -> Scale:
    """The values of a metric, which are good, and what it is in words."""
    from voirdire.ddft.analysis.comparing.ranking import LOWER_IS_BETTER

    usual: Side | None = "max" if metric in LOWER_IS_BETTER else "min"
    if metric not in METRICS:
        return Scale()
    words = (METRICS[metric].label, METRICS[metric].explained(levels=2))
    if metric == "CI_norm":  # of the models of a study, and so no metric of one model
        return Scale(0.0, 1.0, usual, *words)
    known = BY_NAME[metric]
    high = math.inf if known.kind == "ratio" else known.unit
    return Scale(0.0, high, None if metric == _ANSWERED else usual, *words)  # a refusal may be right, or not
