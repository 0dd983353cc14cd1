"""`voirdire show`: what a run found, or what results of an evaluation say, without calling anything."""

from __future__ import annotations

from pathlib import Path

import typer

from voirdire.cli._commands import common_options
from voirdire.cli._output import answer
from voirdire.cli._values import JURY_OF_RUN, MAP


@common_options("all", "texts", "json")
def show(
    run: Path = typer.Argument(..., help="Run folder, or results of an evaluation as for audit.", metavar="RUN"),
    all: bool = typer.Option(False, "--all", help="Print all: every figure, not only the first ones."),
    texts: bool = typer.Option(False, "--texts", help="Print every text first, with its scores."),
    json: bool = typer.Option(False, "--json", help="Print JSON."),
    jury: str | None = JURY_OF_RUN,
    map: str | None = MAP,
) -> None:
    """Show what a run found. Nothing is called."""
    from voirdire.adapters.python_api.showing import show as show_run

    result = show_run(run, jury, all=all, texts=texts and not json, map=map)
    answer(result.to_dict(), result.document, as_json=json, details=all)
