"""Floors and ceilings for figures of a run: for continuous integration, and for test suites."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from voirdire.adapters.gate_limits import (
    GateError,
    GateVerdict,
    Limit,
    LimitOutcome,
    Limits,
    check_range,
    limits_of,
    never_missed,
    odd_side,
)
from voirdire.adapters.loading import load
from voirdire.adapters.python_api.questions import columns_of
from voirdire.data.paths import AnyPath, as_paths
from voirdire.documents.cells import in_percent
from voirdire.documents.check_results import TestCase, TestSuite
from voirdire.errors import UserError
from voirdire.instruments import Data, data_at, instrument_of, instruments
from voirdire.instruments.figures import CheckSummary, ModelFigure, RunFigures, Subject, rules_that_differ
from voirdire.reports.destination import PlaceError
from voirdire.reports.formats.junit import write_junit as write_suites
from voirdire.text.counting import listed, named_twice
from voirdire.text.suggestion import suggestion

_DECIMALS = 9
"""Figures and limits are rounded to this before they meet: 0.1 + 0.2 keeps a ceiling of 0.3, and a figure that was
copied keeps itself."""


def check_limits(limits: Limits, runs: Sequence[RunFigures], models: Sequence[str] = ()) -> GateVerdict:
    """Hold every limit against every model of every run.

    Args:
        limits: the limits, and what counts.
        runs: as they were read.
        models: only these; empty for all.

    Raises:
        GateError: a metric, a model or a check that a run does not have, a limit outside a metric's values, or `sound`
            of a run without validity checks.
    """
    selected = _select_models(runs, models)
    for checked in selected:
        _check_names(limits, checked)
        for limit in limits.limits:
            check_range(limit, checked.instrument)
    outcomes = tuple(
        _outcome(subject, limit, limits.bound)
        for checked in selected
        for subject in checked.subjects
        for limit in limits.limits
    )
    audited = [checked for checked in selected if limits.sound]
    unsound = _unaccepted(((checked.run, each) for checked in audited for each in checked.failed_checks), limits)
    unreliable = _unaccepted(((checked.run, each) for checked in audited for each in checked.reservations), limits)
    odd = [
        note
        for checked in selected
        for limit in limits.limits
        for note in (odd_side(limit, limits.limits, checked.instrument), never_missed(limit, checked))
    ]
    notes = (*_unlike_rules(selected), *_accepted(limits, selected), *dict.fromkeys(note for note in odd if note))
    return GateVerdict(limits, tuple(selected), outcomes, unsound, notes, unreliable)


def _unaccepted(checks: Iterable[tuple[Path, CheckSummary]], limits: Limits) -> tuple[tuple[Path, str, str], ...]:
    """The run, the id and the finding of each that was not accepted by its id."""
    return tuple((run, each.id, each.finding) for run, each in checks if each.id not in limits.accept)


def _unlike_rules(runs: Sequence[RunFigures]) -> Iterator[str]:
    """That one limit is held against figures that count by different rules."""
    if rules := rules_that_differ([(checked, str(checked.run)) for checked in runs]):
        yield f"The runs count by different thresholds, so a limit does not mean the same for all of them: {rules}."


def _accepted(limits: Limits, runs: Sequence[RunFigures]) -> Iterator[str]:
    """Which checks fail and don't count; a name that no check has is a mistake."""
    known = dict.fromkeys(check for checked in runs for check in checked.checks)
    for name in limits.accept:
        if name not in known:
            raise GateError(f"There is no check {name!r} to accept; {suggestion(name, known)}")
        where = [str(checked.run) for checked in runs if name in [check.id for check in checked.failed_checks]]
        if where:
            yield f"The check {name} fails in {listed(where)}, and is accepted."
        yield from (
            f"{checked.run}: {each.finding} This is accepted."
            for checked in runs
            for each in checked.reservations
            if each.id == name
        )


def worst(figure: ModelFigure, limit: Limit) -> float | None:
    """The unfavourable end of a figure's interval (never better than its value), or `None` without an interval."""
    if figure.value is None or figure.interval is None:
        return None
    if limit.side == "min":
        return min(figure.value, figure.interval.low)
    return max(figure.value, figure.interval.high)


