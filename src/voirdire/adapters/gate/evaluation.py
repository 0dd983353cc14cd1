"""Holding figures against limits. Pure: no run is read here."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import replace

from voirdire.adapters.gate.records import GateError, Limit, Limits, Outcome, Verdict
from voirdire.adapters.gate.scales import check_range, odd_side
from voirdire.instruments.figures import Checked, Figure, Subject

_DECIMALS = 9
"""Figures and limits are rounded to this before they meet: 0.1 + 0.2 keeps a ceiling of 0.3, and a figure that was
copied keeps itself."""


def hold(asked: Limits, runs: Sequence[Checked], models: Sequence[str] = ()) -> Verdict:
    """Hold every limit against every model of every run.

    Args:
        asked: the limits, and what counts.
        runs: as they were read.
        models: only these; empty for all.

    Raises:
        GateError: a metric or a model that a run does not have, a limit outside a metric's values, or `sound` of a run
            without validity checks.
    """
    chosen = _chosen(runs, models)
    for checked in chosen:
        _check_names(asked, checked)
        for limit in asked.limits:
            check_range(limit, checked.instrument)
    outcomes = tuple(
        _cautious(_outcome(subject, limit, asked.bound), asked)
        for checked in chosen
        for subject in checked.subjects
        for limit in asked.limits
    )
    unsound = tuple(
        (checked.run, check, found) for checked in chosen if asked.sound for check, found in checked.failed_checks
    )
    odd = [odd_side(limit, asked.limits, checked.instrument) for checked in chosen for limit in asked.limits]
    return Verdict(asked, tuple(chosen), outcomes, unsound, tuple(dict.fromkeys(note for note in odd if note)))


def worst(figure: Figure, limit: Limit) -> float | None:
    """The unfavourable end of a figure's interval (never better than its value), or `None` without an interval."""
    if figure.value is None or figure.interval is None:
        return None
    if limit.side == "min":
        return min(figure.value, figure.interval.low)
    return max(figure.value, figure.interval.high)


def _cautious(outcome: Outcome, asked: Limits) -> Outcome:
    """With what must be said of a limit that is kept, unless another limit answers it."""
    figure = outcome.figure
    guarded = any(limit.metric == figure.guard and limit.side == "min" for limit in asked.limits)
    if not figure.caution or guarded or not outcome.passed:
        return outcome
    return replace(outcome, caution=f"{outcome.subject.model}: {outcome.limit} is kept, but {figure.caution}.")


def _outcome(subject: Subject, limit: Limit, bound: bool) -> Outcome:
    figure = subject.figures[limit.metric]
    name = f"{subject.model}: {limit.metric}"
    if figure.value is None:
        return Outcome(subject, limit, False, f"{name} is undefined, so it is not {_wanted(limit)}: {figure.reason}.")
    if figure.empty:
        return Outcome(subject, limit, False, f"{name} is {_shown(figure.value, limit)}, but {figure.empty}.")
    if not bound:
        passed = _keeps(figure.value, limit)
        return Outcome(subject, limit, passed, f"{name} is {_shown(figure.value, limit)}, {_verdict(passed, limit)}.")
    end = worst(figure, limit)
    if end is None:
        return Outcome(
            subject, limit, False, f"{name} has no interval, and a limit on its end needs one: {figure.reason}."
        )
    passed, which = _keeps(end, limit), "lower" if limit.side == "min" else "upper"
    return Outcome(
        subject,
        limit,
        passed,
        f"{name} is {_shown(figure.value, limit)}, and the {which} end of its interval is {_shown(end, limit)}, "
        f"{_verdict(passed, limit)}.",
    )


def _verdict(passed: bool, limit: Limit) -> str:
    return f"which is {'' if passed else 'not '}{_wanted(limit)}"


def _keeps(value: float, limit: Limit) -> bool:
    found, wanted = round(value, _DECIMALS), round(limit.value, _DECIMALS)
    return found >= wanted if limit.side == "min" else found <= wanted


def _wanted(limit: Limit) -> str:
    return f"{limit.number} or {'more' if limit.side == 'min' else 'less'}"


def _shown(value: float, limit: Limit) -> str:
    """As many decimals as are usual; more where rounding would hide on which side of the limit it lies."""
    keeps = _keeps(value, limit)
    for decimals in (1 if limit.metric.endswith("_pct") else 3, 6, _DECIMALS):
        text = f"{value:.{decimals}f}"
        if _keeps(float(text), limit) == keeps and (keeps or text != f"{limit.value:.{decimals}f}"):
            break
    return text


def _chosen(runs: Sequence[Checked], models: Sequence[str]) -> list[Checked]:
    if not models:
        return list(runs)
    known = list(dict.fromkeys(subject.model for checked in runs for subject in checked.subjects))
    for model in models:
        if model not in known:
            raise GateError(f"No run has a model {model!r}; {_instead(model, known)}")
    kept = [
        replace(checked, subjects=tuple(subject for subject in checked.subjects if subject.model in models))
        for checked in runs
    ]
    return [checked for checked in kept if checked.subjects]


def _check_names(asked: Limits, checked: Checked) -> None:
    if asked.sound and not checked.checks:
        raise GateError(
            f"--sound is for ddft runs, which have validity checks; {checked.run} is one of {checked.instrument}."
        )
    for subject in checked.subjects:
        for limit in asked.limits:
            if limit.metric not in subject.figures:
                known = list(subject.figures)
                raise GateError(
                    f"{limit.metric!r} is no metric of a run of {checked.instrument} ({checked.run}); "
                    f"{_instead(limit.metric, known)}"
                )


def _instead(given: str, known: Sequence[str]) -> str:
    lowered = {name.lower(): name for name in known}
    near = difflib.get_close_matches(given.lower(), lowered, n=1, cutoff=0.5)
    return f"did you mean {lowered[near[0]]}?" if near else f"there are {', '.join(known)}."
