"""`voirdire show`: what a run found, without calling anything."""

from __future__ import annotations

from pathlib import Path

import typer

from voirdire.cli._output import answer
from voirdire.cli._output import show as print_document
from voirdire.cli._values import JURY_OF_RUN
from voirdire.errors import InputError


class NothingToShow(InputError):
    """The run is of an instrument that has no results of its own, or no texts."""


def show(
    run: Path = typer.Argument(..., help="Run folder.", metavar="RUN"),
    jury: str | None = JURY_OF_RUN,
    all: bool = typer.Option(False, "--all", help="Print every figure, not only the first ones."),
    texts: bool = typer.Option(False, "--texts", help="Print every text first, with its scores."),
    json: bool = typer.Option(False, "--json", help="Print JSON."),
) -> None:
    """Show what a run found. Nothing is called."""
    from voirdire.instruments import instrument_of_run

    instrument = instrument_of_run(run)
    if instrument.summary is None:
        advice = instrument.no_report.format(run=run) or "its tables can be exported: voirdire export"
        raise NothingToShow(f"There is nothing to show of {run}, a run of {instrument.name!r}: {advice}.")
    if jury is not None and not instrument.by_jury:
        raise NothingToShow(f"--jury chooses among the juries of a run; {run}, a run of {instrument.name}, has none.")
    found = instrument.summary(run, jury)
    if texts and not json:
        if found.texts is None:
            raise NothingToShow(f"The texts of {run} are in its report: voirdire report {run}.")
        print_document(found.texts())
    answer(found.data, found.document, as_json=json, details=all)
