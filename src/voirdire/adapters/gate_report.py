"""What came of a gate, as a document."""

from __future__ import annotations

from voirdire.adapters.gate_limits import Outcome, Verdict
from voirdire.documents.cells import metric_cell, metric_ends, plain_table, text
from voirdire.documents.document import Bullets, Cell, Document, Section, Table, Text, document
from voirdire.instruments.figures import RunFigures
from voirdire.text.counting import counted


def gate_document(verdict: Verdict) -> Document:
    """Cautions, a table of all limits for each run, a sentence for what fails, and the verdict last."""
    failures = (Bullets(tuple(verdict.failures)),) if verdict.failures else ()
    last = Text(f"PASSED{_tally(verdict)}", "good") if verdict.passed else Text(f"FAILED{_tally(verdict)}", "bad")
    return document(
        *(Text(warning, "warn") for warning in verdict.warnings),
        *(
            Section(str(checked.run), f"{checked.run} ({checked.instrument})", (_limits(checked, verdict),))
            for checked in verdict.runs
        ),
        Section("verdict", "", (*failures, last)),
    )


def _limits(checked: RunFigures, verdict: Verdict) -> Table:
    rows = (
        (
            subject.model if number == 0 else "",
            str(outcome.limit),
            metric_cell(outcome.limit.metric, outcome.figure.value),
            "" if outcome.figure.n is None else f"{outcome.figure.n:,}",
            metric_ends(outcome.limit.metric, outcome.figure.interval if outcome.measured else None),
            _verdict(outcome),
        )
        for subject in checked.subjects
        for number, outcome in enumerate(verdict.of(subject))
    )
    return plain_table("limits", ("model", "limit", "value", "n", "95 % interval", ""), rows, numbers=4)


def _verdict(outcome: Outcome) -> Cell:
    if outcome.passed:
        return text("kept", "good")
    return text("undecided" if outcome.undecided else "not kept" if outcome.measured else "not measured", "bad")


def _tally(verdict: Verdict) -> str:
    """How many limits are kept; where that is all of them and the gate fails, first why."""
    passed = sum(outcome.passed for outcome in verdict.outcomes)
    tally = f"{passed:,} of {counted(len(verdict.outcomes), 'limit')} kept"
    if verdict.passed or passed < len(verdict.outcomes):
        end = "the unfavourable end of the interval counts" if verdict.limits.bound else "the value counts"
        warnings = len(verdict.warnings)
        above = f", with {counted(warnings, 'warning')} above" if verdict.passed and warnings else ""
        return f": {tally}{above}; {end}."
    unfinished = any(verdict.incomplete(checked) for checked in verdict.runs)
    which = "the run" if len(verdict.runs) == 1 else "a run"
    whys = [
        *([f"{which} is not complete"] if unfinished else []),
        *(["a validity check fails"] if verdict.unsound else []),
    ]
    return f": {' and '.join(whys)} ({tally})."
