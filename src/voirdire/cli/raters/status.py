"""`voirdire raters status`: how far a project has come."""

from __future__ import annotations

from pathlib import Path

import typer

from voirdire.cli._output import answer
from voirdire.cli.raters._app import app


@app.command(
    epilog="Example: voirdire raters status labels.voirdire\n\n"
    "Example: voirdire raters status labels.voirdire --json | jq .raters"
)
def status(
    project: Path = typer.Argument(..., help="Project, made by: raters new.", metavar="PROJECT"),
    json: bool = typer.Option(False, "--json", help="Print JSON."),
) -> None:
    """How far a project has come: ratings, disagreements, gold and questions; each rater's items and times.

    It can be asked while a server is at work. How far raters agree is told by: raters agreement.
    """
    from voirdire.cli.show import raters_status
    from voirdire.raters.progress import progress_of
    from voirdire.raters.project_loader import read_project

    read = read_project(project)
    found = progress_of(read)
    answer(found.as_dict(), lambda: raters_status.status(read.settings, found), as_json=json)
