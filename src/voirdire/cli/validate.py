"""`voirdire validate`: was the test itself sound?"""

from __future__ import annotations

from pathlib import Path

import typer

from voirdire.cli._output import answer
from voirdire.cli._study_options import JSON
from voirdire.cli._values import JURY_OF_RUN, MAP

CHECK_FAILED = 100
"""Exit code under `--strict`: the tool worked, and the run did not pass."""


def validate(
    run: Path = typer.Argument(..., help="Run folder, or results of an evaluation as for audit.", metavar="RUN"),
    map: str | None = MAP,
    jury: str | None = JURY_OF_RUN,
    strict: bool = typer.Option(False, "--strict", help="End with exit code 100 when a check fails."),
    all: bool = typer.Option(False, "--all", help="Print all: what was seen of checks that pass, too."),
    json: bool = JSON,
) -> None:
    """Check whether the test itself was sound, with quotes from the run. Nothing is called."""
    from voirdire.adapters.front.validation import validate as validate_run

    found = validate_run(run, jury, map=map)
    answer(found.to_dict(), found.document, as_json=json, details=all)
    if strict and found.failed:
        raise typer.Exit(CHECK_FAILED)
