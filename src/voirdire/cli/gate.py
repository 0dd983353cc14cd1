"""`voirdire gate`: floors and ceilings for a run's figures, for continuous integration."""

from __future__ import annotations

from pathlib import Path

import typer


def gate(
    run: Path = typer.Argument(..., help="Run folder.", metavar="RUN"),
) -> None:
    """Pass or fail a run by its figures."""
