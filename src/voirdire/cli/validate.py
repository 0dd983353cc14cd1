"""`voirdire validate`: was the test itself sound?"""

from __future__ import annotations

from pathlib import Path

import typer

from voirdire.cli._output import answer
from voirdire.cli._study_options import JSON
from voirdire.cli._values import JURY_OF_RUN
from voirdire.data.plain import as_plain

CHECK_FAILED = 100
"""Exit code under `--strict`: the tool worked, and the run did not pass."""


def validate(
    run: Path = typer.Argument(..., help="Run folder.", metavar="RUN"),
    jury: str | None = JURY_OF_RUN,
    strict: bool = typer.Option(False, "--strict", help="End with exit code 100 when a check fails."),
    all: bool = typer.Option(False, "--all", help="Print what was seen of checks that pass, too."),
    json: bool = JSON,
) -> None:
    """Check whether the test itself was sound, with quotes from the run. Nothing is called."""
    from voirdire.ddft.report.validity_checks import checks_document
    from voirdire.ddft.results import load_run

    result = load_run(run, jury)
    data = {
        "run": str(result.path),
        "jury": result.jury,
        "other_juries": as_plain(result.other_juries),
        "checks": as_plain(result.checks),
    }
    answer(data, lambda: checks_document(result), as_json=json, details=all)
    if strict and result.failed_checks:
        raise typer.Exit(CHECK_FAILED)
