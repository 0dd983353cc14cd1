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
    from voirdire.adapters.view.serving import serve, served_at
    from voirdire.web.serving import STOPPED

    def ready(address: str) -> None:
        say(served_at(folder, address))
        if open:
            _show(address)

    serve(folder, port=port, ready=ready)
    say(STOPPED)


def _show(address: str) -> None:
    import webbrowser

    from voirdire.documents.messages import no_browser

    if not webbrowser.open(address):
        say(no_browser(address), err=True)
