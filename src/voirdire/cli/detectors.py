"""`voirdire detectors`: which there are, and how one is trained or calibrated on your own labels."""

from __future__ import annotations

import typer

from voirdire.cli._output import answer

app = typer.Typer(help="Detectors of unsupported sentences.", no_args_is_help=True, rich_markup_mode=None)


@app.command("list", epilog="Example: voirdire detectors list")
def list_(json: bool = typer.Option(False, "--json", help="Print JSON.")) -> None:
    """List the detectors that can be named, and what each needs."""
    from voirdire.cli.show import detectors as show
    from voirdire.detectors import KINDS

    found = [
        {"name": name, "model": kind.model, "says": kind.says, "needs": kind.needs} for name, kind in KINDS.items()
    ]
    answer({"detectors": found}, lambda: show.kinds(found), as_json=json)
