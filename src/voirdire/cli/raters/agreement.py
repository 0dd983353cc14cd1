"""`voirdire raters agreement`: how far people agree, and with a machine."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import typer

from voirdire.cli._output import answer
from voirdire.cli.raters._app import app


@app.command(epilog="Example: voirdire raters agreement labels.voirdire --with runs/labels")
def agreement(
    project: Path = typer.Argument(..., help="Project that people have rated.", metavar="PROJECT"),
    beside_run: Path | None = typer.Option(
        None,
        "--with",
        help="A run of the same instrument, what voirdire detect --out wrote, or scored trials: people beside judges.",
        metavar="RUN",
    ),
    jury: str | None = typer.Option(
        None, help="Id of a jury of that run (ddft); without it, the run's own.", metavar="ID"
    ),
    beside: Path | None = typer.Option(
        None,
        help="A cognibench project in the other mode: sequential against independent, as in the paper's table 1.",
        metavar="OTHER_PROJECT",
    ),
    json: bool = typer.Option(False, "--json", help="Print JSON."),
) -> None:
    """Tell how far people agree, how close a run's jury or detector comes to them, and which mode serves better.

    Only ratings given without sight of each other count. Intervals are clustered by what items share.
    """
    from voirdire.cli.show import raters_comparison as show
    from voirdire.raters.agreement import agree
    from voirdire.raters.comparing import compare_with
    from voirdire.raters.project_loader import read_project
    from voirdire.raters.records import RatersError
    from voirdire.raters.tasks import open_task

    if jury is not None and beside_run is None:
        raise RatersError("--jury names a jury of the run that --with names; give both.")
    own = read_project(project)
    found = agree(own)
    compared = None if beside_run is None else compare_with(own, beside_run, jury)
    modes = None if beside is None else open_task(own.settings.task).compare_modes(own, read_project(beside))
    data: dict[str, Any] = {"agreement": found.as_dict()}
    if compared is not None:
        data["comparison"] = compared.as_dict()
    if modes is not None:
        data["modes"] = modes.as_dict()
    answer(data, lambda: show.everything(found, compared, modes), as_json=json)
