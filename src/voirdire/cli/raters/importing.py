"""`voirdire raters import`: ratings that were made elsewhere."""

from __future__ import annotations

from pathlib import Path

import typer

from voirdire.cli._output import answer
from voirdire.cli.raters._app import app


@app.command("import", epilog="Example: voirdire raters import ana.voirdire annotated.json --from label-studio")
def import_ratings(
    project: Path = typer.Argument(..., help="The project's file.", metavar="PROJECT"),
    file: Path = typer.Argument(..., help="File with ratings, or the folder of an export.", metavar="FILE"),
    source: str | None = typer.Option(
        None, "--from", help="jsonl, csv, label-studio or released; by the file's name if not given.", metavar="FROM"
    ),
    rater: str | None = typer.Option(None, help="Whose ratings these are, whatever the file says.", metavar="NAME"),
    json: bool = typer.Option(False, "--json", help="Print JSON."),
) -> None:
    """Add ratings made elsewhere to a project: all of a file's, or none. Twice the same file adds nothing."""
    from voirdire.cli.show import raters_exchange as show
    from voirdire.raters import exchange

    done = exchange.import_ratings(project, file, source, rater)
    answer(done.as_dict(), lambda: show.imported(done), as_json=json)