def _outcome(subject: Subject, limit: Limit, bound: bool) -> LimitOutcome:
    figure = subject.figures[limit.metric]
    name = f"{subject.model}: {limit.metric}"
    if figure.undecided and figure.empty:
        return LimitOutcome(
            subject, limit, False, f"{name} can't be compared with {limit.number} yet, since {figure.empty}"
        )
    if figure.value is None:
        return LimitOutcome(
            subject, limit, False, f"{name} is undefined, so it is not {_target(limit)}: {figure.reason}"
        )
    if figure.empty:
        return LimitOutcome(subject, limit, False, f"{name} is {_as_text(figure.value, limit)}, but {figure.empty}")
    end = worst(figure, limit) if bound else figure.value
    if end is None:
        return LimitOutcome(
            subject, limit, False, f"{name} has no interval, and a limit on its end needs one: {figure.reason}"
        )
    which = "lower" if limit.side == "min" else "upper"
    of_interval = f", and the {which} end of its interval is {_as_text(end, limit)}" if bound else ""
    text = f"{name} is {_as_text(figure.value, limit)}{of_interval}"
    if not _is_met(end, limit):
        return LimitOutcome(subject, limit, False, f"{text}, which is not {_target(limit)}")
    reach = end - figure.value  # of the interval: what could be has one, too
    breaking = [each for each in figure.could_be or () if not _is_met(each + reach, limit)]
    if breaking:
        could = f"the value could be {_as_text(breaking[0], limit)}"
        if _is_met(breaking[0], limit):
            could += f", with an interval as wide as this one, which ends beyond {limit.number}"
        else:
            could += f", which is not {_target(limit)}"
        undecided = f"{text}, but {could}: {figure.lacking}"
        return LimitOutcome(subject, limit, False, undecided, undecided=True)
    return LimitOutcome(subject, limit, True, f"{text}, which is {_target(limit)}")


def _is_met(value: float, limit: Limit) -> bool:
    rounded, bound = round(value, _DECIMALS), round(limit.value, _DECIMALS)
    return rounded >= bound if limit.side == "min" else rounded <= bound


def _target(limit: Limit) -> str:
    return f"{limit.number} or {'more' if limit.side == 'min' else 'less'}"


def _as_text(value: float, limit: Limit) -> str:
    """As many decimals as are usual; more where rounding would hide on which side of the limit it lies."""
    is_met = _is_met(value, limit)
    for decimals in (1 if in_percent(limit.metric) else 3, 6, _DECIMALS):
        text = f"{value:.{decimals}f}"
        if _is_met(float(text), limit) == is_met and (is_met or text != f"{limit.value:.{decimals}f}"):
            break
    return text


def _select_models(runs: Sequence[RunFigures], models: Sequence[str]) -> list[RunFigures]:
    if not models:
        return list(runs)
    subjects = [subject for checked in runs for subject in checked.subjects]
    known = list(dict.fromkeys(subject.model for subject in subjects))
    asked = {_full_name(model, subjects, known) for model in models}
    selected = [checked.only(asked) for checked in runs]
    return [checked for checked in selected if checked.subjects]


def _full_name(model: str, subjects: Sequence[Subject], known: Sequence[str]) -> str:
    """The name by which a model is listed; its own name does where only one evaluation has it."""
    if model in known:
        return model
    meant = list(dict.fromkeys(subject.model for subject in subjects if subject.plain == model))
    if len(meant) > 1:
        raise GateError(f"{model!r} is in several evaluations; name one of these: {', '.join(map(repr, meant))}.")
    if not meant:
        raise GateError(f"No run has a model {model!r}; {suggestion(model, known)}")
    return meant[0]


def _check_names(limits: Limits, checked: RunFigures) -> None:
    if limits.sound and not checked.checks:
        raise GateError(
            f"--sound is for runs with validity checks; {checked.run}, a run of {checked.instrument}, has none."
        )
    for subject in checked.subjects:
        for limit in limits.limits:
            if limit.metric not in subject.figures:
                known = list(subject.figures)
                raise GateError(
                    f"{limit.metric!r} is no metric of a run of {checked.instrument} ({checked.run}); "
                    f"{suggestion(limit.metric, known)}"
                )


def read_checked(path: Path, jury: str | None = None) -> RunFigures:
    """A run with its models' figures, and what must be known of it; nothing is called.

    Raises:
        RunFolderError, LoadError, JuryError: there is no run, or no such jury has judged it.
        GateError: a gate knows no figures of this instrument, or it is a file.
    """
    data = data_at([path])
    if data is not None:
        return _figures_of_data(path, data, jury)
    run = load(path, jury)
    figures = instrument_of(run.instrument).figures
    if figures is None:
        having = ", ".join(each.name for each in instruments() if each.figures is not None)
        raise GateError(f"{path} is a run of {run.instrument}, which has no figures for a gate; runs of {having} do.")
    return figures(path, run.jury)


def _figures_of_data(path: Path, data: Data, jury: str | None) -> RunFigures:
    if data.figures is None:
        raise GateError(
            f"{path} is {data.what}, and a gate reads run folders and results of evaluations. For a file of answers: "
            f"voirdire detect {path} --max-flagged 5%."
        )
    if jury is not None:
        raise GateError(f"--jury chooses among the juries of a run; {path} is {data.what}, and has none.")
    return data.figures(path)


_NONE: Mapping[str, float] = {}


class GateWarning(UserWarning):
    """What must be known of a gate that was held: one sentence."""


