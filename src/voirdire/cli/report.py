"""`voirdire report`: one file that says what a run, a comparison or a study found."""

from __future__ import annotations

from pathlib import Path

import typer


def report(
    runs: list[Path] = typer.Argument(..., help="Run folders.", metavar="RUN"),
) -> None:
    """Make a report of a run, or of several together."""
