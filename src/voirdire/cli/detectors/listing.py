"""`voirdire detectors list`."""

from __future__ import annotations

import typer

from voirdire.cli._output import answer
from voirdire.cli.detectors._app import app


@app.command("list", epilog="Example: voirdire detectors list")
def list_(json: bool = typer.Option(False, "--json", help="Print JSON.")) -> None:
    """List the detectors that can be named, and what each needs."""
    from voirdire.detectors import KINDS
    from voirdire.detectors.report import kinds_document

    matches = [
        {"name": name, "model": kind.model, "says": kind.says, "needs": kind.needs} for name, kind in KINDS.items()
    ]
    answer({"detectors": matches}, lambda: kinds_document(matches), as_json=json)
