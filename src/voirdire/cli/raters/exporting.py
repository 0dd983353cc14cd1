"""`voirdire raters export`: give people's ratings to other tools."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, cast

import typer

from voirdire.cli._output import answer, say
from voirdire.cli.raters._app import app

if TYPE_CHECKING:
    from voirdire.raters.exchange import Which


@app.command("export", epilog="Example: voirdire raters export ana.voirdire --to label-studio --gold -o for-studio")
def export_ratings(
    project: Path = typer.Argument(..., help="The project's file.", metavar="PROJECT"),
    to: str = typer.Option(
        ..., help="jsonl, csv, label-studio, released (CogniBench's layout) or log (every row).", metavar="TO"
    ),
    out: Path = typer.Option(..., "-o", "--out", help="Folder to write; nothing may be there yet."),
    gold: bool = typer.Option(False, "--gold", help="Also write what items are taken to be."),
    pool: str = typer.Option("live", help="Ratings of which items: live, practice or all.", metavar="POOL"),
    names: bool = typer.Option(False, "--names", help="Call raters by their names, not r1, r2 …"),
    rater: str | None = typer.Option(None, help="released: this rater's labels, not the gold ones.", metavar="NAME"),
    force: bool = typer.Option(False, "--force", help="Replace an earlier export."),
    json: bool = typer.Option(False, "--json", help="Print JSON."),
) -> None:
    """Export ratings: all that was entered, as lines, tables, Label Studio's tasks or CogniBench's labels.

    A manifest beside them says what they are and holds the SHA-256 of every file.
    """
    from voirdire.cli.show import raters_exchange as show
    from voirdire.raters.exchange import ExportPlan, export_project
    from voirdire.raters.project_loader import read_project

    if pool not in ("live", "practice", "all"):
        raise typer.BadParameter("choose live, practice or all.", param_hint="--pool")
    plan = ExportPlan(
        target=to,
        out=out,
        gold=gold,
        pool=cast("Which", pool),
        names=names,
        rater=rater,
        force=force,
    )
    done = export_project(read_project(project), plan)
    for note in done.notes:
        say(f"Note: {note}", err=True)
    answer(done.as_dict(), lambda: show.exported(done), as_json=json)
