"""`voirdire show`: what a run found, or what results of an evaluation say, without calling anything."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from voirdire.cli._output import answer
from voirdire.cli._output import show as print_document
from voirdire.cli._values import JURY_OF_RUN, MAP
from voirdire.errors import InputError

if TYPE_CHECKING:
    from voirdire.instruments import Data


class NothingToShow(InputError):
    """The run is of an instrument that has no results of its own, or no texts."""


def show(
    run: Path = typer.Argument(..., help="Run folder, or results of an evaluation as for audit.", metavar="RUN"),
    map: str | None = MAP,
    jury: str | None = JURY_OF_RUN,
    all: bool = typer.Option(False, "--all", help="Print all: every figure, not only the first ones."),
    texts: bool = typer.Option(False, "--texts", help="Print every text first, with its scores."),
    json: bool = typer.Option(False, "--json", help="Print JSON."),
) -> None:
    """Show what a run found. Nothing is called."""
    from voirdire.adapters.python_api.questions import columns_of
    from voirdire.instruments import data_at, instrument_of_run
    from voirdire.instruments.instrument import RunSummary

    with columns_of(map, [run]):
        data = data_at([run])
        if data is not None:
            _show_data(run, data, all=all, as_json=json, options=jury is not None or texts)
            return
    instrument = instrument_of_run(run)
    if jury is not None and not instrument.by_jury:
        raise NothingToShow(f"--jury chooses among the juries of a run; {run}, a run of {instrument.name}, has none.")
    if instrument.summary is not None:
        found = instrument.summary(run, jury)
    elif instrument.document is not None:
        report = instrument.document([run], jury)
        found = RunSummary(report.data, lambda: report)
    else:
        advice = instrument.no_report.format(run=run) or "its tables can be exported: voirdire export"
        raise NothingToShow(f"There is nothing to show of {run}, a run of {instrument.name!r}: {advice}.")
    if texts and not json:
        if found.texts is None:
            raise NothingToShow(f"The texts of {run} are in its report: voirdire report {run}.")
        print_document(found.texts())
    answer(found.data, found.document, as_json=json, details=all)


def _show_data(path: Path, data: Data, *, all: bool, as_json: bool, options: bool) -> None:
    """What data say that are no run."""
    from voirdire.instruments import run_advice

    if data.summary is None:
        advice = run_advice(path) or f" Make a report of it: voirdire report {path}."
        raise NothingToShow(f"There is nothing to show of {path}, {data.what}.{advice}")
    if options:
        raise NothingToShow(f"--jury and --texts are for runs; {path} is {data.what}: voirdire report {path}.")
    found = data.summary([path])
    answer(found.data, found.document, as_json=as_json, details=all)
