"""The command line: one small file per command group; parses, calls, prints."""

from __future__ import annotations

import sys

import typer

from voirdire.cli import (
    cognibench,
    compare,
    ddft,
    detect,
    detectors,
    export,
    gate,
    integrity,
    jury,
    models,
    raters,
    redact,
    report,
    verify,
)
from voirdire.cli._commands import PROGRAM, Commands
from voirdire.cli._errors import user_errors
from voirdire.cli._projects import read_project_labels
from voirdire.cognibench.formats import register_project_reader

register_project_reader(read_project_labels)

app = Commands(
    name=PROGRAM,
    help="Put a language model on the stand: cross-examine it, have a jury judge it, see how far it can be relied on.",
)
app.add_typer(ddft.app, name="ddft")
app.add_typer(cognibench.app, name="cognibench")
app.add_typer(integrity.app, name="integrity")
app.add_typer(detectors.app, name="detectors")
app.add_typer(jury.app, name="jury")
app.add_typer(raters.app, name="raters")
app.add_typer(models.app, name="models")
app.command(epilog="Example: voirdire detect answers.jsonl")(detect.detect)
app.command(epilog="Example: voirdire report runs/first -o first.html")(report.report)
app.command(epilog="Example: voirdire gate runs/first --min ER=0.5 --max danger_zone_pct=10 --bound")(gate.gate)
app.command(epilog="Example: voirdire export runs/labels --to sft --split 0.9 -o chats")(export.export)
app.command(epilog="Example: voirdire redact runs/first -o shared/first")(redact.redact)
app.command(epilog="Example: voirdire verify runs/first")(verify.verify)
app.command(epilog="Example: voirdire compare runs/first runs/second --metric ER")(compare.compare)


@app.callback(invoke_without_command=True)
def _version(version: bool = typer.Option(False, "--version", help="Print the version and end.")) -> None:
    if version:
        from voirdire import __version__

        typer.echo(__version__)
        raise typer.Exit


def main() -> None:
    """Entry point of `voirdire`: a mistake ends in one sentence and exit code 1, or 2 if the command line is wrong."""
    with user_errors():
        app(prog_name=PROGRAM)
    sys.exit(0)
