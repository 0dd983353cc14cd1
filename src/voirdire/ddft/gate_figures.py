"""Figures of a cross-examination: every metric of a model's profile."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path

from voirdire.ddft.concept_sums import cells, read_answers
from voirdire.ddft.concept_sums import checked as checked_scores
from voirdire.ddft.metrics import BY_NAME, turns_with_far
from voirdire.ddft.paper_index import LEAST_TURNS
from voirdire.ddft.profile import OF_CONCEPTS, THETA, Profile
from voirdire.ddft.results import Result, load_run
from voirdire.ddft.won_by_silence import FEW_ANSWERED, OF_ANSWERS, Answered, answered, won_by_silence
from voirdire.instruments.figures import Figure, RunFigures, Scale, Side, Subject
from voirdire.reasons import reason
from voirdire.text.counting import tenths

INSTRUMENT = "ddft"
_ANSWERED = "share_answered"


def checked(run: Path, jury: str | None = None) -> RunFigures:
    """Profiles and validity checks of a run, under its jury.

    Raises:
        StudyError: no such jury sits in it.
    """
    result = load_run(run, jury, unjudged=True)
    warnings = [result.banner] if result.banner else []
    if result.also_judged:
        warnings.append(str(result.also_judged))
    failed = [check for check in result.checks if check.status == "fail"]
    if failed:
        names = ", ".join(check.id for check in failed)
        warnings.append(f"Validity checks that fail: {names} (voirdire validate {run}).")
    return RunFigures(
        run,
        INSTRUMENT,
        (
            *(
                Subject(
                    run,
                    INSTRUMENT,
                    profile.model,
                    figures_of(profile, _counts(profile, result)),
                    () if profile.uneven is None else (f"{profile.model}: {profile.uneven}",),
                )
                for profile in result.profiles
            ),
            *(Subject(run, INSTRUMENT, model, _unjudged()) for model in result.unjudged),
        ),
        tuple(warnings),
        tuple((check.id, str(check.evidence[0])) for check in failed),
        checks=True,
        missing=f"The run is not complete: {result.stopped}" if result.stopped else None,
    )


def figures_of(profile: Profile, counts: Mapping[str, Answered] | None = None) -> dict[str, Figure]:
    """Every metric of a profile, with its interval, or why there is none.

    Args:
        profile: of a model.
        counts: by metric, the answers behind those that count all scored turns.
    """
    counts = counts or {}
    return {
        name: Figure(
            value.value,
            profile.intervals.get(name),
            _why(name, profile),
            _few_turns(name, profile) or _uneven(profile) or _silence(name, profile, counts.get(name)),
            n=value.n,
        )
        for name, value in profile.metrics.items()
    }


def _unjudged() -> dict[str, Figure]:
    """Every metric of a model of which no turn is judged yet: none has a value, so that no limit on it is kept."""
    return {name: Figure(None, reason=str(reason("model_unjudged")), n=0) for name in (*BY_NAME, "CI_norm")}


def _few_turns(name: str, profile: Profile) -> str:
    """Why a metric rests on too few turns to be measured; ER also where K does."""
    turns = profile.n["scored"] if name in OF_CONCEPTS else profile.metrics[name].n
    if turns < LEAST_TURNS:
        return str(reason("few_turns", turns=turns, needed=LEAST_TURNS))
    behind = turns_with_far(name, profile.metrics)
    if behind is None or behind >= LEAST_TURNS:
        return ""
    return str(reason("few_turns_with_far", turns=behind, needed=LEAST_TURNS))


def _uneven(profile: Profile) -> str:
    return "" if profile.unevenness is None else str(reason("uneven", what=profile.unevenness))


def _counts(profile: Profile, result: Result) -> dict[str, Answered]:
    own = result.scores[result.scores["model"] == profile.model]
    cell = cells(read_answers(checked_scores(own)), THETA)
    return {name: found for name in OF_ANSWERS if (found := answered(cell, name)) is not None}


def _silence(name: str, profile: Profile, counts: Answered | None) -> str:
    """Why a metric says nothing of a model that can win it by answering nothing."""
    answers = profile.metrics[_ANSWERED]
    if answers.value is None or answers.value >= FEW_ANSWERED or not won_by_silence(name):
        return ""
    if answers.value == 0:
        return str(reason("silence_won_it", answers=answers.n))
    among = ""
    if counts is not None and counts.of:
        rule = OF_ANSWERS[name]
        among = f" (of its {counts.of:,} {rule.among}, {tenths(counts.wrong / counts.of)} are {rule.fault})"
    claiming = round(answers.value * answers.n)
    return f"{reason('silence_can_win_it', claiming=claiming, answers=answers.n)}{among}"


def _why(name: str, profile: Profile) -> str:
    """Why a metric has no value, or no interval."""
    return str(profile.metrics[name].reason or profile.interval_reasons.get(name) or "")


def scale(metric: str) -> Scale:
    """The values of a metric, and which are good."""
    from voirdire.ddft.analysis.comparing.ranking import LOWER_IS_BETTER

    usual: Side | None = "max" if metric in LOWER_IS_BETTER else "min"
    if metric == "CI_norm":  # of the models of a study, and so no metric of one model
        return Scale(0.0, 1.0, usual)
    if metric not in BY_NAME:
        return Scale()
    known = BY_NAME[metric]
    high = math.inf if known.kind == "ratio" else known.unit
    return Scale(0.0, high, None if metric == _ANSWERED else usual)  # a refusal may be right, or not
