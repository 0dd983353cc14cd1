"""What came of a gate, as a document."""

from __future__ import annotations

from collections.abc import Iterator

from voirdire.adapters.gate_limits import GateVerdict, LimitOutcome
from voirdire.documents.cells import in_percent, metric, metric_cell, metric_ends, plain_table, text
from voirdire.documents.document import Bullets, Cell, Document, Section, Table, Text, detail, document, more
from voirdire.instruments.figures import RunFigures
from voirdire.text.counting import counted

_FIRST = 7
"""Failures that are told before anybody asks for all."""


def gate_document(verdict: GateVerdict) -> Document:
    """The verdict in a sentence, cautions, a sentence for what fails; for those who ask for more, every limit."""
    first = Text(f"PASSED{_tally(verdict)}", "good") if verdict.passed else Text(f"FAILED{_tally(verdict)}", "bad")
    return document(
        first,
        *(Text(warning, "warn") for warning in verdict.warnings),
        *_failures(verdict),
        *(Text(note) for note in verdict.run_notes),
        *(
            detail(str(checked.run), _limits(checked, verdict), title=f"{checked.run} ({checked.instrument})")
            for checked in verdict.runs
        ),
    )


def _failures(verdict: GateVerdict) -> Iterator[Section]:
    """The first of them, unless the verdict's sentence has told the only one; then the others."""
    failures = verdict.failures
    first, others = failures[:_FIRST], failures[_FIRST:]
    if len(failures) > 1 or (failures and all(outcome.passed for outcome in verdict.outcomes)):
        yield Section("failures", "", (Bullets(tuple(first)),))
    yield more(f"{counted(len(others), 'further failure')}, every limit" if others else "Every limit with its figure")
    if others:
        yield detail("more-failures", Bullets(tuple(others)))


def _limits(checked: RunFigures, verdict: GateVerdict) -> Table:
    rows = (
        (
            subject.model if number == 0 else "",
            str(outcome.limit),
            _value(outcome),
            "" if outcome.figure.n is None else f"{outcome.figure.n:,}",
            metric_ends(outcome.limit.metric, outcome.figure.interval if outcome.measured else None),
            _verdict(outcome),
        )
        for subject in checked.subjects
        for number, outcome in enumerate(verdict.of(subject))
    )
    return plain_table("limits", ("model", "limit", "value", "n", "95 % interval", ""), rows, numbers=4)


def _value(outcome: LimitOutcome) -> Cell:
    figure = outcome.figure
    if figure.undecided and figure.empty:
        return text("not yet", "quiet")
    return metric_cell(outcome.limit.metric, figure.value)


def _verdict(outcome: LimitOutcome) -> Cell:
    if outcome.passed:
        return text("kept", "good")
    return text("undecided" if outcome.undecided else "not kept" if outcome.measured else "not measured", "bad")


def _tally(verdict: GateVerdict) -> str:
    """How many limits are kept, and the figure that decides; where all are kept and the gate fails, why."""
    passed = sum(outcome.passed for outcome in verdict.outcomes)
    tally = f"{passed:,} of {counted(len(verdict.outcomes), 'limit')} kept"
    if verdict.passed or passed < len(verdict.outcomes):
        warnings = len(verdict.warnings)
        below = f", with {counted(warnings, 'warning')} below" if verdict.passed and warnings else ""
        return f": {tally}{below}; {_decisive(verdict)}."
    unfinished = any(verdict.incomplete(checked) for checked in verdict.runs)
    which = "the run" if len(verdict.runs) == 1 else "a run"
    whys = [
        *([f"{which} is not complete"] if unfinished else []),
        *(["a validity check fails"] if verdict.unsound else []),
        *(["the figures are not to be relied on"] if verdict.unreliable else []),
    ]
    return f": {' and '.join(whys)} ({tally})."


def _decisive(verdict: GateVerdict) -> str:
    """The figure that is furthest off its limit, or closest to it where all are kept, with its interval."""
    outcomes = [outcome for outcome in verdict.outcomes if outcome.passed == verdict.passed]
    measured = [outcome for outcome in outcomes if outcome.measured]
    if not measured:
        return outcomes[0].finding
    outcome = min(measured, key=lambda each: _slack(each, verdict.limits.bound))
    limit, figure = outcome.limit, outcome.figure
    if outcome.undecided or (verdict.limits.bound and figure.interval is None):
        return outcome.finding
    reach = metric_ends(limit.metric, figure.interval)
    interval = f" (95 % interval {reach})" if reach else ""
    which = "" if len(outcomes) == 1 else ", the closest," if verdict.passed else ", the furthest off,"
    counts = f"whose {'lower' if limit.side == 'min' else 'upper'} end" if verdict.limits.bound else "which"
    asked = f"{limit.number} or {'more' if limit.side == 'min' else 'less'}"
    value = metric(limit.metric, figure.value)
    return f"{limit.metric} of {outcome.subject.model}{which} is {value}{interval}, {counts} must be {asked}"


def _slack(outcome: LimitOutcome, bound: bool) -> float:
    """How far what counts is from its limit, on the good side; percentages as shares."""
    figure, limit = outcome.figure, outcome.limit
    value = figure.value or 0.0
    if bound and figure.interval is not None:
        value = figure.interval.low if limit.side == "min" else figure.interval.high
    distance = value - limit.value if limit.side == "min" else limit.value - value
    return distance / 100 if in_percent(limit.metric) else distance
