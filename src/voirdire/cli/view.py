"""`voirdire view`: a local page over a folder of runs and of results."""

from __future__ import annotations

from pathlib import Path

import typer

from voirdire.cli._output import say

_PORT = 8610


def view(
    folder: Path = typer.Argument(
        Path("runs"), help="Folder with runs, or results that audit reads, somewhere below it.", metavar="FOLDER"
    ),
    port: int = typer.Option(_PORT, help="Port; 0 for any that is free.", min=0, max=65535),
    open: bool = typer.Option(False, "--open", help="Show the page in the browser."),
) -> None:
    """Show the runs of a folder on a local page: how far each has come, its figures, its report. Ctrl-C stops it.

    Results that somebody else made are listed beside them, with the verdict of their audit.

    Search and choose several to compare. A run under way is shown as it goes on; no run is changed. Only this machine
    can call the page.
    """
    from voirdire.adapters.view.serving import serve

    def ready(address: str) -> None:
        say(f"The folder {folder} is shown at {address} (Ctrl-C stops it).")
        if open:
            _show(address)

    serve(folder, port=port, ready=ready)
    say("Stopped.")


def _show(address: str) -> None:
    import webbrowser

    if not webbrowser.open(address):
        say(f"Note: no browser was found here; open {address} in one.", err=True)