def gate(
    runs: AnyPath | Sequence[AnyPath],
    limits: Limits,
    *,
    models: Sequence[str] = (),
    jury: str | None = None,
    map: Mapping[str, str] | str | None = None,
) -> GateVerdict:
    """Hold limits against the figures of runs; nothing is called.

    Args:
        runs: run folders.
        limits: floors and ceilings, and what counts.
        models: only these; empty for all.
        jury: the judges' names, or the id, of a jury that has judged the runs.
        map: of a table of results, its columns, as for `audit`.

    Raises:
        GateError: a metric or model that a run does not have, a limit outside a metric's values, a run named twice, or
            one without figures.
        RunFolderError, LoadError, JuryError: there is no run, or no such jury has judged it.
    """
    runs = as_paths(runs)
    if (twice := named_twice(runs, Path.resolve)) is not None:
        raise GateError(f"The run {twice} is named more than once; name each run once.")
    with columns_of(map, runs):
        return check_limits(limits, [read_checked(path, jury) for path in runs], models)


def assert_floor(
    runs: AnyPath | Sequence[AnyPath],
    min: Mapping[str, float] = _NONE,
    max: Mapping[str, float] = _NONE,
    *,
    bound: bool = True,
    sound: bool = False,
    accept: Sequence[str] = (),
    allow_incomplete: bool = False,
    only_models: str | Sequence[str] = (),
    jury: str | None = None,
    map: Mapping[str, str] | str | None = None,
) -> None:
    """Assert, in a test suite, that a run's figures keep to limits.

    Args:
        runs: folder of a run, or of several.
        min: floors by metric: `{"ER": 0.5}`.
        max: ceilings by metric: `{"danger_zone_pct": 10}`.
        bound: whether the unfavourable end of the 95 % interval counts; without it a lucky run may pass.
        sound: whether a failed validity check fails the assertion, or a conclusion not to rely on the figures.
        accept: ids of checks that may fail all the same, or names of what else forbids to rely on the figures.
        allow_incomplete: whether a run that is not complete may pass.
        only_models: only this model, or these.
        jury: the judges' names, or the id, of a jury that has judged the run.
        map: of a table of results, its columns, as for `audit`.

    Raises:
        AssertionError: a limit is not kept, a metric is undefined, or, with `bound`, has no interval, or the run is not
            complete; one sentence says which.
        GateError: a mistake in the call: there is no such run, jury, metric or model, or limits that can't be meant.

    Warns:
        GateWarning: what must be known of the run, such as that only rules have judged.

    Example:
        >>> def test_the_model_may_be_released():
        ...     voirdire.assert_floor("runs/nightly", min={"ER": 0.5}, max={"danger_zone_pct": 10})
    """
    __tracebackhide__ = True  # pytest shows the test's own line, and what follows
    models = (only_models,) if isinstance(only_models, str) else tuple(only_models)
    try:
        limits = limits_of(min, max, bound=bound, sound=sound, accept=accept, allow_incomplete=allow_incomplete)
        verdict = gate(runs, limits, models=models, jury=jury, map=map)
    except UserError as error:
        raise GateError(str(error)) from None  # its sentence says all
    for each in verdict.warnings:
        warnings.warn(each, GateWarning, stacklevel=3)  # beside `checked`, through which it is called
    if not verdict.passed:
        raise AssertionError("; ".join(failure.rstrip(".") for failure in verdict.failures) + ".")


def write_junit(verdict: GateVerdict, path: Path) -> None:
    """Write the file; one that is there is replaced, as CI services expect, if it is an XML file of no run.

    Raises:
        GateError: it can't be written, or must not be: a device, a link, a file of a run, a folder that is not there.
    """
    try:
        write_suites(path, "gate", suites(verdict))
    except PlaceError as error:
        raise GateError(str(error)) from error


def suites(verdict: GateVerdict) -> list[TestSuite]:
    """The outcome for a CI service: a suite for each run.

    Whether the run is complete is a test case of its own (unless that is allowed), and so is, under `--sound`, a failed
    validity check, and what else forbids to rely on the figures.
    """
    return [_suite(checked, verdict) for checked in verdict.runs]


def _suite(checked: RunFigures, verdict: GateVerdict) -> TestSuite:
    cases = [_case(outcome, checked) for subject in checked.subjects for outcome in verdict.of(subject)]
    if not verdict.limits.allow_incomplete:
        cases.append(TestCase(_class(checked, "run"), "complete", verdict.incomplete(checked) or ""))
    cases += [
        TestCase(_class(checked, "validity"), check, f"The validity check {check} fails: {why}")
        for run, check, why in verdict.unsound
        if run == checked.run
    ]
    cases += [
        TestCase(_class(checked, "validity"), name, why) for run, name, why in verdict.unreliable if run == checked.run
    ]
    return TestSuite(str(checked.run), tuple(cases), (*verdict.notes, *verdict.warnings_of(checked), *checked.notes))


def _case(outcome: LimitOutcome, checked: RunFigures) -> TestCase:
    failure = "" if outcome.passed else outcome.sentence
    return TestCase(_class(checked, outcome.subject.model), str(outcome.limit), failure, outcome.sentence)


def _class(checked: RunFigures, name: str) -> str:
    """Dots separate packages there, and model names are full of them."""
    return f"voirdire.{checked.instrument}.{name.replace('.', '_')}"
